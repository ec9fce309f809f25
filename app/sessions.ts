// Who holds a session token, remembered for a moment: any change of access anywhere clears it (NOTIFY access_changed).
import { readActor } from '#features/access/server.ts'
import { readFactor } from '#features/factors/server-standing.ts'
import type { Actor, Services } from '#server/ctx.ts'
import { listenTo } from '#server/listen.ts'
import { SESSION_TOKEN } from '#server/session-cookie.ts'

const REMEMBER_MS = 5_000
const REMEMBERED_MAX = 20_000

export type ActorCache = { actorOf(token: string): Promise<Actor | null>; close(): Promise<void> }

/**
 * Answers from memory for at most 5 s. A listening connection clears the memory at every change of sessions, accounts,
 * roles or agents, in whichever instance it happened; while that connection is down nothing is remembered. `heard` is told
 * of the other notifications by their channel; `onChange` of every change of access.
 */
export async function makeActorCache(
  services: Pick<Services, 'database' | 'env'>,
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
  let generation = 0

  function forget(): void {
    generation++
    remembered.clear()
    onChange()
  }

  /** The oldest are first: their time is over first. */
  function makeRoom(): void {
    const now = Date.now()
    for (const [token, { until }] of remembered) {
      if (until > now && remembered.size < REMEMBERED_MAX) break
      remembered.delete(token)
    }
  }

  const listener = await listenTo(
    listenUrl,
    { access_changed: forget, ...heard },
    { onLost: forget, onProblem },
  )
  return {
    async actorOf(token) {
      if (!SESSION_TOKEN.test(token)) return null
      const known = remembered.get(token)
      if (known && known.until > Date.now()) return known.actor
      const startedIn = generation
      const found = await readActor(services, token)
      const actor = found && { ...found, factor: await readFactor(services, found.accountId) }
      if (actor && listener.isListening && startedIn === generation) {
        remembered.delete(token)
        if (remembered.size >= REMEMBERED_MAX) makeRoom()
        remembered.set(token, { actor, until: Date.now() + REMEMBER_MS })
      }
      return actor
    },
    close: () => listener.close(),
  }
}
