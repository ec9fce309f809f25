// An agent's own prices: dated, so that changing one leaves the orders before it alone.
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { type Condition, type ListSource, rowsAndTotal } from '#server/list.ts'
import { refuse } from '#server/refuse.ts'
import type { margins as contract } from './contract.ts'
import { hasPrice, MARGIN_REFUSALS, PRICE_KEYS, refusePrices } from './rules.ts'
import { sellingPrices } from './tables.ts'

const LATEST = [desc(sellingPrices.createdAt), desc(sellingPrices.id)]
const STANDS: Condition = { key: 'stands', sql: isNull(sellingPrices.endedAt), onePlan: true }

/** The agent's own alone, also where the vendor's staff ask. */
export function ofActingAgent(ctx: Ctx, agentId: Parameters<typeof eq>[0]): Condition {
  return {
    key: 'acting agent',
    sql: sql`${agentId} = ${sql.placeholder('actingAgent')}`,
    values: { actingAgent: ctx.actor.agentId },
  }
}

export const listPrices: Verb<typeof contract.prices> = (ctx, input) => {
  const list: ListSource = {
    name: 'selling prices',
    table: sellingPrices,
    conditions: [ofActingAgent(ctx, sellingPrices.agentId), STANDS],
    sort: 'createdAt desc',
    order: LATEST,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: sellingPrices.id,
        versionId: sellingPrices.versionId,
        versionName: versions.name,
        merchantId: sellingPrices.merchantId,
        shopName: merchants.shopName,
        yearFen: sellingPrices.yearFen,
        monthFen: sellingPrices.monthFen,
        lifetimeFen: sellingPrices.lifetimeFen,
        createdByName: sellingPrices.createdByName,
        createdAt: sellingPrices.createdAt,
      })
      .from(page)
      .innerJoin(sellingPrices, eq(sellingPrices.id, page.id))
      .innerJoin(versions, eq(versions.id, sellingPrices.versionId))
      .leftJoin(
        merchants,
        and(eq(merchants.id, sellingPrices.merchantId), eq(merchants.agentId, sellingPrices.agentId)),
      )
      .orderBy(...LATEST),
  )
}

export const setPrice: Verb<typeof contract.setPrice> = async (ctx, input) => {
  const { versionId, merchantId, ...prices } = input
  const subject = await subjectOf(ctx, versionId, merchantId)
  const [standing] = await ctx.db
    .select()
    .from(sellingPrices)
    .where(
      and(
        eq(sellingPrices.agentId, ctx.actor.agentId),
        eq(sellingPrices.versionId, versionId),
        merchantId === null ? isNull(sellingPrices.merchantId) : eq(sellingPrices.merchantId, merchantId),
        isNull(sellingPrices.endedAt),
      ),
    )
    .for('update')
  const broken = refusePrices(prices, standing !== undefined)
  if (broken) refuse(broken.code, MARGIN_REFUSALS, { field: broken.field })
  const stands = hasPrice(prices)
  if (standing && PRICE_KEYS.every(key => standing[key] === prices[key])) {
    ctx.nothingChanged()
    return { stands }
  }
  // Under the lock: it stands after what another has set meanwhile.
  const now = ctx.services.clock.now().toISOString()
  if (standing)
    await ctx.db.update(sellingPrices).set({ endedAt: now }).where(eq(sellingPrices.id, standing.id))
  if (stands)
    await ctx.db.insert(sellingPrices).values({
      agentId: ctx.actor.agentId,
      versionId,
      merchantId,
      ...prices,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: now,
    })
  // Without the amounts: the log is read by the vendor's staff too.
  ctx.note(subject, [{ name: '售价', before: standing ? '已设置' : null, after: stands ? '已设置' : null }])
  return { stands }
}

async function subjectOf(ctx: Ctx, versionId: number, merchantId: number | null): Promise<string> {
  const [version] = await ctx.db
    .select({ name: versions.name })
    .from(versions)
    .where(eq(versions.id, versionId))
  if (!version) refuse('PRICE_VERSION', MARGIN_REFUSALS, { field: 'versionId' })
  if (merchantId === null) return version?.name ?? ''
  const [shop] = await ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), eq(merchants.agentId, ctx.actor.agentId)))
  if (!shop) refuse('PRICE_SHOP', MARGIN_REFUSALS, { field: 'merchantId' })
  return `${version?.name} · ${shop?.shopName} (${merchantId})`
}
