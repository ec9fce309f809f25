// What is left of an agent's own orders: the price of their time, times what was bought, as the order keeps it, less what was charged. A
// renewal that its shop paid online has what the shop paid for its price.
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { CONTENT } from '#features/sales/orders/server-rows.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import { endOfDay, startOfDay } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  filtered,
  type ListSource,
  type PageIds,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { type margins as contract, marginDownloads } from './contract.ts'
import { MARGINS } from './fields.ts'
import { ofActingAgent } from './server-prices.ts'
import { sellingPrices } from './tables.ts'

/** In fen: what the shop itself paid online, else the agent's price of then; null where none was set. */
const SELLING = sql<number | null>`coalesce(${versionOrders.shopPaidFen}, ${versionOrders.sellingFen})`
/** A token counts as a yuan. */
const PROFIT = sql<number | null>`${SELLING} - ${versionOrders.totalCents}`

const LATEST = [desc(versionOrders.paidAt), desc(versionOrders.id)]
const PRICED: Condition = {
  key: 'priced',
  sql: sql`(${versionOrders.sellingFen} is not null or ${versionOrders.shopPaidFen} is not null)`,
}
const UNPRICED: Condition = { key: 'unpriced', sql: sql`${SELLING} is null` }
const PAID: Condition = {
  key: 'stands',
  sql: sql`${versionOrders.paidAt} is not null and ${versionOrders.status} = 'paid'`,
  onePlan: true,
}

const SUMS = {
  sellingFen: SELLING,
  totalCents: sql`case when ${SELLING} is not null then ${versionOrders.totalCents} end`,
  profitFen: PROFIT,
  unpriced: sql`case when ${SELLING} is null then 1 end`,
}

const whole = (value: unknown) => (value === null ? null : Number(value))
const ROW = {
  id: versionOrders.id,
  orderNo: versionOrders.orderNo,
  merchantId: versionOrders.merchantId,
  shopName: merchants.shopName,
  salesType: versionOrders.salesType,
  content: CONTENT,
  versionId: versionOrders.versionId,
  sellingFen: sql<number | null>`${SELLING}`.mapWith(whole).as('selling_fen'),
  totalCents: versionOrders.totalCents,
  profitFen: sql<number | null>`${PROFIT}`.mapWith(whole).as('profit_fen'),
  paidAt: versionOrders.paidAt,
}

export const listMargins: Verb<typeof contract.orders> = (ctx, input) => {
  const list = listOf(ctx, input)
  const ofPage = (page: PageIds) =>
    select(ctx, page)
      .innerJoin(page, eq(page.id, versionOrders.id))
      .orderBy(...LATEST)
  return rowsAndSums(ctx, list, input, ofPage, SUMS)
}

type Filters = Omit<DownloadIn<typeof marginDownloads.orders>, 'columns'>

function listOf(ctx: Ctx, filters: Filters): ListSource {
  const conditions = [
    ofActingAgent(ctx, versionOrders.agentId),
    PAID,
    ...filtered(MARGINS, filters, {
      priced: isPriced => [isPriced ? PRICED : UNPRICED],
      paid: versionOrders.paidAt,
    }),
  ]
  return { name: 'margins', table: versionOrders, conditions, sort: 'paid', order: LATEST }
}

function select(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(versionOrders)
    .leftJoin(
      merchants,
      and(eq(merchants.id, versionOrders.merchantId), eq(merchants.agentId, versionOrders.agentId)),
    )
    .$dynamic()
}

export const marginsDownload = serveDownload(marginDownloads.orders, (ctx, { columns, ...filters }) => {
  const list = listOf(ctx, filters)
  return {
    statement: select(ctx)
      .where(conditionOf(list))
      .orderBy(...LATEST),
    values: valuesOf(list.conditions),
    ...fileColumns(MARGINS, ROW, columns),
  }
})

/** What is left of the acting agent's orders by the day of payment; null where no order of it ever had a price. */
export async function profitByDay(ctx: Ctx, { from, to }: { from: string; to: string }) {
  const { agentId } = ctx.actor
  const [price] = await ctx.db
    .select({ id: sellingPrices.id })
    .from(sellingPrices)
    .where(eq(sellingPrices.agentId, agentId))
    .limit(1)
  if (!price) {
    const [paid] = await ctx.db
      .select({ id: versionOrders.id })
      .from(versionOrders)
      .where(and(eq(versionOrders.agentId, agentId), PRICED.sql))
      .limit(1)
    if (!paid) return null
  }
  const day = sql<string>`shanghai_day(${versionOrders.paidAt})::text`
  return ctx.db
    .select({ day, fen: sql<number>`coalesce(sum(${PROFIT}), 0)`.mapWith(Number) })
    .from(versionOrders)
    .where(
      and(
        eq(versionOrders.agentId, agentId),
        eq(versionOrders.status, 'paid'),
        gte(versionOrders.paidAt, startOfDay(from).toISOString()),
        lt(versionOrders.paidAt, endOfDay(to).toISOString()),
      ),
    )
    .groupBy(day)
}
