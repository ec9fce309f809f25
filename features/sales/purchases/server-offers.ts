// What a shop can buy, and the branches to choose from (D2 §2.2, §7 obtainChainStoreBranches).
import { asc, eq, like, sql } from 'drizzle-orm'
import { balancesOf } from '#features/money/ledger/server.ts'
import { NO_CONDITIONS } from '#features/office/prices/rules.ts'
import { buyerTerms } from '#features/office/prices/server.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { refuseSale, yearCentsOf } from '#features/shops/versions/rules.ts'
import { functionsOf } from '#features/shops/versions/server.ts'
import type { Verb } from '#server/ctx.ts'
import { type Condition, equal, type ListSource, ownCondition, rowsAndTotal } from '#server/list.ts'
import type { purchases as contract } from './contract.ts'
import {
  PLAN_REFUSALS,
  periodsFixed,
  placesOf,
  refuseWay,
  restOf,
  shopsCounted,
  type Way,
  waysOf,
} from './rules.ts'
import {
  branchNames,
  catalogueOf,
  countBranches,
  findShop,
  refuseShop,
  type Shop,
  type Version,
  versionIn,
} from './server-shops.ts'

export const listOffers: Verb<typeof contract.offers> = async (ctx, input) => {
  const shop = await findShop(ctx, input.merchantId)
  const terms = await buyerTerms(ctx, 'version', shop.id)
  const catalogue = await catalogueOf(ctx, { terms })
  const counts = await countBranches(ctx, shop)
  const present = versionIn(catalogue, shop.versionId)
  const now = ctx.now.toISOString()
  const refused = refuseShop(ctx, shop)
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  const offers = [...catalogue.values()].flatMap(version => offerOf(shop, counts, version, now))
  const functions = await functionsOf(
    ctx,
    offers.map(({ version }) => version),
  )
  return {
    merchantId: shop.id,
    shopName: shop.shopName,
    storeKind: shop.storeKind,
    status: shop.status,
    versionId: shop.versionId,
    versionName: present.name,
    expiresAt: shop.expiresAt,
    termDay: shop.termDay,
    shopsBought: shop.shopsBought,
    branchCount: counts.branchCount,
    branchNames: counts.branchCount > 0 ? await branchNames(ctx, shop) : [],
    rest: restOf(shop, counts.branchCount, present),
    discountBasisPoints: terms.discountBasisPoints,
    balanceCents: tokenCents,
    refusal: refused && { code: refused, message: PLAN_REFUSALS[refused] },
    offers: offers.map(({ version, ...offer }) => ({ ...offer, functions: functions(version) })),
  }
}

type Counts = Awaited<ReturnType<typeof countBranches>>

function offerOf(shop: Shop, counts: Counts, version: Version, now: string) {
  const sale = refuseSale(shop, version)
  const isCurrent = version.id === shop.versionId
  // What is not its to sell is not shown; of what the shop has, it is told why.
  if (sale && !isCurrent) return []
  const ways = waysOf(shop, counts.branchCount, version)
  if (ways.length === 0) return []
  const { kind, remark, isPack, pricingRule, priceYearCents, priceMonthCents, priceLifetimeCents } = version
  const { conditions = NO_CONDITIONS } = version
  return [
    {
      version,
      versionId: version.id,
      versionName: version.name,
      remark,
      isCurrent,
      scopes: ways.map(way => scopeOf(way, shop, counts, { sale, now })),
      priceYearCents,
      priceMonthCents,
      priceLifetimeCents,
      isPack,
      kind,
      pricingRule,
      conditions,
    },
  ]
}

type Stands = { sale: keyof typeof PLAN_REFUSALS | null; now: string }

function scopeOf(way: Way, shop: Shop, counts: Counts, { sale, now }: Stands) {
  const asksShops = way.counted === 'asked'
  const asksBranches = way.counted === 'chosen'
  const { shopsBought } = shop
  const refused = sale ?? refuseWay(way, shop, now)
  return {
    scope: way.scope,
    code: way.code,
    codeName: way.codeName,
    terms: way.terms,
    asksShops,
    asksBranches,
    shopsDefault: asksShops && way.shopsAfter === 'asked' ? placesOf(shop, counts.branchCount) : 1,
    shopsCounted: asksShops || asksBranches ? null : shopsCounted(way, { shopsBought, ...counts, asked: 0 }),
    periodsFixed: periodsFixed(way, shop, now),
    refusal: refused && { code: refused, message: PLAN_REFUSALS[refused] },
  }
}

/** Branches of a head shop that are its agent's; none for any other shop. */
export const listBranches: Verb<typeof contract.branches> = async (ctx, input) => {
  const head = await findShop(ctx, input.merchantId)
  const list: ListSource = {
    name: 'branches',
    table: merchants,
    conditions: [
      ...ownCondition(ctx, merchants.agentId),
      ...equal('headId', merchants.headId, head.id),
      ...equal('agentId', merchants.agentId, head.agentId),
      ...searched(input.search),
    ],
    sort: 'id asc',
    order: [asc(merchants.id)],
  }
  const { rows, ...total } = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(BRANCH)
      .from(page)
      .innerJoin(merchants, eq(merchants.id, page.id))
      .orderBy(asc(merchants.id)),
  )
  const catalogue = await catalogueOf(ctx)
  return {
    ...total,
    rows: rows.map(row => {
      const version = versionIn(catalogue, row.versionId)
      return { ...row, versionName: version.name, yearCents: yearCentsOf(version) }
    }),
  }
}

const BRANCH = {
  id: merchants.id,
  shopName: merchants.shopName,
  account: merchants.account,
  status: merchants.status,
  expiresAt: merchants.expiresAt,
  termDay: merchants.termDay,
  shopsBought: merchants.shopsBought,
  versionId: merchants.versionId,
}

/** A head has few branches, so that the text is looked for in each of them. */
function searched(search: string | undefined): Condition[] {
  if (!search) return []
  return [
    {
      key: 'search',
      sql: like(merchants.searchText, sql`lower(${sql.placeholder('pattern')}::text)`),
      values: { pattern: `%${search.replace(/[\\%_]/g, '\\$&')}%` },
    },
  ]
}
