// Orders of SMS packages and of recalled credit (D2 §2, screen 11): the page's ids through an index, totals with sums.
import { and, desc, eq, not, sql } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import { undoOfferOf } from '#features/orders/rules.ts'
import { searchOrders, shopOf } from '#features/orders/server-search.ts'
import { paymentIntents } from '#features/payments/tables.ts'
import { hasUndo, type SmsOrderStatus, type StoredSmsStatus, undoFactsOf } from '#features/sms/rules.ts'
import { smsOrders } from '#features/sms/tables.ts'
import { keysIn } from '#kit/fields.ts'
import type { In } from '#kit/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  equal,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  skewed,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import type { smsDesk as contract } from './contract.ts'
import { SMS_ORDER_FIELDS, SMS_ORDERS } from './fields.ts'

export type Filters = Omit<In<typeof contract.orders>, 'page' | 'size'>

/** Its payment's time is over, or failed before; without an intent there is nothing to wait for. */
const PAYMENT_IS_OVER = sql`not exists (select 1 from ${paymentIntents} where ${and(
  eq(paymentIntents.orderNo, smsOrders.orderNo),
  eq(paymentIntents.status, sql.raw(`'waiting'`)),
  sql`${paymentIntents.expiresAt} > now()`,
)})`

const paidIn = (name: string, recharges: boolean) =>
  sql<
    number | null
  >`case when (${smsOrders.kind} = 'recharge') = ${sql.raw(String(recharges))} then ${smsOrders.totalCents} end`
    .mapWith(smsOrders.totalCents)
    .as(name)

/** What was paid for an order, in tokens or, for a recharge, in yuan. */
export const PAID = { totalCents: paidIn('paid_tokens', false), rechargeFen: paidIn('paid_yuan', true) }

export const ROW = {
  ...ownColumns(smsOrders, keysIn(SMS_ORDER_FIELDS, 'row')),
  agentName: agents.companyName,
  shopName: merchants.shopName,
  ...PAID,
  status: sql<SmsOrderStatus>`case when ${smsOrders.status} = 'quoted' and ${PAYMENT_IS_OVER} then 'ended'
    else ${smsOrders.status} end`.as('shown_status'),
  undoneAt: smsOrders.undoneAt,
}

const LATEST = { sort: 'createdAt desc', order: [desc(smsOrders.createdAt), desc(smsOrders.id)] }

const SUMS = {
  totalCents: sql`case when ${smsOrders.kind} = 'recharge' then 0 else ${smsOrders.totalCents} end`,
  paidFen: sql`case when ${smsOrders.kind} = 'recharge' and ${smsOrders.status} <> 'quoted' then ${smsOrders.totalCents} else 0 end`,
  refundedFen: sql`case when ${smsOrders.kind} = 'recharge' and ${smsOrders.status} = 'recycled' then ${smsOrders.totalCents} else 0 end`,
  totalPieces: sql`case when ${smsOrders.kind} <> 'recall' and ${smsOrders.status} <> 'quoted' then ${smsOrders.pieces} else 0 end`,
  recycledCents: sql`case when ${smsOrders.kind} <> 'recharge' and ${smsOrders.status} = 'recycled' then ${smsOrders.totalCents} else 0 end`,
  recycledPieces: sql`case when ${smsOrders.status} = 'recycled' then ${smsOrders.pieces} else 0 end`,
  recalledPieces: sql`case when ${smsOrders.kind} = 'recall' then ${smsOrders.pieces} else 0 end`,
}

export const listSmsOrders: Verb<typeof contract.orders> = async (ctx, input) => {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const list: ListSource = { name: 'sms_orders', table: smsOrders, conditions, ...LATEST }
  const ofPage = (page: PageIds) => selectOrders(ctx, page).innerJoin(page, eq(page.id, smsOrders.id))
  const answer = await rowsAndSums(ctx, list, input, ofPage, SUMS)
  const now = new Date().toISOString()
  const undoOf = (row: (typeof answer.rows)[number]) =>
    hasUndo(row.kind) ? undoOfferOf(undoFactsOf(row), now) : null
  return { ...answer, rows: answer.rows.map(row => ({ ...row, undo: undoOf(row) })), shopsCapped }
}

function selectOrders(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(smsOrders)
    .innerJoin(agents, eq(agents.id, smsOrders.agentId))
    .leftJoin(merchants, shopOf(smsOrders))
    .orderBy(...LATEST.order)
    .$dynamic()
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export async function selectForExport(ctx: Ctx, filters: Filters) {
  const { conditions } = await conditionsOf(ctx, filters)
  return { statement: selectOrders(ctx).where(conditionOf({ conditions })), values: valuesOf(conditions) }
}

async function conditionsOf(ctx: Ctx, filters: Filters) {
  const searched = await searchOrders(ctx, filters.search, smsOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, smsOrders.agentId),
    ...filtered(SMS_ORDERS, filters, {
      agentId: smsOrders.agentId,
      kind: smsOrders.kind,
      status: statusCondition,
      payMethod: smsOrders.payMethod,
      created: smsOrders.createdAt,
    }),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

/** What waits and what has ended are stored alike: a late payment still completes the order. */
function statusCondition(status: SmsOrderStatus): Condition[] {
  const stored: StoredSmsStatus = status === 'ended' ? 'quoted' : status
  const conditions = skewed(equal('status', smsOrders.status, stored))
  if (status === 'ended') return [...conditions, { key: 'over', sql: PAYMENT_IS_OVER }]
  return status === 'quoted' ? [...conditions, { key: 'waiting', sql: not(PAYMENT_IS_OVER) }] : conditions
}
