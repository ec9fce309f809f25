// Owns what the operator's pages count and compare: periods, growth, days that a balance lasts, what is held. What is a sale and
// what a renewal is said by settlement and the start page. Must never read a clock or a database.
import type { TransferKind } from '#features/ledger/rules.ts'
import { daysOfMonth, monthAfter, SALES_MEANING } from '#features/settlement/rules.ts'
import { addDays } from '#kit/time.ts'

/** What is added up per agent and month: income, shops by the end of their term, and what the ledger's accounts gained. */
export const SUM_KINDS = [
  'version-new',
  'version-renew',
  'version-upgrade',
  'service',
  'sms-package',
  'hardware',
  'token-recharge',
  'sms-recharge',
  'renewed',
  'expiring',
  'agent-token',
  'agent-sms',
  'merchant-sms',
] as const
export type SumKind = (typeof SUM_KINDS)[number]

/** The kinds of each part of 销售额. */
export const SALES_KINDS = {
  version: ['version-new', 'version-renew', 'version-upgrade'],
  service: ['service'],
  sms: ['sms-package'],
} as const satisfies Record<string, readonly SumKind[]>

/** Lengths of a period, in months. */
export const PERIODS = { month: '月', quarter: '季度', year: '年' } as const
export type Period = keyof typeof PERIODS
const MONTHS: Record<Period, number> = { month: 1, quarter: 3, year: 12 }

export type Range = { from: string; to: string }
export type Compared = { now: Range; before: Range }

/**
 * The period that holds a month (YYYY-MM) and the one before it. One that has not ended is compared with the same days of the one
 * before, as the start page compares months.
 */
export function comparedPeriods(period: Period, month: string, today: string): Compared {
  const length = MONTHS[period]
  const [year, number] = month.split('-').map(Number) as [number, number]
  const first = monthAfter(`${year}-01`, Math.floor((number - 1) / length) * length)
  const from = daysOfMonth(first).first
  const last = daysOfMonth(monthAfter(first, length - 1)).last
  const earlier = daysOfMonth(monthAfter(first, -length)).first
  if (last < today) return { now: { from, to: last }, before: { from: earlier, to: addDays(from, -1) } }
  const to = today < from ? from : today
  return { now: { from, to }, before: { from: earlier, to: sameDay(to, -length) } }
}

/** The day of the month so many months later, or the last one where there is none. */
function sameDay(day: string, months: number): string {
  const { first, last } = daysOfMonth(monthAfter(day.slice(0, 7), months))
  const same = `${first.slice(0, 8)}${day.slice(8)}`
  return same > last ? last : same
}

export type Parts = { months: Range | null; days: Range | null }

/** A range that begins with a month as whole months, by their first days, and the days of the last one that is not whole. */
export function partsOf({ from, to }: Range): Parts {
  const { first, last } = daysOfMonth(to.slice(0, 7))
  if (to === last) return { months: { from, to: first }, days: null }
  const before = addDays(first, -1)
  const months = before < from ? null : { from, to: `${before.slice(0, 8)}01` }
  return { months, days: { from: first, to } }
}

/** Of what an agent's own tokens are spent; what an undo gives back counts against it. */
export const SPENDING = [
  'version-new',
  'version-renew',
  'version-upgrade',
  'service',
  'sms-package',
  'hardware',
  'allocate',
] as const satisfies readonly TransferKind[]
export const GIVEN_BACK = 'undo' as const satisfies TransferKind

/** Days of spending by which it is told how long a balance lasts. */
export const SPENDING_DAYS = [30, 90] as const
/** Without a purchase for so many days an agent is dormant. */
export const IDLE_DAYS = [30, 60, 90, 180] as const

/** 1/100 of a percent as people read it: +12.5%. */
export function percentText(hundredths: number, signed = false): string {
  const text = `${Math.abs(hundredths) / 100}%`
  if (hundredths < 0) return `−${text}`
  return signed && hundredths > 0 ? `+${text}` : text
}

/** What each number of the pages counts. */
export const MEANINGS = {
  sales: SALES_MEANING,
  growth: '销售额与上一期相比；未结束的一期与上一期的相同天数相比',
  renewal: '期内应到期的商户中已续费的占比；续费订单撤销后不计',
  lasts: '代币余额按近期消耗（含划拨给下级，扣除撤销退回）还可用的天数',
  idle: '距最近一笔未撤销的版本、增值或短信订单的天数',
  held: '待支付的支付单、待审批的撤销申请、已付款待续费的在线续费',
} as const

const RENEWALS = { path: '/admin/order/onlineRenewals', permission: 'shopPages.renewals' } as const

/** What is on its way, and the list of what is counted. */
export const HELD = {
  intents: {
    name: '待支付的支付单',
    unit: '元',
    path: '/admin/operations/payments',
    permission: 'paymentDesk.manage',
    filters: { status: 'waiting' },
  },
  undos: {
    name: '待审批的撤销申请',
    unit: '代币',
    path: '/admin/detail/billingDetails',
    permission: 'settlement.bills',
    filters: { view: 'requests', state: 'pending' },
  },
  paid: { name: '在线续费：开通中', unit: '元', ...RENEWALS, filters: { state: 'paid' } },
  short: { name: '在线续费：待充值', unit: '元', ...RENEWALS, filters: { state: 'short' } },
  stuck: { name: '在线续费：待处理', unit: '元', ...RENEWALS, filters: { state: 'stuck' } },
} as const
export type HeldKey = keyof typeof HELD
export const HELD_KEYS = Object.keys(HELD) as HeldKey[]

/** What stands on accounts, and by which kind of sum. */
export const STANDING = {
  tokens: { name: '代理商代币', unit: '代币', kind: 'agent-token' },
  agentSms: { name: '代理商短信', unit: '条', kind: 'agent-sms' },
  shopSms: { name: '商户短信', unit: '条', kind: 'merchant-sms' },
} as const satisfies Record<string, { name: string; unit: string; kind: SumKind }>
export type StandingKey = keyof typeof STANDING
export const STANDING_KEYS = Object.keys(STANDING) as StandingKey[]

/** Under which the vendor's own agencies stand, whatever their level. */
export const OWN_LEVEL = 0
export const OWN_LEVEL_NAME = '本公司'

/** Months of the line. */
export const LINE_MONTHS = 12

export const PERIOD_KEYS = Object.keys(PERIODS) as Period[]

/** What a period is called, by its first day. */
export function periodText(period: Period, from: string): string {
  const [year, month] = from.split('-').map(Number) as [number, number]
  if (period === 'year') return `${year} 年`
  return period === 'quarter' ? `${year} 年第 ${(month + 2) / 3} 季度` : `${year} 年 ${month} 月`
}
