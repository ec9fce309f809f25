// Standard Webhooks: what is signed, with what, and what it looks like (the issue names the specification; its library is the judge).
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function makeSecret(): { secret: string; secretEnd: string } {
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
  // Base64 ends alike.
  return { secret, secretEnd: secret.replace(/=+$/, '').slice(-4) }
}

/** The headers of a message, signed with each secret: two while one takes the place of another. `seconds`: of this try, since 1970. */
export function signedHeaders(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Partner-Office-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
