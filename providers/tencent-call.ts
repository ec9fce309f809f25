// One signed call of a Tencent Cloud API 3.0 service. HTTP is 200 even for errors: Response.Error decides.
import { ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import { call } from './call.ts'
import { membersOf, parseAnswer } from './read.ts'
import { tc3Authorization } from './tc3.ts'

export type TencentService = {
  baseUrl: string
  secretId: string
  secretKey: string
  service: string
  version: string
  /** Absent where the service has none. */
  region?: string
}

const CONTENT_TYPE = 'application/json; charset=utf-8'

/** The members of `Response`. Rejects with ProviderRefused, or with ProviderUnknown where it may have been done. */
export async function callTencent(
  service: TencentService,
  surroundings: Surroundings,
  action: string,
  parameters: unknown,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify(parameters)
  const url = new URL('/', service.baseUrl)
  const epochSeconds = Math.floor(surroundings.now().getTime() / 1000)
  const authorization = tc3Authorization(
    {
      service: service.service,
      epochSeconds,
      headers: { 'content-type': CONTENT_TYPE, host: url.host, 'x-tc-action': action },
      body,
    },
    service,
  )
  const answer = await call(surroundings, url.href, {
    method: 'POST',
    headers: {
      'content-type': CONTENT_TYPE,
      authorization,
      'x-tc-action': action,
      'x-tc-version': service.version,
      'x-tc-timestamp': String(epochSeconds),
      ...(service.region && { 'x-tc-region': service.region }),
    },
    body,
  })
  if (answer.status !== 200) throw new ProviderUnknown(`${action} answered HTTP ${answer.status}`)
  return readResponse(action, answer.body)
}

/** Whether a code says that the service failed while working, so that nobody knows what came of it. */
export function isTencentUnknown(code: string): boolean {
  return code === 'InternalError' || code.startsWith('InternalError.')
}

function readResponse(action: string, body: Buffer): Record<string, unknown> {
  const response = membersOf(membersOf(parseAnswer(action, body)).Response)
  const error = membersOf(response.Error)
  if (typeof error.Code === 'string') {
    const message = String(error.Message ?? error.Code)
    if (isTencentUnknown(error.Code))
      throw new ProviderUnknown(`${action} answered ${error.Code}: ${message}`)
    throw new ProviderRefused(error.Code, message, String(response.RequestId ?? ''))
  }
  if (typeof response.RequestId !== 'string' || response.Error !== undefined)
    throw new ProviderUnknown(`${action} answered what cannot be read`)
  return response
}
