// What a list of version orders filters, sorts and shows: newest first, by the day of payment where that is filtered.
import { and, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { PERIOD_UNITS, TERM_NAMES } from '#features/shops/versions/rules.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  equal,
  filtered,
  type ListSource,
  type Order,
  ownColumns,
  ownCondition,
  type PageAsked,
  type PageIds,
  skewed,
  sortedBy,
  sortedNullsLast,
  type Total,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import type { orders as contract } from './contract.ts'
import { ORDER_FIELDS, VERSION_ORDERS } from './fields.ts'
import type { OrderStatus } from './rules.ts'
import { VALID_SINCE } from './server.ts'
import { searchOrders } from './server-search.ts'
import { versionOrders } from './tables.ts'

type Asked = Omit<In<typeof contract.list>, 'page' | 'size'>
export type Filters = Omit<Asked, 'sort' | 'order'> & Partial<Pick<Asked, 'sort' | 'order'>>
export type OrderList = { list: ListSource; shopsCapped: boolean }

const managers = alias(accounts, 'managers')
const actors = alias(accounts, 'actors')

const word = (text: string) => sql.raw(`'${text}'`)

/** As durationText of versions/rules.ts. */
export const DURATION =
  sql<string>`case ${versionOrders.term} when 'lifetime' then ${word(TERM_NAMES.lifetime)}
  when 'year' then ${versionOrders.periods} || ${word(` ${PERIOD_UNITS.year}`)}
  else ${versionOrders.periods} || ${word(` ${PERIOD_UNITS.month}`)} end`.as('duration')

/** As contentBeside of rules.ts, of a statement that joins the order's shop. */
export const CONTENT =
  sql<string>`coalesce(replace(${versionOrders.content}, ' ' || ${merchants.shopName} || ' ', ' '), ${versionOrders.content})`.as(
    'content',
  )

export const ORDER_ROW = {
  ...ownColumns(versionOrders, keysIn(ORDER_FIELDS, 'row')),
  content: CONTENT,
  duration: DURATION,
  agentName: agents.companyName,
  shopName: merchants.shopName,
  account: merchants.account,
  managerName: managers.name,
  registeredAt: merchants.registeredAt,
  versionName: versions.name,
  actorName: actors.name,
}

/** What is filtered, as a list of the kernel. */
export async function orderList(ctx: Ctx, filters: Filters): Promise<OrderList> {
  const search = await searchOrders(ctx, filters.search, versionOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, versionOrders.agentId),
    ...filtered(VERSION_ORDERS, filters, {
      agentId: versionOrders.agentId,
      versionId: versionOrders.versionId,
      salesType: versionOrders.salesType,
      // Nearly all orders are paid, and from the balance; what is rare is found another way than a kept plan takes.
      payMethod: method => skewed(equal('payMethod', versionOrders.payMethod, method)),
      status: statusCondition,
      actorId: versionOrders.createdBy,
      paid: versionOrders.paidAt,
    }),
    ...(filters.status === undefined ? [SETTLED] : []),
    ...search.conditions,
  ]
  const isPaidAsked = filters.paidFrom !== undefined || filters.paidTo !== undefined
  const byPayment = isPaidAsked || (filters.sort === 'paidAt' && filters.status !== 'quoted')
  const list: ListSource = {
    name: 'orders',
    table: versionOrders,
    conditions: byPayment ? [...conditions, PAID] : conditions,
    ...(byPayment ? byPaidAt(filters) : byCreatedAt(filters)),
  }
  return { list, shopsCapped: search.shopsCapped }
}

/**
 * A quote is an order only to whoever asks for quotes: each look at a price writes one. One that can be confirmed no more is
 * none, until the clearing takes it away.
 */
function statusCondition(status: OrderStatus): Condition[] {
  const conditions = skewed(equal('status', versionOrders.status, status))
  if (status !== 'quoted') return conditions
  return [...conditions, { key: 'valid', sql: gt(versionOrders.createdAt, VALID_SINCE) }]
}

const SETTLED: Condition = {
  key: 'settled',
  sql: sql`${versionOrders.status} <> 'quoted'`,
  onePlan: true,
}

/** The index by payment holds no others. */
const PAID: Condition = { key: 'hasPaid', sql: isNotNull(versionOrders.paidAt), onePlan: true }

type Direction = { order?: 'asc' | 'desc' }

function byCreatedAt({ order = 'desc' }: Direction): Order {
  return sortedNullsLast({ sort: 'createdAt', order }, versionOrders, versionOrders.id)
}

function byPaidAt({ order = 'desc' }: Direction): Order {
  return sortedBy({ sort: 'paidAt', order }, versionOrders, versionOrders.id)
}

type Row = Omit<Out<typeof contract.list>['rows'][number], 'undo'>

/** Rows of one page, and what was paid and not taken back among the rows that are counted. */
export function ordersAndSum(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
): Promise<{ rows: Row[]; settledCents: number } & Total> {
  const ofPage = (page: PageIds) =>
    selectOrders(ctx, page)
      .innerJoin(page, eq(page.id, versionOrders.id))
      .orderBy(...list.order)
  return rowsAndSums(ctx, list, asked, ofPage, { settledCents: SETTLED_CENTS })
}

const SETTLED_CENTS = sql`case when ${versionOrders.status} = 'paid' then ${versionOrders.totalCents} else 0 end`

function selectOrders(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ORDER_ROW)
    .from(versionOrders)
    .innerJoin(agents, eq(agents.id, versionOrders.agentId))
    .innerJoin(versions, eq(versions.id, versionOrders.versionId))
    .leftJoin(merchants, shopSeen(ctx))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .leftJoin(actors, eq(actors.id, versionOrders.createdBy))
    .$dynamic()
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export function ordersForExport(ctx: Ctx, list: ListSource) {
  const statement = selectOrders(ctx)
    .where(conditionOf(list))
    .orderBy(...list.order)
  return { statement, values: valuesOf(list.conditions) }
}

/** A shop that belongs to another agent now is not shown to the one who sold it. */
function shopSeen(ctx: Ctx): SQL | undefined {
  return and(eq(merchants.id, versionOrders.merchantId), ownRows(ctx, merchants.agentId))
}
