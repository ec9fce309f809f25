// Owns what a price is made of: the price in force at a moment, whose discount, which minimum and offers apply, and the one
// arithmetic of a line (docs/decisions/0028). Amounts are integers of the smallest unit. Must never read a clock or a database.
import { formatCount } from '#kit/money.ts'

/** What is priced, each with the numbers of its items. `recharge` is in fen of money, all others in 1/100 token. */
export const BOOKS = {
  version: '软件版本',
  service: '增值服务',
  sms: '短信套餐',
  hardware: '硬件商品',
  recharge: '充值',
} as const
export type Book = keyof typeof BOOKS

/** The parts that an item of a book is sold by. */
export const PARTS = {
  version: { year: '按年', month: '按月', lifetime: '永久' },
  service: { unit: '单价' },
  sms: { pack: '每包' },
  hardware: { unit: '单价' },
  recharge: { pack: '每包', token: '每代币', smsHundred: '每百条短信' },
} as const satisfies Record<Book, Readonly<Record<string, string>>>

export function partName(book: Book, part: string): string {
  return (PARTS[book] as Record<string, string>)[part] ?? part
}

/** How a price is counted: 代币/年. `counted`: what one of the item is, where its part does not say it. */
export function unitOf(book: Book, part: string, counted = '个'): string {
  return `${book === 'recharge' ? '元' : '代币'}/${UNITS[part] ?? counted}`
}
const UNITS: Record<string, string> = {
  year: '年',
  month: '月',
  lifetime: '个店',
  pack: '包',
  token: '代币',
  smsHundred: '百条',
}

/** Goods of others and money from outside have no discount but one that names their book. */
const DISCOUNTED: readonly Book[] = ['version', 'service', 'sms']

/** The item of the book `recharge` that has the prices of tokens and of SMS by the hundred. */
export const RECHARGE_ITEM = 0

export const FULL = 10_000

/** Since when, and by whom, holds what a fresh database starts with. */
export const ALWAYS = '2020-01-01T00:00:00.000Z'
export const BY_SYSTEM = { createdBy: 0, createdByName: '系统', createdAt: ALWAYS } as const

const CENTS_MAX = 100_000_000

export const CENTS_REFUSALS = {
  PRICE_FORMAT: `价格最多两位小数，不得超过${formatCount(CENTS_MAX / 100)}`,
  PRICE_ZERO: '充值的价格须大于0',
} as const

/**
 * A price in the smallest unit; null, of a version: not sold so any more, of a minimum: none any more. No channel takes nothing for
 * what is paid from outside.
 */
export function refuseCents(cents: number | null, book: Book): keyof typeof CENTS_REFUSALS | null {
  if (cents === null) return null
  if (!Number.isSafeInteger(cents) || cents < 0 || cents > CENTS_MAX) return 'PRICE_FORMAT'
  return cents === 0 && book === 'recharge' ? 'PRICE_ZERO' : null
}

/** Why a new price is asked about before it is written down. */
export const PRICE_RISKS = {
  nothing: '价格为 0，购买不收费',
  fall: '降价一半或更多',
  rise: '涨价超过一半',
  overtakes: '低于折扣更多的等级现在的价格',
  now: '立即生效',
} as const
export type PriceRisk = keyof typeof PRICE_RISKS

export type PriceChange = { beforeCents: number | null; afterCents: number | null }

/** What is asked about before a price is written down: the price itself, and what each level pays for one, dear ones and cheap ones. */
export function risksOf(own: PriceChange, levels: readonly PriceChange[], isNow: boolean): PriceRisk[] {
  const changed = [own, ...levels].filter(one => one.beforeCents !== one.afterCents)
  const pairs = changed.flatMap(({ beforeCents: before, afterCents: after }) =>
    before === null || after === null ? [] : [{ before, after }],
  )
  const paid = levels.map(({ beforeCents }) => beforeCents)
  const below = (cents: number) => Math.max(...paid.map(one => (one !== null && one < cents ? one : -1)), -1)
  const holds: Record<PriceRisk, boolean> = {
    nothing: changed.some(({ afterCents }) => afterCents === 0),
    fall: pairs.some(({ before, after }) => before > 0 && after * 2 <= before),
    rise: pairs.some(({ before, after }) => after * 2 > before * 3),
    overtakes: levels.some(
      ({ beforeCents: before, afterCents: after }) =>
        before !== null && after !== null && after < before && after < below(before),
    ),
    now: isNow,
  }
  return (Object.keys(PRICE_RISKS) as PriceRisk[]).filter(risk => holds[risk])
}

/** Of prices that are saved with what has them, from now on; null before is a first price, which is asked about where it is nothing. */
export function savedRisks(saved: readonly PriceChange[]): PriceRisk[] {
  const risks = saved
    .filter(({ beforeCents, afterCents }) => beforeCents !== afterCents)
    .flatMap(one => risksOf(one, [], one.beforeCents !== null))
  return [...new Set(risks)]
}

/** Of the first prices of something new. */
export function firstRisks(cents: readonly (number | null)[]): PriceRisk[] {
  return savedRisks(cents.map(afterCents => ({ beforeCents: null, afterCents })))
}

/** Of a share of what is paid otherwise, as a discount or a campaign gives it. */
export function shareRisks(basisPoints: number | null): PriceRisk[] {
  return basisPoints !== null && basisPoints * 2 <= FULL ? ['fall'] : []
}

export const ASKED_REFUSALS = { PRICE_ASKED: '设置前须确认影响，请查看后重试' } as const

/** Nobody was asked about all that a price does, as it is now. */
export function refuseUnasked(
  risks: readonly PriceRisk[],
  answered: readonly PriceRisk[],
): keyof typeof ASKED_REFUSALS | null {
  return risks.every(risk => answered.includes(risk)) ? null : 'PRICE_ASKED'
}

export type Dated = { startsAt: string; withdrawnAt: string | null }

/** What has begun last and was not withdrawn; null where nothing has begun. */
export function inForce<T extends Dated>(rows: readonly T[], at: string): T | null {
  const begun = standing(rows).filter(row => Date.parse(row.startsAt) <= Date.parse(at))
  return begun.reduce<T | null>((last, row) => (last && isBefore(row, last) ? last : row), null)
}

/** What begins next after a moment; null where nothing does. */
export function comingNext<T extends Dated>(rows: readonly T[], at: string): T | null {
  const coming = standing(rows).filter(row => Date.parse(row.startsAt) > Date.parse(at))
  return coming.reduce<T | null>((first, row) => (first && isBefore(first, row) ? first : row), null)
}

const standing = <T extends Dated>(rows: readonly T[]) => rows.filter(row => row.withdrawnAt === null)
const isBefore = (a: Dated, b: Dated) => Date.parse(a.startsAt) < Date.parse(b.startsAt)

export type Buyer = { agentId: number; levelId: number }

export type DatedDiscount = Dated & {
  levelId: number | null
  agentId: number | null
  /** Null: every book that levels have a discount on. */
  book: Book | null
  /** Null: the agent's own discount ends, and its level's holds again. */
  basisPoints: number | null
}

export type Discount = { by: 'agent' | 'level' | null; basisPoints: number }

/** An agent's own discount before its level's, and that of the book before that of all. */
export function discountFor(rows: readonly DatedDiscount[], book: Book, buyer: Buyer, at: string): Discount {
  const general = DISCOUNTED.includes(book)
  for (const by of ['agent', 'level'] as const)
    for (const of of general ? [book, null] : [book]) {
      const wanted = rows.filter(
        row =>
          row.book === of && (by === 'agent' ? row.agentId === buyer.agentId : row.levelId === buyer.levelId),
      )
      const basisPoints = inForce(wanted, at)?.basisPoints ?? null
      if (basisPoints !== null) return { by, basisPoints }
    }
  return { by: null, basisPoints: FULL }
}

/** Whose first purchase of an item an offer is for. */
export const FIRSTS = { shop: '商户首购', agent: '代理商首购' } as const
export type First = keyof typeof FIRSTS

export type Campaign = {
  name: string
  book: Book
  /** Null: the whole book. */
  items: readonly number[] | null
  /** Null: every part. */
  part: string | null
  levelIds: readonly number[] | null
  agentIds: readonly number[] | null
  /**
   * One of the four: of what the buyer pays otherwise, in 1/10,000; a price for one; so much more for nothing, in 1/10,000; so many
   * pieces of SMS for nothing with each package.
   */
  basisPoints: number | null
  cents: number | null
  bonusBasisPoints: number | null
  bonusPieces: number | null
  /** Null: for every purchase. */
  firstOf: First | null
  startsAt: string
  /** The first moment at which it holds no more; null: without an end. */
  endsAt: string | null
  /** When it was ended early. */
  endedAt: string | null
}

export type CampaignState = 'coming' | 'running' | 'ended'
export const CAMPAIGN_STATES = { coming: '未开始', running: '进行中', ended: '已结束' } as const

/** One that was ended before it began has never run. */
export function stateOf(
  { startsAt, endsAt, endedAt }: Pick<Campaign, 'startsAt' | 'endsAt' | 'endedAt'>,
  at: string,
): CampaignState {
  const now = Date.parse(at)
  const isOver = [endsAt, endedAt].some(end => end !== null && Date.parse(end) <= now)
  return isOver ? 'ended' : Date.parse(startsAt) > now ? 'coming' : 'running'
}

/** What of a campaign an item carries to its buyer. */
export type Offer = {
  name: string
  part: string | null
  basisPoints: number | null
  cents: number | null
  bonusBasisPoints: number | null
  bonusPieces: number | null
}

/** By whom an item was bought before. */
export type BoughtBy = Readonly<Record<First, boolean>>

/** The offers of an item for a buyer at a moment. */
export function offersFor(
  campaigns: readonly Campaign[],
  of: { book: Book; item: number },
  buyer: Buyer,
  at: string,
  bought: BoughtBy,
): Offer[] {
  return campaigns
    .filter(
      one =>
        one.book === of.book &&
        (one.items === null || one.items.includes(of.item)) &&
        isFor(one, buyer) &&
        stateOf(one, at) === 'running' &&
        (one.firstOf === null || !bought[one.firstOf]),
    )
    .map(({ name, part, basisPoints, cents, bonusBasisPoints, bonusPieces }) => ({
      ...{ name, part, basisPoints, cents, bonusBasisPoints, bonusPieces },
    }))
}

/** Levels and agents that are named are let in alike. */
function isFor({ levelIds, agentIds }: Campaign, buyer: Buyer): boolean {
  if (levelIds === null && agentIds === null) return true
  return (levelIds?.includes(buyer.levelId) ?? false) || (agentIds?.includes(buyer.agentId) ?? false)
}

/** What beside the discount decides an item's price: the least that one of a part may cost, and the offers. */
export type Conditions = { minimums: Record<string, number>; offers: Offer[] }

export const NO_CONDITIONS: Conditions = { minimums: {}, offers: [] }

export type Line = {
  part: string
  unitCents: number
  /** Years, months, shops, pieces, multiplied. */
  count: number
  /** How many the unit price is for: 100 for SMS by the hundred. */
  per?: number
  /** What it brings, in the unit that can be given beside it: pieces of SMS, or 1/100 token. Left out: nothing is given beside it. */
  brings?: number
  /** Money from outside is rounded up. */
  up?: boolean
}

export type LinePrice = {
  /** The list price. */
  originalCents: number
  totalCents: number
  /** The name of the offer that applied. */
  offer?: string
  /** What is given beside what is paid for, in the unit of what the line brings. */
  bonus?: number
}

export const MINIMUM_NAME = '最低价'

/** The part of the book `recharge` beside which pieces are given by their number. */
export const PACK = 'pack'

type Way = { cents: bigint; bonus: bigint; offer?: string }

/**
 * The price of a line. The discount is applied once to the list price of the line; an offer by percentage multiplies with it, one
 * with a price of its own stands in the place of both, and one that gives more leaves the price alone. The way holds by which one
 * costs least, whatever is given beside it, and offers never add up. Then the minimum holds, but never above the list price; nothing is
 * given that would make one cheaper than that. Each way is rounded once, half up (money from outside: up); what is given, down.
 */
export function priceLine(line: Line, discountBasisPoints: number, conditions?: Conditions): LinePrice {
  const count = BigInt(line.count)
  const per = BigInt(line.per ?? 1)
  const rounded = line.up ? roundedUp : halfUp
  const listed = BigInt(line.unitCents) * count
  const original = rounded(listed, per)
  const minimum = rounded(BigInt(conditions?.minimums[line.part] ?? 0) * count, per)
  const share = BigInt(discountBasisPoints)
  const brings = BigInt(line.brings ?? 1)
  const plain: Way = { cents: rounded(listed * share, per * 10_000n), bonus: 0n }
  const isCheaper = (a: Way, b: Way) => a.cents * (brings + b.bonus) < b.cents * (brings + a.bonus)
  const wayOf = (offer: Offer): Way | null => {
    const { name, basisPoints, cents } = offer
    if (isGiving(offer)) {
      const bonus = given(offer, line)
      // Too little for one to be given: the offer is none.
      const isNone = bonus === 0n || plain.cents * brings < minimum * (brings + bonus)
      return isNone ? null : { ...plain, offer: name, bonus }
    }
    const way = { bonus: 0n, offer: name }
    if (cents !== null) return { ...way, cents: rounded(BigInt(cents) * count, per) }
    return { ...way, cents: rounded(listed * share * BigInt(basisPoints ?? FULL), per * 100_000_000n) }
  }
  const ways = (conditions?.offers ?? [])
    .filter(({ part }) => part === null || part === line.part)
    .flatMap(offer => wayOf(offer) ?? [])
  // Of ways that cost the same, the first: the discount needs no offer.
  const best = ways.reduce((least, way) => (isCheaper(way, least) ? way : least), plain)
  const held: Way = best.cents < minimum ? { cents: minimum, bonus: 0n, offer: MINIMUM_NAME } : best
  const { offer, bonus } = held
  return {
    originalCents: Number(original),
    totalCents: Number(held.cents > original ? original : held.cents),
    ...(offer === undefined ? {} : { offer }),
    ...(bonus === 0n ? {} : { bonus: Number(bonus) }),
  }
}

const isGiving = ({ bonusBasisPoints, bonusPieces }: Offer) =>
  bonusBasisPoints !== null || bonusPieces !== null

/** What an offer gives beside a line: whole ones, rounded down. Pieces go with packages of them alone. */
function given({ bonusBasisPoints, bonusPieces }: Offer, { part, count, brings }: Line): bigint {
  if (brings === undefined) return 0n
  if (bonusPieces !== null) return part === PACK ? BigInt(bonusPieces) * BigInt(count) : 0n
  return (BigInt(brings) * BigInt(bonusBasisPoints ?? 0)) / 10_000n
}

/** Amounts are not negative. */
const halfUp = (amount: bigint, by: bigint) => (2n * amount + by) / (2n * by)
const roundedUp = (amount: bigint, by: bigint) => (amount + by - 1n) / by

export type DatedPrice = Dated & {
  book: Book
  item: number
  part: string
  kind: PriceKind
  /** Null: not sold by this part any more, or no minimum any more. */
  cents: number | null
}
/** The list price, or the least that anybody pays for one. */
export const PRICE_KINDS = { list: '定价', minimum: '最低价' } as const
export type PriceKind = keyof typeof PRICE_KINDS

/** All that is written down about prices. */
export type PriceBook = {
  prices: readonly DatedPrice[]
  discounts: readonly DatedDiscount[]
  campaigns: readonly Campaign[]
}

export type Asked = {
  book: Book
  item: number
  part: string
  count: number
  /** See `Line`. */
  brings?: number
  buyer: Buyer
  at: string
  bought?: BoughtBy
}

export type Priced = LinePrice & { unitCents: number; discount: Discount }

/** What a purchase costs a buyer at a moment by all that is written down; null where it is not sold so then. */
export function priced(written: PriceBook, asked: Asked): Priced | null {
  const { book, item, part, buyer, at, bought = { shop: true, agent: true } } = asked
  const of = (kind: PriceKind) =>
    inForce(
      written.prices.filter(
        row => row.book === book && row.item === item && row.part === part && row.kind === kind,
      ),
      at,
    )?.cents ?? null
  const unitCents = of('list')
  if (unitCents === null) return null
  const minimum = of('minimum')
  const discount = discountFor(written.discounts, book, buyer, at)
  const conditions = {
    minimums: minimum === null ? {} : { [part]: minimum },
    offers: offersFor(written.campaigns, { book, item }, buyer, at, bought),
  }
  const { count, brings } = asked
  const wanted = { part, unitCents, count, ...(brings === undefined ? {} : { brings }) }
  const line = priceLine(wanted, discount.basisPoints, conditions)
  return { ...line, unitCents, discount }
}
