// Owns what the start page counts and over which days (D1 §2 dashboard, §3 dashboard statistics).
// Must never read a clock or a database.
import { APPROVAL_HOURS, APPROVAL_LISTS, type ApprovalKind } from '#features/care/approvals/rules.ts'
import { THREAD_HOURS } from '#features/care/threads/rules.ts'
import type { Path, SearchOf } from '#kit/declare/pages.ts'
import type { Setting } from '#kit/declare/settings.ts'
import { addDays } from '#kit/time.ts'

/** Prefixes of the documents: s_ SMS orders, u_ new merchants, d_ software orders, v_ value-added orders. */
export const TILES = ['sms', 'merchants', 'versions', 'services'] as const
export type Tile = (typeof TILES)[number]

/** The list that each tile counts, and its filters for a day (YYYY-MM-DD): its total is the tile's number. */
export const TILE_LISTS = {
  sms: {
    name: '短信订单',
    unit: '笔',
    path: '/admin/order/msgOrder',
    permission: 'smsDesk.orders',
    filters: (day: string): SearchOf<'/admin/order/msgOrder'> => ({ status: 'paid', from: day, to: day }),
  },
  merchants: {
    name: '新增商户',
    unit: '家',
    path: '/admin/merchant/myMerchant',
    permission: 'merchants.list',
    filters: (day: string): SearchOf<'/admin/merchant/myMerchant'> => ({
      registeredFrom: day,
      registeredTo: day,
    }),
  },
  versions: {
    name: '软件订单',
    unit: '笔',
    path: '/admin/order/versionsOrder',
    permission: 'orders.list',
    filters: (day: string): SearchOf<'/admin/order/versionsOrder'> => ({
      status: 'paid',
      paidFrom: day,
      paidTo: day,
    }),
  },
  services: {
    name: '增值订单',
    unit: '笔',
    path: '/admin/order/appreciationOrder',
    permission: 'services.orders',
    filters: (day: string): SearchOf<'/admin/order/appreciationOrder'> => ({
      state: 'completed',
      from: day,
      to: day,
    }),
  },
} as const

/** Days of each chart. */
export const CHART_DAYS = 30

/** The days of the charts that look back: so many until `today`, the first one first. */
export function pastDays(today: string): string[] {
  return Array.from({ length: CHART_DAYS }, (_, i) => addDays(today, i - CHART_DAYS + 1))
}

/** The days of the chart that looks ahead: so many from `today` on. */
export function comingDays(today: string): string[] {
  return Array.from({ length: CHART_DAYS }, (_, i) => addDays(today, i))
}

export type Trend = 'up' | 'down' | 'same'

/** How today stands against yesterday: the arrow and the words. */
export function comparison(today: number, yesterday: number): { trend: Trend; by: number } {
  const by = today - yesterday
  return { trend: by > 0 ? 'up' : by < 0 ? 'down' : 'same', by: Math.abs(by) }
}

/** The days of a month until `today`, and as many of the month before, up to its last. */
export function monthsCompared(today: string): { now: string[]; before: string[] } {
  const first = `${today.slice(0, 8)}01`
  const daysFrom = (start: string) =>
    Array.from({ length: Number(today.slice(8)) }, (_, i) => addDays(start, i)).filter(
      day => day.slice(0, 7) === start.slice(0, 7),
    )
  return { now: daysFrom(first), before: daysFrom(`${addDays(first, -1).slice(0, 8)}01`) }
}

/** Each day's sum of all days until it. */
export function running(values: readonly number[]): number[] {
  let sum = 0
  return values.map(value => {
    sum += value
    return sum
  })
}

/** How much of what ended was renewed, in 1/10 of a percent; null where nothing ended. */
export function renewalRate(renewed: number, due: number): number | null {
  return due === 0 ? null : Math.round((renewed / due) * 1_000)
}

/** The difference to the same days of the month before, in words. */
export function sinceLastMonth(now: number, before: number): { trend: Trend; text: string } {
  const { trend } = comparison(now, before)
  if (trend === 'same') return { trend, text: '与上月同期持平' }
  if (before === 0) return { trend, text: '上月同期为 0' }
  const percent = Math.round((Math.abs(now - before) / Math.abs(before)) * 1_000) / 10
  return { trend, text: `比上月同期${trend === 'up' ? '多' : '少'} ${percent}%` }
}

/** Failed messages of so many days, today included, are work of today. */
export const FAILED_DAYS = 7

/** What is shown of a thing that waits. */
export type DutyShown = {
  /** What is to be done, as a verb. */
  name: string
  unit: string
  /** What the sum is: of tokens, of yuan; absent where no money hangs on it. */
  money?: { name: string; unit: '代币' | '元' }
  for: 'partner' | 'staff' | 'all'
  path: Path
  permission: string
  hash?: string
  /** Within so many hours somebody has been promised an answer. */
  within?: Setting
  /** The rows of the list are what is counted. */
  filters: (today: string) => SearchOf<Path>
}

const failedSince = (today: string) => ({ from: addDays(today, 1 - FAILED_DAYS), to: today })

type ApprovalPath =
  | '/admin/merchant/smsManage'
  | '/admin/merchant/storeName'
  | '/admin/merchant/appellationManage'
/** The oldest first, which waits longest. */
const approval = (kind: ApprovalKind, name: string, path: ApprovalPath) =>
  ({
    name,
    unit: '条',
    for: 'staff',
    path,
    permission: APPROVAL_LISTS[kind],
    within: APPROVAL_HOURS,
    filters: (): SearchOf<ApprovalPath> => ({ state: 'pending', sort: 'createdAt', order: 'asc' }),
  }) as const

/** What may wait for somebody in the morning, the most pressing first, and the list of what is counted. */
export const MORNING_DUTIES = {
  expiring: {
    name: '联系续费：7天内到期',
    unit: '家',
    money: { name: '续费一年', unit: '代币' },
    for: 'partner',
    path: '/admin/merchant/renewals',
    permission: 'renewals.desk',
    filters: (): SearchOf<'/admin/merchant/renewals'> => ({ window: '7' }),
  },
  tokensLow: {
    name: '充值：代币余额不足',
    unit: '代币',
    for: 'partner',
    path: '/admin/account/msgRecharge',
    permission: 'payments.tokens',
    hash: 'tokens',
    filters: (): SearchOf<'/admin/account/msgRecharge'> => ({}),
  },
  smsLow: {
    name: '充值：短信余额不足',
    unit: '条',
    for: 'partner',
    path: '/admin/account/msgRecharge',
    permission: 'payments.sms',
    filters: (): SearchOf<'/admin/account/msgRecharge'> => ({}),
  },
  resend: {
    name: '重发：近7天发送失败的短信',
    unit: '条',
    for: 'partner',
    path: '/admin/merchant/smsSendLog',
    permission: 'messageDesk.log',
    filters: (today): SearchOf<'/admin/merchant/smsSendLog'> => ({
      status: 'failed',
      isReissued: false,
      ...failedSince(today),
    }),
  },
  receive: {
    name: '收货：硬件已发货',
    unit: '单',
    money: { name: '合计', unit: '代币' },
    for: 'partner',
    path: '/admin/order/hardwareOrder',
    permission: 'hardware.orders',
    filters: (): SearchOf<'/admin/order/hardwareOrder'> => ({ status: 'shipped' }),
  },
  approve: {
    name: '审批：撤销申请',
    unit: '笔',
    money: { name: '退回', unit: '代币' },
    for: 'all',
    path: '/admin/detail/billingDetails',
    permission: 'settlement.approve',
    filters: (): SearchOf<'/admin/detail/billingDetails'> => ({ view: 'requests', state: 'pending' }),
  },
  signatures: approval('signature', '审批：短信签名', '/admin/merchant/smsManage'),
  shopNames: approval('shopName', '审批：店铺名称', '/admin/merchant/storeName'),
  memberTitles: approval('memberTitle', '审批：会员称谓', '/admin/merchant/appellationManage'),
  ship: {
    name: '发货：硬件订单',
    unit: '单',
    money: { name: '合计', unit: '代币' },
    for: 'staff',
    path: '/admin/order/hardwareOrder',
    permission: 'hardware.ship',
    filters: (): SearchOf<'/admin/order/hardwareOrder'> => ({ status: 'awaitingShipment' }),
  },
  differences: {
    name: '核对：对账差异',
    unit: '笔',
    money: { name: '差额', unit: '元' },
    for: 'staff',
    path: '/admin/operations/payments',
    permission: 'paymentDesk.manage',
    filters: (): SearchOf<'/admin/operations/payments'> => ({ view: 'differences', open: true }),
  },
  unanswered: {
    name: '判定：待确认的短信',
    unit: '条',
    for: 'staff',
    path: '/admin/merchant/smsManageError',
    permission: 'messageDesk.abnormal',
    filters: (): SearchOf<'/admin/merchant/smsManageError'> => ({ status: 'unknown' }),
  },
  failed: {
    name: '查看：近7天发送失败的短信',
    unit: '条',
    for: 'staff',
    path: '/admin/merchant/smsManageError',
    permission: 'messageDesk.abnormal',
    filters: (today): SearchOf<'/admin/merchant/smsManageError'> => ({
      status: 'failed',
      ...failedSince(today),
    }),
  },
  threads: {
    name: '回复：商户反馈',
    unit: '条',
    for: 'partner',
    path: '/admin/help/feedback',
    permission: 'threads.list',
    within: THREAD_HOURS,
    filters: (): SearchOf<'/admin/help/feedback'> => ({ state: 'awaiting', desk: 'agent', kind: 'shop' }),
  },
  threadsPassed: {
    name: '回复：客户反馈',
    unit: '条',
    for: 'staff',
    path: '/admin/help/feedbackList',
    permission: 'threads.all',
    within: THREAD_HOURS,
    filters: (): SearchOf<'/admin/help/feedbackList'> => ({ state: 'awaiting', kind: 'shop' }),
  },
  feedback: {
    name: '回复：意见反馈',
    unit: '条',
    for: 'staff',
    path: '/admin/operations/feedback',
    permission: 'feedback.list',
    filters: (): SearchOf<'/admin/operations/feedback'> => ({ state: 'open' }),
  },
  consultations: {
    name: '联系：官网咨询',
    unit: '条',
    for: 'staff',
    path: '/admin/operations/consultations',
    permission: 'consultations.list',
    filters: (): SearchOf<'/admin/operations/consultations'> => ({ contacted: false }),
  },
} as const satisfies Record<string, DutyShown>

export type DutyKey = keyof typeof MORNING_DUTIES
export const DUTY_KEYS = Object.keys(MORNING_DUTIES) as DutyKey[]

/** Whether somebody of this kind with these permissions is told about it. */
export function concerns(
  key: DutyKey,
  who: { isVendorStaff: boolean; holds: (permission: string) => boolean },
): boolean {
  const todo: DutyShown = MORNING_DUTIES[key]
  if (todo.for !== 'all' && (todo.for === 'staff') !== who.isVendorStaff) return false
  return who.holds(todo.permission)
}

/** Whether its count is what is left of a balance; of `tokens`, in 1/100. */
export function isBalance(key: DutyKey, of?: 'tokens'): boolean {
  return key === 'tokensLow' || (key === 'smsLow' && of === undefined)
}

/** How long somebody waits beside what was promised, and whether that is past. */
export function promiseText(since: string, hours: number, now: Date): { text: string; isPast: boolean } {
  const isPast = now.getTime() - new Date(since).getTime() > hours * 3_600_000
  const waited = `最久 ${waitedText(since, now)}`
  return { text: isPast ? `${waited}，超过 ${hours} 小时` : `${waited} · 承诺 ${hours} 小时`, isPast }
}

/** How long something waits, in the largest whole unit. */
export function waitedText(since: string, now: Date): string {
  const hours = Math.floor((now.getTime() - new Date(since).getTime()) / 3_600_000)
  if (hours < 1) return '不到 1 小时'
  return hours < 24 ? `${hours} 小时` : `${Math.floor(hours / 24)} 天`
}
