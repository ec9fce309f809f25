// Owns how prices, discounts and campaigns are set: limits, refusals and their messages. Must never read a clock or a database.
import {
  ASKED_REFUSALS,
  BOOKS,
  type Book,
  CENTS_REFUSALS,
  type First,
  firstRisks,
  PACK,
  type PriceRisk,
  refuseCents,
  shareRisks,
} from '#features/office/prices/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** `startDays`: so far ahead something may begin. */
export const LIMITS = {
  startDays: 366,
  name: 20,
  items: 50,
  agents: 50,
  previewDays: 90,
  bonusPieces: 1_000_000,
} as const

export const PRICE_REFUSALS = {
  ITEM_UNKNOWN: '该项目不存在',
  ...CENTS_REFUSALS,
  PRICE_SAME: '与届时的价格相同',
  MINIMUM_ABOVE: '最低价不得高于定价',
  START_PAST: '生效时间须晚于现在',
  START_TOO_FAR: '生效时间不得晚于一年后',
  MOMENT_TAKEN: '该时刻已有一个新价格，请先撤回',
  HAS_BEGUN: '已生效，不能撤回',
  IS_SOLD: '已按该价格成交，不能撤回，请设置新价格',
  IS_WITHDRAWN: '已撤回',
  ...ASKED_REFUSALS,
} as const
export const DISCOUNT_REFUSALS = {
  WHOM_REQUIRED: '请选择等级或代理商',
  // No limit: parts of a whole.
  DISCOUNT_FORMAT: '折扣为0.1至10折，最多三位小数',
  START_PAST: PRICE_REFUSALS.START_PAST,
  START_TOO_FAR: PRICE_REFUSALS.START_TOO_FAR,
  HAS_BEGUN: PRICE_REFUSALS.HAS_BEGUN,
  IS_WITHDRAWN: PRICE_REFUSALS.IS_WITHDRAWN,
  LEVEL_UNKNOWN: '该等级不存在',
  AGENT_UNKNOWN: '该代理商不存在',
  ...ASKED_REFUSALS,
  NAME_REQUIRED: '请输入名称',
  NAME_TOO_LONG: `名称不得超过${LIMITS.name}字`,
  NAME_TAKEN: '已有同名的等级',
} as const
export const LEVEL_REFUSALS = {
  AGENT_UNKNOWN: DISCOUNT_REFUSALS.AGENT_UNKNOWN,
  LEVEL_UNKNOWN: DISCOUNT_REFUSALS.LEVEL_UNKNOWN,
  LEVEL_SAME: '届时已是该等级',
  START_PAST: PRICE_REFUSALS.START_PAST,
  START_TOO_FAR: PRICE_REFUSALS.START_TOO_FAR,
  MOMENT_TAKEN: '该时刻已有一次等级变更，请先撤回',
  HAS_BEGUN: PRICE_REFUSALS.HAS_BEGUN,
  IS_WITHDRAWN: PRICE_REFUSALS.IS_WITHDRAWN,
} as const
export const CAMPAIGN_REFUSALS = {
  ...ASKED_REFUSALS,
  NAME_REQUIRED: DISCOUNT_REFUSALS.NAME_REQUIRED,
  NAME_TOO_LONG: DISCOUNT_REFUSALS.NAME_TOO_LONG,
  ITEMS_REQUIRED: '请选择计价方式相同的项目',
  ITEM_UNKNOWN: PRICE_REFUSALS.ITEM_UNKNOWN,
  DISCOUNT_FORMAT: DISCOUNT_REFUSALS.DISCOUNT_FORMAT,
  ...CENTS_REFUSALS,
  // No limit: parts of a whole.
  BONUS_FORMAT: '赠送为1至100的整数',
  BONUS_NOT_GIVEN: '只有充值可以赠送',
  BONUS_PIECES_FORMAT: `赠送条数为1至${formatCount(LIMITS.bonusPieces)}的整数`,
  PACKS_ALONE: '赠送条数只用于充值套餐，请重新选择项目',
  GIVES_ONE: '请选择一种优惠',
  START_PAST: PRICE_REFUSALS.START_PAST,
  START_TOO_FAR: PRICE_REFUSALS.START_TOO_FAR,
  END_REQUIRED: '请选择结束时间',
  END_BEFORE_START: '结束时间须晚于开始时间',
  FIRST_NOT_SOLD: '该价格册没有这种首购',
  LEVEL_UNKNOWN: DISCOUNT_REFUSALS.LEVEL_UNKNOWN,
  AGENT_UNKNOWN: DISCOUNT_REFUSALS.AGENT_UNKNOWN,
  IS_ENDED: '促销已结束',
} as const

export type Broken<T> = { field: string; code: keyof T & string }

/** Null: from now on. */
export function refuseStart(startsAt: string | null, now: string): 'START_PAST' | 'START_TOO_FAR' | null {
  if (startsAt === null) return null
  const ahead = Date.parse(startsAt) - Date.parse(now)
  if (!(ahead > 0)) return 'START_PAST'
  return ahead > LIMITS.startDays * 86_400_000 ? 'START_TOO_FAR' : null
}

/** A whole number of 1/10,000 above none. */
export function refuseShare(basisPoints: number): 'DISCOUNT_FORMAT' | null {
  return isShare(basisPoints) ? null : 'DISCOUNT_FORMAT'
}

function isShare(basisPoints: number): boolean {
  return Number.isSafeInteger(basisPoints) && basisPoints >= 100 && basisPoints <= 10_000
}

export function refuseName(name: string): 'NAME_REQUIRED' | 'NAME_TOO_LONG' | null {
  const length = lengthOf(name)
  if (length === 0) return 'NAME_REQUIRED'
  return length > LIMITS.name ? 'NAME_TOO_LONG' : null
}

export type NewCampaign = {
  name: string
  book: Book
  items: readonly number[] | null
  part: string | null
  /** One of the four. */
  basisPoints: number | null
  cents: number | null
  bonusBasisPoints: number | null
  bonusPieces: number | null
  firstOf: First | null
  startsAt: string | null
  endsAt: string | null
}

/** First broken rule of a campaign, in the order of its form. */
export function refuseCampaign(asked: NewCampaign, now: string): Broken<typeof CAMPAIGN_REFUSALS> | null {
  const named = refuseName(asked.name)
  if (named) return { field: 'name', code: named }
  const gives = refuseGives(asked)
  if (gives) return gives
  if (asked.firstOf !== null && !firstsOf(asked.book).includes(asked.firstOf))
    return { field: 'firstOf', code: 'FIRST_NOT_SOLD' }
  const start = refuseStart(asked.startsAt, now)
  if (start) return { field: 'startsAt', code: start }
  if (asked.endsAt === null) return asked.firstOf === null ? { field: 'endsAt', code: 'END_REQUIRED' } : null
  const begins = Date.parse(asked.startsAt ?? now)
  return Date.parse(asked.endsAt) > begins ? null : { field: 'endsAt', code: 'END_BEFORE_START' }
}

/** First broken rule of what it gives, or null. */
export function refuseGives(asked: NewCampaign): Broken<typeof CAMPAIGN_REFUSALS> | null {
  const { book, items, part, basisPoints, cents, bonusBasisPoints, bonusPieces } = asked
  if ([basisPoints, cents, bonusBasisPoints, bonusPieces].filter(given => given !== null).length !== 1)
    return { field: 'gives', code: 'GIVES_ONE' }
  if (basisPoints !== null)
    return isShare(basisPoints) ? null : { field: 'basisPoints', code: 'DISCOUNT_FORMAT' }
  if (bonusBasisPoints !== null) {
    if (book !== 'recharge') return { field: 'bonusBasisPoints', code: 'BONUS_NOT_GIVEN' }
    return isShare(bonusBasisPoints) ? null : { field: 'bonusBasisPoints', code: 'BONUS_FORMAT' }
  }
  if (bonusPieces !== null) {
    if (book !== 'recharge') return { field: 'bonusPieces', code: 'BONUS_NOT_GIVEN' }
    if (part !== PACK) return { field: 'items', code: 'PACKS_ALONE' }
    return isPieces(bonusPieces) ? null : { field: 'bonusPieces', code: 'BONUS_PIECES_FORMAT' }
  }
  if (items === null || items.length === 0 || part === null) return { field: 'items', code: 'ITEMS_REQUIRED' }
  const code = refuseCents(cents, book)
  return code && { field: 'cents', code }
}

function isPieces(pieces: number): boolean {
  return Number.isSafeInteger(pieces) && pieces >= 1 && pieces <= LIMITS.bonusPieces
}

/** Whose first purchase is known of a book: hardware is no shop's, and money from outside is nobody's. */
export function firstsOf(book: Book): First[] {
  if (book === 'recharge') return []
  return book === 'hardware' ? ['agent'] : ['shop', 'agent']
}

/** Books that levels and agents have a discount on; money from outside has campaigns alone. */
export const DISCOUNTED_BOOKS = (Object.keys(BOOKS) as Book[]).filter(book => book !== 'recharge')

export const DATED_STATES = {
  current: '生效中',
  coming: '未生效',
  past: '已过去',
  withdrawn: '已撤回',
} as const
export type DatedState = keyof typeof DATED_STATES
export const STATE_TONES = {
  current: 'done',
  coming: 'attention',
  past: 'neutral',
  withdrawn: 'neutral',
} as const

/** 1/10,000 from whole hundredths as they are typed: 10 of a bonus; NaN where it is no such number. */
export function bonusShareOf(typed: string): number {
  return /^\d{1,3}$/.test(typed.trim()) ? Number(typed) * 100 : Number.NaN
}

/** A number of pieces as it is typed; NaN where it is none. */
export function bonusPiecesOf(typed: string): number {
  return /^\d{1,7}$/.test(typed.trim()) ? Number(typed) : Number.NaN
}

/** 1/10,000 from a discount as people say it, 6.5 of ten; NaN where it is no such number. */
export function shareOf(typed: string): number {
  return /^\d{1,2}(\.\d{1,3})?$/.test(typed.trim()) ? Math.round(Number(typed) * 1_000) : Number.NaN
}

/** What something costs more or less in tokens: 共多 120.00 代币. */
export function moreOrLess(cents: number): string {
  if (cents === 0) return '价格不变'
  return cents < 0 ? `共少 ${formatCents(-cents)} 代币` : `共多 ${formatCents(cents)} 代币`
}

/** What of a campaign is asked about before it is added. */
export function campaignRisks(campaign: { basisPoints: number | null; cents: number | null }): PriceRisk[] {
  return campaign.cents === null ? shareRisks(campaign.basisPoints) : firstRisks([campaign.cents])
}
