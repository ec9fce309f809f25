// The agent's list of renewals that its shops paid online, and what it does with one that did not go through by itself.
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { type DetailsKind, fact, factsOf, stateOf } from '#features/money/ledger/server-details.ts'
import { agents } from '#features/office/agents/tables.ts'
import { type OrderSearch, searchOrders } from '#features/sales/orders/server-search.ts'
import { refund as refundPayment } from '#features/sales/payments/server-manage.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import { amountText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  conditionOf,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { found, refuse } from '#server/refuse.ts'
import { type shopPages as contract, shopPageDownloads } from './contract.ts'
import { ONLINE_RENEWAL_FIELDS, ONLINE_RENEWALS } from './fields.ts'
import {
  ONLINE_RENEWAL_STEPS,
  OWED,
  RENEWAL_REFUSALS,
  RENEWAL_SCOPES,
  RENEWAL_STATES,
  refuseReason,
  refuseRetry,
} from './rules.ts'
import { onlineRenewals as renewals } from './tables.ts'

type Filters = Omit<DownloadIn<typeof shopPageDownloads.renewals>, 'columns'>

const ROW = {
  ...ownColumns(renewals, keysIn(ONLINE_RENEWAL_FIELDS, 'row')),
  agentName: agents.companyName,
  versionName: versions.name,
}

const SUMS = {
  paidFen: sql`case when ${inArray(renewals.state, [...OWED, 'renewed'])} then ${renewals.amountFen} end`,
  refundedFen: sql`case when ${eq(renewals.state, 'refunded')} then ${renewals.amountFen} end`,
}

export const listRenewals: Verb<typeof contract.renewals> = async (ctx, input) => {
  const { list, shopsCapped } = await listOf(ctx, input)
  const ofPage = (page: PageIds) =>
    select(ctx, page)
      .innerJoin(page, eq(page.id, renewals.id))
      .orderBy(...list.order)
  return { ...(await rowsAndSums(ctx, list, input, ofPage, SUMS)), shopsCapped }
}

function select(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(renewals)
    .innerJoin(agents, eq(agents.id, renewals.agentId))
    .innerJoin(versions, eq(versions.id, renewals.versionId))
    .$dynamic()
}

async function listOf(
  ctx: Ctx,
  filters: Filters,
): Promise<{ list: ListSource } & Pick<OrderSearch, 'shopsCapped'>> {
  const { conditions, shopsCapped } = await searchOrders(ctx, filters.search, renewals, filters.agentId)
  const isFolded = !filters.unpaid && !filters.state && !filters.search
  const list = {
    name: 'online renewals',
    table: renewals,
    conditions: [
      ...ownCondition(ctx, renewals.agentId),
      ...filtered(ONLINE_RENEWALS, filters, {
        agentId: renewals.agentId,
        state: renewals.state,
        unpaid: () => [],
        payMethod: renewals.payMethod,
        created: renewals.createdAt,
      }),
      ...conditions,
      ...(isFolded ? [{ key: 'paid', sql: sql`${renewals.paidAt} is not null`, onePlan: true }] : []),
    ],
    sort: `createdAt ${filters.order}`,
    order: orderOf(filters.order),
  }
  return { list, shopsCapped }
}

function orderOf(order: 'asc' | 'desc'): SQL[] {
  const by = order === 'asc' ? asc : desc
  return [by(renewals.createdAt), by(renewals.id)]
}

export const renewalsDownload = serveDownload(
  shopPageDownloads.renewals,
  async (ctx, { columns, ...filters }) => {
    const { list } = await listOf(ctx, filters)
    return {
      statement: select(ctx)
        .where(conditionOf(list))
        .orderBy(...list.order),
      values: valuesOf(list.conditions),
      ...fileColumns(ONLINE_RENEWALS, ROW, columns),
    }
  },
)

async function findRenewal(ctx: Ctx, orderNo: string) {
  const [row] = await ctx.db
    .select()
    .from(renewals)
    .where(and(eq(renewals.orderNo, orderNo), ne(renewals.state, 'waiting'), ownRows(ctx, renewals.agentId)))
  return found(row)
}

export const retryRenewal: Verb<typeof contract.retry> = async (ctx, { orderNo }) => {
  const renewal = await findRenewal(ctx, orderNo)
  refuse(refuseRetry(renewal.state), RENEWAL_REFUSALS)
  const { from, to } = ONLINE_RENEWAL_STEPS.retry
  const [retried] = await ctx.db
    .update(renewals)
    .set({ state: to, problem: '', tries: 0, tryAt: sql`now()` })
    .where(and(eq(renewals.id, renewal.id), inArray(renewals.state, from)))
    .returning({ state: renewals.state })
  if (!retried) refuse('RETRY_NOT_WANTED', RENEWAL_REFUSALS)
  ctx.object('order', orderNo)
  ctx.about(renewal.agentId, renewal.merchantId)
  ctx.note(`${renewal.shopName} (${renewal.merchantId})`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '状态', before: RENEWAL_STATES[renewal.state], after: RENEWAL_STATES[to] },
  ])
  ctx.afterCommit(() => ctx.services.wake('onlineRenewals'))
  return { state: to }
}

/** Payments give the money back and ask this feature whether they may (`paidRenewal.takeBack`). */
export const refundRenewal: Verb<typeof contract.refund> = async (ctx, { orderNo, reason }) => {
  refuse(refuseReason(reason), RENEWAL_REFUSALS, { field: 'reason' })
  const renewal = await findRenewal(ctx, orderNo)
  const refunded = await refundPayment(ctx, { id: renewal.intentId, reason: reason.trim() })
  ctx.about(renewal.agentId, renewal.merchantId)
  ctx.note(`${renewal.shopName} (${renewal.merchantId})`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '状态', before: RENEWAL_STATES[renewal.state], after: RENEWAL_STATES.refunded },
    { name: '退款', before: null, after: amountText(refunded.amountFen, '元') },
    { name: '原因', before: null, after: reason.trim() },
  ])
  return refunded
}

/** As it opens by its number. */
export const ONLINE_RENEWAL_DETAILS: DetailsKind = {
  permissions: ['shopPages.renewals'],
  numbers: { number: renewals.orderNo, agentId: renewals.agentId },
  async find(ctx, orderNo) {
    const [row] = await ctx.db
      .select({ renewal: renewals, versionName: versions.name })
      .from(renewals)
      .innerJoin(versions, eq(versions.id, renewals.versionId))
      .where(and(eq(renewals.orderNo, orderNo), ownRows(ctx, renewals.agentId)))
    if (!row) return null
    const { renewal, versionName } = row
    const shown = { ...renewal, versionName }
    return {
      kind: 'renewal',
      orderNo,
      agentId: renewal.agentId,
      merchantId: renewal.merchantId,
      title: `${renewal.shopName} 在线续费 ${versionName} ${renewal.years} 年`,
      state: stateOf(ONLINE_RENEWAL_FIELDS.state, renewal.state),
      bought: [
        ...factsOf(ONLINE_RENEWAL_FIELDS, shown, 'versionName', 'years', 'shops'),
        ...fact('续费范围', RENEWAL_SCOPES[renewal.scope]),
        ...fact('版本订单号', renewal.versionOrderNo),
      ],
      amounts: factsOf(ONLINE_RENEWAL_FIELDS, shown, 'amountFen', 'payMethod'),
      made: [
        ...factsOf(ONLINE_RENEWAL_FIELDS, shown, 'createdAt', 'paidAt', 'renewedAt', 'refundedAt'),
        ...fact('说明', renewal.problem),
      ],
      tables: [],
      remark: '',
      batchNo: null,
      undone: null,
      undoKind: null,
    }
  },
}
