// The browser's side of passkeys; its library is fetched when one is used.
import { isUnderDomain } from '#web/client/demo.ts'
import { busyWhile } from '#web/client/ready.ts'

/** Whether this browser can, and the page is under the address that keys are made for: never one by number, nor an agent's domain. */
export function knowsPasskeys(): boolean {
  if (isUnderDomain()) return false
  return 'PublicKeyCredential' in window && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname)
}

type Options = Record<string, unknown>

export async function signWithPasskey(options: Options) {
  const { startAuthentication } = await busyWhile(import('@simplewebauthn/browser'))
  return { ...(await startAuthentication({ optionsJSON: options as never })) }
}

export async function makePasskey(options: Options) {
  const { startRegistration } = await busyWhile(import('@simplewebauthn/browser'))
  return { ...(await startRegistration({ optionsJSON: options as never })) }
}

/** Why the browser gave no key, in words; null where it is no failure of the browser's. */
export function keyFailure(error: unknown): string | null {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return '这台设备已经添加过通行密钥'
  return ['NotAllowedError', 'AbortError', 'WebAuthnError', 'SecurityError'].includes(name)
    ? '没有取得通行密钥，请重试或改用其他方式'
    : null
}
