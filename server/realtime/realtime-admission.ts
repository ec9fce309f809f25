// Who may open a socket: a page of our own with a session that stands.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type {} from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/ctx.ts'
import { gather } from '#server/gather.ts'
import { ownOrigin } from '#server/own-origin.ts'
import { SESSION_TOKEN, sessionCookieName } from '#server/session-cookie.ts'

/** Who sits behind a socket. */
export type Guest = { accountId: number; agentId: number; sessionId: number }

export type Admission = {
  admit(request: IncomingMessage): Promise<Guest | null>
}

/** Pages that come back all at once are asked about together, so that they do not take the database from everybody else. */
const TOGETHER = { afterMs: 5, most: 200 }
/** Tabs of one account at one instance. */
const WIRES_MAX_PER_ACCOUNT = 20

export function admission(
  services: Pick<Services, 'env' | 'onProblem'>,
  http: FastifyInstance,
  hooks: { holders(tokens: readonly string[]): Promise<readonly (Guest | null)[]> },
): Admission {
  type Asked = { token: string; tell: (guest: Guest | null) => void; fail: (error: unknown) => void }
  const places = countPlaces()
  const { env } = services
  const cookieName = sessionCookieName(env.publicUrl)
  const asking = gather<Asked>(
    TOGETHER,
    async batch => {
      try {
        const holders = await hooks.holders(batch.map(({ token }) => token))
        for (const [i, { tell }] of batch.entries()) tell(holders[i] ?? null)
      } catch (error) {
        for (const { fail } of batch) fail(error)
        throw error
      }
    },
    services.onProblem,
  )
  return {
    async admit(request) {
      if (!isOwnOrigin(request, env)) return null
      const token = http.parseCookie(request.headers.cookie ?? '')[cookieName]
      if (token === undefined || !SESSION_TOKEN.test(token)) return null
      const guest = await new Promise<Guest | null>((tell, fail) => asking.add({ token, tell, fail }))
      return guest && places.take(guest.accountId, request.socket) ? guest : null
    },
  }
}

/** Counted from when they are let in until the wire itself is closed: a page may never say that it is there. */
function countPlaces() {
  const taken = new Map<number, number>()
  const holders = new WeakMap<Socket, number>()

  // One function for all, since there are thousands of wires.
  function leave(this: Socket): void {
    const accountId = holders.get(this) as number
    const left = (taken.get(accountId) ?? 0) - 1
    if (left > 0) taken.set(accountId, left)
    else taken.delete(accountId)
  }

  return {
    /** Whether there was a place. A wire that closed while it waited takes none. */
    take(accountId: number, wire: Socket): boolean {
      const count = taken.get(accountId) ?? 0
      if (wire.destroyed || count >= WIRES_MAX_PER_ACCOUNT) return false
      taken.set(accountId, count + 1)
      holders.set(wire, accountId)
      wire.on('close', leave)
      return true
    },
  }
}

/** A browser says where the page is from with every WebSocket; whoever says nothing is no page of ours. */
function isOwnOrigin({ headers }: IncomingMessage, env: Services['env']): boolean {
  const { origin, host } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  if (env.publicUrl) return origin === ownOrigin(env, { host, scheme: '' })
  return /^https?:$/.test(new URL(origin).protocol) && new URL(origin).host === host
}
