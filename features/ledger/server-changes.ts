// Entries of accounts as lists: balance changes (D3 §2), and what the list of SMS entries shares with them.
import { and, eq, gte, ilike, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import type { DownloadIn, In, Out } from '#kit/op.ts'
import { COUNT_CAP } from '#kit/page.ts'
import { endOfDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { Total } from '#server/list.ts'
import type { ledger, ledgerDownloads } from './contract.ts'
import type { Asset } from './rules.ts'
import { ledgerAccounts, ledgerEntries, ledgerTransfers } from './tables.ts'

/** Written like the indexes of these columns, which the database uses for no other order of nulls. */
export const LATEST_FIRST = [
  sql`${ledgerEntries.createdAt} desc nulls last`,
  sql`${ledgerEntries.id} desc nulls last`,
]

type Filters = Omit<In<typeof ledger.changes>, 'page' | 'size'>

/** Balance changes (D3 §2) of token accounts of agents: own, or of all agents for vendor staff. */
export async function listChanges(
  ctx: Ctx,
  input: In<typeof ledger.changes>,
): Promise<Out<typeof ledger.changes>> {
  const where = changesWhere(ctx, input)
  const rows = await selectChanges(ctx, where)
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const { income, spent, ...counted } = await entryTotals(ctx, where)
  return { rows: rows.map(present), ...counted, incomeCents: income, spentCents: spent }
}

/**
 * Number of the entries that are filtered, and what they brought and took, in the asset's smallest unit. Counting stops at
 * COUNT_CAP, and the sums with it.
 */
export async function entryTotals(
  ctx: Ctx,
  where: SQL | undefined,
): Promise<Total & { income: number; spent: number }> {
  const counted = ctx.db
    .select({
      amount: ledgerEntries.amount,
      place: sql<number>`row_number() over (order by ${sql.join(LATEST_FIRST, sql`, `)})`.as('place'),
    })
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .where(where)
    .orderBy(...LATEST_FIRST)
    .limit(COUNT_CAP + 1)
    .as('counted')
  // One row more is read to learn whether there are more; the sums are of the rows that are counted.
  const sum = (isCounted: SQL) =>
    sql<number>`coalesce(sum(${counted.amount}) filter (where ${isCounted} and ${counted.place} <= ${COUNT_CAP}), 0)`.mapWith(
      Number,
    )
  const [row] = await ctx.db
    .select({
      total: sql<number>`count(*)`.mapWith(Number),
      income: sum(sql`${counted.amount} > 0`),
      spent: sum(sql`${counted.amount} < 0`),
    })
    .from(counted)
  const total = row?.total ?? 0
  return {
    total: Math.min(total, COUNT_CAP),
    totalCapped: total > COUNT_CAP,
    income: row?.income ?? 0,
    spent: 0 - (row?.spent ?? 0),
  }
}

/** What a change shows, in the order of the statement. */
export const CHANGE = {
  id: ledgerEntries.id,
  orderNo: ledgerTransfers.document,
  agentId: ledgerTransfers.agentId,
  agentName: agents.companyName,
  merchantId: ledgerTransfers.merchantId,
  description: ledgerTransfers.description,
  payMethod: ledgerTransfers.payMethod,
  amountCents: ledgerEntries.amount,
  balanceBefore: ledgerEntries.balanceBefore,
  balanceAfter: ledgerEntries.balanceAfter,
  actorName: ledgerTransfers.actorName,
  remark: ledgerTransfers.remark,
  createdAt: ledgerEntries.createdAt,
}

function selectChanges(ctx: Ctx, where: SQL | undefined) {
  return ctx.db
    .select(CHANGE)
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .innerJoin(agents, eq(agents.id, ledgerTransfers.agentId))
    .where(where)
    .orderBy(...LATEST_FIRST)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectChanges>>[number]

function present({ balanceBefore, balanceAfter, ...row }: Selected) {
  return { ...row, balanceBeforeCents: balanceBefore ?? 0, balanceAfterCents: balanceAfter ?? 0 }
}

function changesWhere(ctx: Ctx, filters: Filters): SQL | undefined {
  return and(
    eq(ledgerAccounts.ownerKind, 'agent'),
    eq(ledgerAccounts.asset, 'token'),
    ownRows(ctx, ledgerEntries.agentId),
    filters.agentId === undefined ? undefined : eq(ledgerEntries.agentId, filters.agentId),
    ofOneAccount(ctx, filters.agentId),
    filters.payMethod === undefined ? undefined : eq(ledgerEntries.payMethod, filters.payMethod),
    filters.actorId === undefined ? undefined : eq(ledgerEntries.actorId, filters.actorId),
    entriesWithin(filters),
    searched(ctx, filters),
  )
}

/** Written within these days of Asia/Shanghai, both included; either may be open. */
export function entriesWithin({ from, to }: { from?: string; to?: string }): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(ledgerEntries.createdAt, startOfDay(from).toISOString()),
    to === undefined ? undefined : lt(ledgerEntries.createdAt, endOfDay(to).toISOString()),
  )
}

/** Names the one account of one agent, so that its index gives the entries in their order; of all agents another index does. */
function ofOneAccount(ctx: Ctx, asked: number | undefined): SQL | undefined {
  const agentId = ownRows(ctx, ledgerEntries.agentId) ? ctx.actor.agentId : asked
  if (agentId === undefined) return isNotNull(ledgerEntries.agentId)
  return ofAccount(ctx, { kind: 'agent', id: agentId }, 'token')
}

/** Of this one account, which a statement finds first. */
export function ofAccount(ctx: Ctx, owner: { kind: 'agent' | 'merchant'; id: number }, asset: Asset): SQL {
  const account = ctx.db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerKind, owner.kind),
        eq(ledgerAccounts.ownerId, owner.id),
        eq(ledgerAccounts.asset, asset),
        eq(ledgerAccounts.book, ''),
        ownRows(ctx, ledgerAccounts.agentId),
      ),
    )
  return eq(ledgerEntries.accountId, sql`(${account})`)
}

/** By the whole number of their document, its last eight characters, or a shop's id: what indexes find. */
export function entriesNumbered(search: string): SQL | undefined {
  return or(
    eq(ledgerTransfers.document, search),
    eq(sql`right(${ledgerTransfers.document}, 8)`, search),
    ofShop(search),
  )
}

function ofShop(search: string): SQL | undefined {
  return /^\d{1,15}$/.test(search) ? eq(ledgerTransfers.merchantId, Number(search)) : undefined
}

/** Any part of the texts, and an order number's beginning or end, of one agent or of some days; of all agents at all times only what an index finds. */
function searched(ctx: Ctx, { search, agentId, from, to }: Filters): SQL | undefined {
  if (!search) return undefined
  const isBounded = agentId !== undefined || (from !== undefined && to !== undefined)
  if (ctx.actor.isVendorStaff && !isBounded) return entriesNumbered(search)
  const text = search.replace(/[\\%_]/g, '\\$&')
  return or(
    ofShop(search),
    // Not the middle: 22 digits of date and count hold many a shop's id by chance.
    ilike(ledgerTransfers.document, `${text}%`),
    ilike(ledgerTransfers.document, `%${text}`),
    ilike(ledgerTransfers.description, `%${text}%`),
    ilike(ledgerTransfers.remark, `%${text}%`),
  )
}

/** What the export of balance changes selects, in the list's order; rows are read through a cursor. */
export function changesForExport(ctx: Ctx, filters: DownloadIn<typeof ledgerDownloads.changes>) {
  return selectChanges(ctx, changesWhere(ctx, filters))
}
