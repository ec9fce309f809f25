// Entries of accounts as lists: balance changes (D3 §2), and what the list of SMS entries shares with them.
import { and, eq, ilike, isNotNull, like, or, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { DownloadIn, In, Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  filtered,
  type Order,
  sortedNullsLast,
  type Total,
  valuesOf,
} from '#server/list.ts'
import type { ledger, ledgerDownloads } from './contract.ts'
import { BALANCE_CHANGES } from './fields.ts'
import { type Asset, GIVEN_BACK, SHOWN_ORDER_CHARS, SPENDING } from './rules.ts'
import { documentFacts, ledgerAccounts, ledgerEntries, ledgerTransfers } from './tables.ts'

/** As the indexes of an account's entries and of all have them. */
export const orderOf = (input: { sort: 'createdAt'; order: 'asc' | 'desc' }) =>
  sortedNullsLast(input, ledgerEntries, ledgerEntries.id)

type Filters = Omit<In<typeof ledger.changes>, 'page' | 'size'>

/** Balance changes (D3 §2) of token accounts of agents: own, or of all agents for vendor staff. */
export async function listChanges(
  ctx: Ctx,
  input: In<typeof ledger.changes>,
): Promise<Out<typeof ledger.changes>> {
  const conditions = changesConditions(ctx, input, await transfersSaying(ctx, input))
  const by = orderOf(input)
  const rows = await selectChanges(ctx, conditions, by)
    .limit(input.size)
    .offset((input.page - 1) * input.size)
    .prepare('')
    .execute(valuesOf(conditions))
  // Staff see every transfer: theirs are read only where they are what is filtered.
  const byTransfer = !ctx.actor.isVendorStaff || input.search !== undefined || input.spending === true
  const { income, spent, ...counted } = await entryTotals(ctx, conditions, by, byTransfer)
  return { rows: rows.map(present), ...counted, incomeCents: income, spentCents: spent }
}

/**
 * Number of the entries that are filtered, and what they brought and took, in the asset's smallest unit. Counting stops at
 * COUNT_CAP, and the sums with it.
 */
export async function entryTotals(
  ctx: Ctx,
  conditions: readonly Condition[],
  { order }: Order,
  byTransfer = true,
): Promise<Total & { income: number; spent: number }> {
  const entries = ctx.db
    .select({
      amount: ledgerEntries.amount,
      place: sql<number>`row_number() over (order by ${sql.join(order, sql`, `)})`.as('place'),
    })
    .from(ledgerEntries)
    .$dynamic()
  const counted = (
    byTransfer
      ? entries.innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
      : entries
  )
    .where(conditionOf({ conditions }))
    .orderBy(...order)
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
    .prepare('')
    .execute(valuesOf(conditions))
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
  balanceBeforeCents: ledgerEntries.balanceBefore,
  balanceAfterCents: ledgerEntries.balanceAfter,
  actorName: ledgerTransfers.actorName,
  requestedByName: sql<
    string | null
  >`case when ${ledgerTransfers.kind} = 'undo' then ${documentFacts.undoAskedByName}
    else ${documentFacts.orderedByName} end`.as('requested_by'),
  priceCents: sql<number | null>`${documentFacts.priceCents}`.mapWith(documentFacts.priceCents).as('price'),
  orderRemark: sql<string | null>`${documentFacts.orderRemark}`.as('order_remark'),
  remark: ledgerTransfers.remark,
  createdAt: ledgerEntries.createdAt,
}

function selectChanges(ctx: Ctx, conditions: readonly Condition[], { order }: Order) {
  return ctx.db
    .select(CHANGE)
    .from(ledgerEntries)
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .innerJoin(agents, eq(agents.id, ledgerTransfers.agentId))
    .leftJoin(documentFacts, eq(documentFacts.orderNo, ledgerTransfers.document))
    .where(conditionOf({ conditions }))
    .orderBy(...order)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectChanges>>[number]

function present({ balanceBeforeCents, balanceAfterCents, ...row }: Selected) {
  return { ...row, balanceBeforeCents: balanceBeforeCents ?? 0, balanceAfterCents: balanceAfterCents ?? 0 }
}

/** `saying`: the transfers that a search means, where an index found them. */
function changesConditions(ctx: Ctx, filters: Filters, saying?: readonly number[]): Condition[] {
  const ofTokens = and(ownRows(ctx, ledgerEntries.agentId), ofTokenAccounts(ctx, filters.agentId))
  return [
    { key: 'tokens', sql: ofTokens },
    ...filtered(BALANCE_CHANGES, filters, {
      payMethod: ledgerEntries.payMethod,
      actorId: ledgerEntries.actorId,
      spending: isAsked => (isAsked ? [OF_SPENDING] : []),
      created: ledgerEntries.createdAt,
      agentId: ledgerEntries.agentId,
    }),
    saying
      ? {
          key: 'saying',
          sql: sql`${ledgerEntries.transferId} = any(${sql.placeholder('saying')}::bigint[])`,
          values: { saying },
        }
      : { key: 'search', sql: searched(ctx, filters) },
  ]
}

/** Purchases, what is handed to agents below, and what undos gave back of them. */
const OF_SPENDING: Condition = {
  key: 'spending',
  sql: sql`case when ${ledgerTransfers.kind} = ${sql.raw(`'${GIVEN_BACK}'`)} then ${ledgerEntries.amount} > 0
    else ${ledgerEntries.amount} < 0 and ${ledgerTransfers.kind} in (${sql.raw(SPENDING.map(kind => `'${kind}'`).join(', '))}) end`,
}

/** Names the one account of one agent, so that its index gives the entries in their order; of all agents another index does. */
function ofTokenAccounts(ctx: Ctx, asked: number | undefined): SQL | undefined {
  const agentId = ownRows(ctx, ledgerEntries.agentId) ? ctx.actor.agentId : asked
  if (agentId !== undefined) return ofAccount(ctx, { kind: 'agent', id: agentId }, 'token')
  // As a case, which the database expects of half the entries: of a join or a list of accounts it expects so few that it sorts all.
  const accounts = ctx.db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.ownerKind, 'agent'), eq(ledgerAccounts.asset, 'token')))
  return and(
    isNotNull(ledgerEntries.agentId),
    sql`case when ${ledgerEntries.accountId} = any (array(${accounts})) then true end`,
  )
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
    eq(sql`right(${ledgerTransfers.document}, ${sql.raw(String(SHOWN_ORDER_CHARS))})`, search),
    ofShop(search),
  )
}

function ofShop(search: string): SQL | undefined {
  return /^\d{1,15}$/.test(search) ? eq(ledgerTransfers.merchantId, Number(search)) : undefined
}

/** What is typed is part of texts alone: a number may be that of an order or of a shop as well. */
const isWords = (search: string) => !/^\d+$/.test(search)

const bounded = (ctx: Ctx, { agentId, from, to }: Filters) =>
  !ctx.actor.isVendorStaff || agentId !== undefined || (from !== undefined && to !== undefined)

const inTexts = (search: string) => {
  const pattern = `%${escaped(search)}%`
  return or(ilike(ledgerTransfers.description, pattern), ilike(ledgerTransfers.remark, pattern))
}

const escaped = (search: string) => search.replace(/[\\%_]/g, '\\$&')

/**
 * The transfers whose texts hold what is searched, by the index of their pieces; undefined where it has no pieces, or where there are more than are
 * counted: those stand close to each other in the list's order.
 */
async function transfersSaying(ctx: Ctx, filters: Filters): Promise<number[] | undefined> {
  const { search } = filters
  if (!search || [...search].length < 2 || !isWords(search) || !bounded(ctx, filters)) return undefined
  const { description, remark } = ledgerTransfers
  const rows = await ctx.db
    .select({ id: ledgerTransfers.id })
    .from(ledgerTransfers)
    .where(
      and(
        ownRows(ctx, ledgerTransfers.agentId),
        sql`transfer_pieces(${description}, ${remark}) @> bigrams(lower(${search}::text))`,
        inTexts(search),
      ),
    )
    .limit(COUNT_CAP + 1)
  return rows.length > COUNT_CAP ? undefined : rows.map(({ id }) => id)
}

/** Any part of the texts, and an order number's beginning or end, of one agent or of some days; of all agents at all times only what an index finds. */
function searched(ctx: Ctx, filters: Filters): SQL | undefined {
  const { search } = filters
  if (!search) return undefined
  if (!bounded(ctx, filters)) return entriesNumbered(search)
  if (isWords(search)) return inTexts(search)
  // Digits have no case. Not the middle of a number: 22 digits of date and count hold many a shop's id by chance.
  const { document, description, remark } = ledgerTransfers
  return or(
    ofShop(search),
    like(document, `${search}%`),
    like(document, `%${search}`),
    like(description, `%${search}%`),
    like(remark, `%${search}%`),
  )
}

/** What the export of balance changes selects, in the list's order; rows are read through a cursor. */
export function changesForExport(ctx: Ctx, filters: DownloadIn<typeof ledgerDownloads.changes>) {
  const conditions = changesConditions(ctx, filters)
  return { statement: selectChanges(ctx, conditions, orderOf(filters)), values: valuesOf(conditions) }
}
