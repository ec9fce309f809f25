// What an import of a configuration file would do to one table, and how.
import { and, eq, getTableName, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import type { FileRow, NameIn } from '#server/office/reference-tables.ts'
import { found } from '#server/refuse.ts'
import type { referenceData as contract } from './contract.ts'
import { FILE_ROWS_MOST } from './rules.ts'
import { flawIn, isSameValue } from './server-file-flaws.ts'
import { type FileTable, hasBegun, holdingRows, idOf, isLater, lineOf, rowsIn } from './server-file-tables.ts'
import { usesOf } from './server-rows.ts'
import { removedRows } from './tables.ts'

export type Plan = Out<typeof contract.rehearse>['tables'][number] & { write: (() => Promise<unknown>)[] }

/** What the whole import knows: what other tables' rows are called, and whether anything was ever sold here. */
export type Importing = { nameIn: NameIn; isNew: boolean }

export const emptyPlan = (key: string, title: string): Plan => ({
  ...{ key, title, added: [], changed: [], removed: [], retired: [], kept: [], refused: [], write: [] },
})

/** An office without a partner has sold nothing: what its prices were does not matter to anybody. */
export async function isNewOffice(ctx: Ctx): Promise<boolean> {
  const { rows } = await ctx.client.query<{ fresh: boolean }>('select is_new_office() as fresh')
  return found(rows[0]).fresh
}

const isRecord = (value: unknown): value is FileRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export async function planTable(
  ctx: Ctx,
  table: FileTable,
  given: unknown,
  importing: Importing,
): Promise<Plan> {
  const plan = emptyPlan(table.key, table.title)
  if (!Array.isArray(given) || given.length > FILE_ROWS_MOST || !given.every(isRecord))
    return { ...plan, refused: [`须为最多 ${FILE_ROWS_MOST} 项的列表`] }
  const rows = given as FileRow[]
  const seen = new Set<string>()
  const sound: FileRow[] = []
  for (const row of rows) {
    const id = idOf(table, row)
    const flaw = seen.has(id) ? '重复' : await flawIn(table, row)
    seen.add(id)
    if (flaw === null) sound.push(row)
    else plan.refused.push(`${table.called(row, importing.nameIn)}：${flaw}`)
  }
  const work = { ctx, table, plan, importing, stands: await rowsIn(ctx, table) }
  if (table.dated) planDated(work, sound)
  else {
    const stands = new Map(work.stands.map(row => [idOf(table, row), row]))
    for (const row of sound) planRow(work, stands.get(idOf(table, row)), row)
  }
  const { dated } = table
  const lines = new Set(dated ? sound.map(row => lineOf(row, dated)) : [])
  for (const row of work.stands) if (!seen.has(idOf(table, row))) await planMissing(work, row, lines)
  if (table.afterwards && plan.write.length > 0)
    plan.write.push(() => table.afterwards?.(ctx) ?? Promise.resolve())
  return plan
}

type Work = { ctx: Ctx; table: FileTable; plan: Plan; importing: Importing; stands: readonly FileRow[] }

const nameOf = ({ table, importing }: Work, row: FileRow) => table.called(row, importing.nameIn)

function addRow({ ctx, table }: Work, row: FileRow, changed: FileRow = {}): () => Promise<unknown> {
  return async () => {
    await ctx.db.insert(table.table).values({ ...table.leaves, ...row, ...changed } as never)
    const name = getTableName(table.table)
    await ctx.db
      .delete(removedRows)
      .where(and(eq(removedRows.tableName, name), eq(removedRows.rowId, idOf(table, row))))
  }
}

function planRow(work: Work, before: FileRow | undefined, row: FileRow): void {
  const { ctx, table, plan } = work
  if (!before) {
    plan.added.push(nameOf(work, row))
    plan.write.push(addRow(work, row))
    return
  }
  const differs = Object.entries(table.columns)
    .filter(([name, column]) => !isSameValue(column, before[name], row[name]))
    .map(([name]) => name)
  if (differs.length === 0) return
  plan.changed.push({ name: nameOf(work, row), what: changesIn(table, differs, before, row) })
  const changed = { ...table.touches, ...Object.fromEntries(differs.map(name => [name, row[name]])) }
  plan.write.push(() => ctx.db.update(table.table).set(changed).where(isRow(table, row)))
}

function changesIn(table: FileTable, names: readonly string[], before: FileRow, row: FileRow): string {
  return names
    .map(
      name => `${table.labelOf(name)} ${table.textOf(name, before[name])} → ${table.textOf(name, row[name])}`,
    )
    .join('、')
}

const isRow = ({ ids, columns, carried }: FileTable, row: FileRow): SQL | undefined =>
  and(
    carried,
    ...ids.map(name => {
      const column = found(columns[name]) as AnyPgColumn
      return row[name] === null ? isNull(column) : eq(column, row[name])
    }),
  )

/** What holds from a moment on is never changed: what differs begins, at its own moment or, where partners buy already, now. */
function planDated(work: Work, rows: readonly FileRow[]): void {
  const { table, plan, importing } = work
  const dated = found(table.dated)
  const now = work.ctx.now.getTime()
  const holding = holdingRows(work.stands, dated, now)
  const stands = new Map(work.stands.map(row => [idOf(table, row), row]))
  const isSame = (a: FileRow, b: FileRow) =>
    dated.value.every(name => isSameValue(found(table.columns[name]), a[name], b[name]))
  const wanted = [...holdingRows(rows, dated, now).values(), ...rows.filter(row => !hasBegun(row, now))]
  for (const row of wanted) {
    const at = stands.get(idOf(table, row))
    const holds = hasBegun(row, now) ? holding.get(lineOf(row, dated)) : at
    if (holds && isSame(holds, row) && !(importing.isNew && isLater(row, holds))) continue
    if (!hasBegun(row, now) && at) {
      plan.kept.push(`${nameOf(work, row)}：${formatInstant(String(row.startsAt))} 起已另有设置`)
      continue
    }
    const keepsStart = !hasBegun(row, now) || (importing.isNew && !(holds && !isLater(row, holds)))
    const start = keepsStart ? `${formatInstant(String(row.startsAt))} 起` : '导入后立即生效'
    if (holds && dated.value.length > 0)
      plan.changed.push({
        name: nameOf(work, row),
        what: `${changesIn(table, dated.value, holds, row)}（${start}）`,
      })
    else plan.added.push(`${nameOf(work, row)}（${start}）`)
    plan.write.push(addRow(work, row, keepsStart ? {} : { startsAt: sql`date_trunc('milliseconds', now())` }))
  }
}

/** A row that the file does not have goes where nothing uses it, else it is offered no more. */
async function planMissing(work: Work, row: FileRow, lines: ReadonlySet<string>): Promise<void> {
  const { ctx, table, plan } = work
  const { dated } = table
  if (dated) {
    // Another of its line takes its place.
    const isReplaced = lines.has(lineOf(row, dated))
    if (!isReplaced || !hasBegun(row, ctx.now.getTime())) plan.kept.push(nameOf(work, row))
    return
  }
  if (table.uses === null) {
    plan.kept.push(nameOf(work, row))
    return
  }
  const id = idOf(table, row)
  const key = found(table.columns[table.ids[0] ?? '']) as AnyPgColumn
  const uses = await usesOf(ctx, { uses: table.uses, id: key } as never, id)
  if (uses.every(({ count }) => count === 0)) {
    plan.removed.push(nameOf(work, row))
    plan.write.push(async () => {
      await ctx.db.delete(table.table).where(isRow(table, row))
      await ctx.db
        .insert(removedRows)
        .values({ tableName: getTableName(table.table), rowId: id, removedAt: sql`now()` })
        .onConflictDoNothing()
    })
  } else if (table.retires && row.retiredAt === null) {
    plan.retired.push(nameOf(work, row))
    plan.write.push(() =>
      ctx.db
        .update(table.table)
        .set({ retiredAt: sql`now()` } as never)
        .where(isRow(table, row)),
    )
  } else plan.kept.push(nameOf(work, row))
}
