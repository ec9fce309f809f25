// The operator's desk of versions: what there is, who may sell it, who has it, and what shops are adjusted to.
import { and, asc, count, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { savePair } from '#features/sales/aftersales/server-pairs.ts'
import { versionAdjustments } from '#features/sales/aftersales/tables.ts'
import { VALID_SINCE } from '#features/sales/orders/server.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { waysOf } from '#features/sales/purchases/rules.ts'
import { catalogueOf, type versionIn } from '#features/sales/purchases/server-shops.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { termsOf } from '#features/shops/versions/rules.ts'
import { pricedVersion } from '#features/shops/versions/server.ts'
import {
  changeVersion,
  lockVersion,
  type VersionRow,
  saveFunction as writeFunction,
} from '#features/shops/versions/server-catalogue.ts'
import { versionFunctions, versionSellers, versions } from '#features/shops/versions/tables.ts'
import { addDays, endOfDay, formatDay } from '#kit/time.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseBroken, staffAlone } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { catalogue as contract } from './contract.ts'
import { ADJUSTMENT_FIELDS, FUNCTION_FIELDS, VERSION_FIELDS } from './fields.ts'
import { AGENTS_SHOWN, CATALOGUE_REFUSALS, ENDING_DAYS, refusePair, refuseRetire, stateOf } from './rules.ts'
import { readItemRetirement } from './server-item-retirement.ts'
import { resumeItem, retireItem } from './server-item-sale.ts'
import { listGroups, listItems, saveGroup, saveItem } from './server-items.ts'
import { saveVersion } from './server-save.ts'

/** Tens of rows, read as they are. */
const listVersions: Verb<typeof contract.versions> = async (ctx, input) => {
  staffAlone(ctx)
  const held = ctx.db
    .select({ versionId: merchants.versionId, shops: count().as('shops') })
    .from(merchants)
    .groupBy(merchants.versionId)
    .as('held')
  const rows = await ctx.db
    .select({
      version: pricedVersion(),
      shops: sql<number>`coalesce(${held.shops}, 0)`.mapWith(Number),
      sellerCount: sql<number>`(select count(*) from ${versionSellers}
        where ${versionSellers.versionId} = ${versions.id})`.mapWith(Number),
    })
    .from(versions)
    .leftJoin(held, eq(held.versionId, versions.id))
    .orderBy(asc(versions.position), asc(versions.id))
  const now = ctx.now.toISOString()
  const search = input.search?.toLowerCase() ?? ''
  const shown = rows
    .map(({ version, ...more }) => ({
      ...version,
      ...more,
      functionCount: version.functionIds.length,
      state: stateOf(version, termsOf(version).length > 0, now),
    }))
    .filter(
      row =>
        `${row.name} ${row.code}`.toLowerCase().includes(search) &&
        (input.state === undefined || row.state === input.state) &&
        (input.offeredOnAdd === undefined || row.offeredOnAdd === input.offeredOnAdd),
    )
  const first = (input.page - 1) * input.size
  return { rows: shown.slice(first, first + input.size), total: shown.length, totalCapped: false }
}

const readVersion: Verb<typeof contract.version> = async (ctx, { id }) => {
  staffAlone(ctx)
  const [version] = await ctx.db.select().from(versions).where(eq(versions.id, id))
  const { functionIds } = found(version)
  const sellers = await ctx.db
    .select({ id: agents.id, name: agents.companyName })
    .from(versionSellers)
    .innerJoin(agents, eq(agents.id, versionSellers.agentId))
    .where(eq(versionSellers.versionId, id))
    .orderBy(asc(agents.id))
  const known = await ctx.db
    .select({ id: versionFunctions.id, name: versionFunctions.name })
    .from(versionFunctions)
    .where(inArray(versionFunctions.id, functionIds))
  return { sellers, functions: functionIds.flatMap(one => known.find(row => row.id === one) ?? []) }
}

const readRetirement: Verb<typeof contract.retirement> = async (ctx, { id }) => {
  staffAlone(ctx)
  const catalogue = await catalogueOf(ctx)
  const version = found(catalogue.get(id))
  const soon = endOfDay(addDays(formatDay(ctx.now), ENDING_DAYS)).toISOString()
  const ending = sql<number>`count(*) filter (where ${merchants.expiresAt} >= now()
    and ${merchants.expiresAt} < ${soon})`.mapWith(Number)
  const byAgent = await ctx.db
    .select({ id: merchants.agentId, name: agents.companyName, shops: count(), ending })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .where(eq(merchants.versionId, id))
    .groupBy(merchants.agentId, agents.companyName)
    .orderBy(desc(count()), asc(merchants.agentId))
  const [quotes] = await ctx.db
    .select({ open: count() })
    .from(versionOrders)
    .where(
      and(
        eq(versionOrders.versionId, id),
        eq(versionOrders.status, 'quoted'),
        gt(versionOrders.createdAt, VALID_SINCE),
      ),
    )
  const sumOf = (key: 'shops' | 'ending') => byAgent.reduce((sum, row) => sum + row[key], 0)
  return {
    shops: sumOf('shops'),
    ending: sumOf('ending'),
    agents: byAgent.slice(0, AGENTS_SHOWN),
    agentCount: byAgent.length,
    openQuotes: quotes?.open ?? 0,
    changesTo: [...catalogue.values()].filter(other => takesFrom(ctx, version, other)),
  }
}

/** Whether a shop that has the one version can change to the other, whoever its agent is. */
function takesFrom({ now }: Ctx, version: VersionRow, other: ReturnType<typeof versionIn>): boolean {
  if (other.id === version.id || !other.enabled) return false
  const expiresAt = version.pricingRule === 'perShopLifetime' ? null : now.toISOString()
  const shop = { id: 0, storeKind: 'head', status: 'normal', shopsBought: 1, termDay: null } as const
  return waysOf({ ...shop, versionId: version.id, expiresAt }, 0, other).length > 0
}

const retireVersion: Verb<typeof contract.retireVersion> = async (ctx, input) => {
  staffAlone(ctx)
  const before = await lockVersion(ctx, input)
  const until = input.renewable ? input.renewUntil : null
  const broken = refuseRetire(before, until, formatDay(ctx.now))
  refuse(broken, CATALOGUE_REFUSALS, broken === 'RENEW_UNTIL_PAST' ? { field: 'renewUntil' } : {})
  const after = {
    enabled: false,
    renewable: input.renewable,
    renewUntil: until === null ? null : endOfDay(until).toISOString(),
  }
  await changeVersion(ctx, before, after)
  return noteSale(ctx, before, after)
}

const resumeVersion: Verb<typeof contract.resumeVersion> = async (ctx, input) => {
  staffAlone(ctx)
  const before = await lockVersion(ctx, input)
  refuse(before.enabled ? 'NOT_RETIRED' : null, CATALOGUE_REFUSALS)
  const after = { enabled: true, renewable: true, renewUntil: null }
  await changeVersion(ctx, before, after)
  return noteSale(ctx, before, after)
}

const SALE = {
  enabled: VERSION_FIELDS.enabled,
  renewable: VERSION_FIELDS.renewable,
  renewUntil: VERSION_FIELDS.renewUntil,
} as const

function noteSale(ctx: Ctx, before: VersionRow, after: Partial<VersionRow>) {
  ctx.object('version', before.id)
  ctx.note(`${before.name} (${before.id})`, changesOf(before, after, SALE))
  return { id: before.id }
}

const listFunctions: Verb<typeof contract.functions> = async ctx => {
  staffAlone(ctx)
  const rows = await ctx.db
    .select()
    .from(versionFunctions)
    .orderBy(asc(versionFunctions.position), asc(versionFunctions.id))
  return { rows }
}

const saveFunction: Verb<typeof contract.saveFunction> = async (ctx, { seen, ...form }) => {
  staffAlone(ctx)
  refuseBroken(FUNCTION_FIELDS, form)
  const [same] = await ctx.db.select().from(versionFunctions).where(eq(versionFunctions.name, form.name))
  if (same && same.id !== seen?.id) refuse('NAME_TAKEN', CATALOGUE_REFUSALS, { field: 'name' })
  const { before, after } = await writeFunction(ctx, seen, { ...form, position: form.position ?? 0 })
  const nothing = { name: null, remark: null, position: null, enabled: null }
  const was: Record<string, unknown> = before ?? nothing
  const changes = changesOf(was, after, FUNCTION_FIELDS)
  if (changes.length === 0) ctx.nothingChanged()
  ctx.object('setting', `version-function ${after.id}`)
  ctx.note(`${after.name} (${after.id})`, changes)
  return { id: after.id }
}

const from = alias(versions, 'from_version')
const to = alias(versions, 'to_version')

const listAdjustments: Verb<typeof contract.adjustments> = async ctx => {
  staffAlone(ctx)
  const rows = await ctx.db
    .select({
      fromVersionId: versionAdjustments.fromVersionId,
      toVersionId: versionAdjustments.toVersionId,
      enabled: versionAdjustments.enabled,
      fromName: from.name,
      toName: to.name,
      isSold: to.enabled,
    })
    .from(versionAdjustments)
    .innerJoin(from, eq(from.id, versionAdjustments.fromVersionId))
    .innerJoin(to, eq(to.id, versionAdjustments.toVersionId))
    .orderBy(asc(from.position), asc(to.position))
  const known = await ctx.db
    .select({ id: versions.id, name: versions.name })
    .from(versions)
    .orderBy(asc(versions.position), asc(versions.id))
  return { rows, versions: known }
}

const saveAdjustment: Verb<typeof contract.saveAdjustment> = async (ctx, input) => {
  staffAlone(ctx)
  refuse(refusePair(input.fromVersionId, input.toVersionId), CATALOGUE_REFUSALS, { field: 'toVersionId' })
  const [fromVersionId, toVersionId] = [input.fromVersionId ?? 0, input.toVersionId ?? 0]
  const known = await ctx.db
    .select({ id: versions.id, name: versions.name })
    .from(versions)
    .where(inArray(versions.id, [fromVersionId, toVersionId]))
  const nameOf = (id: number) => found(known.find(row => row.id === id)).name
  const told = `${nameOf(fromVersionId)} → ${nameOf(toVersionId)}`
  const after = { fromVersionId, toVersionId, enabled: input.enabled }
  const before = await savePair(ctx, after)
  const was: Record<string, unknown> = before ?? { enabled: null }
  const changes = changesOf(was, { enabled: input.enabled }, { enabled: ADJUSTMENT_FIELDS.enabled })
  if (changes.length === 0) ctx.nothingChanged()
  ctx.object('setting', `version-adjustment ${fromVersionId} ${toVersionId}`)
  ctx.note(told, changes)
  return { done: true }
}

export const catalogueRouter = serve(contract, {
  versions: listVersions,
  version: readVersion,
  saveVersion,
  retirement: readRetirement,
  retireVersion,
  resumeVersion,
  functions: listFunctions,
  saveFunction,
  adjustments: listAdjustments,
  saveAdjustment,
  items: listItems,
  saveItem,
  itemRetirement: readItemRetirement,
  retireItem,
  resumeItem,
  groups: listGroups,
  saveGroup,
})
