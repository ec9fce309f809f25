// What a purchase reads: the shop, its branches, and the catalogue.
import { and, asc, count, eq, inArray, or, sql } from 'drizzle-orm'
import type { BuyerTerms } from '#features/office/prices/server.ts'
import type { ShopEffect } from '#features/sales/orders/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Conversion, PricedVersion } from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion, soldNow } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import {
  type BranchConversion,
  LIMITS,
  PLAN_REFUSALS,
  type PlanRefusal,
  PURCHASE_REFUSALS,
  planPurchase,
  type Scope,
  type ShopFacts,
  type Wanted,
  type Way,
} from './rules.ts'

export type Shop = ShopFacts & { agentId: number; headId: number | null; shopName: string; account: string }
export type Version = typeof versions.$inferSelect & PricedVersion & { authorised: boolean }
/** The catalogue by id, versions that are no longer sold among it: shops may still have them. */
export type Catalogue = ReadonlyMap<number, Version>

export const SHOP = {
  id: merchants.id,
  agentId: merchants.agentId,
  headId: merchants.headId,
  shopName: merchants.shopName,
  account: merchants.account,
  storeKind: merchants.storeKind,
  status: merchants.status,
  versionId: merchants.versionId,
  expiresAt: merchants.expiresAt,
  termDay: merchants.termDay,
  shopsBought: merchants.shopsBought,
}

/** The shop, where the acting account may see it. */
export async function findShop(ctx: Ctx, id: number): Promise<Shop> {
  const [shop] = await findShops(ctx, [id])
  return found(shop)
}

/** The shops among these that the acting account may see, in the order of their ids. */
export function findShops(ctx: Ctx, ids: readonly number[]): Promise<Shop[]> {
  return ctx.db
    .select(SHOP)
    .from(merchants)
    .where(and(inArray(merchants.id, [...ids]), ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
}

/** Why the acting agent cannot buy for this shop whatever it is, or null. */
export function refuseShop(ctx: Ctx, shop: Shop): keyof typeof PLAN_REFUSALS | null {
  if (shop.agentId !== ctx.actor.agentId) return 'NOT_OWN_SHOP'
  return shop.status === 'disabled' ? 'MERCHANT_DISABLED' : null
}

/** Branches of a head shop that are its agent's; with `ids` only those among them. */
export function branchesOf(ctx: Ctx, head: Shop, ids?: readonly number[]): Promise<Shop[]> {
  return ctx.db
    .select(SHOP)
    .from(merchants)
    .where(
      and(
        eq(merchants.headId, head.id),
        eq(merchants.agentId, head.agentId),
        ownRows(ctx, merchants.agentId),
        ids && inArray(merchants.id, [...ids]),
      ),
    )
    .orderBy(asc(merchants.id))
}

/** The first branches of the head's own agent, as people know them. */
export async function branchNames(ctx: Ctx, head: Shop): Promise<string[]> {
  const rows = await ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.headId, head.id), eq(merchants.agentId, head.agentId)))
    .orderBy(asc(merchants.id))
    .limit(LIMITS.branchesNamed)
  return rows.map(({ shopName }) => shopName)
}

/** How many branches of the head's own agent it has, and how many shops they are. */
export async function countBranches(
  ctx: Ctx,
  head: Shop,
): Promise<{ branchCount: number; branchShops: number }> {
  const branchShops = sql<number>`coalesce(sum(greatest(1, ${merchants.shopsBought})), 0)`.mapWith(Number)
  const [counted] = await ctx.db
    .select({ branchCount: count(), branchShops })
    .from(merchants)
    .where(
      and(
        eq(merchants.headId, head.id),
        eq(merchants.agentId, head.agentId),
        ownRows(ctx, merchants.agentId),
      ),
    )
  return counted ?? { branchCount: 0, branchShops: 0 }
}

/** How many branches of the acting agent each of these heads has, in one statement; a shop without any is left out. */
export async function branchCounts(ctx: Ctx, heads: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.db
    .select({ headId: merchants.headId, branches: count() })
    .from(merchants)
    .where(and(inArray(merchants.headId, [...heads]), eq(merchants.agentId, ctx.actor.agentId)))
    .groupBy(merchants.headId)
  return new Map(rows.flatMap(({ headId, branches }) => (headId === null ? [] : [[headId, branches]])))
}

/** `placesOf` of each shop in a statement over merchants: what renewing it alone is priced for. */
export const placesBought = sql<number>`greatest(1, merchants.shops_bought - case
  when merchants.store_kind = 'head' and merchants.shops_bought > 1
  then (select count(*) from merchants branch where branch.head_id = merchants.id and branch.agent_id = merchants.agent_id)
  else 0 end)`.mapWith(Number)

/** Shops of the acting agent, locked in the order of their ids; with `withBranchesOf` also the branches of that head. */
export async function lockShops(
  ctx: Ctx,
  ids: readonly number[],
  withBranchesOf?: number,
): Promise<Map<number, Shop>> {
  const named = inArray(merchants.id, [...ids])
  const rows = await ctx.db
    .select(SHOP)
    .from(merchants)
    .where(
      and(
        eq(merchants.agentId, ctx.actor.agentId),
        withBranchesOf === undefined ? named : or(named, eq(merchants.headId, withBranchesOf)),
      ),
    )
    .orderBy(asc(merchants.id))
    .for('update')
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * For the acting agent, as versions stand at this moment: with the buyer's conditions where its terms are given; at list
 * prices of a moment, by default now.
 */
export async function catalogueOf(
  ctx: Ctx,
  of: { terms?: BuyerTerms; at?: string } = {},
): Promise<Catalogue> {
  const { terms, at } = of
  const moment = at === undefined ? undefined : sql`${at}::timestamptz`
  const rows = await ctx.db
    .select({ ...pricedVersion(moment), authorised: isSoldBy(ctx.actor.agentId) })
    .from(versions)
    .orderBy(asc(versions.position))
  const stands = rows.map(row => soldNow(row, ctx.now.toISOString()))
  return new Map(
    stands.map(row => [row.id, terms ? { ...row, conditions: terms.conditionsOf(row.id) } : row]),
  )
}

/** The version, which every shop and order names by a foreign key. */
export function versionIn(catalogue: Catalogue, id: number): Version {
  const version = catalogue.get(id)
  if (!version) throw new Error(`version ${id} is not in the catalogue`)
  return version
}

/** The branches that a scope reaches. Refuses a chosen one that is no branch of this head. */
export async function reachOf(ctx: Ctx, shop: Shop, scope: Scope, branchIds: readonly number[]) {
  const { branchCount } = await countBranches(ctx, shop)
  if (scope === 'all') return { branchCount, branches: await branchesOf(ctx, shop) }
  const chosen = [...new Set(branchIds)]
  if (scope !== 'branches' || chosen.length === 0) return { branchCount, branches: [] }
  const branches = await branchesOf(ctx, shop, chosen)
  if (branches.length !== chosen.length) refuse('BRANCH_UNKNOWN', PURCHASE_REFUSALS, { field: 'branchIds' })
  return { branchCount, branches }
}

/** What an order remembers for its confirm: what was asked for, and the effects as they were shown. */
export type Draft = {
  wanted: Wanted
  branchIds: number[]
  effects: ShopEffect[]
  conversion: Conversion | null
  branchConversions?: BranchConversion[]
}

type Planned = Parameters<typeof planPurchase>[0]

/** The plan, or its refusal thrown; where a branch is the reason, the refusal's data names it. */
export function planOrRefuse(input: Planned) {
  const result = planPurchase(input)
  if ('plan' in result) return result.plan
  throw refusalOf(result.refusal)
}

export function refusalOf({ code, ...data }: PlanRefusal): Refusal {
  return new Refusal(code, PLAN_REFUSALS[code], data)
}

/** An effect as people read it. */
export function presentEffect(
  effect: ShopEffect,
  shop: Pick<Shop, 'shopName'>,
  catalogue: Catalogue,
  conversion?: Conversion,
) {
  return {
    ...effect,
    shopName: shop.shopName,
    versionBefore: versionIn(catalogue, effect.versionBefore).name,
    versionAfter: versionIn(catalogue, effect.versionAfter).name,
    remainingDays: conversion?.remainingDays ?? null,
    convertedDays: conversion?.convertedDays ?? null,
  }
}

/** 续费 shop version; 升级 for another version, 增购分店 for more branches, 增购店铺 with their number for more shops. */
export function contentOf(
  way: Pick<Way, 'code' | 'salesType' | 'shopsAfter'>,
  shopName: string,
  versionName: string,
  shops = 1,
): string {
  const bought = way.shopsAfter === 'added' ? `增购店铺 ${shops} 家` : '续费'
  const verb = way.code === 2 ? '增购分店' : way.salesType === 'renew' ? bought : '升级'
  return `${verb} ${shopName} ${versionName}`
}
