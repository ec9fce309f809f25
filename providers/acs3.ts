// Alibaba Cloud's ACS3-HMAC-SHA256: method, path, query, headers and the hash of the body. The key is not derived, so a
// signature is tied to its request by the signed nonce and date alone.
import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'ACS3-HMAC-SHA256'

export type Acs3Request = {
  method: 'POST' | 'GET'
  path: string
  query: Record<string, string>
  /** All of them are signed, by lower-case name: host and every x-acs-*. */
  headers: Record<string, string>
  body: string | Buffer
}

/** `name=value&…`, sorted by name, encoded as RFC 3986 asks. */
export function queryText(query: Record<string, string>): string {
  return Object.keys(query)
    .sort()
    .map(name => `${encode(name)}=${encode(query[name] as string)}`)
    .join('&')
}

/** What is hashed and signed. */
export function acs3Canonical(request: Acs3Request): string {
  const names = Object.keys(request.headers).sort()
  return [
    request.method,
    request.path,
    queryText(request.query),
    ...names.map(name => `${name}:${request.headers[name]?.trim()}`),
    '',
    names.join(';'),
    sha256(request.body),
  ].join('\n')
}

/** The Authorization header. */
export function acs3Authorization(
  request: Acs3Request,
  key: { accessKeyId: string; accessKeySecret: string },
): string {
  const signature = createHmac('sha256', key.accessKeySecret)
    .update(`${ALGORITHM}\n${sha256(acs3Canonical(request))}`)
    .digest('hex')
  const names = Object.keys(request.headers).sort().join(';')
  return `${ALGORITHM} Credential=${key.accessKeyId},SignedHeaders=${names},Signature=${signature}`
}

export function sha256(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
