// An agent's own SMS credit, paid from outside: the packages on offer, the order, its completion and its refund. Of these
// orders `originalCents` and `totalCents` are fen of money, not tokens.
import { and, asc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import { post } from '#features/money/ledger/server.ts'
import { transferOf } from '#features/money/ledger/server-reversal.ts'
import { priceAt } from '#features/office/prices/server.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { SMS_ORDER_KINDS, SMS_ORDER_STEPS } from './rules.ts'
import { smsOrders, smsRechargePackages } from './tables.ts'

/** With its price in fen. */
type RechargePackage = typeof smsRechargePackages.$inferSelect & { priceFen: number }

const PRICE = priceAt('recharge', smsRechargePackages.id, 'pack')
const PACKAGE = { ...getTableColumns(smsRechargePackages), priceFen: sql<number>`${PRICE}`.mapWith(Number) }

/** Packages on offer, in their order. */
export function rechargePackages(ctx: Ctx): Promise<RechargePackage[]> {
  return ctx.db
    .select(PACKAGE)
    .from(smsRechargePackages)
    .where(and(smsRechargePackages.enabled, isNotNull(PRICE)))
    .orderBy(asc(smsRechargePackages.position), asc(smsRechargePackages.id))
}

type NewOrder = {
  orderNo: string
  /** Paid for. */
  pieces: number
  packageId: number | null
  price: {
    originalFen: number
    discountBasisPoints: number
    amountFen: number
    offer?: string
    bonus: number
  }
  /** By which the money is expected until it is there. */
  channel: PayChannelName
}

/** An order that waits for its money; it keeps what was shown. */
export async function createRechargeOrder(ctx: Ctx, order: NewOrder): Promise<void> {
  const { originalFen, discountBasisPoints, amountFen, offer = '', bonus } = order.price
  await ctx.db.insert(smsOrders).values({
    orderNo: order.orderNo,
    agentId: ctx.actor.agentId,
    merchantId: null,
    kind: 'recharge',
    rechargePackageId: order.packageId,
    name: SMS_ORDER_KINDS.recharge,
    pieces: order.pieces + bonus,
    bonusPieces: bonus,
    originalCents: originalFen,
    discountBasisPoints,
    offer,
    totalCents: amountFen,
    payMethod: order.channel,
    status: 'quoted',
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: sql`now()`,
  })
}

/** Credits the pieces and completes the order, once: throws where it is not waiting. */
export async function completeRecharge(ctx: Ctx, orderNo: string, channel: PayChannelName): Promise<void> {
  const [order] = await ctx.db
    .update(smsOrders)
    .set({ status: SMS_ORDER_STEPS.pay.to, payMethod: channel, paidAt: sql`now()` })
    .where(
      and(
        eq(smsOrders.orderNo, orderNo),
        eq(smsOrders.kind, 'recharge'),
        inArray(smsOrders.status, SMS_ORDER_STEPS.pay.from),
      ),
    )
    .returning()
  if (!order) throw new Error(`SMS order ${orderNo} does not wait for its payment`)
  const [transferId] = await post(ctx, [
    {
      kind: 'sms-recharge',
      asset: 'sms',
      amount: order.pieces,
      from: { kind: 'vendor', book: 'sms-supplier' },
      to: { kind: 'agent', id: order.agentId },
      document: orderNo,
      payMethod: channel,
      agentId: order.agentId,
      description: SMS_ORDER_KINDS.recharge,
    },
  ])
  await ctx.db
    .update(smsOrders)
    .set({
      smsBefore: agentBalance(transferId, 'balance_before'),
      smsAfter: agentBalance(transferId, 'balance_after'),
    })
    .where(eq(smsOrders.id, order.id))
}

function agentBalance(transferId: number | undefined, column: 'balance_before' | 'balance_after') {
  return sql<number>`(
    select e.${sql.identifier(column)} from ledger_entries e join ledger_accounts a on a.id = e.account_id
    where e.transfer_id = ${transferId} and a.owner_kind = 'agent')`
}

/** Takes the pieces back from the agent, once; refuses SMS_INSUFFICIENT where it holds them no more. */
export async function refundRecharge(ctx: Ctx, orderNo: string, remark: string): Promise<void> {
  const [order] = await ctx.db
    .update(smsOrders)
    .set({
      status: SMS_ORDER_STEPS.refund.to,
      undoneAt: sql`now()`,
      undoneBy: ctx.actor.accountId,
      undoneByName: ctx.actor.name,
      undoneReason: remark,
    })
    .where(
      and(
        eq(smsOrders.orderNo, orderNo),
        eq(smsOrders.kind, 'recharge'),
        inArray(smsOrders.status, SMS_ORDER_STEPS.refund.from),
        ownRows(ctx, smsOrders.agentId),
      ),
    )
    .returning()
  if (!order) throw new Error(`SMS order ${orderNo} is not paid`)
  const [transferId] = await post(ctx, [
    {
      kind: 'recharge-refund',
      asset: 'sms',
      amount: order.pieces,
      from: { kind: 'agent', id: order.agentId },
      to: { kind: 'vendor', book: 'sms-supplier' },
      document: orderNo,
      payMethod: order.payMethod,
      agentId: order.agentId,
      description: `${SMS_ORDER_KINDS.recharge}退款`,
      remark,
      reversesId: await transferOf(ctx, orderNo, 'sms-recharge'),
    },
  ])
  await ctx.db
    .update(smsOrders)
    .set({
      changedAt: sql`now()`,
      changeBefore: agentBalance(transferId, 'balance_before'),
      changeAfter: agentBalance(transferId, 'balance_after'),
    })
    .where(eq(smsOrders.id, order.id))
}
