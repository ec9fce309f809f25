// The list of hardware orders (D2 §2 screen 13): the ids of one page through the index that fits, then rows and lines.
import { and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { type OrderSearch, searchOrders, shopOf } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  containingConditions,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  pageOfRows,
  valuesOf,
} from '#server/list.ts'
import type { hardware as contract, hardwareDownloads } from './contract.ts'
import { HARDWARE_ORDER_FIELDS, HARDWARE_ORDERS } from './fields.ts'
import { UNSOLD_STATUSES } from './rules.ts'
import { hardwareOrderLines as lines, hardwareOrders as orders } from './tables.ts'

type Filters = DownloadIn<typeof hardwareDownloads.orders>

const ROW = {
  ...ownColumns(orders, keysIn(HARDWARE_ORDER_FIELDS, 'row')),
  id: orders.id,
  agentName: agents.companyName,
  shopName: merchants.shopName,
  districtCode: orders.districtCode,
  address: orders.address,
  createdByName: orders.createdByName,
  paidAt: orders.paidAt,
  receivedAt: orders.receivedAt,
  returnedAt: orders.returnedAt,
}

export const listOrders: Verb<typeof contract.orders> = async (ctx, input) => {
  const { list, shopsCapped } = await listOf(ctx, input)
  const rows = await pageOfRows(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(orders, eq(orders.id, page.id))
      .innerJoin(agents, eq(agents.id, orders.agentId))
      .leftJoin(merchants, shopOf(orders))
      .orderBy(...orderOf(input.order)),
  )
  const linesOf = await readLines(
    ctx,
    rows.map(row => row.id),
  )
  const totals = await totalsOf(ctx, list)
  const { formatAddress } = await regionsOf(ctx)
  const presented = rows.map(({ districtCode, address, ...row }) => ({
    ...row,
    payMethod: 'balance' as const,
    fullAddress: formatAddress(districtCode, address),
    lines: linesOf.get(row.id) ?? [],
  }))
  return { rows: presented, ...totals, shopsCapped }
}

async function readLines(ctx: Ctx, orderIds: readonly number[]) {
  const rows = await ctx.db
    .select()
    .from(lines)
    .where(and(sql`${lines.orderId} = any(${sql.param(orderIds)}::bigint[])`, ownRows(ctx, lines.agentId)))
    .orderBy(asc(lines.id))
  return Map.groupBy(rows, row => row.orderId)
}

/** Number and sums of what is filtered; counting stops at COUNT_CAP, and the sums with it. */
async function totalsOf(ctx: Ctx, list: ListSource) {
  const counted = ctx.db
    .select({ cents: orders.totalCents, status: orders.deliveryStatus })
    .from(orders)
    .where(conditionOf(list))
    .orderBy(...list.order)
    .limit(COUNT_CAP)
    .as('counted')
  const [sums] = await ctx.db
    .select({
      counted: sql<number>`count(*)`.mapWith(Number),
      sumCents: sql<number>`coalesce(sum(${counted.cents}), 0)`.mapWith(Number),
      returnedCents:
        sql<number>`coalesce(sum(${counted.cents}) filter (where ${counted.status} in ('returned', 'cancelled')), 0)`.mapWith(
          Number,
        ),
    })
    .from(counted)
    .prepare('')
    .execute(valuesOf(list.conditions))
  const total = sums?.counted ?? 0
  const more = total === COUNT_CAP && (await hasMore(ctx, list))
  return {
    total,
    totalCapped: more,
    sumCents: sums?.sumCents ?? 0,
    returnedCents: sums?.returnedCents ?? 0,
  }
}

async function hasMore(ctx: Ctx, list: ListSource): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(conditionOf(list))
    .orderBy(...list.order)
    .offset(COUNT_CAP)
    .limit(1)
    .prepare('')
    .execute(valuesOf(list.conditions))
  return rows.length > 0
}

/** The fields of the file's statement, in their order. */
export const EXPORT_ROW = { ...ROW, content: null }

/** Every order that is filtered, in the list's order, with its products in one text, as a statement for a cursor. */
export async function ordersForExport(ctx: Ctx, filters: Filters) {
  const { list } = await listOf(ctx, filters)
  const content = ctx.db
    .select({
      text: sql<string>`string_agg(${lines.productName} || ' ' || trim(to_char(${lines.unitCents} / 100.0, 'FM9999999990.00')) || '×' || ${lines.quantity}, '；' order by ${lines.id})`,
    })
    .from(lines)
    .where(and(eq(lines.orderId, orders.id), ownRows(ctx, lines.agentId)))
  const statement = ctx.db
    .select({ ...ROW, content: sql<string>`(${content})`.as('content') })
    .from(orders)
    .innerJoin(agents, eq(agents.id, orders.agentId))
    .leftJoin(merchants, shopOf(orders))
    .where(conditionOf(list))
    .orderBy(...list.order)
  return { statement, values: valuesOf(list.conditions) }
}

async function listOf(ctx: Ctx, filters: Filters): Promise<{ list: ListSource; shopsCapped: boolean }> {
  const searched = await searchConditions(ctx, filters)
  const list = {
    name: 'hardware orders',
    table: orders,
    conditions: [
      ...ownCondition(ctx, orders.agentId),
      ...filtered(HARDWARE_ORDERS, filters, {
        agentId: orders.agentId,
        status: orders.deliveryStatus,
        sold: isSold => [isSold ? SOLD : UNSOLD],
        created: orders.createdAt,
      }),
      ...searched.conditions,
    ],
    sort: `createdAt ${filters.order}`,
    order: orderOf(filters.order),
  }
  return { list, shopsCapped: searched.shopsCapped }
}

const NOT_SOLD = sql.raw(UNSOLD_STATUSES.map(status => `'${status}'`).join(', '))
const SOLD: Condition = { key: 'sold', sql: sql`${orders.deliveryStatus} not in (${NOT_SOLD})` }
const UNSOLD: Condition = { key: 'unsold', sql: sql`${orders.deliveryStatus} in (${NOT_SOLD})` }

function orderOf(order: 'asc' | 'desc'): SQL[] {
  const by = order === 'asc' ? asc : desc
  return [by(orders.createdAt), by(orders.id)]
}

/** An order's number or shop as in any list of orders, or a part of contact or phone. */
async function searchConditions(ctx: Ctx, { search, agentId }: Filters): Promise<OrderSearch> {
  const found = await searchOrders(ctx, search, orders, agentId)
  const [named] = found.conditions
  if (!search || !named) return found
  const { key, sql: numberOrShop, values } = named
  const conditions = containingConditions(orders.searchText, search).map(part => ({
    key: `${key} or ${part.key}`,
    sql: or(numberOrShop, part.sql),
    values: { ...values, ...part.values },
  }))
  return { ...found, conditions }
}
