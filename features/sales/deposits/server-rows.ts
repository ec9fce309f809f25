// Deposits as people see them: the list with its file, one with what was asked of it, and what is held of a shop.
import { and, desc, eq, exists, sql } from 'drizzle-orm'
import { type DetailsKind, fact, factsOf, stateOf, tableOf } from '#features/money/ledger/server-details.ts'
import { agents } from '#features/office/agents/tables.ts'
import { searchOrders } from '#features/sales/orders/server-search.ts'
import { paymentRefunds } from '#features/sales/payments/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { DownloadIn, Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  conditionOf,
  countUpTo,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  skewedBy,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { found } from '#server/refuse.ts'
import { type deposits as contract, depositDownloads } from './contract.ts'
import { DEPOSIT_FIELDS, DEPOSITS } from './fields.ts'
import { DEPOSIT_STATE_KEYS, type DepositState, REQUEST_KINDS, REQUEST_STATES } from './rules.ts'
import { depositPayments, depositRequests, deposits } from './tables.ts'

type Filters = Omit<DownloadIn<typeof depositDownloads.list>, 'columns'>

const ROW = {
  ...ownColumns(deposits, keysIn(DEPOSIT_FIELDS, 'row')),
  agentName: agents.companyName,
  shopName: merchants.shopName,
}

function select(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(deposits)
    .innerJoin(agents, eq(agents.id, deposits.agentId))
    .innerJoin(merchants, eq(merchants.id, deposits.merchantId))
    .$dynamic()
}

async function listOf(ctx: Ctx, filters: Filters): Promise<{ list: ListSource; shopsCapped: boolean }> {
  const { conditions, shopsCapped } = await searchOrders(ctx, filters.search, deposits, filters.agentId)
  const owed = ctx.db
    .select({ one: sql`1` })
    .from(depositRequests)
    .where(and(eq(depositRequests.depositId, deposits.id), sql`${depositRequests.state} = 'owed'`))
  const list = {
    name: 'deposits',
    table: deposits,
    conditions: [
      ...ownCondition(ctx, deposits.agentId),
      ...filtered(DEPOSITS, filters, {
        state: skewedBy('state', deposits.state),
        kind: deposits.kind,
        owed: isAsked => (isAsked ? [{ key: 'owed', sql: exists(owed) }] : []),
        asked: deposits.askedAt,
        agentId: deposits.agentId,
      }),
      ...conditions,
    ],
    ...sortedBy({ sort: 'askedAt', order: filters.order }, { askedAt: deposits.askedAt }, deposits.id),
  }
  return { list, shopsCapped }
}

export const listDeposits: Verb<typeof contract.list> = async (ctx, input) => {
  const { list, shopsCapped } = await listOf(ctx, input)
  const rows = (page: PageIds) =>
    select(ctx, page)
      .innerJoin(page, eq(page.id, deposits.id))
      .orderBy(...list.order)
  const sums = { sumHeldFen: sql`${deposits.heldFen}` }
  const [page, ...counts] = await together([
    rowsAndSums(ctx, list, input, rows, sums),
    ...DEPOSIT_STATE_KEYS.map(state => countOf(ctx, state)),
  ])
  return {
    ...page,
    counts: Object.fromEntries(
      DEPOSIT_STATE_KEYS.map((state, place) => [state, counts[place] ?? 0]),
    ) as Record<DepositState, number>,
    shopsCapped,
  }
}

async function countOf(ctx: Ctx, state: DepositState): Promise<number> {
  const of = and(eq(deposits.state, state), ownRows(ctx, deposits.agentId))
  return Math.min(await countUpTo(ctx, deposits, of), COUNT_CAP)
}

export const depositsDownload = serveDownload(depositDownloads.list, async (ctx, { columns, ...filters }) => {
  const { list } = await listOf(ctx, filters)
  return {
    statement: select(ctx)
      .where(conditionOf(list))
      .orderBy(...list.order),
    values: valuesOf(list.conditions),
    ...fileColumns(DEPOSITS, ROW, columns),
  }
})

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const own = and(eq(deposits.id, id), ownRows(ctx, deposits.agentId))
  const [[row], [more], requests] = await together([
    select(ctx).where(own),
    ctx.db
      .select({
        code: deposits.code,
        cancelledByName: deposits.cancelledByName,
        cancelReason: deposits.cancelReason,
        cancelledAt: deposits.cancelledAt,
      })
      .from(deposits)
      .where(own),
    requestsOf(ctx, id),
  ])
  const { code, ...cancelled } = found(more)
  const shown = found(row)
  return {
    ...shown,
    ...cancelled,
    payUrl: shown.state === 'waiting' ? payUrlOf(ctx, code) : null,
    requests,
  }
}

/** Where whoever has it pays the deposit. */
export function payUrlOf(ctx: Ctx, code: string): string {
  return `${ctx.services.baseUrl()}/d/${code}`
}

/** The latest first. */
async function requestsOf(ctx: Ctx, depositId: number): Promise<Out<typeof contract.details>['requests']> {
  const rows = await ctx.db
    .select({
      request: depositRequests,
      refundNo: sql<string>`coalesce(${paymentRefunds.refundNo}, '')`,
      providerWords: sql<string>`coalesce(${paymentRefunds.providerWords}, '')`,
    })
    .from(depositRequests)
    .leftJoin(paymentRefunds, eq(paymentRefunds.id, depositRequests.refundId))
    .where(and(eq(depositRequests.depositId, depositId), ownRows(ctx, depositRequests.agentId)))
    .orderBy(desc(depositRequests.id))
  return rows.map(({ request, ...refund }) => ({
    ...request,
    ...refund,
    isOwn: request.askedBy === ctx.actor.accountId,
  }))
}

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  found(shop)
  const [sums] = await ctx.db
    .select({
      heldFen: sql<number>`coalesce(sum(${deposits.heldFen}), 0)`.mapWith(Number),
      waiting: sql<number>`count(*) filter (where ${deposits.state} = 'waiting')`.mapWith(Number),
    })
    .from(deposits)
    .where(and(eq(deposits.merchantId, merchantId), ownRows(ctx, deposits.agentId)))
  return found(sums)
}

async function asDocument(ctx: Ctx, orderNo: string, where: ReturnType<typeof and>) {
  const [row] = await select(ctx).where(and(where, ownRows(ctx, deposits.agentId)))
  if (!row) return null
  const requests = await requestsOf(ctx, row.id)
  return {
    kind: 'deposit' as const,
    orderNo,
    agentId: row.agentId,
    merchantId: row.merchantId,
    title: `押金：${row.subject}`,
    state: stateOf(DEPOSIT_FIELDS.state, row.state),
    bought: [
      ...factsOf(DEPOSIT_FIELDS, row, 'shopName', 'kind', 'subject'),
      ...fact(DEPOSIT_FIELDS.orderNo.label, row.orderNo === orderNo ? null : row.orderNo),
    ],
    amounts: factsOf(DEPOSIT_FIELDS, row, 'amountFen', 'heldFen', 'returnedFen', 'keptFen', 'payMethod'),
    made: factsOf(DEPOSIT_FIELDS, row, 'askedByName', 'askedAt', 'paidAt', 'settledAt'),
    tables: tableOf(
      '退还与扣留',
      ['内容', '#金额（元）', '状态', '原因', '申请人', '审批人', '时间'],
      requests.map(request => ({
        cells: [
          REQUEST_KINDS[request.kind],
          formatCents(request.amountFen),
          REQUEST_STATES[request.state],
          request.reason,
          request.askedByName,
          request.decidedByName || '—',
          formatInstant(request.doneAt ?? request.decidedAt ?? request.askedAt),
        ],
      })),
    ),
    remark: '',
    batchNo: null,
    undone: null,
    undoKind: null,
  }
}

/** As it opens by its own number, which the ledger has. */
export const DEPOSIT_DETAILS: DetailsKind = {
  permissions: ['deposits.list'],
  numbers: { number: deposits.orderNo, agentId: deposits.agentId },
  find: (ctx, orderNo) => asDocument(ctx, orderNo, eq(deposits.orderNo, orderNo)),
}

/** And by that of one of its payments. */
export const DEPOSIT_PAYMENT_DETAILS: DetailsKind = {
  permissions: ['deposits.list'],
  numbers: { number: depositPayments.orderNo, agentId: depositPayments.agentId },
  async find(ctx, orderNo) {
    const [payment] = await ctx.db
      .select({ depositId: depositPayments.depositId })
      .from(depositPayments)
      .where(and(eq(depositPayments.orderNo, orderNo), ownRows(ctx, depositPayments.agentId)))
    return payment ? asDocument(ctx, orderNo, eq(deposits.id, payment.depositId)) : null
  },
}
