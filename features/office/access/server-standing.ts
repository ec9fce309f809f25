// Whose sessions stand, for many at once: what sockets ask when thousands of pages come back together.
import type { Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { hashToken } from './server.ts'

/** Not ended, not idle for too long, of an account and an agent that are enabled, with a password of its own. `$2`: minutes of idleness. */
const STANDING = `from sessions s
  join accounts a on a.id = s.account_id and a.enabled and not a.must_change_password
    join agents g on g.id = a.agent_id and g.enabled
  where s.expires_at > now() and s.last_seen_at > now() - make_interval(mins => $2)`

type Asking = Pick<Services, 'database' | 'env'>
export type SessionHolder = { accountId: number; agentId: number; sessionId: number }

/** Who holds each of these tokens, in their order. */
export async function holdersOf(
  services: Asking,
  tokens: readonly string[],
): Promise<(SessionHolder | null)[]> {
  const hashes = tokens.map(hashToken)
  const { rows } = await services.database.read(SYSTEM, ({ client }) =>
    client.query<{ id: string; account_id: string; agent_id: string; hash: string }>({
      name: 'session_holders',
      text: `select s.id, s.account_id, s.agent_id, encode(s.token_hash, 'hex') as hash ${STANDING}
        and s.token_hash = any ($1::bytea[])`,
      values: [hashes, services.env.sessionIdleMinutes],
    }),
  )
  const holders = new Map(
    rows.map(row => [
      row.hash,
      { accountId: Number(row.account_id), agentId: Number(row.agent_id), sessionId: Number(row.id) },
    ]),
  )
  return hashes.map(hash => holders.get(hash.toString('hex')) ?? null)
}

/** Which of these sessions stand. */
export async function standingSessions(
  services: Asking,
  sessionIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (sessionIds.length === 0) return new Set()
  const { rows } = await services.database.read(SYSTEM, ({ client }) =>
    client.query<{ id: string }>({
      name: 'standing_sessions',
      text: `select s.id ${STANDING} and s.id = any ($1::bigint[])`,
      values: [sessionIds, services.env.sessionIdleMinutes],
    }),
  )
  return new Set(rows.map(row => Number(row.id)))
}
