// Owns what a shop can buy of a version and what that costs and changes (D1 §4 price; D2 §2.2, §3, §4, §5, §9).
// Must never read a clock or a database, and must never name a version's id: the catalogue's codes decide.
import type { ShopEffect } from '#features/sales/orders/rules.ts'
import {
  REFUSALS as MERCHANT_REFUSALS,
  type MerchantStatus,
  type StoreKind,
} from '#features/shops/merchants/rules.ts'
import {
  asksBranches,
  type Conversion,
  converted,
  longerBy,
  type Price,
  type PricedVersion,
  type PricingRule,
  type PurchaseTerms,
  priceOf,
  refusePeriods,
  refuseSale,
  refuseTerm,
  type SoldVersion,
  LIMITS as TERM_LIMITS,
  type Term,
  type TermEnd,
  termFrom,
  termsOf,
  VERSION_REFUSALS,
  type Worth,
  yearCentsOf,
} from '#features/shops/versions/rules.ts'
import { addMonths } from '#kit/time.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** Which shops a purchase is for. `head`: the shop itself; `branches`: chosen branches; `all`: head and branches; `addBranches`: more branches. */
export const SCOPES = ['head', 'branches', 'all', 'addBranches'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * IsAddShop of D2 §9: what it is called where a shop renews what it has, and where it buys another version. 5 is not used by the
 * documents.
 */
export const PURCHASE_CODES = {
  0: { same: '续费分店', other: null },
  1: { same: '续费总店', other: '新购高级版' },
  2: { same: '增购分店', other: null },
  3: { same: '续费全部店铺', other: null },
  4: { same: null, other: '更换其他按年版本' },
  6: { same: '续费高级版（旧）', other: '新购高级版（旧）' },
  7: { same: '续费永久版', other: '新购永久版' },
  8: { same: '续费至尊版', other: '新购至尊版' },
} as const
/** More shops of what a shop has for life. */
const MORE_SHOPS = '增购店铺'
export type PurchaseCode = keyof typeof PURCHASE_CODES

export const LIMITS = { remark: 50, bulkShops: 500, branchesNamed: 3, openBatches: 50 } as const

export const NOT_OWN_SHOP = '只能为自己的商户购买'

export const PURCHASE_REFUSALS = {
  NOT_OWN_SHOP,
  SHOP_UNKNOWN: '商户不存在或已转至其他服务商',
  NOTHING_TO_BUY: '该商户不能购买此版本',
  SCOPE_NOT_OFFERED: '该商户不能这样购买',
  TERM_NOT_SOLD: '该版本不支持所选购买时限',
  BRANCHES_REQUIRED: '请选择分店',
  BRANCH_UNKNOWN: '分店不属于该总店，请重新选择',
  ALREADY_PERMANENT: '该商户已永久有效，无需续费',
  LIFETIME_NO_YEARLY: '永久版商户不能更换为按年版本',
  REMARK_TOO_LONG: `备注不得超过${LIMITS.remark}字`,
  SHOPS_REQUIRED: '请选择商户',
  SHOPS_TOO_MANY_AT_ONCE: `单次最多续费${LIMITS.bulkShops}家商户`,
  NOTHING_PAYABLE: '所选商户均不能续费',
  BATCHES_OPEN: `待确认的批量续费已有${LIMITS.openBatches}份，请先确认，或在版本订单中作废不需要的`,
  HEAD_EXPIRED: '总店已到期，请先续费后再增购分店',
  PERIODS_FIXED: '增购分店的年数以总店剩余时间为准，请刷新后重试',
} as const
export type PurchaseRefusal = keyof typeof PURCHASE_REFUSALS

/** Every reason why a purchase cannot be planned, with its message. */
export const PLAN_REFUSALS = {
  ...VERSION_REFUSALS,
  ...PURCHASE_REFUSALS,
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
} as const
/** The broken rule, the form's field it belongs to, and the shop where it is another than the one that buys. */
export type PlanRefusal = { code: keyof typeof PLAN_REFUSALS; field?: string; merchantId?: number }

/**
 * What multiplies the price: the shop's own places, a number asked for, chosen branches, own places and all branches. A branch is a
 * shop with a term of its own, so that no price of its head counts it but where it is bought for.
 */
type Counted = 'places' | 'asked' | 'chosen' | 'all'

type Case = {
  code: PurchaseCode
  /** The catalogue's code that leads here, where it is another. */
  listedAs?: PurchaseCode
  /** `same`: the version that the shop has (renewal, by renewCode); `other`: another (upgrade, by buyCode). */
  buys: 'same' | 'other'
  scope: Scope
  store: StoreKind | 'any'
  rules: readonly PricingRule[]
  /** The term that the shop has; without it, either. */
  ends?: 'dated' | 'permanent'
  counted: Counted
  /** Shops bought afterwards: as before, the number asked for beside the branches that it has, or that many more. */
  shopsAfter: 'kept' | 'asked' | 'added'
  /** `restarted`: from now, with the rest of the present term converted. */
  expiry: 'extended' | 'restarted' | 'permanent' | 'kept'
}

const SHOP_YEAR: readonly PricingRule[] = ['perShopYear']
const CHAIN_YEAR: readonly PricingRule[] = ['perBranchYear']
const ANY_YEAR: readonly PricingRule[] = ['perShopYear', 'perBranchYear']
const LIFETIME: readonly PricingRule[] = ['perShopLifetime']

const RENEWS = { buys: 'same', ends: 'dated', shopsAfter: 'kept', expiry: 'extended' } as const
const ADDS = { buys: 'same', counted: 'asked', shopsAfter: 'added', expiry: 'kept' } as const
const TAKES = { buys: 'other', scope: 'head', counted: 'asked', shopsAfter: 'asked' } as const
const HEAD = { scope: 'head', store: 'head' } as const
const ITSELF = { scope: 'head', store: 'any' } as const
const IN_YEARS = { ends: 'dated', expiry: 'restarted' } as const

/** The pricing table of the IsAddShop cases. The first row that fits a shop, a version and a scope rules. */
const CASES: readonly Case[] = [
  { code: 0, listedAs: 1, ...RENEWS, scope: 'head', store: 'branch', rules: ANY_YEAR, counted: 'places' },
  { code: 1, ...RENEWS, ...HEAD, rules: ANY_YEAR, counted: 'places' },
  { code: 3, listedAs: 1, ...RENEWS, scope: 'all', store: 'head', rules: CHAIN_YEAR, counted: 'all' },
  { code: 0, listedAs: 1, ...RENEWS, scope: 'branches', store: 'head', rules: CHAIN_YEAR, counted: 'chosen' },
  { code: 2, listedAs: 1, ...ADDS, scope: 'addBranches', store: 'head', rules: CHAIN_YEAR, ends: 'dated' },
  { code: 6, ...RENEWS, ...ITSELF, rules: SHOP_YEAR, counted: 'places' },
  ...([7, 8] as const).flatMap((code): Case[] => [
    { code, ...ADDS, ...HEAD, rules: LIFETIME, ends: 'permanent' },
    { code, ...RENEWS, ...ITSELF, rules: LIFETIME, counted: 'places', expiry: 'permanent' },
    { code, ...TAKES, store: 'any', rules: LIFETIME, expiry: 'permanent' },
  ]),
  { code: 1, ...TAKES, ...IN_YEARS, store: 'any', rules: SHOP_YEAR },
  { code: 4, ...TAKES, ...IN_YEARS, store: 'any', rules: SHOP_YEAR },
  { code: 4, ...TAKES, ...IN_YEARS, store: 'head', rules: CHAIN_YEAR },
]

/** A shop as a purchase sees it; `expiresAt` null is permanent. */
export type ShopFacts = {
  id: number
  storeKind: StoreKind
  status: MerchantStatus
  versionId: number
  expiresAt: string | null
  /** The day of the month that its term keeps; null: that of its end. */
  termDay: number | null
  shopsBought: number
}

/** One way in which a shop can buy a version. */
export type Way = Pick<Case, 'code' | 'scope' | 'counted' | 'shopsAfter' | 'expiry'> & {
  codeName: string
  salesType: 'renew' | 'upgrade'
  terms: Term[]
}

/** All ways in which the shop can buy the version now, in the order of the table. `branchCount`: the head's branches. */
export function waysOf(shop: ShopFacts, branchCount: number, version: SoldVersion): Way[] {
  return casesOf(shop, branchCount, version)
    .filter(row => fitsTerm(row, shop))
    .map(row => wayOf(row, shop, version))
}

/** The way that the scope names, or why the shop cannot buy so. */
export function wayFor(
  shop: ShopFacts,
  branchCount: number,
  version: SoldVersion,
  scope: Scope,
): { way: Way } | { refusal: PlanRefusal } {
  const sale = refuseSale(shop, version)
  if (sale) return { refusal: { code: sale, field: 'versionId' } }
  const cases = casesOf(shop, branchCount, version)
  const named = cases.filter(row => row.scope === scope)
  const row = named.find(one => fitsTerm(one, shop))
  if (row) return { way: wayOf(row, shop, version) }
  if (named.length === 0)
    return cases.length > 0
      ? { refusal: { code: 'SCOPE_NOT_OFFERED', field: 'scope' } }
      : { refusal: { code: 'NOTHING_TO_BUY', field: 'versionId' } }
  if (version.id !== shop.versionId) return { refusal: { code: 'LIFETIME_NO_YEARLY', field: 'versionId' } }
  const code = scope === 'addBranches' ? 'SCOPE_NOT_OFFERED' : 'ALREADY_PERMANENT'
  return { refusal: { code, field: 'scope' } }
}

function casesOf(shop: ShopFacts, branchCount: number, version: SoldVersion): Case[] {
  if (termsOf(version).length === 0) return []
  if (version.id !== shop.versionId && !version.offeredOnChange) return []
  const buys = version.id === shop.versionId ? 'same' : 'other'
  const listed = buys === 'same' ? version.renewCode : version.buyCode
  return CASES.filter(
    row =>
      row.buys === buys &&
      (row.listedAs ?? row.code) === listed &&
      (row.store === 'any' || row.store === shop.storeKind) &&
      row.rules.includes(version.pricingRule) &&
      (row.scope !== 'branches' || branchCount > 0),
  )
}

function fitsTerm(row: Case, shop: ShopFacts): boolean {
  if (row.ends === undefined || row.counted === 'chosen') return true
  return (row.ends === 'permanent') === (shop.expiresAt === null)
}

function wayOf(row: Case, shop: ShopFacts, version: SoldVersion): Way {
  // No number is asked for a branch: it buys for the shops that it has.
  const single = shop.storeKind === 'branch'
  return {
    code: row.code,
    codeName: nameOf(row),
    scope: row.scope,
    salesType: row.buys === 'same' ? 'renew' : 'upgrade',
    terms: termsOf(version),
    counted: single ? 'places' : row.counted,
    shopsAfter: single ? 'kept' : row.shopsAfter,
    expiry: row.expiry,
  }
}

function nameOf({ code, buys, scope, shopsAfter }: Case): string {
  if (shopsAfter === 'added' && scope === 'head') return MORE_SHOPS
  const name = PURCHASE_CODES[code][buys]
  if (name === null) throw new Error(`purchase code ${code} has no name for ${buys}`)
  return name
}

/** What a purchase asks for. `periods` is years or months; `shops` counts only where a number is asked for. */
export type Wanted = { scope: Scope; term: Term; periods: number; shops: number }

/** Shops that a branch stands for in a price. */
export const shopsOf = (shop: { shopsBought: number }) => Math.max(1, shop.shopsBought)

/** Shops that a head or a shop without branches stands for in a price: itself, and what it bought that no branch has taken. */
export const placesOf = (shop: { shopsBought: number }, branchCount: number) =>
  Math.max(1, shop.shopsBought - branchCount)

/** Shops that the price is multiplied with. `branchCount`: all rows of branches; `branchShops`: the shops of those reached. */
export function shopsCounted(
  way: Pick<Way, 'counted'>,
  of: { shopsBought: number; branchCount: number; branchShops: number; asked: number },
): number {
  const places = placesOf(of, of.branchCount)
  const counts: Record<Counted, number> = {
    places,
    asked: of.asked,
    chosen: of.branchShops,
    all: places + of.branchShops,
  }
  return counts[way.counted]
}

/** The years that more branches cost: to the head's end, begun ones whole. Null where the person chooses. */
export function periodsFixed(way: Pick<Way, 'expiry'>, shop: ShopFacts, now: string): number | null {
  if (way.expiry !== 'kept' || shop.expiresAt === null) return null
  const end = new Date(shop.expiresAt)
  let years = 1
  while (addMonths(now, years * 12) < end) years += 1
  return years
}

/** Why the shop's own term stands against this way of buying, or null. */
export function refuseWay(way: Pick<Way, 'expiry'>, shop: ShopFacts, now: string): PurchaseRefusal | null {
  const hasEnded = shop.expiresAt !== null && new Date(shop.expiresAt) <= new Date(now)
  return way.expiry === 'kept' && hasEnded ? 'HEAD_EXPIRED' : null
}

/** First broken rule of the numbers of a purchase (D2 §5), or null. */
function refuseWanted(
  { shop, version, wanted, now }: PlanInput,
  way: Way,
  chosen: number,
): PlanRefusal | null {
  const ended = refuseWay(way, shop, now)
  if (ended) return { code: ended, field: 'scope' }
  const term = refuseTerm(version, wanted.term)
  if (term) return { code: term, field: 'term' }
  if (way.counted === 'chosen' && chosen === 0) return { code: 'BRANCHES_REQUIRED', field: 'branchIds' }
  // Also where no number is asked for: none is taken for one.
  if (!Number.isSafeInteger(wanted.shops) || wanted.shops < 1)
    return { code: 'SHOPS_TOO_FEW', field: 'shops' }
  if (wanted.shops > TERM_LIMITS.shopsMax) return { code: 'SHOPS_TOO_MANY', field: 'shops' }
  const fixed = periodsFixed(way, shop, now)
  if (fixed !== null) return wanted.periods === fixed ? null : { code: 'PERIODS_FIXED', field: 'periods' }
  const periods = refusePeriods(wanted.term, wanted.periods)
  return periods && { code: periods, field: 'periods' }
}

/** First reason why a remark cannot stand on an order, or null. */
export function refuseRemark(remark: string): PurchaseRefusal | null {
  return lengthOf(remark) > LIMITS.remark ? 'REMARK_TOO_LONG' : null
}

export type Plan = {
  way: Way
  terms: PurchaseTerms
  price: Price
  effects: ShopEffect[]
  /** Null where the version stays or has no end. */
  conversion: Conversion | null
  /** What the rest of each branch becomes that has another version than its head renews. */
  branchConversions: BranchConversion[]
}

export type BranchConversion = Conversion & { merchantId: number }

export type PlanInput = {
  shop: ShopFacts
  /** Branches that the scope reaches: the chosen ones, or all of the head. */
  branches: readonly ShopFacts[]
  branchCount: number
  /** The version that a shop has. */
  presentOf: (versionId: number) => PricedVersion
  version: SoldVersion
  wanted: Wanted
  discountBasisPoints: number
  now: string
  shown?: Price | undefined
}

/** A purchase with its price and everything it changes, or the first reason against it. Amounts in 1/100 token. */
export function planPurchase(input: PlanInput): { plan: Plan } | { refusal: PlanRefusal } {
  const { shop, version, wanted } = input
  if (shop.status === 'disabled') return { refusal: { code: 'MERCHANT_DISABLED' } }
  const found = wayFor(shop, input.branchCount, version, wanted.scope)
  if ('refusal' in found) return found
  const { way } = found
  const branches = way.counted === 'chosen' || way.counted === 'all' ? input.branches : []
  const broken = refuseWanted(input, way, branches.length) ?? refuseBranches(branches)
  if (broken) return { refusal: broken }
  const branchShops = branches.reduce((sum, one) => sum + shopsOf(one), 0)
  const of = { ...shop, branchCount: input.branchCount, branchShops, asked: wanted.shops }
  const terms = termsFor(version, wanted, shopsCounted(way, of))
  const price = priceOf(version, terms, input.discountBasisPoints, input.shown)
  if (!price) return { refusal: { code: 'TERM_REQUIRED', field: 'term' } }
  const touched = way.counted === 'chosen' ? branches : [shop, ...branches]
  const yearCents = yearCentsOf(version)
  const rest = restOf(shop, input.branchCount, input.presentOf(shop.versionId))
  const conversion =
    way.expiry === 'restarted'
      ? converted(shop.expiresAt, rest, { yearCents, shops: price.shops }, input.now)
      : null
  const branchConversions = branches
    .filter(one => one.versionId !== version.id)
    .map(one => branchConversion(one, yearCentsOf(input.presentOf(one.versionId)), version, input.now))
  const conversionOf = (one: ShopFacts) =>
    branchConversions.find(({ merchantId }) => merchantId === one.id) ?? conversion
  const effects = touched.map(one => effectAt(one, way, input, conversionOf(one)))
  return {
    plan: { way, terms: { ...terms, periods: price.periods }, price, effects, conversion, branchConversions },
  }
}

/** A branch takes its head's version for what its own rest is worth, as if it were bought for it alone. */
export function branchConversion(
  branch: Pick<ShopFacts, 'id' | 'expiresAt' | 'shopsBought'>,
  presentYearCents: number | null,
  version: PricedVersion,
  now: string,
): BranchConversion {
  const shops = shopsOf(branch)
  const rest = { yearCents: presentYearCents, shops }
  const bought = { yearCents: yearCentsOf(version), shops }
  return { merchantId: branch.id, ...converted(branch.expiresAt, rest, bought, now) }
}

function refuseBranches(branches: readonly ShopFacts[]): PlanRefusal | null {
  for (const { id, status, expiresAt } of branches) {
    if (status === 'disabled') return { code: 'MERCHANT_DISABLED', field: 'branchIds', merchantId: id }
    if (expiresAt === null) return { code: 'ALREADY_PERMANENT', field: 'branchIds', merchantId: id }
  }
  return null
}

/** The terms as versions price them: per branch, the first shop counts as the head. */
function termsFor(version: SoldVersion, { term, periods }: Wanted, counted: number): PurchaseTerms {
  return asksBranches(version)
    ? { term, periods, shops: 1, branches: counted - 1 }
    : { term, periods, shops: counted, branches: 0 }
}

/** Shops that a shop has bought afterwards, its branches among them. */
export function shopsAfter(
  way: Pick<Way, 'shopsAfter'>,
  { shopsBought, branchCount, asked }: { shopsBought: number; branchCount: number; asked: number },
): number {
  return { kept: shopsBought, asked: branchCount + asked, added: shopsBought + asked }[way.shopsAfter]
}

function effectAt(shop: ShopFacts, way: Way, input: PlanInput, conversion: Conversion | null): ShopEffect {
  const { version, wanted, branchCount, now } = input
  const expiry = conversion ? 'restarted' : way.expiry
  const after = termAfter(shop, expiry, wanted, now, conversion?.convertedDays)
  return {
    merchantId: shop.id,
    versionBefore: shop.versionId,
    versionAfter: version.id,
    expiresBefore: shop.expiresAt,
    expiresAfter: after.expiresAt,
    termDayBefore: shop.termDay,
    termDayAfter: after.termDay,
    shopsBefore: shop.shopsBought,
    shopsAfter: shopsAfter(way, { ...shop, branchCount, asked: wanted.shops }),
  }
}

/** What the present term of a shop is worth: of its own places, since its branches have terms of their own. */
export function restOf(shop: ShopFacts, branchCount: number, present: PricedVersion): Worth {
  return { yearCents: yearCentsOf(present), shops: placesOf(shop, branchCount) }
}

/**
 * Bought time starts where the present term ends, or now when it has ended: renewing early loses no day, and months bought one by one
 * end where they end together. Another version starts now with the converted days of the rest, and its bought time behind them.
 */
export function termAfter(
  { expiresAt, termDay }: TermEnd,
  expiry: Way['expiry'],
  wanted: Wanted,
  now: string,
  convertedDays = 0,
): TermEnd {
  if (expiry === 'permanent') return { expiresAt: null, termDay: null }
  if (expiry === 'kept' || expiresAt === null) return { expiresAt, termDay }
  const months = wanted.term === 'year' ? wanted.periods * 12 : wanted.periods
  const runs = new Date(expiresAt).getTime() > new Date(now).getTime()
  if (expiry === 'extended' && runs) return longerBy(months, { expiresAt, termDay })
  return termFrom(new Date(new Date(now).getTime() + convertedDays * 86_400_000), months)
}

/** Why a shop cannot be renewed together with others, beyond what a purchase of its own asks, or null. */
export function refuseTogether(shop: ShopFacts, version: SoldVersion, term: Term): PlanRefusal | null {
  if (shop.status === 'disabled') return { code: 'MERCHANT_DISABLED' }
  if (shop.expiresAt === null) return { code: 'ALREADY_PERMANENT' }
  const sale = refuseSale(shop, version)
  if (sale) return { code: sale }
  return termsOf(version).includes(term) ? null : { code: 'TERM_NOT_SOLD' }
}

/** Whether a shop stands as it stood when its effect was planned; only then is the planned price still its price. */
export function standsAsPlanned(effect: ShopEffect, shop: ShopFacts): boolean {
  return (
    effect.merchantId === shop.id &&
    effect.versionBefore === shop.versionId &&
    effect.shopsBefore === shop.shopsBought &&
    sameInstant(effect.expiresBefore, shop.expiresAt)
  )
}

function sameInstant(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : new Date(a).getTime() === new Date(b).getTime()
}
