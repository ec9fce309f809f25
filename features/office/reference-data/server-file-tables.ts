// The tables that a configuration file carries, as the file sees them: their columns, what tells rows apart, what stays behind.
import { asc, getTableColumns, getTableName, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { brokenRow, type ReferenceField, valueText } from '#kit/declare/reference.ts'
import { formatInstant } from '#kit/time.ts'
import type { ConfiguredTable, Ctx, EditedTable } from '#server/ctx.ts'
import {
  COLUMN_LABELS,
  type Dated,
  type FileRow,
  type NameIn,
  type Use,
} from '#server/office/reference-tables.ts'
import { found } from '#server/refuse.ts'

export type FileTable = {
  key: string
  title: string
  table: PgTable
  /** Columns that the file carries, by their names in code. */
  columns: Readonly<Record<string, AnyPgColumn>>
  /** Of those, what tells rows apart. */
  ids: readonly string[]
  called: (row: FileRow, nameIn: NameIn) => string
  labelOf: (column: string) => string
  textOf: (column: string, value: unknown) => string
  leaves: Readonly<Record<string, unknown>>
  touches: Readonly<Record<string, unknown>>
  flawOf: (row: FileRow) => string | null | Promise<string | null>
  retires: boolean
  /** Null: what the file does not have stays. */
  uses: readonly Use[] | null
  carried: SQL | undefined
  left: string | undefined
  dated: Dated | undefined
  afterwards: ConfiguredTable['afterwards']
}

/** What is carried, what is named by others before them. */
export function fileTables(ctx: Ctx): FileTable[] {
  const { edited, configured } = ctx.services
  return [...edited.map(ofEdited), ...configured.map(ofConfigured)]
}

export function ofEdited(one: EditedTable): FileTable {
  const id = nameOf(one.table, one.id)
  return {
    ...{ key: one.key, title: one.title, table: one.table, retires: one.retires },
    columns: columnsOf(one.table, {}),
    ids: [id],
    called: row => calledBy(row, one.named, id),
    labelOf: column => labelOf(one, column),
    textOf: (column, value) => plainText(value, one.fields[column]),
    leaves: {},
    touches: {},
    flawOf: row => brokenRow(one, row)[0]?.message ?? null,
    uses: one.adds ? one.uses : null,
    ...{ carried: undefined, left: undefined, dated: undefined, afterwards: undefined },
  }
}

export function ofConfigured(one: ConfiguredTable): FileTable {
  const ids = [one.id].flat().map(column => nameOf(one.table, column as AnyPgColumn))
  const { named, words = {} } = one
  return {
    ...{ key: one.key, title: one.title, table: one.table, leaves: one.leaves, retires: false, ids },
    touches: one.touches ?? {},
    columns: columnsOf(one.table, one.leaves),
    called: typeof named === 'string' ? row => calledBy(row, named, ids[0] ?? '') : named,
    labelOf: column => labelOf(one, column),
    textOf: (column, value) => one.textOf?.(column, value) ?? plainText(value, undefined),
    flawOf: row => {
      const wrong = Object.entries(words).find(
        ([column, known]) => row[column] !== null && !known.includes(String(row[column])),
      )
      return wrong ? `${wrong[0]}：${String(row[wrong[0]])}` : (one.flawOf?.(row) ?? null)
    },
    uses: one.uses ?? null,
    ...{ carried: one.carried, left: one.left, dated: one.dated, afterwards: one.afterwards },
  }
}

/** A column's own field before what the table calls it, and that before what such columns are called anywhere. */
export const labelOf = (
  { fields, labels }: Pick<ConfiguredTable, 'fields' | 'labels'>,
  column: string,
): string => fields?.[column]?.label ?? labels?.[column] ?? COLUMN_LABELS[column] ?? column

function calledBy(row: FileRow, named: string, id: string): string {
  const name = String(row[named] ?? '')
  return named === id ? name : `${name}（${String(row[id])}）`
}

const TOLD_CHARS = 60

function plainText(value: unknown, field: ReferenceField | undefined): string {
  if (value === null || value === undefined || value === '') return '无'
  const text = field ? valueText(field, value as never) : bareText(value)
  return text.length > TOLD_CHARS ? `${text.slice(0, TOLD_CHARS)}…` : text || '无'
}

function bareText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return formatInstant(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function columnsOf(table: PgTable, leaves: FileRow): Record<string, AnyPgColumn> {
  const columns = Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>)
  return Object.fromEntries(columns.filter(([name]) => !(name in leaves)))
}

function nameOf(table: PgTable, id: AnyPgColumn): string {
  const column = Object.entries(getTableColumns(table)).find(([, one]) => one === id)
  if (!column) throw new Error(`${getTableName(table)} has not its own key`)
  return column[0]
}

/** The rows that the file carries, in an order that is the same in every office. */
export async function rowsIn(ctx: Ctx, of: FileTable): Promise<FileRow[]> {
  const { table, ids, columns, carried, dated } = of
  const order = dated ? [...ids, ...Object.keys(columns).filter(name => !ids.includes(name))] : ids
  const rows: FileRow[] = await ctx.db
    .select()
    .from(table)
    .where(carried)
    .orderBy(...order.map(name => asc(found(columns[name]))))
  const own = rows.map(row => Object.fromEntries(Object.keys(columns).map(name => [name, row[name]])))
  if (!dated) return own
  const now = ctx.now.getTime()
  const holding = new Set(holdingRows(own, dated, now).values())
  const standing = own.filter(row => !hasBegun(row, now) || holding.has(row))
  // What was written down twice at the same moment is one.
  return [...new Map(standing.map(row => [idOf(of, row), row])).values()]
}

const startOf = ({ startsAt }: FileRow) => Date.parse(String(startsAt))
export const hasBegun = (row: FileRow, now: number) => startOf(row) <= now
export const lineOf = (row: FileRow, { line }: Dated) => JSON.stringify(line.map(name => row[name]))

/** By its line, the row that has begun last. */
export function holdingRows(rows: readonly FileRow[], dated: Dated, now: number): Map<string, FileRow> {
  const holding = new Map<string, FileRow>()
  for (const row of rows) {
    const line = lineOf(row, dated)
    const last = holding.get(line)
    if (hasBegun(row, now) && !(last && startOf(row) < startOf(last))) holding.set(line, row)
  }
  return holding
}

/** Whether it begins later than another. */
export const isLater = (row: FileRow, other: FileRow) => startOf(row) > startOf(other)

export const idOf = ({ ids }: FileTable, row: FileRow) => ids.map(name => String(row[name])).join(' ')
