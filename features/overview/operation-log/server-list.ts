// The operation log as a list, as one object's history and as a file.
import { and, desc, eq, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { apiKeyUses } from '#features/agencies/api-keys/tables.ts'
import { deviceOf } from '#features/agencies/sign-in/rules.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  containingConditions,
  filtered,
  literal,
  skewedBy,
  valuesOf,
} from '#server/list.ts'
import { objectKey } from '#server/operation-log.ts'
import { refuseCommon } from '#server/refuse.ts'
import { operationLogs } from '#server/tables.ts'
import { type operationLog as contract, operationLogDownloads } from './contract.ts'
import { OPERATION_LOG } from './fields.ts'
import { type Change, changeText, MODULES, type Module, moduleOf, pathsOf, summaryOf } from './rules.ts'

type Filters = Omit<In<typeof contract.list>, 'page' | 'size'>

const LATEST = [desc(operationLogs.createdAt), desc(operationLogs.id)]

/**
 * The rows of the acting agent's log are of two kinds, what its people did and what others did with its data; each has an index
 * in the order of the list. In one condition neither would be used. No row is of both kinds.
 */
function kindsOf(ctx: Ctx): (SQL | undefined)[] {
  if (!ownRows(ctx, operationLogs.agentId)) return [undefined]
  const me = sql.placeholder('ownAgentId')
  return [eq(operationLogs.agentId, me), eq(operationLogs.aboutAgentId, me)]
}

function conditionsOf(ctx: Ctx, { search, ...filters }: Filters): Condition[] {
  return [
    { key: 'own', sql: undefined, values: { ownAgentId: ctx.actor.agentId } },
    ...filtered(
      OPERATION_LOG,
      filters,
      {
        created: operationLogs.createdAt,
        module: ofModule,
        outcome: skewedBy('outcome', operationLogs.outcome),
        objectKind: skewedBy('objectKind', operationLogs.objectKind),
      },
      operationLogs,
    ),
    ...(search ? containingConditions(operationLogs.searchText, search) : []),
  ]
}

function ofModule(module: Module): Condition[] {
  const { paths, without } = pathsOf(module)
  const among = without ? notInArray : inArray
  return [{ key: `module ${module}`, sql: among(operationLogs.module, [...paths]) }]
}

/** So many rows that fit, in this order; counting needs none, and an order would make it read what it counts. */
function found(ctx: Ctx, conditions: readonly Condition[], most: number, order: SQL[]) {
  const [first, ...others] = kindsOf(ctx).map(kind =>
    ctx.db
      .select({ id: operationLogs.id, createdAt: operationLogs.createdAt })
      .from(operationLogs)
      .where(and(kind, conditionOf({ conditions })))
      .orderBy(...order)
      .limit(most),
  )
  if (!first) throw new Error('the log has no rows to read')
  const [second] = others
  return second ? unionAll(first, second) : first
}

const asked = (name: string) => sql`${sql.placeholder(name)}::int` as unknown as number
const ANY_PAGE = { most: asked('most'), limit: asked('limit'), offset: asked('offset') }

export const listLog: Verb<typeof contract.list> = async (ctx, input) => {
  const { page, size, ...filters } = input
  const conditions = conditionsOf(ctx, filters)
  const isFirst = page === 1
  // The first page's bounds are in the text: the database keeps a plan only where it knows how few rows are wanted, and without
  // one it plans over all months each time.
  const bounds = isFirst ? { most: literal(size), limit: literal(size), offset: literal(0) } : ANY_PAGE
  const key = [
    'operation log',
    isFirst ? `first ${size}` : 'later',
    ownRows(ctx, operationLogs.agentId) ? 'own' : 'all',
    ...conditions.map(one => one.key),
  ]
  const values = { ...valuesOf(conditions), limit: size, offset: (page - 1) * size, most: page * size }
  // Planned for its values, but where nothing is filtered: then one plan fits all.
  const name = (what: string) => (conditions.length === 1 ? `${what} ${key.join(' ')}` : '')
  const rows = ctx.prepared(`rows ${key.join(' ')}`, () => {
    const ids = found(ctx, conditions, bounds.most, LATEST).as('found')
    const wanted = ctx.db
      .select({ id: ids.id, createdAt: ids.createdAt })
      .from(ids)
      .orderBy(desc(ids.createdAt), desc(ids.id))
      .limit(bounds.limit)
      .offset(bounds.offset)
      .as('page')
    return selectRows(ctx)
      .innerJoin(wanted, and(eq(wanted.id, operationLogs.id), eq(wanted.createdAt, operationLogs.createdAt)))
      .orderBy(...LATEST)
      .prepare(name('rows'))
  })
  const total = ctx.prepared(`total ${key.join(' ')}`, () => {
    const counted = found(ctx, conditions, literal(COUNT_CAP + 1), []).as('counted')
    return ctx.db
      .select({ total: sql<number>`count(*)`.mapWith(Number) })
      .from(counted)
      .prepare(name('total'))
  })
  const [shown, counts] = await Promise.all([rows.execute(values), total.execute(values)])
  const count = counts[0]?.total ?? 0
  return { rows: shown.map(present), total: Math.min(count, COUNT_CAP), totalCapped: count > COUNT_CAP }
}

const ROW = {
  id: operationLogs.id,
  createdAt: operationLogs.createdAt,
  accountName: operationLogs.accountName,
  path: operationLogs.module,
  title: operationLogs.title,
  subject: operationLogs.subject,
  changes: operationLogs.changes,
  outcome: operationLogs.outcome,
  userAgent: operationLogs.userAgent,
  ip: operationLogs.ip,
  requestId: operationLogs.requestId,
  agentId: operationLogs.agentId,
  agentName: agents.companyName,
}

function selectRows(ctx: Ctx) {
  return ctx.db
    .select(ROW)
    .from(operationLogs)
    .leftJoin(agents, eq(agents.id, operationLogs.agentId))
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectRows>>[number]

function present({ path, userAgent, agentName, ...row }: Selected) {
  return {
    ...row,
    module: moduleOf(path),
    summary: summaryOf(row.changes),
    device: userAgent === '' ? '' : deviceOf(userAgent),
    agentName: agentName ?? '系统',
  }
}

const SHOWN = 20
/** Of a key that has left more rows than this, they are found as the list's are and not all read. */
const BUSY_CALLS = 1_000

async function isBusyKey(ctx: Ctx, id: string): Promise<boolean> {
  if (!/^\d{1,15}$/.test(id)) return false
  const [key] = await ctx.db
    .select({ calls: apiKeyUses.calls })
    .from(apiKeyUses)
    .where(eq(apiKeyUses.keyId, Number(id)))
  return key !== undefined && key.calls > BUSY_CALLS
}

export const historyOf: Verb<typeof contract.history> = async (ctx, { kind, id, before }) => {
  const [at = '', lastId = ''] = before?.split('|') ?? []
  if (before !== undefined && (Number.isNaN(Date.parse(at)) || !/^\d{1,15}$/.test(lastId)))
    refuseCommon('INPUT_INVALID')
  const isOwn = ownRows(ctx, operationLogs.agentId) !== undefined
  const me = sql.placeholder('ownAgentId')
  const asked = `operation log history ${isOwn ? 'own' : 'all'} ${before === undefined ? 'first' : 'next'}`
  // A key may have left most of the rows, or few: a busy one is planned for itself, which over all months takes longer than reading
  // what a quiet one has left.
  const isBusy = kind === 'apiKey' && (await isBusyKey(ctx, id))
  const name = isBusy ? '' : asked
  const object = sql`array[${sql.placeholder('object')}]::text[]`
  // Planned once: over all months that takes longer than reading. The database keeps a plan only where one made for the values
  // looks no better, so that what is asked for is hidden from its planner.
  const statement = ctx.prepared(isBusy ? `${asked} of a busy key` : asked, () =>
    selectRows(ctx)
      .where(
        and(
          sql`${operationLogs.objects} @> ${isBusy ? object : sql`(select ${object})`}`,
          isOwn && isBusy
            ? // What is done with a key is done by its agency, and its own index has the order.
              sql`${operationLogs.agentId} = ${me}`
            : isOwn
              ? sql`(select ${me}::bigint) in (${operationLogs.agentId}, ${operationLogs.aboutAgentId})`
              : undefined,
          before === undefined
            ? undefined
            : sql`(${operationLogs.createdAt}, ${operationLogs.id}) < (${sql.placeholder('at')}::timestamptz, ${sql.placeholder('lastId')}::bigint)`,
        ),
      )
      .orderBy(...LATEST)
      .limit(literal(SHOWN + 1))
      .prepare(name),
  )
  const rows = await statement.execute({
    object: objectKey(kind, id),
    ownAgentId: ctx.actor.agentId,
    at,
    lastId: Number(lastId),
  })
  const shown = rows.slice(0, SHOWN)
  const last = shown.at(-1)
  return {
    rows: shown.map(present),
    next: rows.length > SHOWN && last ? `${last.createdAt}|${last.id}` : null,
  }
}

export async function people(ctx: Ctx): Promise<Out<typeof contract.people>> {
  const rows = await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(eq(accounts.agentId, ctx.actor.agentId))
    .orderBy(accounts.id)
    .limit(500)
  return { rows }
}

/** Whether a row of the log is the acting agent's, in one condition: a file reads them all, in whatever order. */
function ownLog(ctx: Ctx): SQL | undefined {
  return or(ownRows(ctx, operationLogs.agentId), ownRows(ctx, operationLogs.aboutAgentId))
}

export const logDownload = serveDownload(operationLogDownloads.list, (ctx, { columns, ...filters }) => {
  const conditions = conditionsOf(ctx, filters)
  const where = and(ownLog(ctx), conditionOf({ conditions }))
  return {
    statement: selectRows(ctx)
      .where(where)
      .orderBy(...LATEST),
    values: valuesOf(conditions),
    ...fileColumns(OPERATION_LOG, ROW, columns, {
      module: row => MODULES[moduleOf(String(row.path))],
      summary: row => (row.changes as Change[]).map(changeText).join('；'),
      device: row => deviceOf(String(row.userAgent)),
    }),
  }
})
