// What a list of version orders filters, sorts and shows: newest first, by the day of payment where that is filtered.
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '#features/access/tables.ts'
import { agents } from '#features/agents/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import { versions } from '#features/versions/tables.ts'
import type { In, Out } from '#kit/op.ts'
import { COUNT_CAP } from '#kit/page.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  equal,
  type ListSource,
  literal,
  ownCondition,
  type PageAsked,
  type PageIds,
  pageOfRows,
  skewed,
  type Total,
  valuesOf,
  within,
} from '#server/list.ts'
import type { orders as contract } from './contract.ts'
import { searchOrders } from './server-search.ts'
import { versionOrders } from './tables.ts'

export type Filters = Omit<In<typeof contract.list>, 'page' | 'size'>
export type OrderList = { list: ListSource; shopsCapped: boolean }

const managers = alias(accounts, 'managers')
const actors = alias(accounts, 'actors')

export const ORDER_ROW = {
  id: versionOrders.id,
  orderNo: versionOrders.orderNo,
  agentId: versionOrders.agentId,
  agentName: agents.companyName,
  merchantId: versionOrders.merchantId,
  shopName: merchants.shopName,
  account: merchants.account,
  managerName: managers.name,
  registeredAt: merchants.registeredAt,
  content: versionOrders.content,
  versionName: versions.name,
  term: versionOrders.term,
  salesType: versionOrders.salesType,
  status: versionOrders.status,
  payMethod: versionOrders.payMethod,
  originalCents: versionOrders.originalCents,
  totalCents: versionOrders.totalCents,
  actorName: actors.name,
  remark: versionOrders.remark,
  createdAt: versionOrders.createdAt,
  paidAt: versionOrders.paidAt,
}

/** What is filtered, as a list of the kernel. */
export async function orderList(ctx: Ctx, filters: Filters): Promise<OrderList> {
  const search = await searchOrders(ctx, filters.search, versionOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, versionOrders.agentId),
    ...EQUALITIES.flatMap(key => equal(key, versionOrders[key], filters[key])),
    // Nearly all orders are paid, and from the balance; what is rare is found another way than a kept plan takes.
    ...skewed(equal('payMethod', versionOrders.payMethod, filters.payMethod)),
    ...statusCondition(filters.status),
    ...equal('actorId', versionOrders.createdBy, filters.actorId),
    ...within('paid', versionOrders.paidAt, filters.paidFrom, filters.paidTo),
    ...search.conditions,
  ]
  const byPayment = filters.paidFrom !== undefined || filters.paidTo !== undefined
  const list: ListSource = {
    name: 'orders',
    table: versionOrders,
    id: versionOrders.id,
    conditions,
    sort: byPayment ? 'paidAt' : 'createdAt',
    order: byPayment ? LATEST_PAID : LATEST,
  }
  return { list, shopsCapped: search.shopsCapped }
}

/** A quote is an order only to whoever asks for quotes: each look at a price writes one. */
function statusCondition(status: Filters['status']): Condition[] {
  if (status !== undefined) return skewed(equal('status', versionOrders.status, status))
  return [{ key: 'settled', sql: sql`${versionOrders.status} <> 'quoted'`, onePlan: true }]
}

const EQUALITIES = ['agentId', 'versionId', 'salesType'] as const

/** Written like the indexes, which the database uses for no other order of nulls. */
const LATEST = [sql`${versionOrders.createdAt} desc nulls last`, sql`${versionOrders.id} desc nulls last`]
const LATEST_PAID = [desc(versionOrders.paidAt), desc(versionOrders.id)]

type Row = Out<typeof contract.list>['rows'][number]

/** Both statements are on their way at once; neither uses the connection any more when one's failure is told. */
export async function rowsAndSums(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
): Promise<{ rows: Row[]; settledCents: number } & Total> {
  const rows = (page: PageIds) => selectOrders(ctx, page).orderBy(...list.order)
  const [found, sums] = await Promise.allSettled([pageOfRows(ctx, list, asked, rows), sumsOf(ctx, list)])
  if (found.status === 'rejected') throw found.reason
  if (sums.status === 'rejected') throw sums.reason
  return { rows: found.value, ...sums.value }
}

function selectOrders(ctx: Ctx, page: PageIds) {
  return ctx.db
    .with(page)
    .select(ORDER_ROW)
    .from(page)
    .innerJoin(versionOrders, eq(versionOrders.id, page.id))
    .innerJoin(agents, eq(agents.id, versionOrders.agentId))
    .innerJoin(versions, eq(versions.id, versionOrders.versionId))
    .leftJoin(merchants, shopOf(ctx))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .leftJoin(actors, eq(actors.id, versionOrders.createdBy))
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export function ordersForExport(ctx: Ctx, list: ListSource) {
  const statement = ctx.db
    .select(ORDER_ROW)
    .from(versionOrders)
    .innerJoin(agents, eq(agents.id, versionOrders.agentId))
    .innerJoin(versions, eq(versions.id, versionOrders.versionId))
    .leftJoin(merchants, shopOf(ctx))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .leftJoin(actors, eq(actors.id, versionOrders.createdBy))
    .where(conditionOf(list))
    .orderBy(...list.order)
  return { statement, values: valuesOf(list.conditions) }
}

/** A shop that belongs to another agent now is not shown to the one who sold it. */
function shopOf(ctx: Ctx): SQL | undefined {
  return and(eq(merchants.id, versionOrders.merchantId), ownRows(ctx, merchants.agentId))
}

/** Number and settlement of what is filtered; counting stops at COUNT_CAP, and the sum with it. */
async function sumsOf(ctx: Ctx, list: ListSource): Promise<{ settledCents: number } & Total> {
  const key = ['orders sums', list.sort, ...list.conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, () => {
    const counted = ctx.db
      .select({
        status: versionOrders.status,
        totalCents: versionOrders.totalCents,
        place: sql<number>`row_number() over (order by ${sql.join(list.order, sql`, `)})`.as('place'),
      })
      .from(versionOrders)
      .where(conditionOf(list))
      .orderBy(...list.order)
      .limit(literal(COUNT_CAP + 1))
      .as('counted')
    // One row more is read to learn whether there are more; the sum is of the rows that are counted.
    const isSummed = sql`${counted.status} = 'paid' and ${counted.place} <= ${literal(COUNT_CAP)}`
    return ctx.db
      .select({
        total: sql<number>`count(*)`.mapWith(Number),
        settledCents: sql<number>`coalesce(sum(${counted.totalCents}) filter (where ${isSummed}), 0)`.mapWith(
          Number,
        ),
      })
      .from(counted)
      .prepare('')
  })
  const [row] = await statement.execute(valuesOf(list.conditions))
  const total = row?.total ?? 0
  return {
    total: Math.min(total, COUNT_CAP),
    totalCapped: total > COUNT_CAP,
    settledCents: row?.settledCents ?? 0,
  }
}
