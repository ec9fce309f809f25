// SMS change orders (D2 §2, screen 15): orders that took credit away again, with a filter that works.
import { desc, eq, inArray, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import { searchOrders, shopOf } from '#features/orders/server-search.ts'
import type { DownloadIn, In, Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { chosenColumns, type ExportPlan, type NamedColumn, serveDownload } from '#server/export.ts'
import {
  type Condition,
  conditionOf,
  equal,
  type ListSource,
  ownCondition,
  type PageIds,
  valuesOf,
  within,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { CHANGE_EXPORT_COLUMNS, type sms as contract, smsDownloads } from './contract.ts'
import { SMS_CHANGE_KINDS, type SmsChangeKind, type SmsOrderKind } from './rules.ts'
import { smsOrders } from './tables.ts'

type Filters = Omit<In<typeof contract.changes>, 'page' | 'size'>

/** A recall is an order of its own; what else changed an order is kept beside it. */
function ofChange(ofRecall: SQLWrapper, ofUndo: SQLWrapper) {
  return sql<string>`case when ${smsOrders.kind} = 'recall' then ${ofRecall} else ${ofUndo} end`
}

const ROW = {
  id: smsOrders.id,
  orderNo: smsOrders.orderNo,
  agentId: smsOrders.agentId,
  agentName: agents.companyName,
  merchantId: smsOrders.merchantId,
  shopName: merchants.shopName,
  kind: sql<SmsChangeKind>`case ${smsOrders.kind} when 'recall' then 'recalled' when 'recharge' then 'refunded' else 'withdrawn' end`.as(
    'change_kind',
  ),
  name: smsOrders.name,
  changeBefore: smsOrders.changeBefore,
  changeAfter: smsOrders.changeAfter,
  pieces: smsOrders.pieces,
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

const ORDER = [desc(smsOrders.changedAt), desc(smsOrders.id)]

export async function listSmsChanges(
  ctx: Ctx,
  input: In<typeof contract.changes>,
): Promise<Out<typeof contract.changes>> {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const list: ListSource = {
    name: 'sms_changes',
    table: smsOrders,
    id: smsOrders.id,
    conditions,
    sort: 'changedAt desc',
    order: ORDER,
  }
  const ofPage = (page: PageIds) => selectChanges(ctx, page).innerJoin(page, eq(page.id, smsOrders.id))
  const answer = await rowsAndSums(ctx, list, input, ofPage, { totalPieces: sql`${smsOrders.pieces}` })
  return { ...answer, shopsCapped }
}

function selectChanges(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(smsOrders)
    .innerJoin(agents, eq(agents.id, smsOrders.agentId))
    .leftJoin(merchants, shopOf(smsOrders))
    .orderBy(...ORDER)
    .$dynamic()
}

async function conditionsOf(ctx: Ctx, filters: Filters) {
  const searched = await searchOrders(ctx, filters.search, smsOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, smsOrders.agentId),
    { key: 'changed', sql: isNotNull(smsOrders.changedAt) },
    ...ofKind(filters.kind),
    ...equal('agentId', smsOrders.agentId, filters.agentId),
    ...within('changedAt', smsOrders.changedAt, filters.from, filters.to),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

const ORDER_KINDS: Record<SmsChangeKind, SmsOrderKind[]> = {
  recalled: ['recall'],
  refunded: ['recharge'],
  withdrawn: ['package', 'gift'],
}

function ofKind(kind: SmsChangeKind | undefined): Condition[] {
  if (kind === undefined) return []
  return [{ key: `kind ${kind}`, sql: inArray(smsOrders.kind, ORDER_KINDS[kind]) }]
}

const COLUMNS: Record<(typeof CHANGE_EXPORT_COLUMNS)[number], NamedColumn> = {
  orderNo: { header: '订单号', kind: 'text', width: 24 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  shopName: { header: '店铺名称', kind: 'text', width: 28 },
  kind: { header: '类型', kind: 'text', width: 12, names: SMS_CHANGE_KINDS },
  name: { header: '套餐名称', kind: 'text', width: 18 },
  changeBefore: { header: '变动前数量', kind: 'integer', width: 12 },
  pieces: { header: '变动数量', kind: 'integer', width: 12 },
  changeAfter: { header: '变动后数量', kind: 'integer', width: 12 },
  totalCents: { header: '总金额（代币）', kind: 'cents', width: 14 },
  refundFen: { header: '退款金额（元）', kind: 'cents', width: 14 },
  changedAt: { header: '操作时间', kind: 'time', width: 20 },
  createdByName: { header: '操作人', kind: 'text', width: 12 },
  remark: { header: '操作说明', kind: 'text', width: 28 },
  agentName: { header: '代理商', kind: 'text', width: 24 },
}

export const smsChangesDownload = serveDownload(smsDownloads.changes, planExport)

async function planExport(ctx: Ctx, input: DownloadIn<typeof smsDownloads.changes>): Promise<ExportPlan> {
  const { columns, ...filters } = input
  const { conditions } = await conditionsOf(ctx, filters)
  const statement = selectChanges(ctx).where(conditionOf({ conditions }))
  const file = { row: ROW, columns: COLUMNS, all: CHANGE_EXPORT_COLUMNS }
  return { statement, values: valuesOf(conditions), ...chosenColumns(file, columns) }
}
