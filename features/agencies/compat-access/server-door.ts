// What the door of the documents' calls asks: whose a token is, which calls are closed, who has made which, and what is one act.
import { randomUUID } from 'node:crypto'
import { readKeyById } from '#features/agencies/api-keys/server-door.ts'
import { hashToken } from '#features/office/access/server.ts'
import type { Actor, Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { LIMITS } from './rules.ts'

/** What signing in gives out; as long as an API key's, and never taken for one. */
export const COMPAT_TOKEN = /^pot_[\w-]{43}$/

type Asking = Pick<Services, 'database' | 'clock'>

/** Who acts with such a token: the account's API key of this door, until the token or the key ends. */
export async function readCompatToken(services: Asking, token: string): Promise<Actor | null> {
  const { rows } = await services.database.read(SYSTEM, ({ client }) =>
    client.query<{ key_id: string; expires_at: Date }>({
      name: 'find_compat_token',
      text: 'select key_id, expires_at from compat_tokens where token_hash = $1',
      values: [hashToken(token)],
    }),
  )
  const [found] = rows
  if (!found || found.expires_at.getTime() <= services.clock.now().getTime()) return null
  const actor = await readKeyById(services, Number(found.key_id))
  if (!actor?.key) return null
  return { ...actor, key: { ...actor.key, until: Math.min(actor.key.until, found.expires_at.getTime()) } }
}

export type CompatCall = { accountId: number; agentId: number; call: string; ip: string }

const USE = `insert into compat_uses (agent_id, account_id, call, calls, last_used_at, last_ip) values ($1, $2, $3, $4, now(), $5)
  on conflict (call, account_id) do update
  set calls = compat_uses.calls + excluded.calls, last_used_at = now(), last_ip = excluded.last_ip`

/** Adds a call, or several that were counted meanwhile. */
export async function noteUse(
  { database }: Pick<Services, 'database'>,
  { accountId, agentId, call, ip }: CompatCall,
  calls = 1,
): Promise<void> {
  await database.write({ ...SYSTEM, party: { agentId } }, ({ client }) =>
    client.query({ name: 'note_compat_use', text: USE, values: [agentId, accountId, call, calls, ip] }),
  )
}

/** Counts in memory, and writes down what was counted of each account and call once in a while. */
export function countUses(services: Pick<Services, 'database' | 'onProblem'>) {
  const counted = new Map<string, { calls: number; noteAt: number }>()
  return (made: CompatCall): void => {
    const now = performance.now()
    const name = `${made.accountId} ${made.call}`
    const before = counted.get(name)
    const calls = (before?.calls ?? 0) + 1
    if (before && now < before.noteAt) {
      before.calls = calls
      return
    }
    counted.set(name, { calls: 0, noteAt: now + LIMITS.usedEveryS * 1_000 })
    noteUse(services, made, calls).catch(services.onProblem)
  }
}

/** Whether the operator has closed a call. */
export async function isClosed({ database }: Pick<Services, 'database'>, call: string): Promise<boolean> {
  const { rowCount } = await database.read(SYSTEM, ({ client }) =>
    client.query({
      name: 'compat_call_closed',
      text: 'select 1 from compat_closed_calls where call = $1',
      values: [call],
    }),
  )
  return rowCount !== 0
}

/** What clients send twice within that time is one act: of their own they send no key for it. */
const ONE_ACT = `now() - interval '${LIMITS.oneActS} seconds'`
const ACT = `insert into compat_acts as known (digest, key, begun_at) values ($1, $2, now())
  on conflict (digest) do update
  set key = case when known.begun_at > ${ONE_ACT} then known.key else excluded.key end,
    begun_at = case when known.begun_at > ${ONE_ACT} then known.begun_at else excluded.begun_at end
  returning key`

/** The key of an act, the same wherever it is sent again. */
export async function keyOfAct({ database }: Pick<Services, 'database'>, digest: string): Promise<string> {
  const { rows } = await database.write(SYSTEM, ({ client }) =>
    client.query<{ key: string }>({ name: 'compat_act', text: ACT, values: [digest, randomUUID()] }),
  )
  return (rows[0] as { key: string }).key
}
