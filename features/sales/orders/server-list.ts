// The list of version orders (D2 screen 12).
import { and, asc, eq } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { serve } from '#server/serve.ts'
import { orders as contract } from './contract.ts'
import { ACTORS_MAX, UNDO_DAYS, undoOfferOf } from './rules.ts'
import { discardOrder } from './server-discard.ts'
import { setOrderRemark } from './server-remark.ts'
import { orderList, ordersAndSum } from './server-rows.ts'

export const listOrders: Verb<typeof contract.list> = async (ctx, input) => {
  const { page, size, ...filters } = input
  const orders = await orderList(ctx, filters)
  const answer = await ordersAndSum(ctx, orders.list, { page, size })
  const now = ctx.now.toISOString()
  const days = await settingOf(ctx, UNDO_DAYS)
  const undoOf = ({ status, paidAt }: (typeof answer.rows)[number]) =>
    status === 'quoted'
      ? null
      : undoOfferOf({ isPaid: paidAt !== null, isUndone: status === 'recycled', paidAt }, now, days)
  return {
    ...answer,
    rows: answer.rows.map(row => ({ ...row, undo: undoOf(row) })),
    shopsCapped: orders.shopsCapped,
  }
}

export const orderActors: Verb<typeof contract.actors> = async (ctx, input) => {
  const agentId = input.agentId ?? ctx.actor.agentId
  const rows = await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(and(eq(accounts.agentId, agentId), ownRows(ctx, accounts.agentId)))
    .orderBy(asc(accounts.id))
    .limit(ACTORS_MAX)
  return { rows }
}

export const ordersRouter = serve(contract, {
  list: listOrders,
  actors: orderActors,
  setRemark: setOrderRemark,
  discard: discardOrder,
})
