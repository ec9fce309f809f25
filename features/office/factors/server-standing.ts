// Whether an account has a second factor, must have one, and has just proven it: what every operation is let in by.
import type { FactorStanding, Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { FRESH_MINUTES } from './rules.ts'

type Asking = Pick<Services, 'database'>

/** An account that is newer than the rule has the rule's days of its own. */
const STANDING = `select
    exists (select 1 from factor_totps t where t.account_id = a.id)
      or exists (select 1 from passkeys p where p.account_id = a.id) as has,
    (select extract(epoch from min(greatest(r.since, a.created_at) + make_interval(days => r.grace_days))) * 1000
      from factor_rules r where case
        when r.kind = 'ownStaff' then r.agent_id = a.agent_id and not a.is_owner
        when g.is_operator or g.is_vendor_staff then r.kind = 'vendor'
        when a.is_owner then r.kind = 'owners'
        else r.kind = 'staff' end) as due_at
  from accounts a join agents g on g.id = a.agent_id where a.id = $1`

export async function readFactor({ database }: Asking, accountId: number): Promise<FactorStanding> {
  const { rows } = await database.read(SYSTEM, ({ client }) =>
    client.query<{ has: boolean; due_at: string | null }>({
      name: 'factor_standing',
      text: STANDING,
      values: [accountId],
    }),
  )
  const { has = false, due_at: dueAt = null } = rows[0] ?? {}
  return { has, dueAt: has || dueAt === null ? null : Number(dueAt) }
}

/** A proof by password opens nothing for an account that has a factor. */
export async function isFactorFresh(
  { database }: Asking,
  sessionId: number,
  by: 'factor' | 'password',
): Promise<boolean> {
  const { rows } = await database.read(SYSTEM, ({ client }) =>
    client.query({
      name: 'factor_fresh',
      text: `select 1 from factor_proofs
        where session_id = $1 and proved_at > now() - make_interval(mins => $2) and (by_password is false or $3)`,
      values: [sessionId, FRESH_MINUTES, by === 'password'],
    }),
  )
  return rows.length > 0
}
