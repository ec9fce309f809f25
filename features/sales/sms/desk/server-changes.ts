// SMS change orders (D2 §2, screen 15): orders that took credit away again, with a filter that works.
import { eq, inArray, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { searchOrders, shopOf } from '#features/sales/orders/server-search.ts'
import type { SmsChangeKind, SmsOrderKind } from '#features/sales/sms/rules.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  filtered,
  type ListSource,
  type Order,
  ownColumns,
  ownCondition,
  type PageIds,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { type smsDesk as contract, smsDeskDownloads } from './contract.ts'
import { SMS_CHANGE_FIELDS, SMS_CHANGES } from './fields.ts'

type Filters = Omit<In<typeof contract.changes>, 'page' | 'size'>

/** A recall is an order of its own; what else changed an order is kept beside it. */
function ofChange(ofRecall: SQLWrapper, ofUndo: SQLWrapper) {
  return sql<string>`case when ${smsOrders.kind} = 'recall' then ${ofRecall} else ${ofUndo} end`
}

const ROW = {
  ...ownColumns(smsOrders, keysIn(SMS_CHANGE_FIELDS, 'row')),
  agentName: agents.companyName,
  shopName: merchants.shopName,
  kind: sql<SmsChangeKind>`case ${smsOrders.kind} when 'recall' then 'recalled' when 'recharge' then 'refunded' else 'withdrawn' end`.as(
    'change_kind',
  ),
  totalCents: sql<
    number | null
  >`case when ${smsOrders.kind} in ('package', 'gift') then ${smsOrders.totalCents} end`
    .mapWith(smsOrders.totalCents)
    .as('tokens_back'),
  refundFen: sql<number | null>`case when ${smsOrders.kind} = 'recharge' then ${smsOrders.totalCents} end`
    .mapWith(smsOrders.totalCents)
    .as('fen_back'),
  changedAt: sql<string>`${smsOrders.changedAt}`.mapWith(smsOrders.changedAt).as('changed_at'),
  createdByName: ofChange(smsOrders.createdByName, smsOrders.undoneByName).as('changed_by'),
  remark: ofChange(smsOrders.remark, smsOrders.undoneReason).as('change_reason'),
}

const orderOf = (input: Pick<Filters, 'sort' | 'order'>) => sortedBy(input, smsOrders, smsOrders.id)

export const listSmsChanges: Verb<typeof contract.changes> = async (ctx, input) => {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const list: ListSource = { name: 'sms_changes', table: smsOrders, conditions, ...orderOf(input) }
  const ofPage = (page: PageIds) => selectChanges(ctx, list, page).innerJoin(page, eq(page.id, smsOrders.id))
  const answer = await rowsAndSums(ctx, list, input, ofPage, { totalPieces: sql`${smsOrders.pieces}` })
  return { ...answer, shopsCapped }
}

function selectChanges(ctx: Ctx, { order }: Order, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(smsOrders)
    .innerJoin(agents, eq(agents.id, smsOrders.agentId))
    .leftJoin(merchants, shopOf(smsOrders))
    .orderBy(...order)
    .$dynamic()
}

async function conditionsOf(ctx: Ctx, filters: Filters) {
  const searched = await searchOrders(ctx, filters.search, smsOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, smsOrders.agentId),
    { key: 'changed', sql: isNotNull(smsOrders.changedAt) },
    ...filtered(SMS_CHANGES, filters, {
      kind: kind => [{ key: `kind ${kind}`, sql: inArray(smsOrders.kind, ORDER_KINDS[kind]) }],
      agentId: smsOrders.agentId,
      changed: smsOrders.changedAt,
    }),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

const ORDER_KINDS: Record<SmsChangeKind, SmsOrderKind[]> = {
  recalled: ['recall'],
  refunded: ['recharge'],
  withdrawn: ['package', 'gift'],
}

export const smsChangesDownload = serveDownload(
  smsDeskDownloads.changes,
  async (ctx, { columns, ...filters }) => {
    const { conditions } = await conditionsOf(ctx, filters)
    const statement = selectChanges(ctx, orderOf(filters)).where(conditionOf({ conditions }))
    return { statement, values: valuesOf(conditions), ...fileColumns(SMS_CHANGES, ROW, columns) }
  },
)
