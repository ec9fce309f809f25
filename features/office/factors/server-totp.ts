// Codes by time (RFC 6238, SHA-1, 30 s, six digits): what authenticator apps show.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const SECRET_BYTES = 20

export function stepAt(ms: number): number {
  return Math.floor(ms / STEP_MS)
}

export function makeSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The secret as apps take it (RFC 4648). */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step that this code is of: now, the one before or the one after, and none up to `lastStep`; null when it is none. */
export function stepOf(secret: Buffer, code: string, nowMs: number, lastStep: number): number | null {
  const now = stepAt(nowMs)
  const given = Buffer.from(code.padEnd(6).slice(0, 6))
  const fits = [now - 1, now, now + 1].filter(
    step => timingSafeEqual(Buffer.from(codeAt(secret, step)), given) && step > lastStep,
  )
  return fits[0] ?? null
}

export function totpAddress(secret: Buffer, account: string, issuer: string): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`
}
