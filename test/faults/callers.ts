// Single calls that say what became of them, on connections that are kept as a proxy keeps them.
import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

const ANSWERED_WITHIN_MS = 15_000

type Asked = { agent: Agent; headers: Record<string, string>; method: string; body: string | undefined }

/** Null, or what came instead of an answer. */
export async function sent(url: URL, { body, headers, ...asked }: Asked): Promise<string | null> {
  const typed = body === undefined ? headers : { ...headers, 'content-type': 'application/json' }
  const call = request(url, { ...asked, headers: typed, timeout: ANSWERED_WITHIN_MS })
  call.once('timeout', () => call.destroy(new Error('no answer in time')))
  call.end(body)
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    const said = await text(answer)
    return answer.statusCode === 200 ? null : `${answer.statusCode} ${said.slice(0, 200)}`
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}
