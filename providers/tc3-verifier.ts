// How simulators of Tencent Cloud services check a request and write an answer. It shares no code with the signer.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { type Control, json, type SimAnswer, type SimRequest } from './simulator.ts'

const WINDOW_SECONDS = 300

/** An answer in Tencent Cloud's envelope. HTTP is 200 even for errors, but for those of its gate. */
export function tencentAnswer(members: Record<string, unknown>): SimAnswer {
  return json({ Response: { ...members, RequestId: randomUUID() } })
}

export function tencentError(code: string, message: string): SimAnswer {
  return tencentAnswer({ Error: { Code: code, Message: message } })
}

/** The error to answer, or null for a request that is genuine. The host may be signed with or without its port. */
export function refuseTc3(
  request: SimRequest,
  key: { secretId: string; secretKey: string },
  service: string,
  control: Control,
): SimAnswer | null {
  const header = (name: string) => String(request.headers[name] ?? '')
  const parts =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/([a-z]+)\/tc3_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    )
  if (!parts)
    return tencentError('AuthFailure.InvalidAuthorization', 'the Authorization header cannot be read')
  const [, secretId, day, scope, names, signature] = parts as unknown as string[]
  const timestamp = header('x-tc-timestamp')
  const seconds = Number(timestamp)
  if (control.take('token-revoked', header('x-tc-action')) || secretId !== key.secretId)
    return tencentError('AuthFailure.SecretIdNotFound', 'The SecretId is not found.')
  if (!(Math.abs(control.now().getTime() / 1000 - seconds) <= WINDOW_SECONDS))
    return tencentError('AuthFailure.SignatureExpire', 'Your request is expired: check your clock.')
  const isScoped = scope === service && day === new Date(seconds * 1000).toISOString().slice(0, 10)
  const signed = (names as string).split(';')
  if (!isScoped || !signed.includes('content-type') || !signed.includes('host'))
    return tencentError('AuthFailure.SignatureFailure', 'The credential scope or signed headers are wrong.')
  const bodyHash = createHash('sha256').update(request.body).digest('hex')
  const isGenuine = [header('host'), header('host').replace(/:\d+$/, '')].some(host => {
    let canonical = `${request.method}\n${request.path}\n${request.query.toString()}\n`
    for (const name of signed)
      canonical += `${name}:${(name === 'host' ? host : header(name)).toLowerCase()}\n`
    canonical += `\n${names}\n${bodyHash}`
    const hash = createHash('sha256').update(canonical).digest('hex')
    const dayKey = hmac(`TC3${key.secretKey}`, day as string)
    const signingKey = hmac(hmac(dayKey, service), 'tc3_request')
    const expected = hmac(signingKey, `TC3-HMAC-SHA256\n${timestamp}\n${day}/${service}/tc3_request\n${hash}`)
    return timingSafeEqual(expected, Buffer.from(signature as string, 'hex'))
  })
  if (isGenuine) return null
  return tencentError(
    'AuthFailure.SignatureFailure',
    'The provided credentials could not be validated. Please check your signature is correct.',
  )
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
