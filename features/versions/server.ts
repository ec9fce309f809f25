import { asc, eq, getTableColumns, type SQLWrapper } from 'drizzle-orm'
import { buyerTerms, priceAt } from '#features/prices/server.ts'
import type { Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { versions as contract } from './contract.ts'
import { versions } from './tables.ts'

/** The columns of a version with its list prices at a moment, by default now. */
export const pricedVersion = (moment?: SQLWrapper) => ({
  ...getTableColumns(versions),
  priceYearCents: priceAt('version', versions.id, 'year', moment),
  priceMonthCents: priceAt('version', versions.id, 'month', moment),
  priceLifetimeCents: priceAt('version', versions.id, 'lifetime', moment),
})

/** As a shop's first version, for which every offer to a shop's first purchase is. */
export async function listVersions(ctx: Ctx): Promise<Out<typeof contract.list>> {
  const rows = await ctx.db
    .select(pricedVersion())
    .from(versions)
    .where(eq(versions.enabled, true))
    .orderBy(asc(versions.position))
  const terms = await buyerTerms(ctx, 'version', 'new shop')
  return { rows: rows.map(row => ({ ...row, conditions: terms.conditionsOf(row.id) })) }
}

/** The list price per year of every version that has one, by its id: asked once for many shops. */
export async function yearPrices(ctx: Ctx): Promise<Map<number, number>> {
  const rows = await ctx.db
    .select({ id: versions.id, cents: priceAt('version', versions.id, 'year') })
    .from(versions)
  return new Map(rows.flatMap(({ id, cents }) => (cents === null ? [] : [[id, cents]])))
}

export const versionsRouter = serve(contract, { list: listVersions })
