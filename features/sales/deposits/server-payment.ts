// How a deposit is paid: begun by whoever has its address, held once it is paid, given back where it was not to be paid any more.
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { agents } from '#features/office/agents/tables.ts'
import { triesOf } from '#features/office/captcha/server-tries.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { refundPart } from '#features/sales/payments/server-refunds.ts'
import { openIntent } from '#features/sales/payments/server-start.ts'
import { paymentIntents } from '#features/sales/payments/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { amountText } from '#kit/money.ts'
import type { Ctx, PaidAssetOf, Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { systemOf } from '#server/system.ts'
import type { deposits as contract } from './contract.ts'
import {
  DEPOSIT_PAYMENT_STEPS,
  DEPOSIT_REQUEST_STEPS,
  DEPOSIT_STEPS,
  LEAST_SECONDS,
  PAY_REFUSALS,
  PAYMENTS_PER_HOUR,
  refusePay,
  UNKNOWN_CODES,
} from './rules.ts'
import { type Deposit, depositOf, tell } from './server-steps.ts'
import { depositPayments, depositRequests, deposits } from './tables.ts'

/** NOT_FOUND for an address that is nobody's; THROTTLED for a network that has tried many. */
async function openedBy(ctx: Ctx, code: string, lock = false) {
  const tries = triesOf(ctx, 'deposits', UNKNOWN_CODES.minutes)
  if (tries.count >= UNKNOWN_CODES.perNetwork) refuseCommon('THROTTLED')
  const query = ctx.db
    .select({ deposit: deposits, shopName: merchants.shopName })
    .from(deposits)
    .innerJoin(merchants, eq(merchants.id, deposits.merchantId))
    .where(eq(deposits.code, code))
  const [row] = await (lock ? query.for('update', { of: deposits }) : query)
  if (row) return row
  tries.count += 1
  refuseCommon('NOT_FOUND')
}

export const readPage: Verb<typeof contract.page> = async (ctx, { code }) => {
  const { deposit, shopName } = await openedBy(ctx, code)
  const [vendor] = await ctx.db
    .select({ name: agents.companyName })
    .from(agents)
    .where(eq(agents.isOperator, true))
    .orderBy(agents.id)
    .limit(1)
  // Whoever looks has the background look too.
  if (deposit.state === 'waiting') ctx.services.wake('payments')
  const { subject, amountFen, state, paidAt } = deposit
  return { shopName, subject, amountFen, state, paidAt, payee: vendor?.name ?? '' }
}

/** One after the other, so that a second press shows the first one's order. */
export const pay: Verb<typeof contract.pay> = async (ctx, { code }) => {
  const { deposit, shopName } = await openedBy(ctx, code, true)
  refuse(refusePay(deposit.state), PAY_REFUSALS)
  const open = await openPayment(ctx, deposit.id)
  if (open) {
    ctx.nothingChanged()
    return { payUrl: `${ctx.services.baseUrl()}/c/${open.token}` }
  }
  const begun = await ctx.db.$count(
    depositPayments,
    and(
      eq(depositPayments.depositId, deposit.id),
      gt(depositPayments.createdAt, sql`now() - interval '1 hour'`),
    ),
  )
  if (begun >= PAYMENTS_PER_HOUR) refuse('PAYMENTS_TOO_MANY', PAY_REFUSALS)
  const { id: depositId, agentId, merchantId, amountFen } = deposit
  const orderNo = await nextDocumentNo(ctx)
  const { queryId, payUrl } = await openIntent(ctx, {
    ...{ asset: 'deposit', orderNo, amountFen, agentId, payeeAgentId: null },
    ...{ accountId: 0, accountName: shopName, subject: `${shopName} 押金：${deposit.subject}` },
  })
  await ctx.db.insert(depositPayments).values({
    ...{ depositId, agentId, merchantId, orderNo, intentId: queryId },
    state: 'waiting',
    createdAt: sql`now()`,
  })
  ctx.about(agentId, merchantId)
  ctx.note(
    `${shopName} (${merchantId})`,
    [
      { name: '押金单号', before: null, after: deposit.orderNo },
      { name: '金额', before: null, after: amountText(amountFen, '元') },
    ],
    { ...systemOf({ agentId }), name: shopName },
  )
  return { payUrl }
}

/** The order that can still be paid. */
async function openPayment(ctx: Ctx, depositId: number): Promise<{ token: string } | undefined> {
  const [open] = await ctx.db
    .select({ token: paymentIntents.token })
    .from(depositPayments)
    .innerJoin(paymentIntents, eq(paymentIntents.id, depositPayments.intentId))
    .where(
      and(
        eq(depositPayments.depositId, depositId),
        eq(paymentIntents.status, 'waiting'),
        gt(paymentIntents.expiresAt, sql`now() + make_interval(secs => ${LEAST_SECONDS})`),
      ),
    )
    .orderBy(desc(depositPayments.id))
    .limit(1)
  return open
}

/** What payments call when money came for a deposit, or went back; inside their own transaction. */
export const paidDeposit: PaidAssetOf = {
  async credit(ctx, { intentId, orderNo, amountFen }, payMethod) {
    const [payment] = await ctx.db
      .select({ depositId: depositPayments.depositId })
      .from(depositPayments)
      .where(eq(depositPayments.orderNo, orderNo))
    const { depositId } = found(payment)
    const { from, to } = DEPOSIT_STEPS.pay
    const [held] = await ctx.db
      .update(deposits)
      .set({ state: to, heldFen: amountFen, intentId, payMethod, paidAt: sql`now()` })
      .where(and(eq(deposits.id, depositId), inArray(deposits.state, from)))
      .returning()
    await endPayment(ctx, orderNo, held ? 'pay' : 'return')
    if (held) await hold(ctx, held)
    else await sendBack(ctx, await depositOf(ctx, depositId), { intentId, amountFen })
  },
  async takeBack(_ctx, { orderNo }) {
    // Payments refuse it before, in words that lead to where it is done.
    throw new Error(`the deposit that ${orderNo} paid goes back by a request`)
  },
  async refunded(ctx, { id, state }) {
    const { from, to } = DEPOSIT_REQUEST_STEPS[state === 'done' ? 'finish' : 'fail']
    const [request] = await ctx.db
      .update(depositRequests)
      .set({ state: to, ...(state === 'done' ? { doneAt: sql`now()` } : {}) })
      .where(and(eq(depositRequests.refundId, id), inArray(depositRequests.state, from)))
      .returning()
    if (!request) return
    const deposit = await depositOf(ctx, request.depositId)
    const amount = amountText(request.amountFen, '元')
    if (state === 'done') return tell(ctx, deposit, '押金已退回', [deposit.subject, `${amount}已原路退回`])
    await notify(ctx, {
      ...{ vendor: 'staff', holding: 'deposits.decide', merchantId: deposit.merchantId },
      topic: 'PaymentTrouble_Notify',
      title: '押金原路退款失败',
      body: `${deposit.subject}：${amount}未能原路退回，请重试退款或线下退款后登记回单号`,
      link: `/admin/tool/importDeposit?id=${deposit.id}`,
      args: { depositId: deposit.id },
    })
  },
}

async function endPayment(
  ctx: Ctx,
  orderNo: string,
  step: keyof typeof DEPOSIT_PAYMENT_STEPS,
): Promise<void> {
  const { from, to } = DEPOSIT_PAYMENT_STEPS[step]
  await ctx.db
    .update(depositPayments)
    .set({ state: to })
    .where(and(eq(depositPayments.orderNo, orderNo), inArray(depositPayments.state, from)))
}

async function hold(ctx: Ctx, deposit: Deposit): Promise<void> {
  const { id, orderNo, agentId, merchantId, amountFen, subject, payMethod, askedBy } = deposit
  const amount = amountText(amountFen, '元')
  await tell(ctx, deposit, '押金已收取', [subject, amount])
  await notify(ctx, {
    accountIds: [askedBy],
    topic: 'PaymentStatus_Notify',
    title: '押金已收取',
    body: `${subject}：${amount}`,
    link: `/admin/tool/importDeposit?id=${id}`,
    args: { depositId: id },
  })
  await post(ctx, [
    {
      kind: 'deposit-paid',
      asset: 'deposit',
      amount: amountFen,
      from: { kind: 'vendor', book: 'payment-clearing' },
      to: { kind: 'merchant', id: merchantId },
      document: orderNo,
      merchantId,
      payMethod: found(payMethod ?? undefined),
      agentId,
      description: `押金收取：${subject}`,
    },
  ])
}

/** Paid a second time, or after it was called off: nothing is held of it, and all goes back the way it came. */
async function sendBack(
  ctx: Ctx,
  deposit: Deposit,
  { intentId, amountFen }: { intentId: string; amountFen: number },
): Promise<void> {
  const isCancelled = deposit.state === 'cancelled'
  const reason = isCancelled ? 'cancelled' : 'second'
  await refundPart(ctx, { intentId, amountFen, reason, remark: '' })
  await tell(ctx, deposit, '押金支付已退回', [
    deposit.subject,
    `${amountText(amountFen, '元')}，${isCancelled ? '押金已取消' : '押金此前已支付'}，款项将原路退回`,
  ])
}
