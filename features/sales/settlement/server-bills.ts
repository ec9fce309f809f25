// Billing details: paid version orders, the last paid first, through the indexes of the time of payment.
import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { UNDO_DAYS, undoOfferOf } from '#features/sales/orders/rules.ts'
import { CONTENT, DURATION } from '#features/sales/orders/server-rows.ts'
import { type OrderSearch, searchOrders } from '#features/sales/orders/server-search.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { undoRefusals } from '#features/sales/purchases/server-undo.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { settingOf } from '#server/office/settings.ts'
import { type settlement as contract, settlementDownloads } from './contract.ts'
import { BILL_FIELDS, BILLS } from './fields.ts'
import { type BillStatus, SETTLEMENT_REFUSALS, UNDO_REQUEST_DAYS } from './rules.ts'
import { undoRequests } from './tables.ts'

type Filters = Omit<DownloadIn<typeof settlementDownloads.bills>, 'columns'>

const orderOf = (input: Pick<Filters, 'sort' | 'order'>) => sortedBy(input, versionOrders, versionOrders.id)

/** Bills of the acting agent, or of all for vendor staff. Counting stops at COUNT_CAP, and the sums with it. */
export const listBills: Verb<typeof contract.bills> = async (ctx, input) => {
  const search = await searchOrders(ctx, input.search, versionOrders, input.agentId)
  const list = listOf(ctx, input, search)
  const ofPage = (page: PageIds) =>
    selectBills(ctx, PAGE_ROW, page)
      .innerJoin(page, eq(page.id, versionOrders.id))
      .orderBy(...list.order)
  const answer = await rowsAndSums(ctx, list, input, ofPage, SUMS)
  const days = await settingOf(ctx, UNDO_DAYS)
  const rows = answer.rows.map(row => present(row, ctx.now.toISOString(), days))
  const refusals = await refusalsOf(
    ctx,
    rows.flatMap(({ orderNo, undo }) => (undo.refusal === null ? [orderNo] : [])),
  )
  return {
    ...answer,
    rows: rows.map(row => ({
      ...row,
      undo: { refusal: row.undo.refusal ?? refusals.get(row.orderNo) ?? null },
    })),
    shopsCapped: search.shopsCapped,
  }
}

/** What their shops say against an undo, for whoever may undo. */
async function refusalsOf(ctx: Ctx, orderNos: readonly string[]): Promise<Map<string, string | null>> {
  if (!ctx.actor.permissions.has('settlement.undo')) return new Map()
  return new Map((await undoRefusals(ctx, { orderNos })).map(({ orderNo, refusal }) => [orderNo, refusal]))
}

const SUMS = {
  originalCents: sql`${versionOrders.originalCents}`,
  totalCents: sql`${versionOrders.totalCents}`,
  refundedCents: sql`case when ${versionOrders.status} = 'recycled' then ${versionOrders.totalCents} else 0 end`,
}

function listOf(ctx: Ctx, filters: Filters, search: OrderSearch): ListSource {
  const conditions = [
    ...ownCondition(ctx, versionOrders.agentId),
    { key: 'paid', sql: isNotNull(versionOrders.paidAt), onePlan: true },
    ...filtered(BILLS, filters, {
      agentId: versionOrders.agentId,
      salesType: versionOrders.salesType,
      status: statusCondition,
      paid: versionOrders.paidAt,
    }),
    ...search.conditions,
  ]
  return { name: 'bills', table: versionOrders, conditions, ...orderOf(filters) }
}

/** A literal, since undone orders are few and have an index of their own. */
function statusCondition(status: BillStatus): Condition[] {
  return [{ key: status, sql: sql`${versionOrders.status} = ${sql.raw(`'${status}'`)}`, onePlan: true }]
}

const PENDING = sql<boolean>`exists (select 1 from ${undoRequests} where ${and(
  eq(undoRequests.state, sql.raw(`'pending'`)),
  sql`${undoRequests.requestedAt} > now() - interval '${sql.raw(String(UNDO_REQUEST_DAYS))} days'`,
  or(
    and(eq(undoRequests.kind, sql.raw(`'version'`)), eq(undoRequests.orderNo, versionOrders.orderNo)),
    and(eq(undoRequests.kind, sql.raw(`'batch'`)), eq(undoRequests.orderNo, versionOrders.batchNo)),
  ),
)})`

const ROW = {
  ...ownColumns(versionOrders, keysIn(BILL_FIELDS, 'row')),
  content: CONTENT,
  duration: DURATION,
  agentName: agents.companyName,
  levelName: agentLevels.name,
  shopName: merchants.shopName,
  account: merchants.account,
  personName: merchants.personName,
}
/** Only a page's rows ask whether an undo waits: the many of a file do not show it. */
const PAGE_ROW = { ...ROW, undoPending: PENDING.as('undo_pending') }
const FILE_ROW: typeof PAGE_ROW = { ...ROW, undoPending: sql<boolean>`false`.as('undo_pending') }

/** A shop that is with another agent now is not shown to the one who bought. */
function selectBills(ctx: Ctx, row: typeof PAGE_ROW, page?: PageIds) {
  const shopsOwn = ownCondition(ctx, merchants.agentId).map(condition => condition.sql)
  const query = page ? ctx.db.with(page).select(row) : ctx.db.select(row)
  return query
    .from(versionOrders)
    .innerJoin(agents, eq(agents.id, versionOrders.agentId))
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .leftJoin(merchants, and(eq(merchants.id, versionOrders.merchantId), ...shopsOwn))
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectBills>>[number]

function present({ status, paidAt, ...row }: Selected, now: string, days: number) {
  const { refusal } = undoOfferOf({ isPaid: true, isUndone: status === 'recycled', paidAt }, now, days)
  const pending = row.undoPending ? SETTLEMENT_REFUSALS.UNDO_PENDING : null
  return {
    ...row,
    status: billStatusOf(status),
    paidAt: paidAt ?? row.createdAt,
    undo: { refusal: refusal ?? pending },
  }
}

function billStatusOf(status: string): BillStatus {
  return status === 'recycled' ? 'recycled' : 'paid'
}

export const billsDownload = serveDownload(
  settlementDownloads.bills,
  async (ctx, { columns, ...filters }) => {
    const search = await searchOrders(ctx, filters.search, versionOrders, filters.agentId)
    const list = listOf(ctx, filters, search)
    return {
      statement: selectBills(ctx, FILE_ROW)
        .where(conditionOf(list))
        .orderBy(...list.order),
      values: valuesOf(list.conditions),
      ...fileColumns(BILLS, FILE_ROW, columns),
    }
  },
)
