// Tencent Cloud's TC3-HMAC-SHA256: one POST to `/` without a query. The key is derived per UTC day and service, so a
// signature is worth nothing on another day or at another service.
import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'TC3-HMAC-SHA256'

export type Tc3Request = {
  /** The first label of the service's host name, such as `sms`. */
  service: string
  epochSeconds: number
  /** What is signed, by lower-case name: content-type and host at least. */
  headers: Record<string, string>
  body: string
}

/** The Authorization header. */
export function tc3Authorization(request: Tc3Request, key: { secretId: string; secretKey: string }): string {
  const day = new Date(request.epochSeconds * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${request.service}/tc3_request`
  const names = Object.keys(request.headers).sort()
  const canonical = [
    'POST',
    '/',
    '',
    ...names.map(name => `${name}:${request.headers[name]?.trim().toLowerCase()}`),
    '',
    names.join(';'),
    sha256(request.body),
  ].join('\n')
  const text = [ALGORITHM, request.epochSeconds, scope, sha256(canonical)].join('\n')
  const secret = [day, request.service, 'tc3_request'].reduce<string | Buffer>(
    (derived, part) => createHmac('sha256', derived).update(part).digest(),
    `TC3${key.secretKey}`,
  )
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  return `${ALGORITHM} Credential=${key.secretId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
