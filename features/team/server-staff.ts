// The people of the acting agency as a list, and what hangs on one of them (D3 §3).
import { and, asc, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { isLoginNameTaken } from '#features/access/server-people.ts'
import { accounts, roles, sessions } from '#features/access/tables.ts'
import { withFactor } from '#features/factors/server-prove.ts'
import { merchants } from '#features/merchants/tables.ts'
import type { Verb } from '#server/ctx.ts'
import { type Condition, filtered, type ListSource, rowsAndTotal } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { team as contract } from './contract.ts'
import { STAFF } from './fields.ts'
import { holdingText, ofAgency } from './server-roles.ts'
import { beyondOf } from './server-tree.ts'

const OWNERS_FIRST = [desc(accounts.isOwner), asc(accounts.id)]
const STANDS: Condition = { key: 'stands', sql: isNull(accounts.deletedAt), onePlan: true }
const MAX_COLLEAGUES = 500

export const listStaff: Verb<typeof contract.staff> = async (ctx, input) => {
  const list: ListSource = {
    name: 'staff',
    table: accounts,
    conditions: [
      ofAgency(ctx, accounts.agentId),
      STANDS,
      ...holdingText(
        input.search,
        sql`${accounts.name} || ' ' || ${accounts.loginName} || ' ' || ${accounts.mobile}`,
      ),
      ...filtered(STAFF, input, {}, accounts),
    ],
    sort: 'owners first',
    order: OWNERS_FIRST,
  }
  const answer = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: accounts.id,
        name: accounts.name,
        loginName: accounts.loginName,
        roleId: accounts.roleId,
        roleName: roles.name,
        nodeIds: roles.nodeIds,
        isOwner: accounts.isOwner,
        mobile: accounts.mobile,
        wechat: accounts.wechat,
        dataScope: accounts.dataScope,
        portraitId: accounts.portraitId,
        enabled: accounts.enabled,
        lastLoginAt: accounts.lastLoginAt,
        remark: accounts.remark,
        shops: sql<number>`(select count(*) from ${merchants}
          where ${merchants.agentId} = ${accounts.agentId} and ${merchants.managerId} = ${accounts.id})`
          .mapWith(Number)
          .as('shops'),
        hasFactor: withFactor(accounts.id).as('has_factor'),
        createdAt: accounts.createdAt,
      })
      .from(page)
      .innerJoin(accounts, eq(accounts.id, page.id))
      .leftJoin(roles, eq(roles.id, accounts.roleId))
      .orderBy(...OWNERS_FIRST),
  )
  const isBeyondMe = await beyondOf(ctx)
  return {
    ...answer,
    rows: answer.rows.map(({ nodeIds, ...row }) => ({
      ...row,
      isBeyond: isBeyondMe(nodeIds, row.dataScope),
    })),
  }
}

export const roleOptions: Verb<typeof contract.roleOptions> = async ctx => {
  const isBeyondMe = await beyondOf(ctx)
  const rows = await ctx.db
    .select({ id: roles.id, name: roles.name, enabled: roles.enabled, nodeIds: roles.nodeIds })
    .from(roles)
    .where(eq(roles.agentId, ctx.actor.agentId))
    .orderBy(asc(roles.id))
  return { rows: rows.map(({ nodeIds, ...row }) => ({ ...row, isBeyond: isBeyondMe(nodeIds) })) }
}

export const showPerson: Verb<typeof contract.person> = async (ctx, { id }) => {
  const ofAgent = and(eq(accounts.agentId, ctx.actor.agentId), isNull(accounts.deletedAt))
  const [person] = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, id), ofAgent))
  found(person)
  return {
    shops: await ctx.db.$count(
      merchants,
      and(eq(merchants.agentId, ctx.actor.agentId), eq(merchants.managerId, id)),
    ),
    sessions: await ctx.db.$count(
      sessions,
      and(
        eq(sessions.accountId, id),
        eq(sessions.agentId, ctx.actor.agentId),
        gt(sessions.expiresAt, sql`now()`),
      ),
    ),
    colleagues: await ctx.db
      .select({ id: accounts.id, name: accounts.name })
      .from(accounts)
      .where(and(ofAgent, accounts.enabled, ne(accounts.id, id)))
      .orderBy(asc(accounts.id))
      .limit(MAX_COLLEAGUES),
  }
}

export const askLoginName: Verb<typeof contract.loginName> = async (ctx, { loginName, id }) => ({
  isFree: !(await isLoginNameTaken(ctx, loginName, id ?? null)),
})
