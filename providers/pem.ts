// Keys as people paste them: whole files, or the bare base64 that Alipay's tools give out.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { KeyUnreadable } from '#kit/ports/providers.ts'

const TYPES = { PRIVATE: ['pkcs8', 'pkcs1'], PUBLIC: ['spki', 'pkcs1'] } as const

/** The RSA key as PEM. Throws KeyUnreadable with `label`, and never with the key. */
export function pemOf(kind: 'PRIVATE' | 'PUBLIC', text: string | undefined, label: string): string {
  const key = keyOf(kind, text ?? '')
  if (key?.asymmetricKeyType !== 'rsa')
    throw new KeyUnreadable(`${label}无法识别，请粘贴完整的 RSA ${kind === 'PRIVATE' ? '私钥' : '公钥'}内容`)
  return key.export({ type: kind === 'PRIVATE' ? 'pkcs8' : 'spki', format: 'pem' }).toString()
}

function keyOf(kind: 'PRIVATE' | 'PUBLIC', text: string): KeyObject | null {
  const isPem = text.includes('-----BEGIN')
  // A private key in the field of a public one must not be read as one.
  if (kind === 'PUBLIC' && /PRIVATE KEY/.test(text)) return null
  const make = (key: { key: Buffer | string; format: 'der' | 'pem'; type?: 'pkcs8' | 'pkcs1' | 'spki' }) => {
    try {
      return kind === 'PRIVATE'
        ? createPrivateKey(key as Parameters<typeof createPrivateKey>[0])
        : createPublicKey(key as Parameters<typeof createPublicKey>[0])
    } catch (error) {
      if (error instanceof Error) return null
      throw error
    }
  }
  if (isPem) return make({ key: text, format: 'pem' })
  const der = Buffer.from(text.replace(/\s+/g, ''), 'base64')
  return TYPES[kind].reduce<KeyObject | null>(
    (found, type) => found ?? make({ key: der, format: 'der', type }),
    null,
  )
}
