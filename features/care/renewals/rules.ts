// Owns the renewal desk: its windows, the marks, and the ranking of shops with its reasons.
// Must never read a clock or a database: days are counted by the caller.
import { lengthOf } from '#kit/words/cleaned.ts'

/** Windows by days left, of which wider ones hold the narrower; months of the calendar; `lapsed`: expired within the last 90 days. */
export const WINDOWS = ['7', '15', '30', '60', '90', 'thisMonth', 'nextMonth', 'lapsed'] as const
export type Window = (typeof WINDOWS)[number]
export const WINDOW_NAMES: Record<Window, string> = {
  '7': '7天内到期',
  '15': '15天内到期',
  '30': '30天内到期',
  '60': '60天内到期',
  '90': '90天内到期',
  thisMonth: '本月到期',
  nextMonth: '下月到期',
  lapsed: '近90天已过期',
}
/** How the desk is ordered: by the last day of the term, the nearest to today first, or by `rank`. */
export const DESK_ORDERS = ['date', 'rank'] as const
export type DeskOrder = (typeof DESK_ORDERS)[number]
export const DESK_ORDER_NAMES: Record<DeskOrder, string> = { date: '按到期日', rank: '按优先级' }

export const LAPSED_DAYS = 90

/** So many shops of a window, the nearest to their end, are ranked. */
export const RANKED_MAX = 2_000

export const MARK_STATES = { contacted: '已联系', promised: '已承诺续费', lost: '已流失' } as const
export type MarkState = keyof typeof MARK_STATES

/** A mark counts for so many days: one of a former term says nothing about this one. The history keeps it. */
export const MARK_VALID_DAYS = 180

export const LIMITS = { note: 100 } as const

export const RENEWAL_REFUSALS = {
  MARK_STATE_REQUIRED: '请选择跟进结果',
  LOST_WHY: '请输入流失原因',
  NOTE_TOO_LONG: `跟进说明不得超过${LIMITS.note}字`,
  NEXT_IN_PAST: '下次跟进日期不能早于今天',
} as const
export type RenewalRefusal = keyof typeof RENEWAL_REFUSALS

/** First broken rule of a mark. Days are YYYY-MM-DD of Asia/Shanghai. */
export function refuseMark(
  mark: { state: MarkState; note: string; nextOn: string | null },
  today: string,
): RenewalRefusal | null {
  if (!(mark.state in MARK_STATES)) return 'MARK_STATE_REQUIRED'
  if (mark.state === 'lost' && mark.note.trim() === '') return 'LOST_WHY'
  if (lengthOf(mark.note) > LIMITS.note) return 'NOTE_TOO_LONG'
  return mark.nextOn !== null && mark.nextOn < today ? 'NEXT_IN_PAST' : null
}

export type Ranked = {
  /** Below 0: expired so many days ago. */
  daysLeft: number
  /** Days since the last login; null: never. */
  idleDays: number | null
  shops: number
  /** What a year of its version costs for all its shops, before discount, in 1/100 token. */
  yearlyCents: number
  mark: { state: MarkState; nextOn: string | null } | null
}

/** How people are told about `rank`. */
export const RANK_WORDS =
  '剩余天数越少、门店越多、金额越高、最近在用的越靠前；到约定跟进日的提前，已流失的靠后'

/**
 * How much a shop should be called first, and why in words. Urgency counts most (up to 50), then size and value (up to 30),
 * then whether it is in use (up to 10); what was agreed moves it up on its day and down before it.
 */
export function rank(shop: Ranked, today: string): { score: number; reasons: string[] } {
  const reasons: string[] = []
  let score = 0
  const add = (points: number, reason?: string) => {
    score += points
    if (reason) reasons.push(reason)
  }
  if (shop.daysLeft < 0) add(Math.max(0, 40 + shop.daysLeft / 3), `已过期${-shop.daysLeft}天`)
  else add(50 - Math.min(shop.daysLeft, 90) / 2, shop.daysLeft === 0 ? '今天到期' : `剩${shop.daysLeft}天`)
  if (shop.shops >= 5) add(20, `${shop.shops}家店`)
  else if (shop.shops >= 2) add(10, `${shop.shops}家店`)
  if (shop.yearlyCents >= 100_000) add(10, '高金额')
  if (shop.idleDays === null) add(2, '从未登录')
  else if (shop.idleDays <= 7) add(10, '近7天在用')
  else if (shop.idleDays > 30) add(4, `${shop.idleDays}天未登录`)
  if (shop.mark) {
    const isDue = shop.mark.nextOn !== null && shop.mark.nextOn <= today
    if (isDue) add(30, '到约定跟进日')
    else if (shop.mark.state === 'lost') add(-60, '已流失')
    else if (shop.mark.nextOn !== null) add(-20, `${shop.mark.nextOn} 再跟进`)
    if (shop.mark.state === 'promised') add(8, '已承诺')
  }
  return { score: Math.round(score), reasons }
}

/** What stands on a shop's timeline. */
export const EVENT_KINDS = {
  order: '订单',
  edit: '资料',
  status: '状态',
  message: '短信',
  mark: '跟进',
  tool: '售后',
  request: '审批',
  login: '登录',
} as const
export type EventKind = keyof typeof EVENT_KINDS
