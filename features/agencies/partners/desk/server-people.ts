// Who works at a partner, and how they come in, as the vendor's staff see it.
import { and, asc, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { placeOf } from '#features/agencies/sign-in/rules.ts'
import { signIns } from '#features/agencies/sign-in/tables.ts'
import { accounts, roles, sessions } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { withFactor } from '#features/office/factors/server-prove.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { partnerDesk as contract } from './contract.ts'
import { PAGE_ROWS } from './rules.ts'

/** Refuses an agent that is not there, or not one's own. */
export async function known(ctx: Ctx, id: number): Promise<{ id: number; companyName: string }> {
  const [agent] = await ctx.db
    .select({ id: agents.id, companyName: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
  return found(agent)
}

/** One page of rows that were asked for with one more. */
export function pageOfRows<Row>(rows: readonly Row[], most: number = PAGE_ROWS) {
  return { rows: rows.slice(0, most), more: rows.length > most }
}

export const listPeople: Verb<typeof contract.people> = async (ctx, { id, after }) => {
  await known(ctx, id)
  const rows = await ctx.db
    .select({
      id: accounts.id,
      name: accounts.name,
      loginName: accounts.loginName,
      mobile: accounts.mobile,
      isOwner: accounts.isOwner,
      roleName: roles.name,
      enabled: accounts.enabled,
      hasFactor: withFactor(accounts.id),
      /** What one browser began is one device. */
      devices: sql<number>`(select count(distinct coalesce(encode(s.device_hash, 'hex'), s.id::text))::int from ${sessions} s
        where s.account_id = ${accounts.id} and s.viewed_by is null and s.expires_at > now()
          and s.last_seen_at > now() - make_interval(mins => ${ctx.services.env.sessionIdleMinutes}::int))`,
      lastLoginAt: accounts.lastLoginAt,
    })
    .from(accounts)
    .leftJoin(roles, eq(roles.id, accounts.roleId))
    .where(
      and(
        eq(accounts.agentId, id),
        isNull(accounts.deletedAt),
        after === undefined ? undefined : gt(accounts.id, after),
        ownRows(ctx, accounts.agentId),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(PAGE_ROWS + 1)
  return pageOfRows(rows.map(row => ({ ...row, mobile: maskPhone(row.mobile) })))
}

export const listSignIns: Verb<typeof contract.signIns> = async (ctx, { id, before }) => {
  await known(ctx, id)
  const rows = await ctx.db
    .select({
      id: signIns.id,
      outcome: signIns.outcome,
      ip: signIns.ip,
      device: signIns.device,
      createdAt: signIns.createdAt,
      name: accounts.name,
      loginName: accounts.loginName,
    })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(
      and(
        eq(signIns.agentId, id),
        before === undefined ? undefined : lt(signIns.id, before),
        ownRows(ctx, signIns.agentId),
      ),
    )
    .orderBy(desc(signIns.id))
    .limit(PAGE_ROWS + 1)
  return pageOfRows(rows.map(row => ({ ...row, place: placeOf(row.ip) })))
}
