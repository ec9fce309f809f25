// Releases as staff see them: the list, one with its waves and its refusals, the mini programs of one; and what an agent sees of it.
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  containingConditions,
  equal,
  filtered,
  type ListSource,
  ownCondition,
  rowsAndTotal,
  skewedBy,
} from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { releaseTrains as contract } from './contract.ts'
import { TRAIN_SHOPS, TRAINS } from './fields.ts'
import { judgedOf, LIMITS, type ShopCounts } from './rules.ts'
import { quotaRead, staffOnly } from './server-standing.ts'
import { releaseTrainShops as shops, releaseTrains as trains } from './tables.ts'

const ROW = {
  id: trains.id,
  name: trains.name,
  version: trains.version,
  tag: trains.tag,
  state: trains.state,
  reason: trains.reason,
  wave: trains.wave,
  waves: trains.waves,
  shops: trains.shops,
  waveSize: trains.waveSize,
  haltPercent: trains.haltPercent,
  haltFrom: trains.haltFrom,
  createdByName: trains.createdByName,
  createdAt: trains.createdAt,
  changedAt: trains.changedAt,
}
const LATEST = { sort: 'createdAt desc', order: [desc(trains.createdAt), desc(trains.id)] }

/** How many mini programs of each of these stand in each state. */
export async function countsOf(ctx: Ctx, ids: readonly number[]): Promise<Map<number, ShopCounts>> {
  const counts = new Map<number, ShopCounts>()
  if (ids.length === 0) return counts
  const rows = await ctx.db
    .select({ trainId: shops.trainId, state: shops.state, count: sql<number>`count(*)::int` })
    .from(shops)
    .where(and(inArray(shops.trainId, [...ids]), ownRows(ctx, shops.agentId)))
    .groupBy(shops.trainId, shops.state)
  for (const { trainId, state, count } of rows)
    counts.set(trainId, { ...counts.get(trainId), [state]: count })
  return counts
}

const figuresOf = (counts: ShopCounts = {}) => ({
  released: counts.released ?? 0,
  refused: judgedOf(counts).refused,
})

export const list: Verb<typeof contract.list> = async (ctx, input) => {
  const source: ListSource = {
    name: 'release trains',
    table: trains,
    conditions: [
      ...[staffOnly(ctx)].flatMap(others => (others ? [{ key: 'staff', sql: others, values: {} }] : [])),
      ...filtered(TRAINS, input, { state: skewedBy('state', trains.state) }),
      ...(input.search ? containingConditions(trains.name, input.search) : []),
    ],
    ...LATEST,
  }
  const { rows, ...page } = await rowsAndTotal(ctx, source, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(trains)
      .innerJoin(page, eq(page.id, trains.id))
      .orderBy(...LATEST.order)
      .$dynamic(),
  )
  const counts = await countsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return { ...page, rows: rows.map(row => ({ ...row, ...figuresOf(counts.get(row.id)) })) }
}

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({ ...ROW, feedback: trains.feedback, templateId: trains.templateId })
    .from(trains)
    .where(and(eq(trains.id, id), staffOnly(ctx)))
  const train = found(row)
  const own = and(eq(shops.trainId, id), ownRows(ctx, shops.agentId))
  const counted = await ctx.db
    .select({ wave: shops.wave, state: shops.state, count: sql<number>`count(*)::int` })
    .from(shops)
    .where(own)
    .groupBy(shops.wave, shops.state)
  const waves = new Map<number, ShopCounts>()
  const all: ShopCounts = {}
  for (const { wave, state, count } of counted) {
    waves.set(wave, { ...waves.get(wave), [state]: count })
    all[state] = (all[state] ?? 0) + count
  }
  return {
    ...train,
    ...figuresOf(all),
    waveFigures: [...waves].toSorted(([a], [b]) => a - b).map(([wave, counts]) => ({ wave, counts })),
    groups: await groupsOf(ctx, id),
    audits: await quotaRead(ctx),
  }
}

const REFUSED = sql`${shops.state} in ('refused', 'failed')`

async function groupsOf(ctx: Ctx, id: number) {
  const refused = and(eq(shops.trainId, id), REFUSED, ownRows(ctx, shops.agentId))
  const groups = await ctx.db
    .select({
      reasonKey: shops.reasonKey,
      reason: sql<string>`min(${shops.reason})`,
      shops: sql<number>`count(*)::int`,
      ids: sql<number[]>`(array_agg(${shops.id} order by ${shops.id}))[1:${sql.raw(String(LIMITS.samples))}]`,
    })
    .from(shops)
    .where(refused)
    .groupBy(shops.reasonKey)
    .orderBy(desc(sql`count(*)`), asc(shops.reasonKey))
    .limit(LIMITS.groups)
  const ids = groups.flatMap(group => group.ids.map(Number))
  if (ids.length === 0) return []
  const named = await ctx.db
    .select({ id: shops.id, applicationId: shops.applicationId, shopName: merchants.shopName })
    .from(shops)
    .innerJoin(merchants, eq(merchants.id, shops.merchantId))
    .where(and(inArray(shops.id, ids), ownRows(ctx, shops.agentId)))
    .orderBy(asc(shops.id))
  return groups.map(({ ids, ...group }) => ({
    ...group,
    samples: named
      .filter(({ id }) => ids.map(Number).includes(id))
      .map(({ applicationId, shopName }) => ({ applicationId, shopName })),
  }))
}

const SHOP_ROW = {
  id: shops.id,
  applicationId: shops.applicationId,
  merchantId: shops.merchantId,
  agentId: shops.agentId,
  wave: shops.wave,
  state: shops.state,
  reason: shops.reason,
  version: shops.version,
  corrections: shops.corrections,
  changedAt: shops.changedAt,
  shopName: merchants.shopName,
  account: merchants.account,
  programName: applications.programName,
  agentName: agents.companyName,
}
const BY_WAVE = { sort: 'wave', order: [asc(shops.wave), asc(shops.id)] }

export const listShops: Verb<typeof contract.shops> = async (ctx, { id, wave, ...input }) => {
  const source: ListSource = {
    name: 'release train shops',
    table: shops,
    conditions: [
      ...ownCondition(ctx, shops.agentId),
      ...equal('train', shops.trainId, id),
      ...equal('wave', shops.wave, wave),
      ...filtered(TRAIN_SHOPS, input, {
        state: skewedBy('state', shops.state),
        agentId: shops.agentId,
      }),
    ],
    ...BY_WAVE,
  }
  return rowsAndTotal(ctx, source, input, page =>
    ctx.db
      .with(page)
      .select(SHOP_ROW)
      .from(shops)
      .innerJoin(page, eq(page.id, shops.id))
      .innerJoin(merchants, eq(merchants.id, shops.merchantId))
      .innerJoin(applications, eq(applications.id, shops.applicationId))
      .innerJoin(agents, eq(agents.id, shops.agentId))
      .orderBy(...BY_WAVE.order)
      .$dynamic(),
  )
}

export const ofProgram: Verb<typeof contract.ofProgram> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      trainId: shops.trainId,
      version: shops.version,
      wave: shops.wave,
      state: shops.state,
      reason: shops.reason,
      changedAt: shops.changedAt,
    })
    .from(shops)
    .where(and(eq(shops.applicationId, id), ownRows(ctx, shops.agentId)))
    .orderBy(desc(shops.id))
    .limit(1)
  return { train: row ?? null }
}
