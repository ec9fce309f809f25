// Orders of value-added services (D2 §2, screen 14): the page's ids through an index, totals with the sums of money.
import { asc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { refuseUndo, UNDO_DAYS, undoMessages } from '#features/sales/orders/rules.ts'
import { searchOrders, shopOf } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  equal,
  filtered,
  type ListSource,
  type Order,
  ownColumns,
  ownCondition,
  type PageIds,
  skewed,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { settingOf } from '#server/office/settings.ts'
import type { services as contract } from './contract.ts'
import { SERVICE_ORDER_FIELDS, SERVICE_ORDERS } from './fields.ts'
import { undoFactsOf } from './rules.ts'
import { followedOrders } from './server-undo.ts'
import { serviceOrders, services } from './tables.ts'

export type Filters = Omit<In<typeof contract.orders>, 'page' | 'size'>

export const ROW = {
  ...ownColumns(serviceOrders, keysIn(SERVICE_ORDER_FIELDS, 'row')),
  agentName: agents.companyName,
  shopName: merchants.shopName,
  unit: services.unit,
  originalCents: serviceOrders.originalCents,
  discountBasisPoints: serviceOrders.discountBasisPoints,
  undoneAt: serviceOrders.undoneAt,
}

const orderOf = (input: Pick<Filters, 'sort' | 'order'>) => sortedBy(input, serviceOrders, serviceOrders.id)

const SUMS = {
  totalCents: sql`${serviceOrders.totalCents}`,
  recalledCents: sql`case when ${serviceOrders.state} = 'recalled' then ${serviceOrders.totalCents} else 0 end`,
}

export const listServiceOrders: Verb<typeof contract.orders> = async (ctx, input) => {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const list: ListSource = { name: 'service_orders', table: serviceOrders, conditions, ...orderOf(input) }
  const ofPage = (page: PageIds) =>
    selectOrders(ctx, list, page).innerJoin(page, eq(page.id, serviceOrders.id))
  const answer = await rowsAndSums(ctx, list, input, ofPage, SUMS)
  const now = ctx.now.toISOString()
  const days = await settingOf(ctx, UNDO_DAYS)
  const messages = undoMessages(days)
  const followed = await followedOrders(
    ctx,
    answer.rows.flatMap(row => (refuseUndo(undoFactsOf(row), now, days) === null ? [row.id] : [])),
  )
  const rows = answer.rows.map(row => {
    const here = row.shopName === null ? 'UNDO_MOVED' : followed.has(row.id) ? 'UNDO_NOT_LAST' : null
    const code = refuseUndo(undoFactsOf(row), now, days) ?? here
    return { ...row, undo: { refusal: code && messages[code] } }
  })
  return { ...answer, rows, shopsCapped }
}

function selectOrders(ctx: Ctx, { order }: Order, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(serviceOrders)
    .innerJoin(services, eq(services.id, serviceOrders.serviceId))
    .innerJoin(agents, eq(agents.id, serviceOrders.agentId))
    .leftJoin(merchants, shopOf(serviceOrders))
    .orderBy(...order)
    .$dynamic()
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export async function selectForExport(ctx: Ctx, filters: Filters) {
  const { conditions } = await conditionsOf(ctx, filters)
  return {
    statement: selectOrders(ctx, orderOf(filters)).where(conditionOf({ conditions })),
    values: valuesOf(conditions),
  }
}

async function conditionsOf(ctx: Ctx, filters: Filters) {
  const searched = await searchOrders(ctx, filters.search, serviceOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, serviceOrders.agentId),
    ...filtered(SERVICE_ORDERS, filters, {
      agentId: serviceOrders.agentId,
      state: state => skewed(equal('state', serviceOrders.state, state)),
      serviceId: serviceOrders.serviceId,
      created: serviceOrders.createdAt,
    }),
    ...(await withServicesNamed(ctx, filters.search, searched.conditions)),
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

/** The search also finds services by their name (service type), through the catalogue, which is small. */
async function withServicesNamed(
  ctx: Ctx,
  search: string | undefined,
  conditions: Condition[],
): Promise<Condition[]> {
  const [first, ...rest] = conditions
  if (!search || !first) return conditions
  const wanted = search.toLowerCase()
  const ids = (await optionRows(ctx))
    .filter(row => row.name.toLowerCase().includes(wanted))
    .map(row => row.id)
  if (ids.length === 0) return conditions
  const named: Condition = {
    key: `${first.key} service`,
    sql: or(first.sql, sql`${serviceOrders.serviceId} = any(${sql.placeholder('searchServices')}::int[])`),
    values: { ...first.values, searchServices: ids },
  }
  return [named, ...rest]
}

/** Every service of the catalogue, also one that is no longer sold. */
export async function serviceOptions(ctx: Ctx): Promise<Out<typeof contract.options>> {
  return { rows: await optionRows(ctx) }
}

function optionRows(ctx: Ctx) {
  const groups = alias(services, 'groups')
  return ctx.db
    .select({ id: services.id, name: services.name, groupName: groups.name })
    .from(services)
    .innerJoin(groups, eq(groups.id, services.parentId))
    .where(isNotNull(services.parentId))
    .orderBy(asc(services.position), asc(services.id))
}
