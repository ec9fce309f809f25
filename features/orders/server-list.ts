// The list of version orders (D2 screen 12), and the same for paper.
import { and, asc, eq } from 'drizzle-orm'
import { accounts } from '#features/access/tables.ts'
import type { In, Out } from '#kit/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { orders as contract } from './contract.ts'
import { ACTORS_MAX, PRINT_ROWS_MAX } from './rules.ts'
import { discardOrder } from './server-discard.ts'
import { setOrderRemark } from './server-remark.ts'
import { orderList, ordersAndSum } from './server-rows.ts'

export const listOrders: Verb<typeof contract.list> = async (ctx, input) => {
  const { page, size, ...filters } = input
  const orders = await orderList(ctx, filters)
  return { ...(await ordersAndSum(ctx, orders.list, { page, size })), shopsCapped: orders.shopsCapped }
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

/** The first rows of what is filtered, with who prints it and when. */
export async function printableOrders(
  ctx: Ctx,
  filters: In<typeof contract.printable>,
): Promise<Out<typeof contract.printable>> {
  const { list, shopsCapped } = await orderList(ctx, filters)
  const answer = await ordersAndSum(ctx, list, { page: 1, size: PRINT_ROWS_MAX })
  const { companyName, name } = ctx.actor
  return { ...answer, shopsCapped, companyName, printedBy: name, printedAt: new Date().toISOString() }
}

export const ordersRouter = serve(contract, {
  list: listOrders,
  actors: orderActors,
  printable: printableOrders,
  setRemark: setOrderRemark,
  discard: discardOrder,
})
