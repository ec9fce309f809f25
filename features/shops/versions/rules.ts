// Owns the price of a software version (D1 §4, D2 §9) and its terms. Must never read a clock, a database or an id.
import { type Conditions, priceLine } from '#features/office/prices/rules.ts'
import { discounted } from '#kit/money.ts'
import { addMonths, dayOfMonth, daysBetween } from '#kit/time.ts'

/** How a version's price is multiplied; catalogue data says which rule a version follows. */
export const PRICING_RULES = ['perShopYear', 'perBranchYear', 'perShopLifetime'] as const
export type PricingRule = (typeof PRICING_RULES)[number]

/** Who may sell a version (is_authority, D2 §6). */
export const SELLER_RULES = { all: '全部代理商', only: '仅指定代理商', except: '指定代理商除外' } as const
export type SellerRule = keyof typeof SELLER_RULES

export const TERMS = ['year', 'month', 'lifetime'] as const
export type Term = (typeof TERMS)[number]
export const TERM_NAMES: Record<Term, string> = { year: '按年', month: '按月', lifetime: '永久' }

/** What periods of a term are counted in. */
export const PERIOD_UNITS: Record<Exclude<Term, 'lifetime'>, string> = { year: '年', month: '个月' }

/** How long was bought: 1 年, 5 个月, 永久. */
export function durationText(term: Term, periods: number): string {
  return term === 'lifetime' ? TERM_NAMES.lifetime : `${periods} ${PERIOD_UNITS[term]}`
}

export const LIMITS = { yearsMax: 5, monthsMax: 12, shopsMax: 999, branchesMax: 999 } as const

export type PricedVersion = {
  pricingRule: PricingRule
  /** 1 permanent or extreme, 2 yearly. */
  kind: 1 | 2
  priceYearCents: number | null
  priceMonthCents: number | null
  priceLifetimeCents: number | null
  isPack: boolean
  /** What beside the discount decides the buyer's price; left out: nothing does. */
  conditions?: Conditions
}

export type PurchaseTerms = {
  term: Term
  /** Years or months; 1 for lifetime. */
  periods: number
  /** Shops bought (order quantity); 1 for a version priced per branch. */
  shops: number
  /** Branches beside the head shop; 0 for a version priced per shop. */
  branches: number
}

export const VERSION_REFUSALS = {
  VERSION_REQUIRED: '请选择软件版本',
  VERSION_NOT_AUTHORIZED: '您未获授权销售该版本，如需销售请联系厂商',
  VERSION_RETIRED: '该版本已停售，请刷新后重新选择',
  VERSION_UNPRICED: '该版本还没有定价，暂不能购买',
  TERM_REQUIRED: '请选择购买时限',
  YEARS_OUT_OF_RANGE: `购买年限为1至${LIMITS.yearsMax}年`,
  MONTHS_OUT_OF_RANGE: `购买月数为1至${LIMITS.monthsMax}个月`,
  SHOPS_TOO_FEW: '订购数量最少为1',
  SHOPS_TOO_MANY: `订购数量最多为${LIMITS.shopsMax}`,
  BRANCHES_TOO_FEW: '该版本的分店数量最少为1',
  BRANCHES_TOO_MANY: `分店数量最多为${LIMITS.branchesMax}`,
} as const
export type VersionRefusal = keyof typeof VERSION_REFUSALS

/** How far a version is sold: retired, and whether those who have it may go on renewing it. */
export type SaleState = { enabled: boolean; renewable: boolean; renewUntil: string | null }

/** Whether shops that have the version may renew it now. */
export function mayRenew({ enabled, renewable, renewUntil }: SaleState, now: string): boolean {
  return enabled || (renewable && (renewUntil === null || new Date(now) < new Date(renewUntil)))
}

/** A version of the catalogue as a purchase sees it. */
export type SoldVersion = PricedVersion & {
  id: number
  name: string
  buyCode: number
  renewCode: number
  /** Sold, to shops of other versions where it is offered to them. */
  enabled: boolean
  offeredOnChange: boolean
  /** Shops that have it may renew it at this moment. */
  renewable: boolean
  /** The buying agent may sell it. */
  authorised: boolean
}

/** Why the version is not the buying agent's to sell to this shop, whatever the way, or null. */
export function refuseSale(
  shop: { versionId: number },
  version: SoldVersion,
): 'VERSION_NOT_AUTHORIZED' | 'VERSION_RETIRED' | null {
  if (!version.authorised) return 'VERSION_NOT_AUTHORIZED'
  const isSold = version.id === shop.versionId ? version.enabled || version.renewable : version.enabled
  return isSold ? null : 'VERSION_RETIRED'
}

/** The terms a version is sold for: lifetime for kind 1; years for kind 2, months where it has a monthly price and is no pack. */
export function termsOf(version: PricedVersion): Term[] {
  if (version.pricingRule === 'perShopLifetime')
    return version.priceLifetimeCents === null ? [] : ['lifetime']
  const terms: Term[] = []
  if (version.priceYearCents !== null) terms.push('year')
  if (version.priceMonthCents !== null && !version.isPack) terms.push('month')
  return terms
}

/** The terms that a version can have a price for (D2 §9): one per branch and packs are not sold by the month. */
export function pricedTerms({ pricingRule, isPack }: Pick<PricedVersion, 'pricingRule' | 'isPack'>): Term[] {
  if (pricingRule === 'perShopLifetime') return ['lifetime']
  return isPack || pricingRule === 'perBranchYear' ? ['year'] : ['year', 'month']
}

/** Whether the form asks for branches (priced per branch, or kind 1 with branches of its own). */
export function asksBranches(version: PricedVersion): boolean {
  return version.pricingRule === 'perBranchYear'
}

/** Whether the version was chosen and is sold for the chosen term: asked before all else (D1 §5). */
export function refuseTerm(
  version: PricedVersion | null | undefined,
  term: Term | null,
): VersionRefusal | null {
  if (!version) return 'VERSION_REQUIRED'
  if (termsOf(version).length === 0) return 'VERSION_UNPRICED'
  return term === null || !termsOf(version).includes(term) ? 'TERM_REQUIRED' : null
}

/** First broken limit of a purchase's numbers, which D1 §5 asks last, or null. */
export function refuseNumbers(version: PricedVersion, terms: PurchaseTerms): VersionRefusal | null {
  if (!within(terms.shops, 1, Number.POSITIVE_INFINITY)) return 'SHOPS_TOO_FEW'
  if (terms.shops > LIMITS.shopsMax) return 'SHOPS_TOO_MANY'
  if (asksBranches(version)) {
    const least = version.kind === 1 ? 1 : 0
    if (!within(terms.branches, least, Number.POSITIVE_INFINITY)) return 'BRANCHES_TOO_FEW'
    if (terms.branches > LIMITS.branchesMax) return 'BRANCHES_TOO_MANY'
  }
  return refusePeriods(terms.term, terms.periods)
}

/** Years beyond 1 to 5 or months beyond 1 to 12 (D2 §5); a lifetime has none, and takes none for one. */
export function refusePeriods(term: Term, periods: number): VersionRefusal | null {
  if (term === 'year' && !within(periods, 1, LIMITS.yearsMax)) return 'YEARS_OUT_OF_RANGE'
  if (term === 'month' && !within(periods, 1, LIMITS.monthsMax)) return 'MONTHS_OUT_OF_RANGE'
  return within(periods, 1, Number.POSITIVE_INFINITY) ? null : 'YEARS_OUT_OF_RANGE'
}

/** When a term ends, null: never, and the day of the month that it keeps; null: that of its end. */
export type TermEnd = { expiresAt: string | null; termDay: number | null }

/**
 * The day of the month that a term keeps: the remembered one where the end is what it leads to in its month, as the 31st leads to the
 * 28th of February. Where days were given it may lead there no more; then the end's own day is the term's.
 */
export function dayKept(expiresAt: string, termDay: number | null): number {
  const leadsHere = termDay !== null && addMonths(expiresAt, 0, termDay).getTime() === Date.parse(expiresAt)
  return leadsHere ? termDay : dayOfMonth(expiresAt)
}

/** A term that is `months` longer on its day, however many purchases they are. */
export function longerBy(months: number, { expiresAt, termDay }: TermEnd & { expiresAt: string }) {
  const day = dayKept(expiresAt, termDay)
  return { expiresAt: addMonths(expiresAt, months, day).toISOString(), termDay: day }
}

/** A term of so many months that begins at the moment; null months: for ever. */
export function termFrom(begins: Date | string, months: number | null): TermEnd {
  if (months === null) return { expiresAt: null, termDay: null }
  return longerBy(months, { expiresAt: new Date(begins).toISOString(), termDay: null })
}

export type Price = {
  unitCents: number
  /** 年, 月 or 个店. */
  unit: '年' | '月' | '个店'
  periods: number
  /** Multiplier of shops: branches + 1 (per branch) or shops. */
  shops: number
  originalCents: number
  discountBasisPoints: number
  totalCents: number
  /** The name of the offer that applied. */
  offer?: string
}

/**
 * Price of a purchase (D1 §4): per branch and year: unit x years x (branches + 1); per shop and year: unit x years x shops;
 * lifetime: unit x shops. Discount, offers and minimum are the line's (features/office/prices). `shown`:
 * what a quote keeps. Null when the version has no such price.
 */
export function priceOf(
  version: PricedVersion,
  terms: PurchaseTerms,
  discountBasisPoints: number,
  shown?: Price,
): Price | null {
  if (shown) return keptPrice(shown, version, terms)
  const unitCents = unitPrice(version, terms.term)
  if (unitCents === null) return null
  const { periods, shops } = countsOf(version, terms)
  const line = { part: terms.term, unitCents, count: periods * shops }
  const unit = terms.term === 'lifetime' ? '个店' : terms.term === 'month' ? '月' : '年'
  return {
    unitCents,
    unit,
    periods,
    shops,
    discountBasisPoints,
    ...priceLine(line, discountBasisPoints, version.conditions),
  }
}

function countsOf(version: PricedVersion, terms: PurchaseTerms) {
  return {
    periods: terms.term === 'lifetime' ? 1 : terms.periods,
    shops: asksBranches(version) ? terms.branches + 1 : terms.shops,
  }
}

/** A price that was shown, which a quote keeps until it ends; for other periods or shops it is another, without its offer. */
function keptPrice(shown: Price, version: PricedVersion, terms: PurchaseTerms): Price {
  const counts = countsOf(version, terms)
  if (shown.periods === counts.periods && shown.shops === counts.shops) return shown
  const originalCents = shown.unitCents * counts.periods * counts.shops
  const totalCents = discounted(originalCents, shown.discountBasisPoints)
  return { ...shown, ...counts, originalCents, totalCents }
}

/** What a term of a version is worth: its list price per year, null where it has none, and the shops it is paid for. */
export type Worth = { yearCents: number | null; shops: number }

/** A version's list price per year; null where it is sold for life alone. */
export function yearCentsOf({ priceYearCents, priceMonthCents }: PricedVersion): number | null {
  return priceYearCents ?? (priceMonthCents === null ? null : priceMonthCents * 12)
}

/** Whole days left of a term and what they become in another version, with the prices per year that decided. */
export type Conversion = {
  remainingDays: number
  convertedDays: number
  restCents: number
  boughtCents: number
}

/** The rest of a term in another version: as many days as its price pays there, rounded down, never more than were left. */
export function converted(expiresAt: string | null, rest: Worth, bought: Worth, now: string): Conversion {
  const remainingDays = expiresAt === null ? 0 : Math.max(0, daysBetween(now, expiresAt))
  const boughtCents = (bought.yearCents ?? 0) * bought.shops
  const restCents = (rest.yearCents ?? bought.yearCents ?? 0) * rest.shops
  const convertedDays =
    restCents >= boughtCents
      ? remainingDays
      : Number((BigInt(remainingDays) * BigInt(restCents)) / BigInt(boughtCents))
  return { remainingDays, convertedDays, restCents, boughtCents }
}

/** What of a paid term ends with a change to a lifetime: whole days and their worth today, null where it had no price per year. */
export type Forfeit = { days: number; cents: number | null }

/** What a change to a lifetime takes from a shop, since there is no later day to give it on; null where nothing is left. */
export function forfeited(
  expiresAt: string | null,
  rest: Worth,
  discountBasisPoints: number,
  now: string,
): Forfeit | null {
  const days = expiresAt === null ? 0 : daysBetween(now, expiresAt)
  if (days <= 0) return null
  if (rest.yearCents === null) return { days, cents: null }
  const listCents = Number((BigInt(rest.yearCents * rest.shops) * BigInt(days)) / 365n)
  return { days, cents: discounted(listCents, discountBasisPoints) }
}

/** A year in the place of months that cost no less, per shop at the list price; null where months are the cheaper way. */
export function yearInstead(
  { priceYearCents, priceMonthCents }: Pick<PricedVersion, 'priceYearCents' | 'priceMonthCents'>,
  term: Term | null,
  months: number,
): { monthsCents: number; yearCents: number; moreMonths: number } | null {
  if (term !== 'month' || priceYearCents === null || priceMonthCents === null) return null
  const monthsCents = priceMonthCents * months
  if (monthsCents < priceYearCents) return null
  return { monthsCents, yearCents: priceYearCents, moreMonths: 12 - months }
}

/** "6.5 折"; no discount is "无折扣". */
export function formatDiscount(basisPoints: number): string {
  return basisPoints >= 10_000 ? '无折扣' : `${basisPoints / 1_000} 折`
}

function unitPrice(version: PricedVersion, term: Term): number | null {
  if (term === 'lifetime') return version.priceLifetimeCents
  return term === 'month' ? version.priceMonthCents : version.priceYearCents
}

function within(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}
