// Standard Webhooks as the receiver reads them: whether a message is the office's own, and not one of long ago sent again.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const PREFIX = 'whsec_'
const TOLERANCE_S = 300

/** `secrets`: two while one takes the place of another. */
export function isGenuine(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  secrets: readonly string[],
  now: Date,
): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(name => headers[`webhook-${name}`])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_S) return false
  const given = signatures.split(' ').flatMap(one => (one.startsWith('v1,') ? [one.slice('v1,'.length)] : []))
  return secrets.some(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    return given.some(one => isSame(Buffer.from(one, 'base64'), expected))
  })
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
