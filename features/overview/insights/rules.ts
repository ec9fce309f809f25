// Owns what the operator's pages count and compare: periods, growth, days that a balance lasts, what is held, cohorts, income and its
// plan. What is a sale and what a renewal is said by settlement and the start page. Must never read a clock or a database.
import {
  daysOfMonth,
  monthAfter,
  type Range,
  SALES_MEANING,
  SALES_PARTS,
} from '#features/sales/settlement/rules.ts'
import { type Path, type SearchOf, target } from '#kit/declare/pages.ts'
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

export type Parts = { months: Range | null; days: Range | null }

/** A range that begins with a month as whole months, by their first days, and the days of the last one that is not whole. */
export function partsOf({ from, to }: Range): Parts {
  const { first, last } = daysOfMonth(to.slice(0, 7))
  if (to === last) return { months: { from, to: first }, days: null }
  const before = addDays(first, -1)
  const months = before < from ? null : { from, to: `${before.slice(0, 8)}01` }
  return { months, days: { from: first, to } }
}

/** Days of spending by which it is told how long a balance lasts. */
export const SPENDING_DAYS = [30, 90] as const
/** Without a purchase for so many days an agent is dormant. */
export const IDLE_DAYS = [30, 60, 90, 180] as const

/** What each number of the pages counts. */
export const MEANINGS = {
  sales: SALES_MEANING,
  growth: '销售额与上一期相比；未结束的一期与上一期的相同天数相比',
  renewal: '期内应到期的商户中已续费的占比；续费订单撤销后不计',
  lasts: '代币余额按近期消耗（含划拨给下级，扣除撤销退回）还可用的天数',
  idle: '距最近一笔未撤销的版本、增值或短信订单的天数',
  held: '待支付的支付单、待审批的撤销申请、已付款待续费的在线续费',
  cohorts:
    '按注册月份与现在的软件版本；只计已结束的月份。留存与流失为到该月底的累计，续费率为该期应到期的商户中已续费的占比',
  income:
    '未撤销、未退回、未退款的订单；版本按支付日，其余按下单日。代币与人民币分别合计，充值买到的代币用掉时才是销售',
} as const

const RENEWALS = '/admin/order/onlineRenewals'

/** What is on its way, and the list of what is counted. */
export const HELD = {
  intents: {
    name: '待支付的支付单',
    unit: '元',
    permission: 'paymentDesk.manage',
    ...target('/admin/operations/payments', { status: 'waiting' }),
  },
  undos: {
    name: '待审批的撤销申请',
    unit: '代币',
    permission: 'settlement.bills',
    ...target('/admin/detail/billingDetails', { view: 'requests', state: 'pending' }),
  },
  paid: {
    name: '在线续费：开通中',
    unit: '元',
    permission: 'shopPages.renewals',
    ...target(RENEWALS, { state: 'paid' }),
  },
  short: {
    name: '在线续费：待充值',
    unit: '元',
    permission: 'shopPages.renewals',
    ...target(RENEWALS, { state: 'short' }),
  },
  stuck: {
    name: '在线续费：待处理',
    unit: '元',
    permission: 'shopPages.renewals',
    ...target(RENEWALS, { state: 'stuck' }),
  },
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

/** The months of a range, each with its days of it. */
export function monthsOf({ from, to }: Range): (Range & { month: string })[] {
  const months: (Range & { month: string })[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = monthAfter(month, 1)) {
    const { first, last } = daysOfMonth(month)
    months.push({ month, from: first < from ? from : first, to: last > to ? to : last })
  }
  return months
}

/** ends: shops by the month in which their term ends; renewed: terms that would have ended in it and were renewed. */
export type CohortKind = 'ends' | 'renewed'
export const COHORT_MEASURES = { kept: '留存率', renewed: '续费率', lost: '流失率' } as const
export type CohortMeasure = keyof typeof COHORT_MEASURES
export const COHORT_UNITS = { month: '按月', year: '按年' } as const
export type CohortUnit = keyof typeof COHORT_UNITS
/** How many months of registration are shown. */
export const COHORT_ROWS = [12, 24, 36, 60] as const
export const COHORT_ROWS_FIRST = 12

export type CohortSum = { month: string; kind: CohortKind; ends: string | null; shops: number }
/** lost: until the end of the column; renewed and lapsed: of what was due in it. */
export type CohortCell = { lost: number; renewed: number; lapsed: number }
export type Cohort = { month: string; shops: number; cells: CohortCell[] }

/** The months (YYYY-MM) of a column of a cohort, by its place from 0; the first year has the month of registration too. */
export function columnMonths(unit: CohortUnit, month: string, at: number): Range {
  if (unit === 'month') return { from: monthAfter(month, at), to: monthAfter(month, at) }
  return { from: monthAfter(month, at === 0 ? 0 : at * 12 + 1), to: monthAfter(month, (at + 1) * 12) }
}

export function columnName(unit: CohortUnit, at: number): string {
  if (unit === 'year') return `第 ${at + 1} 年`
  return at === 0 ? '当月' : `${at} 个月`
}

/** One row for each of `months`, with the columns that had ended before the month that runs. All months are YYYY-MM. */
export function cohortsOf(
  sums: readonly CohortSum[],
  months: readonly string[],
  unit: CohortUnit,
  thisMonth: string,
): Cohort[] {
  const byMonth = Map.groupBy(sums, ({ month }) => month)
  return months.map(month => {
    const age = monthNumber(thisMonth) - monthNumber(month)
    const columns = Math.max(0, unit === 'month' ? age : Math.floor((age - 1) / 12))
    const cells = Array.from({ length: columns }, () => ({ lost: 0, renewed: 0, lapsed: 0 }))
    let shops = 0
    let lost = 0
    for (const { kind, ends, shops: counted } of byMonth.get(month) ?? []) {
      if (kind === 'ends') shops += counted
      if (ends === null) continue
      const after = monthNumber(ends) - monthNumber(month)
      const cell = cells[unit === 'month' ? after : Math.max(0, Math.floor((after - 1) / 12))]
      if (kind === 'ends' && after < 0) lost += counted
      if (!cell || after < 0) continue
      if (kind === 'ends') cell.lapsed += counted
      else cell.renewed += counted
    }
    for (const cell of cells) {
      lost += cell.lapsed
      cell.lost = lost
    }
    return { month, shops, cells }
  })
}

/** Months since the year 0. */
function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7))
}

/** What a cell tells: so many of so many, and the share in 1/100 percent, to a tenth of a percent. Null: there was nothing to count. */
export function cohortShare(
  { shops }: Cohort,
  { lost, renewed, lapsed }: CohortCell,
  measure: CohortMeasure,
) {
  const [part, whole] = {
    kept: [shops - lost, shops] as const,
    lost: [lost, shops] as const,
    renewed: [renewed, renewed + lapsed] as const,
  }[measure]
  return whole === 0 ? null : { part, whole, share: Math.round((part * 1_000) / whole) * 10 }
}

type Income = {
  name: string
  unit: '代币' | '元'
  path: Path
  filters: (from: string, to: string) => SearchOf<Path>
}
type VersionOrders = SearchOf<typeof SALES_PARTS.version.path>
const ofVersions = (name: string, salesType: VersionOrders['salesType']): Income => ({
  name,
  unit: '代币',
  path: SALES_PARTS.version.path,
  filters: (from, to): VersionOrders => ({ ...SALES_PARTS.version.filters(from, to), salesType }),
})

export const INCOME_KINDS = [
  'version-new',
  'version-renew',
  'version-upgrade',
  'service',
  'sms-package',
  'hardware',
  'token-recharge',
  'sms-recharge',
] as const satisfies readonly SumKind[]
export type IncomeKind = (typeof INCOME_KINDS)[number]

/** What comes in, and the list of its orders by days. Tokens and yuan are never added up. */
export const INCOME: Readonly<Record<IncomeKind, Income>> = {
  'version-new': ofVersions('版本新购', 'new'),
  'version-renew': ofVersions('版本续费', 'renew'),
  'version-upgrade': ofVersions('版本升级', 'upgrade'),
  service: { ...SALES_PARTS.service, unit: '代币' },
  'sms-package': { ...SALES_PARTS.sms, unit: '代币' },
  hardware: {
    name: '硬件',
    unit: '代币',
    path: '/admin/order/hardwareOrder',
    filters: (from, to): SearchOf<'/admin/order/hardwareOrder'> => ({ sold: true, from, to }),
  },
  'token-recharge': {
    name: '代币充值',
    unit: '元',
    path: '/admin/operations/payments',
    filters: (from, to): SearchOf<'/admin/operations/payments'> => ({
      asset: 'token',
      stands: true,
      from,
      to,
    }),
  },
  'sms-recharge': {
    name: '短信充值',
    unit: '元',
    path: '/admin/order/msgOrder',
    filters: (from, to): SearchOf<'/admin/order/msgOrder'> => ({
      status: 'paid',
      kind: 'recharge',
      from,
      to,
    }),
  },
}
/** Those that are added up, by their unit. */
export const INCOME_UNITS = ['代币', '元'] as const
export const kindsIn = (unit: (typeof INCOME_UNITS)[number]) =>
  INCOME_KINDS.filter(kind => INCOME[kind].unit === unit)

/** The months of a year, YYYY-MM. */
export const monthsOfYear = (year: number) =>
  Array.from({ length: 12 }, (_, at) => monthAfter(`${year}-01`, at))

/** How many of a year's months are compared with their plan: of the one that runs those that have begun, else all. */
export const monthsBegun = (year: number, today: string) =>
  today.startsWith(String(year)) ? Number(today.slice(5, 7)) : 12
/** What stands over such a plan. */
export const planHead = (begun: number) => (begun < 12 ? `计划（1–${begun} 月）` : '全年计划')

/** More or less than planned, and the share of the plan that came in, in 1/100 percent; null where nothing is planned. */
export function attainment(cents: number, planCents: number | null) {
  if (planCents === null) return { difference: null, share: null }
  return {
    difference: cents - planCents,
    share: planCents === 0 ? null : Math.round((cents * 1_000) / planCents) * 10,
  }
}

/** The plans of several added up; null where none has one. */
export function planSum(plans: readonly (number | null)[]): number | null {
  const known = plans.filter(plan => plan !== null)
  return known.length === 0 ? null : known.reduce((sum, plan) => sum + plan, 0)
}

/** A year's plan in twelve parts, whole units each, the last with what is left. In 1/100. */
export function spread(cents: number): number[] {
  const part = Math.floor(cents / 1_200) * 100
  return Array.from({ length: 12 }, (_, at) => (at < 11 ? part : cents - part * 11))
}

/** `planMaxCents`: the most that is planned for a month. */
export const LIMITS = { planMaxCents: 1_000_000_000_000 } as const
export const PLAN_REFUSALS = {
  PLAN_AMOUNT: `请输入不小于0的数额，最多两位小数，不超过${LIMITS.planMaxCents / 10_000_000_000}亿`,
} as const

/** Null: nothing is planned. */
export function refusePlan(cents: number | null): keyof typeof PLAN_REFUSALS | null {
  if (cents === null) return null
  return Number.isSafeInteger(cents) && cents >= 0 && cents <= LIMITS.planMaxCents ? null : 'PLAN_AMOUNT'
}
