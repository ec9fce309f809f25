// Owns the settlement centre: what can be undone, the second pair of eyes, months of a statement, what goes to an agent
// below (D3 §2, §4, §9; money.md). Must never read a clock or a database, and must never compute a balance.
import {
  type Asset,
  LIMITS as LEDGER_LIMITS,
  TRANSFER_KINDS,
  type TransferKind,
} from '#features/money/ledger/rules.ts'
import type { AgentStatus } from '#features/office/agents/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import type { Path, SearchOf } from '#kit/declare/pages.ts'
import { setting } from '#kit/declare/settings.ts'
import { amountText, formatCents, formatCount } from '#kit/money.ts'
import { addDays } from '#kit/time.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

export const UNDO_KINDS = {
  version: '版本订单',
  batch: '批量续费',
  service: '增值服务订单',
  sms: '短信订单',
} as const
export type UndoKind = keyof typeof UNDO_KINDS
/** What is said when it is done; the recall of an SMS order in the documents' words (D2 §8). */
export const UNDONE: Record<UndoKind, string> = {
  version: '撤销成功！',
  batch: '撤销成功！',
  service: '撤销成功！',
  sms: '撤回成功！',
}
export const UNDO_KIND_KEYS = Object.keys(UNDO_KINDS) as UndoKind[]

/** What a line of the statement is called: what an agent was allocated came from above it. */
export function movementName(line: { kind: string; income: number; spent: number }): string {
  if (line.kind === 'allocate' && line.income > 0) return line.spent > 0 ? '上下级划拨' : '上级划拨'
  return TRANSFER_KINDS[line.kind as TransferKind] ?? MOVED_WITH_SHOP[line.kind] ?? line.kind
}

/** Deposits that went along with their shop. */
const MOVED_WITH_SHOP: Record<string, string> = { 'shop-in': '商户转入', 'shop-out': '商户转出' }

/** What each section of the statement is called, and its unit. */
export const SECTIONS: Record<Asset, { title: string; unit: string; shown: (amount: number) => string }> = {
  token: { title: '代币', unit: '代币', shown: formatCents },
  sms: { title: '短信额度', unit: '条', shown: formatCount },
  deposit: { title: '商户押金', unit: '元', shown: formatCents },
}

/** What people are told of an undo, with what goes back in 1/100 token. */
export type UndoTold = { kind: UndoKind; orderNo: string; cents: number }

function undoFacts({ kind, orderNo, cents }: UndoTold): string {
  return `${UNDO_KINDS[kind]} ${orderNo}，退回 ${formatCents(cents)} 代币`
}

export function requestedWords(
  told: UndoTold,
  by: { companyName: string; name: string },
  reason: string,
): { title: string; body: string } {
  const body = `${by.companyName} ${by.name} 申请撤销${undoFacts(told)}。原因：${reason}`
  return { title: '撤销申请待审批', body }
}

export function decidedWords(
  told: UndoTold,
  state: 'approved' | 'rejected',
  decision: string,
): { title: string; body: string } {
  const said = decision && `。${state === 'approved' ? '审批意见' : '驳回原因'}：${decision}`
  return state === 'approved'
    ? { title: '撤销申请已通过', body: `${undoFacts(told)}${said}` }
    : { title: '撤销申请被驳回', body: `${UNDO_KINDS[told.kind]} ${told.orderNo}${said}` }
}

export function undoneWords(told: UndoTold, byName: string, reason: string): { title: string; body: string } {
  return { title: '订单被撤销', body: `${byName} 撤销了${undoFacts(told)}。原因：${reason}` }
}

export function allocatedWords(
  company: string,
  cents: number,
  remark: string,
): { title: string; body: string } {
  return {
    title: '收到上级划拨',
    body: `${company} 划拨 ${amountText(cents, '代币')}${remark && `。备注：${remark}`}`,
  }
}

/** Where whoever approves finds what waits. */
export const PENDING_REQUESTS = '/admin/detail/billingDetails?view=requests&state=pending'

export const UNDO_REQUEST_STATES = { pending: '待审批', approved: '已通过', rejected: '已驳回' } as const
export type UndoRequestState = keyof typeof UNDO_REQUEST_STATES

/** The program rejects what nobody decided in time, or what was undone meanwhile. */
export const UNDO_REQUEST_STEPS = {
  approve: { from: ['pending'], to: 'approved', by: ['settlement.approve'] },
  reject: { from: ['pending'], to: 'rejected', by: ['settlement.approve', 'program'] },
} as const satisfies Machine<UndoRequestState>

/** Orders that an agency takes back by itself in a month of Shanghai; each line of a bulk renewal is one. */
export const UNDO_COUNT = setting({
  key: 'undo-count',
  group: '撤销',
  label: '每家代理商每月',
  unit: '单',
  initial: 200,
  min: 1,
  max: 10_000,
  hint: '代理商自己撤销的订单数；达到后由厂商处理',
})
export const undoCountMessage = (most: number) => `本月撤销已达上限 ${most} 单，请联系厂商处理`

/** A request waits so long for its second person; then the order can be asked for anew. */
export const UNDO_REQUEST_DAYS = 15
/** What stands as the decision of a request that nobody decided. */
export const REQUEST_CLOSED = { expired: '已过期', undone: '订单已撤销' } as const
export type RequestClosed = keyof typeof REQUEST_CLOSED

/** Requests of this instant or before have ended; instants are ISO texts. */
export function endOfRequests(now: string): string {
  return new Date(new Date(now).getTime() - UNDO_REQUEST_DAYS * 86_400_000).toISOString()
}

/** D3 §4: completed for 1 and 2, otherwise refund. */
export const BILL_STATUSES = { paid: '已完成', recycled: '已撤销' } as const
export type BillStatus = keyof typeof BILL_STATUSES

/** `approvalMaxCents`: the highest amount above which approval can be asked for, 1/100 token. */
export const LIMITS = { decision: 50, remark: 50, approvalMaxCents: 100_000_000_000 } as const

export const SETTLEMENT_REFUSALS = {
  UNDO_TOO_MANY: '本月撤销已达上限，请联系厂商处理',
  UNDO_PENDING: '该订单的撤销正在等待审批，请勿重复提交',
  REQUEST_DECIDED: '该申请已处理，请勿重复操作',
  UNDO_REQUEST_EXPIRED: `申请已超过${UNDO_REQUEST_DAYS}天，请重新申请`,
  REQUEST_OWN: '不能审批自己提交的撤销申请',
  DECISION_REQUIRED: '请输入驳回原因',
  DECISION_TOO_LONG: `审批意见不得超过${LIMITS.decision}字`,
  APPROVAL_AMOUNT: '请输入不小于0的数额',
  ALLOCATE_NOT_CHILD: '只能划拨给自己的下级代理',
  ALLOCATE_DISABLED: '该下级代理已停用，请启用后再进行操作',
  ALLOCATE_AMOUNT: '请输入大于0的数额',
  ALLOCATE_TOO_MUCH: `单次划拨不得超过${formatCount(LEDGER_LIMITS.creditMax.token / 1_000_000)}万`,
  ALLOCATE_REMARK_TOO_LONG: `备注不得超过${LIMITS.remark}字`,
} as const
export type SettlementRefusal = keyof typeof SETTLEMENT_REFUSALS

/** Whether an undo that gives so much back waits for a second person; null: no amount does. */
export function needsApproval(tokensBackCents: number, approvalCents: number | null): boolean {
  return approvalCents !== null && tokensBackCents > approvalCents
}

/** First reason why this account cannot decide about a request now, or null; instants are ISO texts. */
export function refuseDecider(
  request: { state: UndoRequestState; requestedBy: number; requestedAt: string },
  accountId: number,
  now: string,
): SettlementRefusal | null {
  if (nextState(UNDO_REQUEST_STEPS, request.state, 'approve') === null) return 'REQUEST_DECIDED'
  if (new Date(request.requestedAt).getTime() <= new Date(endOfRequests(now)).getTime())
    return 'UNDO_REQUEST_EXPIRED'
  return request.requestedBy === accountId ? 'REQUEST_OWN' : null
}

/** A rejection tells why; an approval may. */
export function refuseDecision(action: 'approve' | 'reject', decision: string): SettlementRefusal | null {
  if (action === 'reject' && decision.trim() === '') return 'DECISION_REQUIRED'
  return lengthOf(decision) > LIMITS.decision ? 'DECISION_TOO_LONG' : null
}

/** 1/100 token; null switches approval off. */
export function refuseApprovalAmount(approvalCents: number | null): SettlementRefusal | null {
  if (approvalCents === null) return null
  const isAmount = Number.isSafeInteger(approvalCents) && approvalCents >= 0
  return isAmount && approvalCents <= LIMITS.approvalMaxCents ? null : 'APPROVAL_AMOUNT'
}

/** First reason why tokens cannot be handed to an agent at all, or null. */
export function refuseReceiver(agent: { isChild: boolean; status: AgentStatus }): SettlementRefusal | null {
  if (!agent.isChild) return 'ALLOCATE_NOT_CHILD'
  // One that is suspended may be given some, and cannot spend them until it is resumed.
  return agent.status === 'closed' ? 'ALLOCATE_DISABLED' : null
}

/** First broken rule of what is handed to an agent below, or null. `amountCents` in 1/100 token. */
export function refuseAllocation(allocation: {
  amountCents: number
  remark: string
}): SettlementRefusal | null {
  if (!Number.isSafeInteger(allocation.amountCents) || allocation.amountCents <= 0) return 'ALLOCATE_AMOUNT'
  if (allocation.amountCents > LEDGER_LIMITS.creditMax.token) return 'ALLOCATE_TOO_MUCH'
  return lengthOf(allocation.remark) > LIMITS.remark ? 'ALLOCATE_REMARK_TOO_LONG' : null
}

/** Kinds of orders that are counted per day. */
export const ORDER_KINDS = ['version', 'service', 'sms'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]

/** What every page says 销售额 counts; its one source is `orderDays`. */
export const SALES_MEANING = '以代币支付的版本、增值服务和商户短信包订单，扣除已撤销的，不含赠送、充值和硬件'

type Opens<P extends Path> = {
  name: string
  path: P
  permission: string
  filters: (from: string, to: string) => SearchOf<P>
}

/** The parts of 销售额, and the list that each opens for days (YYYY-MM-DD): its sum is the part. */
export const SALES_PARTS: {
  version: Opens<'/admin/order/versionsOrder'>
  service: Opens<'/admin/order/appreciationOrder'>
  sms: Opens<'/admin/order/msgOrder'>
} = {
  version: {
    name: '软件版本',
    path: '/admin/order/versionsOrder',
    permission: 'orders.list',
    filters: (from, to): SearchOf<'/admin/order/versionsOrder'> => ({
      status: 'paid',
      paidFrom: from,
      paidTo: to,
    }),
  },
  service: {
    name: '增值服务',
    path: '/admin/order/appreciationOrder',
    permission: 'services.orders',
    filters: (from, to): SearchOf<'/admin/order/appreciationOrder'> => ({ state: 'completed', from, to }),
  },
  sms: {
    name: '商户短信包',
    path: '/admin/order/msgOrder',
    permission: 'smsDesk.orders',
    filters: (from, to): SearchOf<'/admin/order/msgOrder'> => ({ status: 'paid', kind: 'package', from, to }),
  },
}

/** Months of the statement's chart, the chosen one last. */
export const CHART_MONTHS = 12

/** A month of Asia/Shanghai, YYYY-MM, of this century. */
export const MONTH_PATTERN = /^20\d\d-(0[1-9]|1[0-2])$/

/** First and last day of a month, YYYY-MM-DD. */
export function daysOfMonth(month: string): { first: string; last: string } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { first: `${month}-01`, last: `${month}-${String(last).padStart(2, '0')}` }
}

/** The month `by` months later; earlier where it is negative. */
export function monthAfter(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const months = year * 12 + number - 1 + by
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** Months up to this one, oldest first. */
export function monthsUntil(month: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => monthAfter(month, index + 1 - count))
}

/** Lengths of a period, in months. */
export const PERIODS = { month: '月', quarter: '季度', year: '年' } as const
export type Period = keyof typeof PERIODS
export const PERIOD_MONTHS: Readonly<Record<Period, number>> = { month: 1, quarter: 3, year: 12 }

export type Range = { from: string; to: string }
export type Compared = { now: Range; before: Range }

/**
 * The period that holds a month (YYYY-MM) and the one before it. One that has not ended is compared with the same days of the one
 * before, as the start page compares months.
 */
export function comparedPeriods(period: Period, month: string, today: string): Compared {
  const length = PERIOD_MONTHS[period]
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

export const PERIOD_KEYS = Object.keys(PERIODS) as [Period, ...Period[]]

/** What a period is called, by its first day. */
export function periodText(period: Period, from: string): string {
  const [year, month] = from.split('-').map(Number) as [number, number]
  if (period === 'year') return `${year} 年`
  return period === 'quarter' ? `${year} 年第 ${(month + 2) / 3} 季度` : `${year} 年 ${month} 月`
}
