// Changes of SMS credit on one account (D3 §2, SMS change list): the agent's own, or that of one of its shops.
import { and, eq, sql } from 'drizzle-orm'
import { entriesNumbered, entryTotals, ofAccount, orderOf } from '#features/money/ledger/server-changes.ts'
import { ledgerEntries, ledgerTransfers } from '#features/money/ledger/tables.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { type Condition, conditionOf, filtered, type Order, ownCondition, valuesOf } from '#server/list.ts'
import { type smsDesk as contract, smsDeskDownloads } from './contract.ts'
import { SMS_ENTRIES } from './fields.ts'
import { PAID } from './server-list.ts'

type Filters = Omit<In<typeof contract.merchantChanges>, 'page' | 'size'>

const ROW = {
  id: ledgerEntries.id,
  orderNo: ledgerTransfers.document,
  merchantId: ledgerTransfers.merchantId,
  kind: ledgerTransfers.kind,
  description: ledgerTransfers.description,
  before: sql<number>`${ledgerEntries.balanceBefore}`.mapWith(Number).as('before'),
  pieces: ledgerEntries.amount,
  after: sql<number>`${ledgerEntries.balanceAfter}`.mapWith(Number).as('after'),
  name: sql<string | null>`${smsOrders.name}`.as('order_name'),
  ...PAID,
  payMethod: ledgerTransfers.payMethod,
  actorName: ledgerTransfers.actorName,
  remark: ledgerTransfers.remark,
  createdAt: ledgerEntries.createdAt,
}

/** Sums stop with the count at COUNT_CAP. */
export const listSmsEntries: Verb<typeof contract.merchantChanges> = async (ctx, input) => {
  const conditions = entriesConditions(ctx, input)
  const by = orderOf(input)
  const rows = await selectEntries(ctx, conditions, by)
    .limit(input.size)
    .offset((input.page - 1) * input.size)
    .prepare('')
    .execute(valuesOf(conditions))
  return { rows, ...(await entryTotals(ctx, conditions, by)) }
}

function selectEntries(ctx: Ctx, conditions: readonly Condition[], { order }: Order) {
  return ctx.db
    .select(ROW)
    .from(ledgerEntries)
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .leftJoin(
      smsOrders,
      and(eq(smsOrders.orderNo, ledgerTransfers.document), ownRows(ctx, smsOrders.agentId)),
    )
    .where(conditionOf({ conditions }))
    .orderBy(...order)
    .$dynamic()
}

/** One account, so that its own index gives the entries in their order. */
function entriesConditions(ctx: Ctx, filters: Filters): Condition[] {
  const isOwn = ownRows(ctx, ledgerEntries.agentId) !== undefined
  const agentId = isOwn ? ctx.actor.agentId : (filters.agentId ?? ctx.actor.agentId)
  const { merchantId, search } = filters
  const owner =
    merchantId === undefined
      ? ({ kind: 'agent', id: agentId } as const)
      : ({ kind: 'merchant', id: merchantId } as const)
  return [
    { key: 'account', sql: ofAccount(ctx, owner, 'sms') },
    // Entries of a shop that came from another agent stay that agent's.
    ...ownCondition(ctx, ledgerEntries.agentId),
    ...filtered(SMS_ENTRIES, filters, {
      kind: ledgerTransfers.kind,
      created: ledgerEntries.createdAt,
      // Whose account it is stands above.
      merchantId: () => [],
      agentId: () => [],
    }),
    ...(search ? [{ key: 'search', sql: entriesNumbered(search) }] : []),
  ]
}

export const smsEntriesDownload = serveDownload(
  smsDeskDownloads.merchantChanges,
  (ctx, { columns, ...filters }) => {
    const conditions = entriesConditions(ctx, filters)
    return {
      statement: selectEntries(ctx, conditions, orderOf(filters)),
      values: valuesOf(conditions),
      ...fileColumns(SMS_ENTRIES, ROW, columns),
    }
  },
)
