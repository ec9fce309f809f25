// The connections of one agent, as a process of its own behind everything else on the machine: each asks again as soon as it is answered.
// Told by its parent what to ask; answers how its answers were.
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { getPriority, setPriority } from 'node:os'

export type Ask = {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** In place of the agent's session: none, or one that nobody has. */
  as?: 'nobody' | 'forged'
}
export type Orders = { url: string; cookie: string; connections: number; asks: readonly Ask[]; forMs: number }
/** How many answers had each status; `none`: no answer came. */
export type Answers = { statuses: Record<string, number>; worstMs: number; withoutRetryAfter: number }

const ANSWER_MS = 60_000
/** The attacker has a machine of its own. */
const BEHIND = 5

process.once('message', message => {
  setPriority(getPriority() + BEHIND)
  attack(message as Orders).then(answers => process.send?.(answers, () => process.disconnect()))
})

async function attack({ url, cookie, connections, asks, forMs }: Orders): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answers: Answers = { statuses: {}, worstMs: 0, withoutRetryAfter: 0 }
  const until = performance.now() + forMs
  await Promise.all(
    Array.from({ length: connections }, async (_, nth) => {
      for (let turn = nth; performance.now() < until; turn++) {
        const began = performance.now()
        const { status, isToldWhen } = await answerTo(agent, url, cookie, asks[turn % asks.length] as Ask)
        answers.statuses[status] = (answers.statuses[status] ?? 0) + 1
        answers.worstMs = Math.max(answers.worstMs, Math.round(performance.now() - began))
        if (status === '429' && !isToldWhen) answers.withoutRetryAfter++
      }
    }),
  )
  agent.destroy()
  return answers
}

function answerTo(agent: Agent, url: string, cookie: string, { method, path, body, as }: Ask) {
  const { promise, resolve } = Promise.withResolvers<{ status: string; isToldWhen: boolean }>()
  const none = () => resolve({ status: 'none', isToldWhen: false })
  const asked = request(
    `${url}${path}`,
    {
      ...{ agent, method, timeout: ANSWER_MS },
      headers: {
        ...(as === 'nobody' ? {} : { cookie: as === 'forged' ? forged(cookie) : cookie }),
        'x-requested-with': 'partner-office',
        ...(body === undefined
          ? {}
          : {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
              'idempotency-key': randomBytes(16).toString('hex'),
            }),
      },
    },
    answer => {
      answer.resume()
      answer.once('end', () =>
        resolve({
          status: String(answer.statusCode),
          isToldWhen: answer.headers['retry-after'] !== undefined,
        }),
      )
      answer.once('error', none)
    },
  )
  asked.once('timeout', () => asked.destroy())
  asked.once('error', none)
  asked.end(body)
  return promise
}

/** The same name with another token of the same shape. */
function forged(cookie: string): string {
  const [name = '', token = ''] = cookie.split('=')
  return `${name}=${randomBytes(token.length).toString('base64url').slice(0, token.length)}`
}
