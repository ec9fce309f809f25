// Changes of SMS credit on one account (D3 §2, SMS change list): the agent's own, or that of one of its shops.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { PAY_METHODS, TRANSFER_KINDS } from '#features/ledger/rules.ts'
import {
  entriesNumbered,
  entriesWithin,
  entryTotals,
  LATEST_FIRST,
  ofAccount,
} from '#features/ledger/server-changes.ts'
import { ledgerEntries, ledgerTransfers } from '#features/ledger/tables.ts'
import type { DownloadIn, In, Out } from '#kit/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { chosenColumns, type ExportPlan, type NamedColumn, serveDownload } from '#server/export.ts'
import { type sms as contract, ENTRY_EXPORT_COLUMNS, smsDownloads } from './contract.ts'

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
  payMethod: ledgerTransfers.payMethod,
  actorName: ledgerTransfers.actorName,
  remark: ledgerTransfers.remark,
  createdAt: ledgerEntries.createdAt,
}

/** Latest first; sums stop with the count at COUNT_CAP. */
export async function listSmsEntries(
  ctx: Ctx,
  input: In<typeof contract.merchantChanges>,
): Promise<Out<typeof contract.merchantChanges>> {
  const where = entriesWhere(ctx, input)
  const rows = await selectEntries(ctx, where)
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  return { rows, ...(await entryTotals(ctx, where)) }
}

function selectEntries(ctx: Ctx, where: SQL | undefined) {
  return ctx.db
    .select(ROW)
    .from(ledgerEntries)
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .where(where)
    .orderBy(...LATEST_FIRST)
    .$dynamic()
}

/** One account, so that its own index gives the entries in their order. */
function entriesWhere(ctx: Ctx, filters: Filters): SQL | undefined {
  const isOwn = ownRows(ctx, ledgerEntries.agentId) !== undefined
  const agentId = isOwn ? ctx.actor.agentId : (filters.agentId ?? ctx.actor.agentId)
  const { merchantId, search, kind } = filters
  const owner =
    merchantId === undefined
      ? ({ kind: 'agent', id: agentId } as const)
      : ({ kind: 'merchant', id: merchantId } as const)
  return and(
    ofAccount(ctx, owner, 'sms'),
    // Entries of a shop that came from another agent stay that agent's.
    ownRows(ctx, ledgerEntries.agentId),
    kind === undefined ? undefined : eq(ledgerTransfers.kind, kind),
    entriesWithin(filters),
    search ? entriesNumbered(search) : undefined,
  )
}

const COLUMNS: Record<(typeof ENTRY_EXPORT_COLUMNS)[number], NamedColumn> = {
  orderNo: { header: '订单号', kind: 'text', width: 24 },
  merchantId: { header: '商户ID', kind: 'integer', width: 12 },
  kind: { header: '类型', kind: 'text', width: 12, names: TRANSFER_KINDS },
  description: { header: '说明', kind: 'text', width: 32 },
  before: { header: '变动前', kind: 'integer', width: 12 },
  pieces: { header: '变动条数', kind: 'integer', width: 12 },
  after: { header: '变动后', kind: 'integer', width: 12 },
  payMethod: { header: '支付方式', kind: 'text', width: 12, names: PAY_METHODS },
  actorName: { header: '操作人', kind: 'text', width: 12 },
  remark: { header: '备注', kind: 'text', width: 28 },
  createdAt: { header: '时间', kind: 'time', width: 20 },
}

export const smsEntriesDownload = serveDownload(
  smsDownloads.merchantChanges,
  (ctx: Ctx, { columns, ...filters }: DownloadIn<typeof smsDownloads.merchantChanges>): ExportPlan => ({
    statement: selectEntries(ctx, entriesWhere(ctx, filters)),
    values: {},
    ...chosenColumns({ row: ROW, columns: COLUMNS, all: ENTRY_EXPORT_COLUMNS }, columns),
  }),
)
