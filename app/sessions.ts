// Who holds a session token, remembered for a moment: any change of access anywhere clears it (NOTIFY access_changed).
import pg from 'pg'
import { readActor } from '#features/access/server.ts'
import type { Actor, Services } from '#server/ctx.ts'

const REMEMBER_MS = 5_000
const REMEMBERED_MAX = 20_000
const LISTEN_WITHIN_MS = 5_000
/** What a login gives out; anything else is nobody's, and is not asked for. */
const TOKEN = /^[\w-]{43}$/

export type ActorCache = { actorOf(token: string): Promise<Actor | null>; close(): Promise<void> }

/**
 * Answers from memory for at most 5 s. A listening connection clears the memory at every change of sessions, accounts,
 * roles or agents, in whichever instance it happened; while that connection is down nothing is remembered.
 */
export async function makeActorCache(
  services: Pick<Services, 'database' | 'env'>,
  listenUrl: string,
  onProblem: (error: unknown) => void,
): Promise<ActorCache> {
  const remembered = new Map<string, { actor: Actor; until: number }>()
  let generation = 0
  let listening: pg.Client | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  function forget(): void {
    generation++
    remembered.clear()
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: listenUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: LISTEN_WITHIN_MS,
      keepAlive: true,
    })
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      if (listening === client) listening = null
      forget()
      if (!closed) retry = setTimeout(() => void listen().catch(onProblem), 1_000).unref()
    }
    client.on('notification', forget)
    client.on('error', onProblem)
    client.on('end', lose)
    try {
      await client.connect()
      await client.query('listen access_changed')
    } catch (error) {
      lose()
      // Not waited for: a link that answers nothing would not end either.
      client.end().catch(onProblem)
      throw error
    }
    forget()
    if (closed) await client.end()
    else listening = client
  }

  /** The oldest are first: their time is over first. */
  function makeRoom(): void {
    const now = Date.now()
    for (const [token, { until }] of remembered) {
      if (until > now && remembered.size < REMEMBERED_MAX) break
      remembered.delete(token)
    }
  }

  try {
    await listen()
  } catch (error) {
    closed = true
    clearTimeout(retry)
    throw error
  }
  return {
    async actorOf(token) {
      if (!TOKEN.test(token)) return null
      const known = remembered.get(token)
      if (known && known.until > Date.now()) return known.actor
      const startedIn = generation
      const actor = await readActor(services, token)
      if (actor && listening && startedIn === generation) {
        remembered.delete(token)
        if (remembered.size >= REMEMBERED_MAX) makeRoom()
        remembered.set(token, { actor, until: Date.now() + REMEMBER_MS })
      }
      return actor
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await listening?.end()
    },
  }
}
