// The list of demands, how many stand where, the board, and the file.
import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { industries, merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { DownloadIn, In } from '#kit/declare/op.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  containingConditions,
  filtered,
  type ListSource,
  literal,
  ownColumns,
  type PageIds,
  rowsAndTotal,
  valuesOf,
} from '#server/list.ts'
import { type demands as contract, demandsDownloads } from './contract.ts'
import { DEMAND_FIELDS, DEMANDS } from './fields.ts'
import { DEMAND_LIMITS, EXPIRED_SINCE, STATUS_KEYS, weightAt } from './rules.ts'
import { demands } from './tables.ts'

type Filters = Omit<DownloadIn<typeof demandsDownloads.list>, 'columns' | 'sort' | 'order'>
type Sorting = Pick<In<typeof contract.list>, 'sort' | 'order'>

export const ROW = {
  ...ownColumns(demands, keysIn(DEMAND_FIELDS, 'row')),
  weightRank: demands.weightRank,
  shopName: merchants.shopName,
  ownerName: accounts.name,
  industryName: industries.name,
}

const LIVE = sql`${demands.deletedAt} is null and ${demands.mergedIntoId} is null`
const DELETED = sql`${demands.deletedAt} is not null and ${demands.mergedIntoId} is null`

function conditionsOf(ctx: Ctx, { search, deleted, ...filters }: Filters): Condition[] {
  const isOthers = !ctx.actor.isVendorStaff && ctx.services.walls.explicitScope
  return [
    deleted ? { key: 'deleted', sql: DELETED } : { key: 'live', sql: LIVE },
    ...(isOthers ? [{ key: 'nobody', sql: sql`false` }] : []),
    ...filtered(
      DEMANDS,
      filters,
      {
        created: demands.createdAt,
        deadline: (from, to) => deadlineWithin(ctx, from, to),
        deleted: () => [],
      },
      demands,
    ),
    ...(search ? containingConditions(demands.searchText, search) : []),
  ]
}

/** Days; from `EXPIRED_SINCE` to today means: past by now (D3 §9). */
function deadlineWithin({ now }: Ctx, from: string | undefined, to: string | undefined): Condition[] {
  const isExpired = from === EXPIRED_SINCE && to === formatDay(now)
  const until = isExpired ? now : to && endOfDay(to)
  return [
    ...(from
      ? [
          {
            key: 'deadlineFrom',
            sql: gte(demands.deadline, sql.placeholder('deadlineFrom')),
            values: { deadlineFrom: startOfDay(from).toISOString() },
          },
        ]
      : []),
    ...(until
      ? [
          {
            key: 'deadlineTo',
            sql: lt(demands.deadline, sql.placeholder('deadlineTo')),
            values: { deadlineTo: until.toISOString() },
          },
        ]
      : []),
  ]
}

/** Of the deadline those without one come last, where the index has them. */
function orderOf({ sort, order }: Sorting): SQL[] {
  const by = order === 'asc' ? asc : desc
  if (sort === 'deadline' && order === 'desc')
    return [sql`${demands.deadline} desc nulls last`, desc(demands.id)]
  const column = { createdAt: demands.createdAt, weight: demands.weightRank, deadline: demands.deadline }[
    sort
  ]
  return [by(column), by(demands.id)]
}

function selectRows(ctx: Ctx, order: SQL[]) {
  return (page: PageIds) =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(demands, eq(demands.id, page.id))
      .innerJoin(merchants, eq(merchants.id, demands.merchantId))
      .innerJoin(accounts, eq(accounts.id, demands.ownerId))
      .innerJoin(industries, eq(industries.id, demands.industryId))
      .orderBy(...order)
}

/** With what it weighs now. */
export function weighed<R extends { weightRank: number }>({ now }: Ctx, row: R): R & { weight: number } {
  return { ...row, weight: weightAt(row.weightRank, now.getTime()) }
}

export const listDemands: Verb<typeof contract.list> = async (ctx, input) => {
  const order = orderOf(input)
  const list: ListSource = {
    name: 'demands',
    table: demands,
    conditions: conditionsOf(ctx, input),
    sort: `${input.sort} ${input.order}`,
    order,
  }
  const page = await rowsAndTotal(ctx, list, input, selectRows(ctx, order))
  return { ...page, rows: page.rows.map(row => weighed(ctx, row)) }
}

export const countStatuses: Verb<typeof contract.counts> = async (ctx, input) => ({
  rows: await countsOf(ctx, conditionsOf(ctx, input)),
})

/** Every status, also where none stands. */
async function countsOf(ctx: Ctx, conditions: readonly Condition[]) {
  const key = ['demand counts', ...conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, db =>
    db
      .select({ status: demands.status, count: sql<number>`count(*)`.mapWith(Number) })
      .from(demands)
      .where(conditionOf({ conditions }))
      .groupBy(demands.status)
      .prepare(''),
  )
  const rows = await statement.execute(valuesOf(conditions))
  const counted = new Map(rows.map(row => [row.status, row.count]))
  return STATUS_KEYS.map(status => ({ status, count: counted.get(status) ?? 0 }))
}

export const readBoard: Verb<typeof contract.board> = async (ctx, { status: wanted, ...filters }) => {
  const conditions = conditionsOf(ctx, filters)
  const order = [desc(demands.weightRank), desc(demands.id)]
  const key = ['demand board', ...conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, db => {
    const [first, second, ...rest] = STATUS_KEYS.map(status =>
      db
        .select({ id: demands.id })
        .from(demands)
        .where(and(conditionOf({ conditions }), eq(demands.status, sql.raw(`'${status}'`))))
        .orderBy(...order)
        .limit(literal(DEMAND_LIMITS.boardRows)),
    )
    if (!first || !second) throw new Error('a board has columns')
    const page = db.$with('page').as(unionAll(first, second, ...rest))
    return selectRows(ctx, order)(page as unknown as PageIds).prepare('')
  })
  const rows = await statement.execute(valuesOf(conditions))
  const shown = wanted ? rows.filter(({ status }) => status === wanted) : rows
  return { rows: shown.map(row => weighed(ctx, row)), counts: await countsOf(ctx, conditions) }
}

/** The fields of the file's statement, in their order. */
const EXPORT_ROW = { ...ROW, descriptionText: demands.descriptionText }

export const demandsDownload = serveDownload(
  demandsDownloads.list,
  (ctx, { columns, sort, order, ...filters }) => {
    const conditions = conditionsOf(ctx, filters)
    const statement = ctx.db
      .select(EXPORT_ROW)
      .from(demands)
      .innerJoin(merchants, eq(merchants.id, demands.merchantId))
      .innerJoin(accounts, eq(accounts.id, demands.ownerId))
      .innerJoin(industries, eq(industries.id, demands.industryId))
      .where(conditionOf({ conditions }))
      .orderBy(...orderOf({ sort, order }))
    return {
      statement,
      values: valuesOf(conditions),
      ...fileColumns(DEMANDS, EXPORT_ROW, columns, {
        weight: row => weightAt(Number(row.weightRank), ctx.now.getTime()),
      }),
    }
  },
)
