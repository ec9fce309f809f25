// Orders of SMS packages and of recalled credit (D2 §2, screen 11): the page's ids through an index, totals with sums.
import { and, eq, ne, not, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { refuseUndo, UNDO_DAYS, type UndoOffer, undoMessages } from '#features/sales/orders/rules.ts'
import { searchOrders, shopOf } from '#features/sales/orders/server-search.ts'
import { paymentIntents } from '#features/sales/payments/tables.ts'
import {
  hasUndo,
  refuseSmsUndo,
  type SmsOrderKind,
  type SmsOrderStatus,
  type StoredSmsStatus,
  undoFactsOf,
} from '#features/sales/sms/rules.ts'
import { creditsOf } from '#features/sales/sms/server-buy.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In } from '#kit/declare/op.ts'
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
import type { smsDesk as contract } from './contract.ts'
import { SMS_ORDER_FIELDS, SMS_ORDERS } from './fields.ts'

export type Filters = Omit<In<typeof contract.orders>, 'page' | 'size'>

/** Its payment's time is over, or failed before; without an intent there is nothing to wait for. */
const PAYMENT_IS_OVER = sql`not exists (select 1 from ${paymentIntents} where ${and(
  eq(paymentIntents.orderNo, smsOrders.orderNo),
  eq(paymentIntents.status, sql.raw(`'waiting'`)),
  sql`${paymentIntents.expiresAt} > now()`,
)})`

/** Paid, or with a payment that somebody may still make. */
const NOT_LEFT = sql`(${smsOrders.status} <> 'quoted' or not ${PAYMENT_IS_OVER})`

const paidIn = (name: string, recharges: boolean) =>
  sql<
    number | null
  >`case when (${smsOrders.kind} = 'recharge') = ${sql.raw(String(recharges))} then ${smsOrders.totalCents} end`
    .mapWith(smsOrders.totalCents)
    .as(name)

/** What was paid for an order, in tokens or, for a recharge, in yuan. */
export const PAID = { totalCents: paidIn('paid_tokens', false), rechargeFen: paidIn('paid_yuan', true) }

/** A gift was given, not paid; a recharge is refunded, not undone. */
export const SHOWN_STATUS =
  sql<SmsOrderStatus>`case when ${smsOrders.status} = 'quoted' and ${PAYMENT_IS_OVER} then 'ended'
  when ${smsOrders.status} = 'paid' and ${smsOrders.kind} = 'gift' then 'given'
  when ${smsOrders.status} = 'recycled' and ${smsOrders.kind} = 'recharge' then 'refunded' else ${smsOrders.status} end`.as(
    'shown_status',
  )

export const ROW = {
  ...ownColumns(smsOrders, keysIn(SMS_ORDER_FIELDS, 'row')),
  agentName: agents.companyName,
  shopName: merchants.shopName,
  ...PAID,
  status: SHOWN_STATUS,
  undoneAt: smsOrders.undoneAt,
}

const orderOf = (input: Pick<Filters, 'sort' | 'order'>) => sortedBy(input, smsOrders, smsOrders.id)

const SUMS = {
  totalCents: sql`case when ${smsOrders.kind} = 'recharge' then 0 else ${smsOrders.totalCents} end`,
  paidFen: sql`case when ${smsOrders.kind} = 'recharge' and ${smsOrders.status} <> 'quoted' then ${smsOrders.totalCents} else 0 end`,
  refundedFen: sql`case when ${smsOrders.kind} = 'recharge' and ${smsOrders.status} = 'recycled' then ${smsOrders.totalCents} else 0 end`,
  giftPieces: sql`case when ${smsOrders.kind} = 'gift' and ${smsOrders.status} = 'paid' then ${smsOrders.pieces} else 0 end`,
  totalPieces: sql`case when ${smsOrders.kind} not in ('recall', 'gift') and ${smsOrders.status} <> 'quoted' then ${smsOrders.pieces} else 0 end`,
  recycledCents: sql`case when ${smsOrders.kind} <> 'recharge' and ${smsOrders.status} = 'recycled' then ${smsOrders.totalCents} else 0 end`,
  recycledPieces: sql`case when ${smsOrders.status} = 'recycled' then ${smsOrders.pieces} else 0 end`,
  recalledPieces: sql`case when ${smsOrders.kind} = 'recall' then ${smsOrders.pieces} else 0 end`,
}

export const listSmsOrders: Verb<typeof contract.orders> = async (ctx, input) => {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const list: ListSource = { name: 'sms_orders', table: smsOrders, conditions, ...orderOf(input) }
  const ofPage = (page: PageIds) => selectOrders(ctx, list, page).innerJoin(page, eq(page.id, smsOrders.id))
  const answer = await rowsAndSums(ctx, list, input, ofPage, SUMS)
  const offers = await undoOffersOf(ctx, answer.rows)
  return {
    ...answer,
    rows: answer.rows.map(row => ({ ...row, undo: offers.get(row.orderNo) ?? null })),
    shopsCapped,
  }
}

type Listed = Awaited<ReturnType<typeof selectOrders>>[number]

/** Whether each can be undone as its shop's credit stands; none for what has no undo. */
async function undoOffersOf(ctx: Ctx, rows: readonly Listed[]): Promise<Map<string, UndoOffer>> {
  const now = ctx.now.toISOString()
  const days = await settingOf(ctx, UNDO_DAYS)
  const messages = undoMessages(days)
  const offered = rows.filter(({ kind }) => hasUndo(kind))
  const credits = await creditsOf(
    ctx,
    offered.flatMap(({ merchantId }) => merchantId ?? []),
  )
  const refusalOf = (row: Listed) => {
    const early = refuseUndo(undoFactsOf(row), now, days)
    if (early) return early
    if (row.shopName === null) return 'UNDO_MOVED'
    return refuseSmsUndo({ ...row, status: 'paid', credit: credits.get(row.merchantId ?? 0) ?? 0 })
  }
  return new Map(
    offered.map(row => {
      const code = refusalOf(row)
      return [row.orderNo, { refusal: code && messages[code] }]
    }),
  )
}

function selectOrders(ctx: Ctx, { order }: Order, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(smsOrders)
    .innerJoin(agents, eq(agents.id, smsOrders.agentId))
    .leftJoin(merchants, shopOf(smsOrders))
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
  const searched = await searchOrders(ctx, filters.search, smsOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, smsOrders.agentId),
    ...filtered(SMS_ORDERS, filters, {
      agentId: smsOrders.agentId,
      kind: smsOrders.kind,
      status: statusCondition,
      unpaid: () => [],
      payMethod: smsOrders.payMethod,
      created: smsOrders.createdAt,
    }),
    ...searched.conditions,
    ...(filters.unpaid || filters.status || filters.search ? [] : [{ key: 'notLeft', sql: NOT_LEFT }]),
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

const ofKind = (kind: SmsOrderKind, is: 'is' | 'is not'): Condition => ({
  key: `${is} ${kind}`,
  sql: (is === 'is' ? eq : ne)(smsOrders.kind, sql.raw(`'${kind}'`)),
})

/** What is shown under other words than it is stored. */
const STORED: Partial<Record<SmsOrderStatus, readonly [StoredSmsStatus, Condition?]>> = {
  ended: ['quoted'],
  paid: ['paid', ofKind('gift', 'is not')],
  given: ['paid', ofKind('gift', 'is')],
  recycled: ['recycled', ofKind('recharge', 'is not')],
  refunded: ['recycled', ofKind('recharge', 'is')],
}

/** What waits and what has ended are stored alike: a late payment still completes the order. */
function statusCondition(status: SmsOrderStatus): Condition[] {
  const [stored, more] = STORED[status] ?? [status as StoredSmsStatus]
  const conditions = [...skewed(equal('status', smsOrders.status, stored)), ...(more ? [more] : [])]
  if (status === 'ended') return [...conditions, { key: 'over', sql: PAYMENT_IS_OVER }]
  return status === 'quoted' ? [...conditions, { key: 'waiting', sql: not(PAYMENT_IS_OVER) }] : conditions
}
