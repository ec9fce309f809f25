// Who is told of what becomes of money from outside: the agent of what happened to its payments, the operator of what needs a hand.
import { eq } from 'drizzle-orm'
import { paymentSettings } from '#features/money/payment-settings/tables.ts'
import { type Notice, notify } from '#features/office/notices/server-notify.ts'
import { formatCents } from '#kit/money.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import type { Ctx } from '#server/ctx.ts'
import { CHANNEL_NAMES } from './rules.ts'
import { type paymentAttempts, paymentIntents } from './tables.ts'

type Intent = typeof paymentIntents.$inferSelect
type Attempt = Pick<typeof paymentAttempts.$inferSelect, 'intentId' | 'channel' | 'amountFen'>

/** Who may see what became of the order. */
const SHOWN_AT = {
  sms: { back: '，充值的短信已扣回', holding: 'smsDesk.orders' },
  token: { back: '，充值的代币已扣回', holding: 'ledger.changes' },
  renewal: { back: '', holding: 'ledger.changes' },
  deposit: { back: '', holding: 'deposits.list' },
} as const

/** Tells all of the agent that may see its credit that the operator took it back with the payment. */
export async function tellRefund(ctx: Ctx, intent: Intent, attempt: Attempt, reason: string): Promise<void> {
  const { back, holding } = SHOWN_AT[intent.asset]
  await notify(ctx, {
    agentId: intent.agentId,
    holding,
    topic: 'PaymentStatus_Notify',
    title: '支付已退款',
    body: `${intent.subject}，${paidWith(attempt)}将原路退回${back}。原因：${reason}`,
    link: `/admin/order/${intent.orderNo}`,
    args: { queryId: intent.id, orderNo: intent.orderNo, asset: intent.asset, status: 'refunded' },
  })
}

/** Tells whoever ordered that the second of two payments goes back. */
export async function tellSecondPayment(ctx: Ctx, attempt: Attempt): Promise<void> {
  const [intent] = await ctx.db.select().from(paymentIntents).where(eq(paymentIntents.id, attempt.intentId))
  if (!intent || intent.accountId === 0) return
  await notify(ctx, {
    accountIds: [intent.accountId],
    topic: 'PaymentStatus_Notify',
    title: '重复支付将退回',
    body: `${intent.subject}已支付过，${paidWith(attempt)}将原路退回，不重复到账`,
    link: `/admin/order/${intent.orderNo}`,
    args: { queryId: intent.id, orderNo: intent.orderNo, asset: intent.asset, status: 'second' },
  })
}

function paidWith({ channel, amountFen }: Attempt): string {
  return `${CHANNEL_NAMES[channel]}支付的 ${formatCents(amountFen)} 元`
}

export type FailedRefund = {
  settingsId: number | null
  refundNo: string
  amountFen: number
  channel: PayChannelName
  /** What the channel said. */
  words: string
}

export function tellFailedRefund(
  ctx: Ctx,
  { refundNo, amountFen, channel, words, settingsId }: FailedRefund,
): Promise<number> {
  return tellOwner(ctx, settingsId, {
    title: '退款失败',
    body: `${CHANNEL_NAMES[channel]}退款 ${formatCents(amountFen)} 元未退回（${refundNo}）：${words}`,
    link: `${PAGE}?view=refunds&search=${refundNo}`,
    args: { refundNo },
  })
}

export type DoubtfulEvent = {
  id: number
  channel: PayChannelName
  settingsId: number | null
  outTradeNo: string
  /** Why it is not believed; blank where it fits no payment of ours. */
  problem: string
}

/** Once, however often somebody looks at it again. */
export function tellEvent(
  ctx: Ctx,
  { id, channel, settingsId, outTradeNo, problem }: DoubtfulEvent,
): Promise<number> {
  return tellOwner(ctx, settingsId, {
    title: problem === '' ? '收到未匹配的支付' : '支付通知异常',
    body: `${CHANNEL_NAMES[channel]} ${outTradeNo}：${problem || '没有对应的支付单'}`,
    link: `${PAGE}?view=events&search=${encodeURIComponent(outTradeNo)}`,
    args: { eventId: id },
    onceKey: `payment-event ${id}`,
  })
}

type Comparison = { id: number; channel: PayChannelName; day: string }

/** Again only where their number is another. */
export function tellDifferences(
  ctx: Ctx,
  { id, channel, day }: Comparison,
  differences: number,
): Promise<number> {
  return tellOperator(ctx, {
    title: '对账有差异',
    body: `${CHANNEL_NAMES[channel]} ${day} 对账有 ${differences} 笔差异待处理`,
    link: `${PAGE}?view=differences&reconciliationId=${id}`,
    args: { reconciliationId: id },
    onceKey: `payment-differences ${id} ${differences}`,
  })
}

export function tellFailedComparison(
  ctx: Ctx,
  { id, channel, day }: Comparison,
  problem: string,
): Promise<number> {
  return tellOperator(ctx, {
    title: '对账失败',
    body: `${CHANNEL_NAMES[channel]} ${day} 的账单未能核对：${problem}`,
    link: `${PAGE}?view=bills&channel=${channel}&from=${day}&to=${day}`,
    args: { reconciliationId: id },
  })
}

const PAGE = '/admin/operations/payments'

type Trouble = Pick<Notice, 'title' | 'body' | 'link' | 'args' | 'onceKey'>

/** Of the vendor's account the operator is told, of an agent's own that agent, who alone can look into it. */
async function tellOwner(ctx: Ctx, settingsId: number | null, trouble: Trouble): Promise<number> {
  if (settingsId === null) return tellOperator(ctx, trouble)
  const [settings] = await ctx.db
    .select({ agentId: paymentSettings.agentId })
    .from(paymentSettings)
    .where(eq(paymentSettings.id, settingsId))
  if (!settings) return 0
  return notify(ctx, {
    ...trouble,
    agentId: settings.agentId,
    holding: 'paymentSettings.manage',
    topic: 'PaymentStatus_Notify',
    link: '/admin/account/settingPayFor',
  })
}

function tellOperator(ctx: Ctx, notice: Trouble): Promise<number> {
  return notify(ctx, {
    ...notice,
    vendor: 'operator',
    holding: 'paymentDesk.manage',
    topic: 'PaymentTrouble_Notify',
  })
}
