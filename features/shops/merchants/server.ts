import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { calledManager } from '#features/office/access/server-labels.ts'
import { accounts, managerLabels } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { isSoldBy } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { merchants as contract } from './contract.ts'
import { disable, editMerchant, enable, setRemark, setSignature } from './server-edit.ts'
import {
  findMerchants,
  listMerchants,
  listOverdue,
  overduePreview,
  ROW,
  smsAccountOf,
} from './server-list.ts'
import { offeredMethods, presentConfig, stillOffered } from './server-payment.ts'
import { listBySource } from './server-source.ts'
import { industries, merchants, paymentMethods } from './tables.ts'

const managers = alias(accounts, 'managers')

export const merchantDetails: Verb<typeof contract.details> = async (ctx, input) => {
  const [row] = await ctx
    .prepared(`details ${ownRows(ctx, merchants.agentId) ? 'own' : 'all'}`, db =>
      detailsQuery(ctx, db).prepare(`details ${ownRows(ctx, merchants.agentId) ? 'own' : 'all'}`),
    )
    .execute({ id: input.id, agentId: ctx.actor.agentId })
  const { merchant, methodFields, ...joined } = found(row)
  return {
    ...merchant,
    ...joined,
    fullAddress: (await regionsOf(ctx)).formatAddress(merchant.districtCode, merchant.address),
    ...presentConfig(ctx, methodFields, merchant.paymentConfig),
  }
}

function detailsQuery(ctx: Ctx, db: Ctx['db']) {
  const own = ownRows(ctx, merchants.agentId) ? eq(merchants.agentId, sql.placeholder('agentId')) : undefined
  return db
    .select({
      merchant: merchants,
      agentName: ROW.agentName,
      versionName: ROW.versionName,
      industryName: ROW.industryName,
      managerName: calledManager(managers),
      managerLabel: ROW.managerLabel,
      smsBalance: ROW.smsBalance,
      methodFields: paymentMethods.fields,
    })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .innerJoin(industries, eq(industries.id, merchants.industryId))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .leftJoin(managerLabels, eq(managerLabels.id, managers.labelId))
    .leftJoin(paymentMethods, eq(paymentMethods.id, merchants.paymentMethodId))
    .leftJoin(ledgerAccounts, smsAccountOf(merchants.id))
    .where(and(eq(merchants.id, sql.placeholder('id')), own))
}

export const merchantOptions: Verb<typeof contract.options> = async (ctx, input) => {
  const shop = await optionsOf(ctx, input.merchantId)
  const industryRows = await ctx.db
    .select({ id: industries.id, name: industries.name, offered: stillOffered(industries.retiredAt) })
    .from(industries)
    .orderBy(asc(industries.position))
  const managerRows = await managersOf(ctx, shop.agentId)
  const methods = await offeredMethods(ctx, shop.agentId, shop.paymentMethodId)
  const cityCode = await cityOf(ctx, shop.agentId)
  const versionRows = await foundVersions(ctx)
  return {
    cityCode,
    industries: industryRows,
    managers: managerRows,
    paymentMethods: methods,
    versions: versionRows,
  }
}

/** By which shops and orders are found: what the acting agent may sell, and what its shops have; all of them for vendor staff. */
async function foundVersions(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  const { agentId, isVendorStaff } = ctx.actor
  const held = sql`exists (select 1 from merchants held
    where held.version_id = ${versions.id} and held.agent_id = ${agentId})`
  return ctx.db
    .select({ id: versions.id, name: versions.name })
    .from(versions)
    .where(isVendorStaff ? undefined : or(and(versions.enabled, isSoldBy(agentId)), held))
    .orderBy(asc(versions.position), asc(versions.id))
}

const LATEST_SHOPS = 50

async function cityOf(ctx: Ctx, agentId: number): Promise<string> {
  const latest = ctx.db
    .select({ city: sql<string>`left(${merchants.districtCode}, 4)`.as('city') })
    .from(merchants)
    .where(eq(merchants.agentId, agentId))
    .orderBy(desc(merchants.registeredAt), desc(merchants.id))
    .limit(LATEST_SHOPS)
    .as('latest')
  const [most] = await ctx.db
    .select({ city: latest.city })
    .from(latest)
    .groupBy(latest.city)
    .orderBy(desc(sql`count(*)`), asc(latest.city))
    .limit(1)
  return most?.city ?? ''
}

/** Who may look after shops, told to those who choose or filter by it. */
async function managersOf(ctx: Ctx, agentId: number) {
  const needs = ['selling.add', 'merchants.edit', 'merchants.list'] as const
  if (!needs.some(permission => ctx.actor.permissions.has(permission))) return []
  return ctx.db
    .select({ id: accounts.id, name: sql<string>`${calledManager()}` })
    .from(accounts)
    .where(
      and(
        eq(accounts.agentId, agentId),
        accounts.enabled,
        ctx.actor.seesOwnShops ? eq(accounts.id, ctx.actor.accountId) : undefined,
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(100)
}

/** Whose options are asked for. */
async function optionsOf(ctx: Ctx, merchantId: number | undefined) {
  if (merchantId === undefined) return { agentId: ctx.actor.agentId, paymentMethodId: null }
  if (!ctx.actor.permissions.has('merchants.details')) refuseCommon('FORBIDDEN')
  const [shop] = await ctx.db
    .select({ agentId: merchants.agentId, paymentMethodId: merchants.paymentMethodId })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  return found(shop)
}

export const merchantsRouter = serve(contract, {
  list: listMerchants,
  overdue: listOverdue,
  bySource: listBySource,
  overduePreview,
  find: findMerchants,
  options: merchantOptions,
  details: merchantDetails,
  edit: editMerchant,
  setSignature,
  setRemark,
  enable,
  disable,
})
