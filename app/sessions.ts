// Who holds a session's token or an API key, remembered for a moment: any change of access anywhere clears it (NOTIFY access_changed), of
// the accounts that it names or of everybody.
import { readKey } from '#features/agencies/api-keys/server-door.ts'
import { COMPAT_TOKEN, readCompatToken } from '#features/agencies/compat-access/server-door.ts'
import { readActor } from '#features/office/access/server.ts'
import { readFactor } from '#features/office/factors/server-standing.ts'
import { KEY_TOKEN } from '#server/callers/api-keys.ts'
import type { Actor, Services } from '#server/ctx.ts'
import { listenTo } from '#server/listen.ts'
import { placeFor } from '#server/rooms.ts'
import { SESSION_TOKEN } from '#server/session-cookie.ts'
import { fairShares } from '#server/shares.ts'

const REMEMBER_MS = 5_000
const REMEMBERED_MAX = 20_000
/** Tokens that are looked up at the same time, of all addresses in turn: whoever brings forged ones takes no connections of others. */
const LOOKED_UP = { atOnce: 4, alone: 4, beside: 2, waiting: 100, waitMs: 4_000, holdMs: 1_000 }

export type ActorCache = Pick<Services, 'actorOf' | 'keyOf' | 'agentOf' | 'forgetActors'> & {
  close(): Promise<void>
}

type Reading = {
  actor: Promise<Actor | null>
  /** Accounts of which a session ended while it was read: what was found of them may be over. */
  ended: Set<number>
}

/**
 * Answers from memory for at most 5 s. A listening connection clears the memory at every change of accounts, roles or agents, in
 * whichever instance it happened, and of whose sessions ended; while that connection is down nothing is remembered. `heard` is told
 * of the other notifications by their channel; `onChange` of every change of access.
 */
export async function makeActorCache(
  services: Pick<Services, 'database' | 'env' | 'clock'>,
  listenUrl: string,
  {
    onProblem,
    onChange,
    heard,
  }: {
    onProblem: (error: unknown) => void
    onChange: () => void
    heard: Readonly<Record<string, (payload: string) => void>>
  },
): Promise<ActorCache> {
  const remembered = new Map<string, { actor: Actor; until: number }>()
  const reading = new Map<string, Reading>()
  /** Also of tokens that are over: only whose turn it is hangs on it. */
  const agentsOf = new Map<string, number>()
  const shares = fairShares(LOOKED_UP)
  let generation = 0

  function forget(): void {
    generation++
    remembered.clear()
    reading.clear()
    onChange()
  }

  /** `accountIds`: as the database names them; nothing stands for everybody. */
  function hear(accountIds: string): void {
    if (accountIds === '') {
      forget()
      return
    }
    const ended = new Set(accountIds.split(',').map(Number))
    for (const [token, { actor }] of remembered) if (ended.has(actor.accountId)) remembered.delete(token)
    for (const one of reading.values()) for (const accountId of ended) one.ended.add(accountId)
    onChange()
  }

  /** The oldest are first: their time is over first. */
  function makeRoom(): void {
    const now = performance.now()
    for (const [token, { until }] of remembered) {
      if (until > now && remembered.size < REMEMBERED_MAX) break
      remembered.delete(token)
    }
  }

  /** Tokens of both kinds look so unlike that none is taken for one of the other. */
  async function rememberedOr(
    shape: RegExp,
    token: string,
    ip: string,
    read: () => Promise<Actor | null>,
  ): Promise<Actor | null> {
    if (!shape.test(token)) return null
    const known = remembered.get(token)
    if (known && known.until > performance.now()) return known.actor
    const underWay = reading.get(token)
    if (underWay) {
      const actor = await underWay.actor
      if (!actor || !underWay.ended.has(actor.accountId)) return actor
    }
    const ended = new Set<number>()
    const mine: Reading = { actor: readAnew(token, ip, read, ended), ended }
    reading.set(token, mine)
    try {
      return await mine.actor
    } finally {
      if (reading.get(token) === mine) reading.delete(token)
    }
  }

  async function readAnew(
    token: string,
    ip: string,
    read: () => Promise<Actor | null>,
    ended: ReadonlySet<number>,
  ): Promise<Actor | null> {
    const free = await placeFor(shares, ip)
    const startedIn = generation
    const actor = await read().finally(free)
    if (actor && listener.isListening && startedIn === generation && !ended.has(actor.accountId)) {
      remembered.delete(token)
      if (remembered.size >= REMEMBERED_MAX) makeRoom()
      remembered.set(token, { actor, until: performance.now() + REMEMBER_MS })
      if (agentsOf.size >= REMEMBERED_MAX) agentsOf.clear()
      agentsOf.set(token, actor.agentId)
    }
    return actor
  }

  const listener = await listenTo(
    listenUrl,
    { access_changed: hear, ...heard },
    { onLost: forget, onProblem },
  )
  return {
    actorOf: (token, ip = '') =>
      rememberedOr(SESSION_TOKEN, token, ip, async () => {
        const found = await readActor(services, token)
        return found && { ...found, factor: await readFactor(services, found.accountId) }
      }),
    forgetActors: forget,
    keyOf: async (token, ip = '') =>
      COMPAT_TOKEN.test(token)
        ? rememberedOr(COMPAT_TOKEN, token, ip, () => readCompatToken(services, token))
        : rememberedOr(KEY_TOKEN, token, ip, () => readKey(services, token)),
    agentOf: token => agentsOf.get(token),
    close: () => listener.close(),
  }
}
