// What the operator does about payments: have a channel asked, refund, look at a callback again, compare with a bill.

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { RECHARGE_ITEM } from '#features/office/prices/rules.ts'
import { beginPrice } from '#features/office/prices/server.ts'
import { nextState } from '#kit/declare/machine.ts'
import { amountText } from '#kit/money.ts'
import { PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { refuseSecond } from '#server/office/second.ts'
import { found, Refusal, refuse, staffAlone } from '#server/refuse.ts'
import {
  CHANNEL_NAMES,
  EVENT_STATUSES,
  EVENT_STEPS,
  type EventStatus,
  RECONCILE_REFUSALS,
  RECONCILIATION_STATUSES,
  RECONCILIATION_STEPS,
  REFUND_REFUSALS,
  REFUND_STATUSES,
  REFUND_STEPS,
  type RefundStatus,
  refundNoOf,
  refuseBillDay,
  refuseNote,
  refuseRefund,
  refuseRefundReason,
} from './rules.ts'
import { tellRefund } from './server-notices.ts'
import { takeBackOrder } from './server-orders.ts'
import { lockIntent } from './server-settle.ts'
import { askNow, pricesOf } from './server-start.ts'
import {
  agentPayChannels,
  paymentAttempts,
  paymentDifferences,
  paymentIntents,
  paymentReconciliations,
  paymentRefunds,
  providerEvents,
} from './tables.ts'

export async function ask(ctx: Ctx, input: { id: string }): Promise<{ attempts: number }> {
  const [row] = await ctx.db
    .select()
    .from(paymentIntents)
    .where(and(eq(paymentIntents.id, input.id), ownRows(ctx, paymentIntents.agentId)))
  const intent = found(row)
  ctx.object('payment', intent.id)
  ctx.note(`${intent.subject} (${intent.id})`)
  return { attempts: await askNow(ctx, intent.id, 'at once') }
}

/** The credit goes back first: where the agent holds it no more, nothing is refunded. */
export async function refund(
  ctx: Ctx,
  input: { id: string; reason: string },
): Promise<{ refundNo: string; amountFen: number }> {
  refuse(refuseRefundReason(input.reason), REFUND_REFUSALS, { field: 'reason' })
  const intent = found(await lockIntent(ctx, input.id))
  const [paid] = await ctx.db
    .select({ attempt: paymentAttempts, refundId: paymentRefunds.id })
    .from(paymentAttempts)
    .leftJoin(paymentRefunds, eq(paymentRefunds.attemptId, paymentAttempts.id))
    .where(
      and(
        eq(paymentAttempts.intentId, intent.id),
        eq(paymentAttempts.channel, sql`${intent.paidBy}`),
        eq(paymentAttempts.status, 'paid'),
      ),
    )
  refuse(
    refuseRefund({
      status: intent.status,
      isRefunded: (paid?.refundId ?? null) !== null,
      asset: intent.asset,
    }),
    REFUND_REFUSALS,
  )
  const { attempt } = found(paid)
  const refundNo = refundNoOf(attempt.outTradeNo)
  await ctx.db.insert(paymentRefunds).values({
    attemptId: attempt.id,
    agentId: attempt.agentId,
    refundNo,
    amountFen: attempt.amountFen,
    reason: 'operator',
    remark: input.reason,
    status: 'wanted',
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: sql`now()`,
    askAt: sql`now()`,
  })
  ctx.object('payment', intent.id)
  ctx.object('order', intent.orderNo)
  ctx.about(intent.agentId)
  ctx.note(`${intent.subject} (${intent.id})`, [
    { name: '退款单号', before: null, after: refundNo },
    { name: '金额', before: null, after: amountText(attempt.amountFen, '元') },
    { name: '原因', before: null, after: input.reason },
  ])
  ctx.afterCommit(() => ctx.services.wake('payments'))
  await tellRefund(ctx, intent, attempt, input.reason)
  await takeBack(ctx, intent, input.reason)
  return { refundNo, amountFen: attempt.amountFen }
}

async function takeBack(ctx: Ctx, intent: typeof paymentIntents.$inferSelect, reason: string): Promise<void> {
  try {
    await takeBackOrder(ctx, intent, reason)
  } catch (error) {
    if (!(error instanceof Refusal) || !['INSUFFICIENT', 'SMS_INSUFFICIENT'].includes(error.code)) throw error
    throw new Refusal('CREDIT_SPENT', REFUND_REFUSALS.CREDIT_SPENT, error.data)
  }
}

/** Its channel has refused it before, so that it is known not to be under way: it is sent as it was. */
export async function retryRefund(ctx: Ctx, input: { id: number }): Promise<{ status: RefundStatus }> {
  const [refund] = await ctx.db
    .select()
    .from(paymentRefunds)
    .where(and(eq(paymentRefunds.id, input.id), ownRows(ctx, paymentRefunds.agentId)))
    .for('update')
  const { status, refundNo, attemptId } = found(refund)
  const { from, to } = REFUND_STEPS.retry
  if (nextState(REFUND_STEPS, status, 'retry') === null) refuse('REFUND_NOT_FAILED', REFUND_REFUSALS)
  await ctx.db
    .update(paymentRefunds)
    .set({ status: to, asked: 0, askAt: sql`now()` })
    .where(and(eq(paymentRefunds.id, input.id), inArray(paymentRefunds.status, from)))
  const [attempt] = await ctx.db
    .select({ intentId: paymentAttempts.intentId })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.id, attemptId))
  ctx.object('payment', found(attempt).intentId)
  ctx.note(refundNo, [{ name: '状态', before: REFUND_STATUSES[status], after: REFUND_STATUSES[to] }])
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return { status: to }
}

export async function retryEvent(ctx: Ctx, input: { id: number }): Promise<{ status: EventStatus }> {
  const [event] = await ctx.db
    .select()
    .from(providerEvents)
    .where(and(eq(providerEvents.id, input.id), staffOnly(ctx)))
  const { channel, eventId, outTradeNo, status } = found(event)
  const [again] = await ctx.db
    .update(providerEvents)
    .set({ status: EVENT_STEPS.retry.to, problem: '', processedAt: null })
    .where(and(eq(providerEvents.id, input.id), inArray(providerEvents.status, EVENT_STEPS.retry.from)))
    .returning({ status: providerEvents.status })
  if (!again) ctx.nothingChanged()
  const attempts = await ctx.db
    .select({ intentId: paymentAttempts.intentId })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.outTradeNo, outTradeNo))
  ctx.object('callback', input.id)
  ctx.object('payment', ...attempts.map(({ intentId }) => intentId))
  ctx.note(`${CHANNEL_NAMES[channel]} ${eventId}`, [
    { name: '状态', before: EVENT_STATUSES[status], after: EVENT_STATUSES[EVENT_STEPS.retry.to] },
  ])
  ctx.afterCommit(() => ctx.services.wake('callbacks'))
  return { status: again?.status ?? status }
}

/** The bill is fetched in the background; a day may be compared as often as one likes. */
export async function reconcile(
  ctx: Ctx,
  input: { channel: PayChannelName; day: string },
): Promise<{ id: number }> {
  staffAlone(ctx)
  if (!ctx.services.providers.pay[input.channel]) refuse('CHANNEL_UNKNOWN', RECONCILE_REFUSALS)
  const { rows } = await ctx.client.query<{ today: string }>(
    `select to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as today`,
  )
  refuse(refuseBillDay(input.day, rows[0]?.today ?? ''), RECONCILE_REFUSALS, { field: 'day' })
  const { to: status } = RECONCILIATION_STEPS.want
  const again = { status, problem: '', wantedAt: sql`now()`, askAt: sql`now()`, asked: 0 }
  const [row] = await ctx.db
    .insert(paymentReconciliations)
    .values({ channel: input.channel, day: input.day, ...again })
    .onConflictDoUpdate({ target: [paymentReconciliations.channel, paymentReconciliations.day], set: again })
    .returning({ id: paymentReconciliations.id })
  ctx.note(`${CHANNEL_NAMES[input.channel]} ${input.day}`, [
    { name: '状态', before: null, after: RECONCILIATION_STATUSES[status] },
  ])
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return { id: found(row).id }
}

export async function resolveDifference(
  ctx: Ctx,
  input: { id: number; note: string; seen: string },
): Promise<{ id: number }> {
  refuse(refuseNote(input.note), RECONCILE_REFUSALS, { field: 'note' })
  const [before] = await ctx.db
    .select()
    .from(paymentDifferences)
    .where(and(eq(paymentDifferences.id, input.id), staffOnly(ctx)))
    .for('update')
  const { outTradeNo, resolution, resolvedByName } = found(before)
  if (resolution !== input.seen)
    await refuseSecond(ctx, 'RESOLVED_ALREADY', RECONCILE_REFUSALS, { name: resolvedByName })
  await ctx.db
    .update(paymentDifferences)
    .set({ resolution: input.note, resolvedByName: ctx.actor.name, resolvedAt: sql`now()` })
    .where(eq(paymentDifferences.id, input.id))
  ctx.note(outTradeNo, [{ name: '处理说明', before: resolution || null, after: input.note }])
  return { id: input.id }
}

/** First wall of what belongs to no agent: the vendor's staff alone may look at it. */
export function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

/** What topping up costs, in fen. */
export async function savePrices(
  ctx: Ctx,
  prices: { tokenFen: number; smsHundredFen: number },
): Promise<void> {
  const before = await pricesOf(ctx)
  for (const part of ['token', 'smsHundred'] as const) {
    const cents = prices[`${part}Fen`]
    if (cents !== before[`${part}Fen`])
      await beginPrice(ctx, { book: 'recharge', item: RECHARGE_ITEM, part, cents })
  }
}

/** The channels that an agent is offered, in place of those before; null: as to everybody. Two such calls wait for each other. */
export async function saveChannels(
  ctx: Ctx,
  agentId: number,
  wanted: Readonly<Record<PayChannelName, boolean | null>>,
): Promise<void> {
  await ctx.db.delete(agentPayChannels).where(eq(agentPayChannels.agentId, agentId))
  const rows = PAY_CHANNELS.flatMap(channel => {
    const enabled = wanted[channel]
    return enabled === null ? [] : [{ agentId, channel, enabled }]
  })
  if (rows.length > 0) await ctx.db.insert(agentPayChannels).values(rows)
}
