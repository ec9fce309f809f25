// The people of the acting agency as a list, and what hangs on one of them (D3 §3).
import { and, asc, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { offeredLabels } from '#features/office/access/server-labels.ts'
import { isLoginNameTaken } from '#features/office/access/server-people.ts'
import { accounts, managerLabels, roles, sessions } from '#features/office/access/tables.ts'
import { withFactor } from '#features/office/factors/server-prove.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  filtered,
  type ListSource,
  type PageIds,
  rowsAndTotal,
  valuesOf,
} from '#server/list.ts'
import { found } from '#server/refuse.ts'
import { type team as contract, teamDownloads } from './contract.ts'
import { STAFF } from './fields.ts'
import { holdingText, ofAgency } from './server-roles.ts'
import { beyondOf } from './server-tree.ts'

const OWNERS_FIRST = [desc(accounts.isOwner), asc(accounts.id)]
const STANDS: Condition = { key: 'stands', sql: isNull(accounts.deletedAt), onePlan: true }
const MAX_COLLEAGUES = 500

const SHOPS = sql<number>`(select count(*) from ${merchants}
  where ${merchants.agentId} = ${accounts.agentId} and ${merchants.managerId} = ${accounts.id})`
const LABEL = sql<string | null>`(select ${managerLabels.name} from ${managerLabels}
  where ${managerLabels.id} = ${accounts.labelId})`
const PERSON = {
  id: accounts.id,
  name: accounts.name,
  loginName: accounts.loginName,
  roleId: accounts.roleId,
  roleName: roles.name,
  nodeIds: roles.nodeIds,
  labelId: accounts.labelId,
  labelName: LABEL.as('label_name'),
  isOwner: accounts.isOwner,
  mobile: accounts.mobile,
  wechat: accounts.wechat,
  dataScope: accounts.dataScope,
  portraitId: accounts.portraitId,
  enabled: accounts.enabled,
  lastLoginAt: accounts.lastLoginAt,
  remark: accounts.remark,
  shops: SHOPS.mapWith(Number).as('shops'),
  hasFactor: withFactor(accounts.id).as('has_factor'),
  createdAt: accounts.createdAt,
}

function select(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(PERSON)
    .from(accounts)
    .leftJoin(roles, eq(roles.id, accounts.roleId))
    .$dynamic()
}

type Filters = Omit<DownloadIn<typeof teamDownloads.staff>, 'columns'>

function listOf(ctx: Ctx, asked: Filters): ListSource {
  const text = sql`${accounts.name} || ' ' || ${accounts.loginName} || ' ' || ${accounts.mobile}`
  return {
    name: 'staff',
    table: accounts,
    conditions: [
      ofAgency(ctx, accounts.agentId),
      STANDS,
      ...holdingText(asked.search, text),
      ...filtered(STAFF, asked, {}, accounts),
    ],
    sort: 'owners first',
    order: OWNERS_FIRST,
  }
}

export const listStaff: Verb<typeof contract.staff> = async (ctx, input) => {
  const answer = await rowsAndTotal(ctx, listOf(ctx, input), input, page =>
    select(ctx, page)
      .innerJoin(page, eq(page.id, accounts.id))
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

export const staffDownload = serveDownload(teamDownloads.staff, (ctx, { columns, ...filters }) => {
  const { conditions } = listOf(ctx, filters)
  return {
    statement: select(ctx)
      .where(conditionOf({ conditions }))
      .orderBy(...OWNERS_FIRST),
    values: valuesOf(conditions),
    ...fileColumns(STAFF, PERSON, columns, {
      roleName: ({ isOwner, roleName }) => (isOwner ? '负责人' : (roleName ?? '未分配')),
    }),
  }
})

export const roleOptions: Verb<typeof contract.roleOptions> = async ctx => {
  const isBeyondMe = await beyondOf(ctx)
  const rows = await ctx.db
    .select({ id: roles.id, name: roles.name, enabled: roles.enabled, nodeIds: roles.nodeIds })
    .from(roles)
    .where(eq(roles.agentId, ctx.actor.agentId))
    .orderBy(asc(roles.id))
  return { rows: rows.map(({ nodeIds, ...row }) => ({ ...row, isBeyond: isBeyondMe(nodeIds) })) }
}

export const labelOptions: Verb<typeof contract.labelOptions> = async ctx => {
  return { rows: await offeredLabels(ctx) }
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
