// Pages of a list: the ids of one page first, through the index that fits, then the rows that are shown; totals up to a cap.
import { createHash } from 'node:crypto'
import { and, asc, desc, eq, getTableColumns, getTableName, gte, is, like, lt, SQL, sql } from 'drizzle-orm'
import { PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { type FilterParams, type FiltersOf, type List, type ParamValue, paramsOf } from '#kit/declare/list.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { endOfDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from './ctx.ts'
import { together } from './db.ts'

/** One condition of a list: its key names the shape of the statement, its values fill the placeholders it uses. */
export type Condition = {
  key: string
  sql: SQL | undefined
  values?: Record<string, unknown>
  /** One plan fits all its values, as an equality's does. */
  onePlan?: boolean
  /** An index finds its rows: they are looked at once, for page and total together. */
  hits?: boolean
}

export type ListSource = {
  /** Names its statements; one per list. */
  name: string
  table: PgTable & { id: PgColumn }
  conditions: readonly Condition[]
  /** Names the order, for the statement's shape. */
  sort: string
  order: SQL[]
  /** The same order from the other end, for lists whose total is kept. */
  reversed?: SQL[]
  /** The whole list's total where it is kept; asked only when nothing but the acting agent's rows is filtered. */
  keptTotal?: () => Promise<number>
  /** In the ascending one of both orders, where rows are counted by day: what holds from the day on in which this place lies, and the rows before it. */
  daysBefore?: (place: number) => Promise<{ from: Condition; rows: number } | null>
}

export type PageAsked = { page: number; size: number }
export type Total = { total: number; totalCapped: boolean }

type Statement<Row> = { execute(values: Record<string, unknown>): Promise<Row[]> }
export type Preparable<Row> = { prepare(name: string): Statement<Row>; toSQL(): { sql: string } }
/** The ids of the page as a common table expression; rows join it by `page.id`. */
export type PageIds = ReturnType<typeof pageOf>

/** Rows of the acting agent, or none for whoever sees all. Its key is 'own'. */
export function ownCondition(ctx: Ctx, agentId: PgColumn): Condition[] {
  if (!ownRows(ctx, agentId)) return []
  const condition = eq(agentId, sql.placeholder('ownAgentId'))
  return [{ key: 'own', sql: condition, values: { ownAgentId: ctx.actor.agentId } }]
}

/** The column holds this value; no condition when there is none. */
export function equal(key: string, column: PgColumn, value: unknown): Condition[] {
  if (value === undefined) return []
  return [{ key, sql: eq(column, sql.placeholder(key)), values: { [key]: value }, onePlan: true }]
}

/** Of whose values some are rare: planned for the value that is asked. */
export function skewed(conditions: Condition[]): Condition[] {
  return conditions.map(condition => ({ ...condition, onePlan: false }))
}

/** Compares a column of whose values some are rare. */
export function skewedBy(key: string, column: PgColumn): (value: unknown) => Condition[] {
  return value => skewed(equal(key, column, value))
}

/** The instant lies within these days of Asia/Shanghai, both included; either may be open. */
export function within(key: string, column: PgColumn, from?: string, to?: string): Condition[] {
  const conditions: Condition[] = []
  if (from !== undefined) {
    const name = `${key}From`
    const values = { [name]: startOfDay(from).toISOString() }
    conditions.push({ key: name, sql: gte(column, sql.placeholder(name)), values })
  }
  if (to !== undefined) {
    const name = `${key}To`
    const values = { [name]: endOfDay(to).toISOString() }
    conditions.push({ key: name, sql: lt(column, sql.placeholder(name)), values })
  }
  return conditions
}

/** What of a search an index answers past row-level security, and that the text is there wholly. */
const PIECES = 'pieces'
const CONTAINS = 'contains'

type Part = { key: string; sql: SQL; values: Record<string, string> }

/**
 * Where a part of a text is looked for: by its pieces of two characters, as the index has them, or its one character, and then wholly.
 * `given` is a value, or its placeholder.
 */
function partsOf(
  { column, letters }: Searched,
  text: string,
  given: (name: string, value: string) => unknown,
): Part[] {
  // Lowered by the database, as the text that is searched is: JavaScript lowers some letters otherwise.
  const part = (key: string, name: string, value: string, compare: (lowered: SQL) => SQL): Part => ({
    key,
    sql: compare(sql`lower(${given(name, value)}::text)`),
    values: { [name]: value },
  })
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const wholly = part(CONTAINS, 'searchedPattern', pattern, lowered => like(column, lowered))
  const byLetter = (key: string, letter: string) =>
    part(key, 'searchedLetter', letter, lowered => sql`letters(${column}) @> letters(${lowered})`)
  // Characters as the database counts them: those beyond the first plane are one, not two. Digits stand in every text.
  if ([...text].length < 2)
    return letters && !/^[0-9 ]/.test(text) ? [byLetter(`${PIECES} of one`, text), wholly] : [wholly]
  const [run] = /([0-9])\1{3}/.exec(text) ?? []
  return [
    part(PIECES, 'searchedPart', text, lowered => sql`bigrams(${column}) @> bigrams(${lowered})`),
    ...(letters && run ? [byLetter(`${PIECES} of one digit`, run)] : []),
    wholly,
  ]
}

/** A column that has an index of `bigrams`, and where `letters` says so one of `letters`, for searches of one character. */
type Searched = { column: PgColumn; letters: boolean }

const searchedOf = (searched: PgColumn | Searched): Searched =>
  'letters' in searched ? searched : { column: searched, letters: false }

/** The column holds this text anywhere. */
export function containing(searched: PgColumn | Searched, text: string): SQL | undefined {
  return and(...partsOf(searchedOf(searched), text, (_name, value) => value).map(part => part.sql))
}

/** The same of a list. More conditions than one, since only the last is none that an index answers past row-level security. */
export function containingConditions(searched: PgColumn | Searched, text: string): Condition[] {
  return partsOf(searchedOf(searched), text, name => sql.placeholder(name))
}

/** The table's own columns among these keys; the others come from tables that are joined. */
export function ownColumns<T extends PgTable, K extends string>(table: T, keys: readonly K[]) {
  const columns: Record<string, unknown> = getTableColumns(table)
  const own = keys.filter(key => key in columns)
  return Object.fromEntries(own.map(key => [key, columns[key]])) as Pick<
    T['_']['columns'],
    K & keyof T['_']['columns']
  >
}

type Compare<F> = F extends { kind: 'days' }
  ? (from: string | undefined, to: string | undefined) => Condition[]
  : (value: NonNullable<ParamValue<F>>) => Condition[]
type Compared<L extends List> = { [K in keyof FiltersOf<L>]: PgColumn | Compare<FiltersOf<L>[K]> }
/** What is not called like a column of the table must be named. */
type ComparedBeside<L extends List, T extends PgTable> = Omit<Compared<L>, keyof T['_']['columns']> &
  Partial<Compared<L>>

/** The conditions of a list's filters that are set: each compares its column, or makes the conditions of its value. */
export function filtered<L extends List>(list: L, input: FilterParams<L>, compared: Compared<L>): Condition[]
/** Filters that are called like a column of the table compare it. */
export function filtered<L extends List, T extends PgTable>(
  list: L,
  input: FilterParams<L>,
  compared: ComparedBeside<L, T>,
  table: T,
): Condition[]
export function filtered(
  list: List,
  input: object,
  compared: Readonly<Record<string, unknown>>,
  table?: PgTable,
): Condition[] {
  const values = input as Readonly<Record<string, unknown>>
  const columns = { ...(table && getTableColumns(table)), ...compared } as Readonly<
    Record<string, PgColumn | ((...values: never[]) => Condition[])>
  >
  return Object.entries(list.filters ?? {}).flatMap(([key, filter]) => {
    const by = columns[key]
    const [first, second] = paramsOf(key, filter).map(name => values[name])
    if (typeof by === 'function')
      return first === undefined && second === undefined ? [] : by(first as never, second as never)
    if (!by) throw new Error(`${list.key} does not say what ${key} compares`)
    if (filter.kind !== 'days') return equal(key, by, first)
    return within(key, by, first as string | undefined, second as string | undefined)
  })
}

/** An order of a list, which names its statement. */
export type Order = Pick<ListSource, 'sort' | 'order'>

/** By one of these columns and by number what came at once, as their indexes are, in both directions. */
export function sortedBy<S extends string>(
  { sort, order }: { sort: S; order: 'asc' | 'desc' },
  columns: Readonly<Record<S, PgColumn>>,
  id: PgColumn,
): Order {
  const by = order === 'asc' ? asc : desc
  return { sort: `${sort} ${order}`, order: [by(columns[sort]), by(id)] }
}

/** The same where the indexes have nulls last: the database uses them for no other order of nulls. */
export function sortedNullsLast<S extends string>(
  { sort, order }: { sort: S; order: 'asc' | 'desc' },
  columns: Readonly<Record<S, PgColumn>>,
  id: PgColumn,
): Order {
  const ends = sql.raw(order === 'asc' ? 'asc nulls first' : 'desc nulls last')
  return { sort: `${sort} ${order}`, order: [sql`${columns[sort]} ${ends}`, sql`${id} ${ends}`] }
}

export async function rowsAndTotal<Row>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
): Promise<{ rows: Row[] } & Total> {
  if (isSearched(list)) return searchedRows(ctx, list, asked, rows)
  const [found, total] = await together([pageOfRows(ctx, list, asked, rows), totalOf(ctx, list)])
  return { rows: found, ...total }
}

/** The rows of one page. `rows` selects them from the page's ids; it need not sort. */
export async function pageOfRows<Row>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
): Promise<Row[]> {
  if (isSearched(list)) return (await searchedRows(ctx, list, asked, rows)).rows
  return readPage(ctx, list, asked, rows)
}

async function readPage<Row>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
): Promise<Row[]> {
  const reading = await readingOf(list, asked)
  const { from, limit, offset } = reading
  const shape = { kind: `page ${list.sort} ${asked.size} ${from}`, isFirst: from === 'start' }
  const values = { ...valuesOf(list.conditions), limit, offset }
  if (keepsPlan(list, shape)) {
    const page = () => idsOf(ctx, list, asked.size, from)
    return keptStatement(ctx, list, shape, () => rows(pageOf(ctx, page()))).execute(values)
  }
  // What is planned anew is the ids alone: to plan the tables beside them takes longer than to read the page.
  const ids =
    (await idsBehindDays(ctx, list, asked.size, reading)) ?? (await idsRead(ctx, list, asked.size, reading))
  return readRows(ctx, list, shape, { rows, ids, values })
}

async function idsRead(
  ctx: Ctx,
  list: ListSource,
  size: number,
  { from, limit, offset }: Reading,
): Promise<unknown[]> {
  const shape = { kind: `page ${list.sort} ${size} ${from}`, isFirst: from === 'start' }
  const statement = keptStatement(ctx, list, shape, () => idsOf(ctx, list, size, from))
  const ids = await statement.execute({ ...valuesOf(list.conditions), limit, offset })
  return ids.map(({ id }) => id)
}

/** The same from the day on in which the page lies; null where that is not known, or where the page goes on behind all that have a day. */
async function idsBehindDays(
  ctx: Ctx,
  list: ListSource,
  size: number,
  { from, limit, place }: Reading,
): Promise<unknown[] | null> {
  const before = place === undefined ? null : await list.daysBefore?.(place)
  if (!before || place === undefined) return null
  const conditions = [...list.conditions, before.from]
  const ids = await idsRead(ctx, { ...list, conditions }, size, { from, limit, offset: place - before.rows })
  return ids.length < limit ? null : ids
}

async function readRows<Row>(
  ctx: Ctx,
  list: ListSource,
  shape: Shape,
  { rows, ids, values }: { rows: (page: PageIds) => Preparable<Row>; ids: unknown[]; values: object },
): Promise<Row[]> {
  if (ids.length === 0) return []
  return rowsOf(ctx, list, shape, rows).execute({ ...values, pageIds: ids })
}

export const isSearched = ({ conditions }: ListSource) =>
  conditions.some(({ key, hits }) => key === CONTAINS || hits)

/**
 * Page and total of a search, of hits that are looked at once: page and count by themselves would each visit all of them. Of more than are
 * counted the page is found along its order, where every few rows are a hit; the database takes hits for rare whatever is searched.
 */
async function searchedRows<Row>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
): Promise<{ rows: Row[] } & Total> {
  const hits = await rowsOfHits(ctx, list, asked, rows, {})
  if (hits) return { rows: hits.rows, total: hits.total, totalCapped: false }
  return { rows: await pageAmongHits(ctx, list, asked, rows), total: COUNT_CAP, totalCapped: true }
}

/** The page, the total and the sums of a search; null where there are more hits than are counted. */
export async function rowsOfHits<Row, Name extends string>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
  sums: Record<Name, SQL>,
): Promise<{ rows: Row[]; total: number; sums: Record<Name, number> } | null> {
  const values = { ...valuesOf(list.conditions), offset: (asked.page - 1) * asked.size }
  const shape = {
    kind: ['hits', list.sort, asked.size, ...Object.keys(sums)].join(' '),
    isFirst: false,
  }
  const [hits] = await keptStatement(ctx, list, shape, () => hitsOf(ctx, list, asked.size, sums)).execute(
    values,
  )
  const { total, ids, ...summed } = hits ?? { total: 0, ids: [] }
  if (total > COUNT_CAP) return null
  const found = await readRows(ctx, list, shape, { rows, ids, values })
  return { rows: found, total, sums: summed as Record<Name, number> }
}

/** The page of a search along its order. */
export function pageAmongHits<Row>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
): Promise<Row[]> {
  const conditions = list.conditions
    .filter(({ key }) => !key.startsWith(PIECES))
    .map(condition => (condition.key === CONTAINS ? oftenMet(condition) : condition))
  return readPage(ctx, { ...list, conditions }, asked, rows)
}

/**
 * What is known to be met often, so that the database walks along the order instead of sorting all rows: behind row-level security it guesses
 * by the pattern's length, and takes one row in ten thousand for a hit. Of a case it guesses one in two.
 */
function oftenMet(condition: Condition): Condition {
  return { ...condition, sql: sql`case when ${condition.sql} then true end` }
}

/** How many there are, up to one more than are counted, and the ids of the page and the sums where these are all. */
function hitsOf(ctx: Ctx, list: ListSource, size: number, sums: Record<string, SQL>) {
  const { table } = list
  const columns = Object.fromEntries(
    [table.id, ...columnsIn(list.order)].map(column => [column.name, column]),
  )
  const summed = Object.entries(sums)
  const hits = ctx.db.$with('hits').as(
    ctx.db
      .select({ ...columns, ...Object.fromEntries(summed.map(([name, value]) => [name, value.as(name)])) })
      .from(table)
      .where(conditionOf(list))
      .limit(literal(COUNT_CAP + 1)),
  )
  // Named like the table, so that the list's order means its columns.
  const found = sql`(select ${table.id} from hits as ${sql.identifier(getTableName(table))}
    order by ${sql.join(list.order, sql`, `)} limit ${literal(size)} offset ${sql.placeholder('offset')})`
  return ctx.db
    .with(hits)
    .select({
      ...Object.fromEntries(
        summed.map(([name]) => [
          name,
          sql<number>`coalesce(sum(${sql.identifier(name)}), 0)`.mapWith(Number),
        ]),
      ),
      total: sql<number>`count(*)`.mapWith(Number),
      ids: sql<unknown[]>`array${found}`.mapWith((ids: string[]) =>
        ids.map(id => table.id.mapFromDriverValue(id)),
      ),
    })
    .from(hits)
}

/** The columns that an order compares. */
function columnsIn(order: readonly SQL[]): PgColumn[] {
  return order.flatMap(({ queryChunks }) =>
    queryChunks.flatMap(chunk => (is(chunk, PgColumn) ? [chunk] : is(chunk, SQL) ? columnsIn([chunk]) : [])),
  )
}

const pageOf = (ctx: Ctx, ids: ReturnType<typeof idsOf>) => ctx.db.$with('page').as(ids)

/** The rows of ids that are known, whose plan is kept. */
function rowsOf<Row>(
  ctx: Ctx,
  list: ListSource,
  { kind }: Shape,
  rows: (page: PageIds) => Preparable<Row>,
): Statement<Row> {
  return ctx.prepared(keyOf(list, `rows of ${kind}`), () => {
    const { id } = list.table
    const ids = ctx.db
      .select({ id })
      .from(list.table)
      .where(sql`${id} = any(${sql.placeholder('pageIds')}::${sql.raw(id.getSQLType())}[])`)
      .$dynamic()
    const built = rows(pageOf(ctx, ids))
    return built.prepare(statementName(list.name, built.toSQL().sql))
  })
}

/** The kept total where nothing is filtered; otherwise counted up to COUNT_CAP. */
export async function totalOf(ctx: Ctx, list: ListSource): Promise<Total> {
  if (list.keptTotal && isWhole(list)) return { total: await list.keptTotal(), totalCapped: false }
  const statement = keptStatement(ctx, list, { kind: 'total', isFirst: true }, () =>
    ctx.db.select({ total: sql<number>`count(*)`.mapWith(Number) }).from(
      ctx.db
        .select({ one: sql`1`.as('one') })
        .from(list.table)
        .where(conditionOf(list))
        .limit(literal(COUNT_CAP + 1))
        .as('counted'),
    ),
  )
  const [row] = await statement.execute(valuesOf(list.conditions))
  const total = row?.total ?? 0
  return { total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}

/** How many rows of a table meet a condition, counted up to one more than COUNT_CAP: for what no list declares. */
export async function countUpTo(ctx: Ctx, table: PgTable, where: SQL | undefined): Promise<number> {
  const few = ctx.db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(COUNT_CAP + 1)
    .as('few')
  const [counted] = await ctx.db.select({ total: sql<number>`count(*)::int` }).from(few)
  return counted?.total ?? 0
}

export function conditionOf(list: Pick<ListSource, 'conditions'>): SQL | undefined {
  return and(...list.conditions.map(condition => condition.sql))
}

/** Values of the placeholders of these conditions. */
export function valuesOf(conditions: readonly Condition[]): Record<string, unknown> {
  return Object.assign({}, ...conditions.map(condition => condition.values))
}

/** A number inside the statement's text, where it is of one of few kinds. */
export function literal(whole: number): number {
  return sql.raw(String(Math.trunc(whole))) as unknown as number
}

/** `place`: how many rows stand before the page in the order in which days are counted, where it lies far from both ends. */
type Reading = { from: 'start' | 'offset' | 'end'; limit: number; offset: number; place?: number }

/** Rows that may be passed over before it pays to ask how many there are. */
const FAR_ROWS = 1_000
/** Rows, and the part of all, that may be passed over before it pays to count them by day. */
const DAYS_ROWS = 10_000
const DAYS_PART = 1 / 4

/** How the page is reached: in a list whose total is kept, the second half from its end, so that no page passes over more than half. */
async function readingOf(list: ListSource, { page, size }: PageAsked): Promise<Reading> {
  const offset = (page - 1) * size
  if (offset === 0) return { from: 'start', limit: size, offset }
  if (!list.reversed || !list.keptTotal || !isWhole(list) || offset < FAR_ROWS)
    return { from: 'offset', limit: size, offset }
  const total = await list.keptTotal()
  const shown = Math.max(0, Math.min(size, total - offset))
  const behind = Math.max(0, total - offset - shown)
  const isFar = Math.min(offset, behind) >= Math.max(DAYS_ROWS, total * DAYS_PART)
  if (isFar && list.sort.endsWith('desc')) return { from: 'end', limit: shown, offset: behind, place: behind }
  if (isFar) return { from: 'offset', limit: size, offset, place: offset }
  if (offset < total / 2) return { from: 'offset', limit: size, offset }
  return { from: 'end', limit: shown, offset: behind }
}

function isWhole(list: ListSource): boolean {
  return list.conditions.every(({ key }) => key === 'own')
}

/**
 * The ids of one page. The size is a literal and page 1 has no offset, since the database trusts a kept plan only where
 * it knows how few rows are wanted.
 */
function idsOf(ctx: Ctx, list: ListSource, size: number, from: Reading['from']) {
  const ids = ctx.db
    .select({ id: list.table.id })
    .from(list.table)
    .where(conditionOf(list))
    .orderBy(...(from === 'end' ? (list.reversed as SQL[]) : list.order))
    .limit(from === 'end' ? sql.placeholder('limit') : literal(size))
    .$dynamic()
  return from === 'start' ? ids : ids.offset(sql.placeholder('offset'))
}

type Shape = { kind: string; isFirst: boolean }

/**
 * A statement built once per connection and shape. The database keeps its plan where the same plan fits all values: page 1
 * and totals with at most one filter by equality. With ranges, searches, several filters or an offset it is planned anew.
 */
function keptStatement<Row>(
  ctx: Ctx,
  list: ListSource,
  shape: Shape,
  build: () => Preparable<Row>,
): Statement<Row> {
  const key = keyOf(list, shape.kind)
  return ctx.prepared(key, () => build().prepare(keepsPlan(list, shape) ? statementName(list.name, key) : ''))
}

const keyOf = (list: ListSource, kind: string) =>
  [list.name, kind, ...list.conditions.map(condition => condition.key)].join(' ')

function keepsPlan(list: ListSource, { isFirst }: Shape): boolean {
  const filters = list.conditions.filter(({ key }) => key !== 'own')
  return isFirst && filters.length <= 1 && filters.every(({ onePlan }) => onePlan)
}

/** A name of its own for each shape: PostgreSQL tells statements apart by their first 63 characters only. */
function statementName(name: string, shape: string): string {
  return `${name.slice(0, 30)} ${createHash('sha256').update(shape).digest('base64url').slice(0, 24)}`
}
