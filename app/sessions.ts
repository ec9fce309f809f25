// Who holds a session token, remembered for a moment: any change of access anywhere clears it (NOTIFY access_changed).
import pg from 'pg'
import { readActor } from '#features/access/server.ts'
import type { Actor, Services } from '#server/ctx.ts'

const REMEMBER_MS = 5_000
const REMEMBERED_MAX = 20_000

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
  const remembered = new Map<string, { actor: Actor | null; until: number }>()
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
      keepAlive: true,
    })
    client.on('notification', forget)
    client.on('error', onProblem)
    client.on('end', () => {
      if (listening === client) listening = null
      forget()
      if (!closed) retry = setTimeout(() => void listen().catch(onProblem), 1_000).unref()
    })
    await client.connect()
    await client.query('listen access_changed')
    forget()
    listening = client
  }

  await listen()
  return {
    async actorOf(token) {
      const known = remembered.get(token)
      if (known && known.until > Date.now()) return known.actor
      const startedIn = generation
      const actor = await readActor(services, token)
      if (listening && startedIn === generation) {
        if (remembered.size >= REMEMBERED_MAX) remembered.clear()
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
