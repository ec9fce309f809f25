// An agent's own SMS credit, paid from outside: the packages on offer, the order, its completion and its refund. Of these
// orders `originalCents` and `totalCents` are fen of money, not tokens.
import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { post } from '#features/ledger/server.ts'
import { transferOf } from '#features/ledger/server-reversal.ts'
import { beginPrice, priceAt } from '#features/prices/server.ts'
import type { PayChannelName } from '#kit/channels.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { SMS_ORDER_KINDS, SMS_ORDER_STEPS } from './rules.ts'
import { smsOrders, smsRechargePackages } from './tables.ts'

/** With its price in fen. */
export type RechargePackage = typeof smsRechargePackages.$inferSelect & { priceFen: number }

const PACKAGE = {
  ...getTableColumns(smsRechargePackages),
  priceFen: sql<number>`${priceAt('recharge', smsRechargePackages.id, 'pack')}`.mapWith(Number),
}

export function rechargePackages(ctx: Ctx): Promise<RechargePackage[]> {
  return ctx.db
    .select(PACKAGE)
    .from(smsRechargePackages)
    .orderBy(asc(smsRechargePackages.position), asc(smsRechargePackages.id))
}

/** Adds a package where `id` is null; else changes it. Answers it with what it was. */
export async function saveRechargePackage(
  ctx: Ctx,
  { id, priceFen, ...pack }: Omit<RechargePackage, 'id'> & { id: number | null },
): Promise<{ before: RechargePackage | null; after: RechargePackage }> {
  if (id === null) {
    // The table has few rows and no counter of ids.
    await ctx.client.query('lock table sms_recharge_packages in share row exclusive mode')
    const nextId = sql<number>`(select coalesce(max(id), 0) + 1 from sms_recharge_packages)`
    const [after] = await ctx.db
      .insert(smsRechargePackages)
      .values({ ...pack, id: nextId })
      .returning()
    await beginPrice(ctx, packPrice(found(after).id, priceFen))
    return { before: null, after: { ...found(after), priceFen } }
  }
  const [before] = await ctx.db
    .select(PACKAGE)
    .from(smsRechargePackages)
    .where(eq(smsRechargePackages.id, id))
    .for('update')
  if (found(before).priceFen !== priceFen) await beginPrice(ctx, packPrice(id, priceFen))
  const [after] = await ctx.db
    .update(smsRechargePackages)
    .set(pack)
    .where(eq(smsRechargePackages.id, id))
    .returning()
  return { before: found(before), after: { ...found(after), priceFen } }
}

const packPrice = (item: number, cents: number) => ({ book: 'recharge', item, part: 'pack', cents }) as const

/** An order that waits for its money. `channel`: by which it is expected until it is paid. */
export async function createRechargeOrder(
  ctx: Ctx,
  order: { orderNo: string; pieces: number; amountFen: number; channel: PayChannelName },
): Promise<void> {
  await ctx.db.insert(smsOrders).values({
    orderNo: order.orderNo,
    agentId: ctx.actor.agentId,
    merchantId: null,
    kind: 'recharge',
    name: SMS_ORDER_KINDS.recharge,
    pieces: order.pieces,
    originalCents: order.amountFen,
    discountBasisPoints: 10_000,
    totalCents: order.amountFen,
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
