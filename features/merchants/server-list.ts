// Lists of merchants: the ids of one page first, through the index that fits, then their rows (performance.md).
import { createHash } from 'node:crypto'
import { and, asc, desc, eq, gte, isNull, like, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '#features/access/tables.ts'
import { agents } from '#features/agents/tables.ts'
import { versions } from '#features/versions/tables.ts'
import type { In, Out } from '#kit/op.ts'
import { COUNT_CAP } from '#kit/page.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import type { merchants as contract } from './contract.ts'
import { OVERDUE_PREVIEW, OVERDUE_SINCE, REFUSALS } from './rules.ts'
import { industries, merchantCounts, merchants } from './tables.ts'

type ListInput = In<typeof contract.list>
export type Filters = Omit<ListInput, 'page' | 'size' | 'total' | 'sort' | 'order'>
type Sorting = Pick<ListInput, 'sort' | 'order'>

/** One condition of a list: its key names the shape of the statement, its value fills the placeholder of that name. */
type Condition = { key: string; sql: SQL | undefined; values?: Record<string, unknown> }

const managers = alias(accounts, 'managers')

export const ROW = {
  id: merchants.id,
  agentId: merchants.agentId,
  agentName: agents.companyName,
  storeKind: merchants.storeKind,
  shopName: merchants.shopName,
  shortName: merchants.shortName,
  personName: merchants.personName,
  account: merchants.account,
  versionName: versions.name,
  shopsBought: merchants.shopsBought,
  industryName: industries.name,
  status: merchants.status,
  registeredAt: merchants.registeredAt,
  expiresAt: merchants.expiresAt,
  lastLoginAt: merchants.lastLoginAt,
  referrer: merchants.referrer,
  managerName: managers.name,
  remark: merchants.remark,
  signature: merchants.signature,
  verificationStatus: merchants.verificationStatus,
  verificationRefusal: merchants.verificationRefusal,
}

export async function listMerchants(ctx: Ctx, input: ListInput): Promise<Out<typeof contract.list>> {
  const conditions = conditionsOf(ctx, input)
  if (!input.total)
    return { rows: await pageOfRows(ctx, conditions, input, input), total: 0, totalCapped: false }
  return rowsAndTotal(ctx, conditions, input, input)
}

export async function listOverdue(
  ctx: Ctx,
  input: In<typeof contract.overdue>,
): Promise<Out<typeof contract.overdue>> {
  const conditions = [...conditionsOf(ctx, { search: input.search }), overdueCondition()]
  return rowsAndTotal(ctx, conditions, { sort: 'expiresAt', order: input.order }, input)
}

export async function overduePreview(ctx: Ctx): Promise<Out<typeof contract.overduePreview>> {
  const conditions = [...conditionsOf(ctx, {}), overdueCondition()]
  const sorting = { sort: 'expiresAt', order: 'desc' } as const
  return rowsAndTotal(ctx, conditions, sorting, { page: 1, size: OVERDUE_PREVIEW })
}

export async function findMerchants(
  ctx: Ctx,
  input: In<typeof contract.find>,
): Promise<Out<typeof contract.find>> {
  if (ctx.actor.isVendorStaff && lengthOf(input.search) < 2) return { rows: [] }
  const conditions = conditionsOf(ctx, { search: input.search })
  const rows = await pageOfRows(
    ctx,
    conditions,
    { sort: 'registeredAt', order: 'desc' },
    { page: 1, size: 8 },
  )
  return { rows }
}

/** Expired since 2017-01-01 and before now. */
function overdueCondition(): Condition {
  return {
    key: 'overdue',
    sql: and(
      gte(merchants.expiresAt, sql.placeholder('overdueSince')),
      lt(merchants.expiresAt, sql.placeholder('overdueUntil')),
    ),
    values: { overdueSince: startOfDay(OVERDUE_SINCE).toISOString(), overdueUntil: new Date().toISOString() },
  }
}

/** Both statements are on their way at once; neither uses the connection any more when one's failure is told. */
async function rowsAndTotal(
  ctx: Ctx,
  conditions: Condition[],
  sorting: Sorting,
  page: { page: number; size: number },
) {
  const [rows, total] = await Promise.allSettled([
    pageOfRows(ctx, conditions, sorting, page),
    totalOf(ctx, conditions),
  ])
  if (rows.status === 'rejected') throw rows.reason
  if (total.status === 'rejected') throw total.reason
  return { rows: rows.value, ...total.value }
}

async function pageOfRows(
  ctx: Ctx,
  conditions: Condition[],
  sorting: Sorting,
  page: { page: number; size: number },
) {
  const reading = await readingOf(ctx, conditions, page)
  const { from, limit, offset } = reading
  const statement = keptStatement(
    ctx,
    {
      kind: `page ${sorting.sort} ${sorting.order} ${page.size} ${from}`,
      conditions,
      isFirst: from === 'start',
    },
    () => selectPage(ctx, conditions, sorting, { size: page.size, from }),
  )
  return statement.execute({ ...valuesOf(conditions), limit, offset })
}

type Reading = { from: 'start' | 'offset' | 'end'; limit: number; offset: number }

/** Rows that may be passed over before it pays to ask how many there are. */
const FAR_ROWS = 1_000

/** How the page is reached: in a list whose total is kept, the second half from its end, so that no page passes over more than half. */
async function readingOf(
  ctx: Ctx,
  conditions: Condition[],
  { page, size }: { page: number; size: number },
): Promise<Reading> {
  const offset = (page - 1) * size
  if (offset === 0) return { from: 'start', limit: size, offset }
  const isWhole = conditions.every(({ key }) => key === 'own')
  if (!isWhole || offset < FAR_ROWS) return { from: 'offset', limit: size, offset }
  const total = await keptTotal(ctx)
  if (offset < total / 2) return { from: 'offset', limit: size, offset }
  const shown = Math.max(0, Math.min(size, total - offset))
  return { from: 'end', limit: shown, offset: Math.max(0, total - offset - shown) }
}

/**
 * The statement of one page: ids through the index, then the rows that are shown. The size is a literal and page 1 has no
 * offset, since the database trusts a kept plan only where it knows how few rows are wanted.
 */
function selectPage(
  ctx: Ctx,
  conditions: Condition[],
  sorting: Sorting,
  { size, from }: { size: number; from: Reading['from'] },
) {
  const ids = ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(...conditions.map(condition => condition.sql)))
    .orderBy(...orderOf(from === 'end' ? reversed(sorting) : sorting))
    .limit(from === 'end' ? sql.placeholder('limit') : literal(size))
    .$dynamic()
  const page = ctx.db.$with('page').as(from === 'start' ? ids : ids.offset(sql.placeholder('offset')))
  return ctx.db
    .with(page)
    .select(ROW)
    .from(page)
    .innerJoin(merchants, eq(merchants.id, page.id))
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .innerJoin(industries, eq(industries.id, merchants.industryId))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .orderBy(...orderOf(sorting))
    .$dynamic()
}

/** A number inside the statement's text, where it is of one of few kinds. */
function literal(whole: number): number {
  return sql.raw(String(Math.trunc(whole))) as unknown as number
}

/**
 * A statement built once per connection and shape. The database keeps its plan where the same plan fits all values: page 1
 * and totals with at most one filter by equality. With ranges, searches, several filters or an offset it is planned anew.
 */
function keptStatement<T>(
  ctx: Ctx,
  shape: { kind: string; conditions: Condition[]; isFirst: boolean },
  build: () => { prepare(name: string): T },
): T {
  const key = [shape.kind, ...shape.conditions.map(condition => condition.key)].join(' ')
  const filters = shape.conditions.filter(({ key }) => key !== 'own' && key !== 'overdue')
  const keepsPlan =
    shape.isFirst && filters.length <= 1 && filters.every(({ key }) => EQUALITIES.includes(key as Equality))
  return ctx.prepared(`merchants ${key}`, () => build().prepare(keepsPlan ? statementName(key) : ''))
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export function selectForExport(ctx: Ctx, filters: Filters, sorting: Sorting) {
  const conditions = conditionsOf(ctx, filters)
  const statement = ctx.db
    .select(ROW)
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .innerJoin(industries, eq(industries.id, merchants.industryId))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .where(and(...conditions.map(condition => condition.sql)))
    .orderBy(...orderOf(sorting))
  return { statement, values: valuesOf(conditions) }
}

function orderOf({ sort, order }: Sorting): SQL[] {
  const column = merchants[sort]
  // "Never logged in" is older than any login, "never expires" later than any end; the indexes are written the same way.
  if (sort === 'lastLoginAt')
    return order === 'asc'
      ? [sql`${column} asc nulls first`, asc(merchants.id)]
      : [sql`${column} desc nulls last`, desc(merchants.id)]
  return order === 'asc' ? [asc(column), asc(merchants.id)] : [desc(column), desc(merchants.id)]
}

function reversed({ sort, order }: Sorting): Sorting {
  return { sort, order: order === 'asc' ? 'desc' : 'asc' }
}

/** Without filters the kept counter; otherwise counted up to COUNT_CAP. */
async function totalOf(ctx: Ctx, conditions: Condition[]): Promise<{ total: number; totalCapped: boolean }> {
  if (conditions.length === 0) return { total: await keptTotal(ctx), totalCapped: false }
  const isOwnOnly = conditions.length === 1 && conditions[0]?.key === 'own'
  if (isOwnOnly) return { total: await keptTotal(ctx), totalCapped: false }
  const statement = keptStatement(ctx, { kind: 'total', conditions, isFirst: true }, () =>
    ctx.db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(
      ctx.db
        .select({ one: sql`1`.as('one') })
        .from(merchants)
        .where(and(...conditions.map(condition => condition.sql)))
        .limit(literal(COUNT_CAP + 1))
        .as('counted'),
    ),
  )
  const [row] = await statement.execute(valuesOf(conditions))
  const total = row?.total ?? 0
  return { total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}

async function keptTotal(ctx: Ctx): Promise<number> {
  const scope = ownRows(ctx, merchantCounts.agentId)
  const key = `merchants kept total ${scope ? 'own' : 'all'}`
  const [row] = await ctx
    .prepared(key, db =>
      db
        .select({ total: sql<number>`coalesce(sum(${merchantCounts.total}), 0)`.mapWith(Number) })
        .from(merchantCounts)
        .where(scope ? eq(merchantCounts.agentId, sql.placeholder('agentId')) : undefined)
        .prepare(key),
    )
    .execute({ agentId: ctx.actor.agentId })
  return row?.total ?? 0
}

function conditionsOf(ctx: Ctx, filters: Filters): Condition[] {
  const conditions: Condition[] = []
  const add = (key: string, condition: SQL | undefined, values?: Record<string, unknown>) =>
    conditions.push({ key, sql: condition, values })
  if (ownRows(ctx, merchants.agentId))
    add('own', eq(merchants.agentId, sql.placeholder('ownAgentId')), { ownAgentId: ctx.actor.agentId })
  for (const key of EQUALITIES)
    if (filters[key] !== undefined)
      add(key, eq(merchants[key], sql.placeholder(key)), { [key]: filters[key] })
  for (const [key, column, edge] of RANGES) {
    const day = filters[key]
    if (day === undefined) continue
    const value = (edge === 'from' ? startOfDay(day) : endOfDay(day)).toISOString()
    const holds = edge === 'from' ? gte : lt
    add(key, holds(merchants[column], sql.placeholder(key)), { [key]: value })
  }
  if (filters.lastLoginDays !== undefined) conditions.push(lastLoginCondition(filters.lastLoginDays))
  if (filters.search) conditions.push(...searchConditions(ctx, filters.search, filters.agentId))
  return conditions
}

const EQUALITIES = ['agentId', 'status', 'storeKind', 'versionId', 'industryId', 'paymentMethodId'] as const
type Equality = (typeof EQUALITIES)[number]

const RANGES = [
  ['registeredFrom', 'registeredAt', 'from'],
  ['registeredTo', 'registeredAt', 'to'],
  ['expiresFrom', 'expiresAt', 'from'],
  ['expiresTo', 'expiresAt', 'to'],
] as const

function lastLoginCondition(days: number): Condition {
  const today = startOfDay(formatDay(new Date()))
  if (days === 0)
    return {
      key: 'loginToday',
      sql: gte(merchants.lastLoginAt, sql.placeholder('lastLogin')),
      values: { lastLogin: today.toISOString() },
    }
  const limit = new Date(today.getTime() - (days - 1) * 86_400_000)
  return {
    key: 'noLogin',
    sql: or(lt(merchants.lastLoginAt, sql.placeholder('lastLogin')), isNull(merchants.lastLoginAt)),
    values: { lastLogin: limit.toISOString() },
  }
}

/** Characters as the database counts them: those beyond the first plane are one, not two. */
function lengthOf(search: string): number {
  return [...search].length
}

/** Two or more characters ask the bigram index; one character reads the rows of one agent. */
function searchConditions(ctx: Ctx, search: string, agentId: number | undefined): Condition[] {
  const isShort = lengthOf(search) < 2
  const all = ctx.actor.isVendorStaff && agentId === undefined
  if (isShort && all) refuse('SEARCH_TOO_SHORT', REFUSALS)
  const contains: Condition = {
    key: 'search',
    // Lowered by the database, as the text that is searched is: JavaScript lowers some letters otherwise.
    sql: like(merchants.searchText, sql`lower(${sql.placeholder('pattern')}::text)`),
    values: { pattern: `%${search.replace(/[\\%_]/g, '\\$&')}%` },
  }
  if (isShort) return [contains]
  const pieces: Condition = {
    key: 'pieces',
    sql: sql`bigrams(${merchants.searchText}) @> bigrams(lower(${sql.placeholder('wanted')}::text))`,
    values: { wanted: search },
  }
  return [pieces, contains]
}

/** A name of its own for each shape: PostgreSQL tells statements apart by their first 63 characters only. */
function statementName(shape: string): string {
  return `merchants ${createHash('sha256').update(shape).digest('base64url').slice(0, 24)}`
}

function valuesOf(conditions: Condition[]): Record<string, unknown> {
  return Object.assign({}, ...conditions.map(condition => condition.values))
}
