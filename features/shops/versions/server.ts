// The catalogue as an agent buys from it, and which of it is its to sell.
import { and, asc, getTableColumns, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { buyerTerms, priceAt } from '#features/office/prices/server.ts'
import type { Out } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { versions as contract } from './contract.ts'
import { mayRenew, termsOf } from './rules.ts'
import { versionFunctions, versions } from './tables.ts'

/** The columns of a version with its list prices at a moment, by default now. */
export const pricedVersion = (moment?: SQLWrapper) => ({
  ...getTableColumns(versions),
  priceYearCents: priceAt('version', versions.id, 'year', moment),
  priceMonthCents: priceAt('version', versions.id, 'month', moment),
  priceLifetimeCents: priceAt('version', versions.id, 'lifetime', moment),
})

/** Whether this agent may sell the version of the row (is_authority, D2 §6). */
export function isSoldBy(agentId: number | PgColumn): SQL<boolean> {
  const isNamed = sql`exists (
    select 1 from version_sellers named where named.version_id = ${versions.id} and named.agent_id = ${agentId})`
  return sql<boolean>`(${versions.sellers} = 'all' or (${versions.sellers} = 'only') = ${isNamed})`
}

/** The row may be renewed by shops that have it; what mayRenew says, for a statement. */
export const RENEWED_NOW = sql<boolean>`(${versions.enabled} or (${versions.renewable}
  and coalesce(${versions.renewUntil} > now(), true)))`

/**
 * What the acting agent may sell or renew, in its order, priced as a shop's first version, for which every offer to a shop's
 * first purchase is; a retired version is offered to no new shop.
 */
export async function listVersions(ctx: Ctx): Promise<Out<typeof contract.list>> {
  const rows = await ctx.db
    .select(pricedVersion())
    .from(versions)
    .where(and(or(versions.enabled, RENEWED_NOW), isSoldBy(ctx.actor.agentId)))
    .orderBy(asc(versions.position), asc(versions.id))
  const terms = await buyerTerms(ctx, 'version', 'new shop')
  const functions = await functionsOf(ctx, rows)
  return {
    rows: rows.map(row => ({
      ...row,
      // Nobody could buy one that has no price yet.
      offeredOnAdd: row.enabled && row.offeredOnAdd && termsOf(row).length > 0,
      functions: functions(row),
      conditions: terms.conditionsOf(row.id),
    })),
  }
}

type Containing = Pick<typeof versions.$inferSelect, 'functionIds'>

/** The names of what versions contain, each in its own order; functions that are no longer named are left out. */
export async function functionsOf(
  ctx: Ctx,
  rows: readonly Containing[],
): Promise<(row: Containing) => string[]> {
  const wanted = [...new Set(rows.flatMap(({ functionIds }) => functionIds))]
  if (wanted.length === 0) return () => []
  const known = await ctx.db
    .select({ id: versionFunctions.id, name: versionFunctions.name })
    .from(versionFunctions)
    .where(and(inArray(versionFunctions.id, wanted), versionFunctions.enabled))
  const names = new Map(known.map(({ id, name }) => [id, name]))
  return ({ functionIds }) => functionIds.flatMap(id => names.get(id) ?? [])
}

/** The list price per year of every version that has one, by its id: asked once for many shops. */
export async function yearPrices(ctx: Ctx): Promise<Map<number, number>> {
  const rows = await ctx.db
    .select({ id: versions.id, cents: priceAt('version', versions.id, 'year') })
    .from(versions)
  return new Map(rows.flatMap(({ id, cents }) => (cents === null ? [] : [[id, cents]])))
}

/** How a version stands at a moment, for an agent that buys it. */
export function soldNow<V extends typeof versions.$inferSelect>(version: V, now: string): V {
  return { ...version, renewable: mayRenew(version, now) }
}

export const versionsRouter = serve(contract, { list: listVersions })
