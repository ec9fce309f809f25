// What an intent pays: an SMS order, a token order, or what a later feature sells. Made with it, credited once it is paid, taken
// back by a refund.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { post } from '#features/money/ledger/server.ts'
import { transferOf } from '#features/money/ledger/server-reversal.ts'
import { completeRecharge, refundRecharge } from '#features/sales/sms/server-recharge.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type Ctx, ownRows, type PaidAssetOf, type PaidOrder } from '#server/ctx.ts'
import { type PaidAsset, type RechargePrice, TOKEN_ORDER_STEPS } from './rules.ts'
import { type paymentIntents, tokenOrders } from './tables.ts'

export async function createTokenOrder(
  ctx: Ctx,
  { orderNo, tokenCents, price }: { orderNo: string; tokenCents: number; price: RechargePrice },
): Promise<void> {
  await ctx.db.insert(tokenOrders).values({
    orderNo,
    tokenCents: tokenCents + price.bonus,
    bonusCents: price.bonus,
    amountFen: price.amountFen,
    offer: price.offer ?? '',
    agentId: ctx.actor.agentId,
    status: 'quoted',
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: sql`now()`,
  })
}

/** What payments themselves sell. */
export const PAID = {
  sms: {
    credit: (ctx, { orderNo }, channel) => completeRecharge(ctx, orderNo, channel),
    takeBack: (ctx, { orderNo }, remark) => refundRecharge(ctx, orderNo, remark),
  },
  token: {
    credit: (ctx, { orderNo }, channel) => completeTokens(ctx, orderNo, channel),
    takeBack: (ctx, { orderNo }, remark) => refundTokens(ctx, orderNo, remark),
  },
} as const satisfies Partial<Record<PaidAsset, PaidAssetOf>>

type Intent = typeof paymentIntents.$inferSelect

/** Gives what was paid for, once: throws where the order does not wait for its payment. */
export function creditOrder(ctx: Ctx, intent: Intent, channel: PayChannelName): Promise<void> {
  return paidBy(ctx, intent).credit(ctx, orderOf(intent), channel)
}

/** Takes it back; refuses where it is gone. */
export function takeBackOrder(ctx: Ctx, intent: Intent, remark: string): Promise<void> {
  return paidBy(ctx, intent).takeBack(ctx, orderOf(intent), remark)
}

function paidBy(ctx: Ctx, { asset }: Intent): PaidAssetOf {
  const paid = ctx.services.paid[asset]
  if (!paid) throw new Error(`no feature credits ${asset}`)
  return paid
}

function orderOf({ id: intentId, orderNo, agentId, payeeAgentId, amountFen }: Intent): PaidOrder {
  return { intentId, orderNo, agentId, payeeAgentId, amountFen }
}

async function completeTokens(ctx: Ctx, orderNo: string, channel: PayChannelName): Promise<void> {
  const [order] = await ctx.db
    .update(tokenOrders)
    .set({ status: TOKEN_ORDER_STEPS.pay.to, payMethod: channel, paidAt: sql`now()` })
    .where(and(eq(tokenOrders.orderNo, orderNo), inArray(tokenOrders.status, TOKEN_ORDER_STEPS.pay.from)))
    .returning()
  if (!order) throw new Error(`token order ${orderNo} does not wait for its payment`)
  await post(ctx, [
    {
      kind: 'token-recharge',
      asset: 'token',
      amount: order.tokenCents,
      from: { kind: 'vendor', book: 'issued' },
      to: { kind: 'agent', id: order.agentId },
      document: orderNo,
      payMethod: channel,
      agentId: order.agentId,
      description: '代币充值',
    },
  ])
}

async function refundTokens(ctx: Ctx, orderNo: string, remark: string): Promise<void> {
  const [order] = await ctx.db
    .update(tokenOrders)
    .set({ status: TOKEN_ORDER_STEPS.refund.to })
    .where(
      and(
        eq(tokenOrders.orderNo, orderNo),
        inArray(tokenOrders.status, TOKEN_ORDER_STEPS.refund.from),
        ownRows(ctx, tokenOrders.agentId),
      ),
    )
    .returning()
  if (!order?.payMethod) throw new Error(`token order ${orderNo} is not paid`)
  await post(ctx, [
    {
      kind: 'recharge-refund',
      asset: 'token',
      amount: order.tokenCents,
      from: { kind: 'agent', id: order.agentId },
      to: { kind: 'vendor', book: 'issued' },
      document: orderNo,
      payMethod: order.payMethod,
      agentId: order.agentId,
      description: '代币充值退款',
      remark,
      reversesId: await transferOf(ctx, orderNo, 'token-recharge'),
    },
  ])
}
