import { and, eq } from 'drizzle-orm'
import { changesOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { orders as contract } from './contract.ts'
import { ORDER_FIELDS } from './fields.ts'
import { REMARK_REFUSALS, refuseOrderRemark } from './rules.ts'
import { versionOrders } from './tables.ts'

export const setOrderRemark: Verb<typeof contract.setRemark> = async (ctx, { orderNo, remark }) => {
  refuse(refuseOrderRemark(remark), REMARK_REFUSALS, { field: 'remark' })
  const own = and(eq(versionOrders.orderNo, orderNo), ownRows(ctx, versionOrders.agentId))
  const [row] = await ctx.db
    .select({
      remark: versionOrders.remark,
      merchantId: versionOrders.merchantId,
      agentId: versionOrders.agentId,
    })
    .from(versionOrders)
    .where(own)
    .for('update')
  const before = found(row)
  ctx.object('order', orderNo)
  ctx.about(before.agentId, before.merchantId)
  await ctx.db.update(versionOrders).set({ remark }).where(own)
  ctx.note(
    `版本订单 ${orderNo}`,
    changesOf<{ remark: string }>(before, { remark }, { remark: ORDER_FIELDS.remark }),
  )
  return { orderNo, remark }
}
