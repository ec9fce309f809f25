// Who may open a socket: a page of our own with a session that stands, and a program with a token, where there is a door for it.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type {} from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { bearerOf } from '#server/callers/api-keys.ts'
import type { Services } from '#server/ctx.ts'
import { gather } from '#server/gather.ts'
import { ownOrigin } from '#server/own-origin.ts'
import { SESSION_TOKEN, sessionCookieName } from '#server/session-cookie.ts'

/** Who sits behind a socket. */
export type Guest = { accountId: number; agentId: number }
export type Person = Guest & { sessionId: number }
/** Acts for an account with a token, from the address that it came from. */
export type Program = Guest & { tokenHash: string; ip: string }

/** A token that was brought, and from where. */
export type Brought = { token: string; ip: string }

/** What is known of the tokens of programs. */
export type Programs = {
  /** Anything else is nobody's, and is not asked for. */
  isToken(text: string): boolean
  /** Who acts with each of these, in their order. */
  holders(brought: readonly Brought[]): Promise<readonly (Program | null)[]>
  /** Those of them that still may. */
  standing(programs: readonly Program[]): Promise<ReadonlySet<Program>>
}

export type Admission = {
  admit(request: IncomingMessage): Promise<Person | null>
  /** A program's socket. */
  admitProgram(request: IncomingMessage): Promise<Program | null>
  /** Whose the token of a request is, without a place for it. */
  programOf(request: IncomingMessage): Promise<Program | null>
}

/** Pages that come back all at once are asked about together, so that they do not take the database from everybody else. */
const TOGETHER = { afterMs: 5, most: 200 }
/** Tabs of one account at one instance. */
const WIRES_MAX_PER_ACCOUNT = 20

type Hooks = {
  holders(tokens: readonly string[]): Promise<readonly (Person | null)[]>
  programs: Programs
}

export function admission(
  services: Pick<Services, 'env' | 'onProblem'>,
  http: FastifyInstance,
  hooks: Hooks,
): Admission {
  const places = countPlaces()
  const { env, onProblem } = services
  const cookieName = sessionCookieName(env.publicUrl)
  const personOf = askedTogether((tokens: readonly string[]) => hooks.holders(tokens), onProblem)
  const holderOf = askedTogether((all: readonly Brought[]) => hooks.programs.holders(all), onProblem)

  async function programOf(request: IncomingMessage): Promise<Program | null> {
    const token = tokenOf(request)
    return hooks.programs.isToken(token) ? holderOf({ token, ip: addressOf(request, env.trustProxy) }) : null
  }

  const seated = <G extends Guest>(guest: G | null, { socket }: IncomingMessage): G | null =>
    guest && places.take(guest.accountId, socket) ? guest : null

  return {
    async admit(request) {
      if (!isOwnOrigin(request, env)) return null
      const token = http.parseCookie(request.headers.cookie ?? '')[cookieName]
      if (token === undefined || !SESSION_TOKEN.test(token)) return null
      return seated(await personOf(token), request)
    },
    admitProgram: async request => seated(await programOf(request), request),
    programOf,
  }
}

/** Asks about many at once. */
function askedTogether<A, G>(
  ask: (all: readonly A[]) => Promise<readonly (G | null)[]>,
  onProblem: (error: unknown) => void,
): (one: A) => Promise<G | null> {
  type Asked = { one: A; tell: (guest: G | null) => void; fail: (error: unknown) => void }
  const asking = gather<Asked>(
    TOGETHER,
    async batch => {
      try {
        const holders = await ask(batch.map(({ one }) => one))
        for (const [i, { tell }] of batch.entries()) tell(holders[i] ?? null)
      } catch (error) {
        for (const { fail } of batch) fail(error)
        throw error
      }
    },
    onProblem,
  )
  return one => new Promise((tell, fail) => asking.add({ one, tell, fail }))
}

/** The token as a client of the hub brings it, or as the documents' calls do. */
function tokenOf({ url = '', headers }: IncomingMessage): string {
  const asked = new URLSearchParams(url.split('?', 2)[1])
  const said = asked.get('access_token') ?? asked.get('key') ?? headers.key
  return typeof said === 'string' ? said : (bearerOf(headers.authorization) ?? '')
}

/** Where it came from, behind so many proxies: as the server has it of a request. */
function addressOf({ socket, headers }: IncomingMessage, proxies: number): string {
  const passed = String(headers['x-forwarded-for'] ?? '').split(',')
  const back = passed.map(one => one.trim()).filter(one => one !== '')
  const all = [socket.remoteAddress ?? '', ...back.toReversed()]
  return all[Math.min(proxies, all.length - 1)] ?? ''
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
