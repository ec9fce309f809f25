// How simulators of Alibaba Cloud services check a request: who asks, when, with which signature, and never the same nonce
// twice. It shares no code with the signer.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { type Control, json, type SimAnswer, type SimRequest } from './simulator.ts'

/** An access key. */
export type AliyunKeys = { accessKeyId: string; accessKeySecret: string }

const WINDOW_MS = 15 * 60_000
/** Nonces remembered per window; older ones of a busy window are forgotten. */
const NONCES_MAX = 100_000
const HTTP_OF: Record<string, number> = {
  'InvalidAccessKeyId.NotFound': 404,
  'InvalidAction.NotFound': 404,
  'Forbidden.RAM': 403,
  InternalError: 500,
  ServiceUnavailable: 503,
}

/** An error of the gate, or of a service that has HTTP say what kind it is. */
export function aliyunError(code: string, message: string): SimAnswer {
  return json(
    {
      RequestId: randomUUID().toUpperCase(),
      HostId: 'simulated',
      Code: code,
      Message: message,
      Recommend: '',
    },
    HTTP_OF[code] ?? 400,
  )
}

/** The check of a request; it answers the error, or null for a request that is genuine and new. */
export function makeGate(keys: AliyunKeys) {
  const isNew = makeNonceMemory()
  return (request: SimRequest, control: Control): SimAnswer | null => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const parts =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/.exec(
        header('authorization'),
      )
    if (!parts)
      return aliyunError('MissingAuthorization', 'Authorization is mandatory and must be ACS3-HMAC-SHA256.')
    const [, id, names, signature] = parts as unknown as string[]
    if (control.take('token-revoked', header('x-acs-action')) || id !== keys.accessKeyId)
      return aliyunError('InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
    const date = header('x-acs-date')
    const nowMs = control.now().getTime()
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date) || Math.abs(nowMs - Date.parse(date)) > WINDOW_MS)
      return aliyunError('InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
    const problem = checkSignature(request, names as string, signature as string, keys.accessKeySecret)
    if (problem) return aliyunError('SignatureDoesNotMatch', problem)
    if (!isNew(header('x-acs-signature-nonce'), nowMs))
      return aliyunError('SignatureNonceUsed', 'Specified signature nonce was used already.')
    return null
  }
}

function checkSignature(
  request: SimRequest,
  names: string,
  signature: string,
  secret: string,
): string | null {
  const signed = names.split(';')
  const mustBeSigned = ['host', ...Object.keys(request.headers).filter(name => name.startsWith('x-acs-'))]
  const unsigned = mustBeSigned.find(name => !signed.includes(name))
  if (unsigned) return `Header ${unsigned} is not signed.`
  const bodyHash = createHash('sha256').update(request.body).digest('hex')
  if (request.headers['x-acs-content-sha256'] !== bodyHash) return 'x-acs-content-sha256 is not of the body.'
  const query = [...request.query]
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort()
    .join('&')
  let canonical = `${request.method}\n${request.path}\n${query}\n`
  for (const name of signed) canonical += `${name}:${String(request.headers[name] ?? '').trim()}\n`
  canonical += `\n${names}\n${bodyHash}`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const expected = createHmac('sha256', secret).update(`ACS3-HMAC-SHA256\n${hash}`).digest()
  if (timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return null
  return `Specified signature is not matched with our calculation. server CanonicalRequest is:${canonical}`
}

function percent(text: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text)) {
    const sign = String.fromCharCode(byte)
    encoded += /[A-Za-z0-9_.~-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** Two generations of a window each, as numbers, so that memory stays flat. */
function makeNonceMemory() {
  let older = new Set<number>()
  let newer = new Set<number>()
  let turnedMs = 0
  return (nonce: string, nowMs: number): boolean => {
    if (nonce === '') return false
    if (nowMs - turnedMs > 2 * WINDOW_MS || newer.size >= NONCES_MAX) {
      older = newer
      newer = new Set()
      turnedMs = nowMs
    }
    const key = createHash('sha256').update(nonce).digest().readUIntBE(0, 6)
    if (older.has(key) || newer.has(key)) return false
    newer.add(key)
    return true
  }
}
