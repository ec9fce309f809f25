// One signed call of an Alibaba Cloud service of the RPC style. What an answer means is the service's own.
import { ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import { acs3Authorization, queryText, sha256 } from './acs3.ts'
import { call } from './call.ts'
import { type Members, membersOf, parseAnswer } from './read.ts'

export type AliyunService = {
  baseUrl: string
  accessKeyId: string
  accessKeySecret: string
  version: string
}

/** Nobody knows what came of it. A used nonce is one too: ours is fresh, so the request arrived twice, and once it was taken. */
export const ALIYUN_UNKNOWN = ['InternalError', 'ServiceUnavailable', 'SignatureNonceUsed']

/** Beyond this, parameters travel as a form: addresses of many thousand characters are cut on the way. */
const QUERY_MAX = 4000

/** Parameters travel in the address beside bytes, and as a form where they are too long. Rejects with ProviderUnknown. */
export async function callAliyun(
  service: AliyunService,
  surroundings: Surroundings,
  action: string,
  { parameters, bytes }: { parameters: Record<string, string>; bytes?: Buffer },
): Promise<{ status: number; body: Members }> {
  const { host, origin } = new URL(service.baseUrl)
  const text = queryText(parameters)
  const isForm = bytes === undefined && text.length > QUERY_MAX
  const query = isForm ? {} : parameters
  const body = bytes ?? (isForm ? text : '')
  const type = bytes ? 'application/octet-stream' : 'application/x-www-form-urlencoded'
  const headers = {
    'x-acs-action': action,
    'x-acs-version': service.version,
    'x-acs-date': surroundings.now().toISOString().replace(/\.\d+/, ''),
    'x-acs-signature-nonce': surroundings.nonce(),
    'x-acs-content-sha256': sha256(body),
    ...(body.length > 0 && { 'content-type': type }),
  }
  const authorization = acs3Authorization(
    { method: 'POST', path: '/', query, headers: { ...headers, host }, body },
    service,
  )
  const search = queryText(query)
  const answer = await call(surroundings, `${origin}/${search && `?${search}`}`, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json', authorization },
    ...(body.length > 0 && { body }),
  })
  if (answer.status >= 500) throw new ProviderUnknown(`${action} answered HTTP ${answer.status}`)
  return { status: answer.status, body: membersOf(parseAnswer(action, answer.body)) }
}
