// A quote that nobody will pay is taken away before the hourly clearing does it.

import { and, eq } from 'drizzle-orm'
import { amountText } from '#kit/money.ts'
import type { Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { orders as contract } from './contract.ts'
import { DISCARD_REFUSALS, refuseDiscard } from './rules.ts'
import { versionOrders } from './tables.ts'

/** Also vendor staff discard only what their own agent asked the price of. */
export const discardOrder: Verb<typeof contract.discard> = async (ctx, { orderNo }) => {
  const own = and(eq(versionOrders.orderNo, orderNo), eq(versionOrders.agentId, ctx.actor.agentId))
  const [row] = await ctx.db.select().from(versionOrders).where(own).for('update')
  const order = found(row)
  refuse(refuseDiscard(order), DISCARD_REFUSALS)
  ctx.object('order', orderNo)
  ctx.about(order.agentId, order.merchantId)
  await ctx.db.delete(versionOrders).where(own)
  ctx.note(`版本订单 ${orderNo}`, [
    { name: '订单内容', before: order.content, after: null },
    { name: '结算', before: amountText(order.totalCents, '代币'), after: null },
  ])
  return { orderNo }
}
