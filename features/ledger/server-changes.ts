import { and, eq, gte, ilike, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import type { DownloadIn, In, Out } from '#kit/op.ts'
import { COUNT_CAP } from '#kit/page.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { ledger, ledgerDownloads } from './contract.ts'
import { ledgerAccounts, ledgerEntries, ledgerTransfers } from './tables.ts'

/** Written like the indexes of these columns, which the database uses for no other order of nulls. */
const LATEST_FIRST = [
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
  const totals = await changeTotals(ctx, where)
  return { rows: rows.map(present), ...totals }
}

/** Number and sums of what is filtered; counting stops at COUNT_CAP, and the sums with it. */
async function changeTotals(ctx: Ctx, where: SQL | undefined) {
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
  const summed = sql`${counted.place} <= ${COUNT_CAP}`
  const [row] = await ctx.db
    .select({
      total: sql<number>`count(*)`.mapWith(Number),
      incomeCents:
        sql<number>`coalesce(sum(${counted.amount}) filter (where ${counted.amount} > 0 and ${summed}), 0)`.mapWith(
          Number,
        ),
      spentCents:
        sql<number>`coalesce(-sum(${counted.amount}) filter (where ${counted.amount} < 0 and ${summed}), 0)`.mapWith(
          Number,
        ),
    })
    .from(counted)
  const total = row?.total ?? 0
  return {
    total: Math.min(total, COUNT_CAP),
    totalCapped: total > COUNT_CAP,
    incomeCents: row?.incomeCents ?? 0,
    spentCents: row?.spentCents ?? 0,
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
  const today = formatDay(new Date())
  return and(
    eq(ledgerAccounts.ownerKind, 'agent'),
    eq(ledgerAccounts.asset, 'token'),
    ownRows(ctx, ledgerEntries.agentId),
    filters.agentId === undefined ? undefined : eq(ledgerEntries.agentId, filters.agentId),
    ofOneAccount(ctx, filters.agentId),
    filters.payMethod === undefined ? undefined : eq(ledgerEntries.payMethod, filters.payMethod),
    filters.actorId === undefined ? undefined : eq(ledgerEntries.actorId, filters.actorId),
    filters.from === undefined
      ? undefined
      : gte(ledgerEntries.createdAt, startOfDay(filters.from).toISOString()),
    filters.to === undefined
      ? undefined
      : lt(ledgerEntries.createdAt, endOfDay(filters.to ?? today).toISOString()),
    searched(ctx, filters),
  )
}

/** Names the one account of one agent, so that its index gives the entries in their order; of all agents another index does. */
function ofOneAccount(ctx: Ctx, asked: number | undefined): SQL | undefined {
  const agentId = ownRows(ctx, ledgerEntries.agentId) ? ctx.actor.agentId : asked
  if (agentId === undefined) return isNotNull(ledgerEntries.agentId)
  const account = ctx.db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerKind, 'agent'),
        eq(ledgerAccounts.ownerId, agentId),
        eq(ledgerAccounts.asset, 'token'),
        eq(ledgerAccounts.book, ''),
      ),
    )
  return eq(ledgerEntries.accountId, sql`(${account})`)
}

/** Any part of the texts, and an order number's beginning or end, of one agent or of some days; of all agents at all times only what an index finds. */
function searched(ctx: Ctx, { search, agentId, from, to }: Filters): SQL | undefined {
  if (!search) return undefined
  const ofShop = /^\d{1,15}$/.test(search) ? eq(ledgerTransfers.merchantId, Number(search)) : undefined
  const isBounded = agentId !== undefined || (from !== undefined && to !== undefined)
  if (ctx.actor.isVendorStaff && !isBounded)
    return or(
      eq(ledgerTransfers.document, search),
      eq(sql`right(${ledgerTransfers.document}, 8)`, search),
      ofShop,
    )
  const text = search.replace(/[\\%_]/g, '\\$&')
  return or(
    ofShop,
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
