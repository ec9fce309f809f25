// Rows of declared tables, read and written as their declaration says; who uses them is counted before one goes.
import { type AnyColumn, asc, eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { COUNT_CAP } from '#kit/declare/page.ts'
import {
  type ReferenceField,
  type ReferenceValue,
  type RowValues,
  valueText,
} from '#kit/declare/reference.ts'
import type { Ctx, EditedTable } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { UseCount } from './rules.ts'
import { removedRows } from './tables.ts'

export type Row = { id: string; values: RowValues; retiredAt: string | null }
type Columns = Readonly<Record<string, AnyPgColumn>>
type Kept = Readonly<Record<string, unknown>>

export function tableOf(ctx: Ctx, key: string): EditedTable {
  return found(ctx.services.edited.find(table => table.key === key))
}

export function columnsOf({ table }: EditedTable): Columns {
  return getTableColumns(table) as Columns
}

const columnOf = (edited: EditedTable, name: string) => found(columnsOf(edited)[name])

/** The key as its column holds it. */
export function keyOf({ id }: EditedTable, text: string): number | string {
  return id.dataType === 'number' ? Number(text) : text
}

export const keyName = ({ table, id }: EditedTable) =>
  found(Object.entries(getTableColumns(table)).find(([, column]) => column === (id as AnyColumn)))[0]

/** Its key is one of its fields. */
export const hasTypedKey = (edited: EditedTable) => keyName(edited) in edited.fields

export function presented(edited: EditedTable, row: Kept): Row {
  const values = Object.keys(edited.fields).map(key => [key, row[key] as ReferenceValue])
  return {
    id: String(row[keyName(edited)]),
    values: Object.fromEntries(values) as RowValues,
    retiredAt: edited.retires ? ((row.retiredAt as string | null) ?? null) : null,
  }
}

/** All rows, in the order in which they are offered. */
export async function rowsOf(ctx: Ctx, edited: EditedTable): Promise<Row[]> {
  const order = edited.orders ? [columnOf(edited, 'position')] : []
  const within = edited.within ? [columnOf(edited, edited.within)] : []
  const rows: Kept[] = await ctx.db
    .select()
    .from(edited.table)
    .orderBy(...[...within, ...order, edited.id].map(column => asc(column)))
  return rows.map(row => presented(edited, row))
}

/** Those who change a table come one after the other. */
export async function lockTable(ctx: Ctx, edited: EditedTable): Promise<void> {
  await ctx.client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`reference ${edited.key}`])
}

/** The row, locked: whoever would name it now waits, and one that is named already is counted. */
export async function lockRow(ctx: Ctx, edited: EditedTable, id: string): Promise<Row> {
  await lockTable(ctx, edited)
  const [row]: Kept[] = await ctx.db
    .select()
    .from(edited.table)
    .where(eq(edited.id, keyOf(edited, id)))
    .for('update')
  return presented(edited, found(row))
}

export async function updateRow(ctx: Ctx, edited: EditedTable, id: string, values: Kept): Promise<Row> {
  const [row]: Kept[] = (await ctx.db
    .update(edited.table)
    .set(values)
    .where(eq(edited.id, keyOf(edited, id)))
    .returning()) as Kept[]
  return presented(edited, found(row))
}

/** Adds a row at the end, under the next number. */
export async function insertRow(ctx: Ctx, edited: EditedTable, values: Kept): Promise<Row> {
  const last = (column: AnyPgColumn) => sql<number>`coalesce(max(${column}), 0)::int`
  const none = sql<number>`0`
  const [end] = await ctx.db
    .select({
      id: hasTypedKey(edited) ? none : last(edited.id),
      position: edited.orders ? last(columnOf(edited, 'position')) : none,
    })
    .from(edited.table)
  const { id, position: at } = found(end)
  const placed = edited.orders ? { position: at + 1 } : {}
  const numbered = hasTypedKey(edited) ? {} : { [keyName(edited)]: id + 1 }
  const [row] = (await ctx.db
    .insert(edited.table)
    .values({ ...values, ...placed, ...numbered } as never)
    .returning()) as Kept[]
  return presented(edited, found(row))
}

/** Deletes a row, and remembers it, so that the next start does not bring it back. */
export async function deleteRow(ctx: Ctx, edited: EditedTable, id: string): Promise<void> {
  await ctx.db.delete(edited.table).where(eq(edited.id, keyOf(edited, id)))
  await ctx.db
    .insert(removedRows)
    .values({ tableName: getTableName(edited.table), rowId: id, removedAt: sql`now()` })
    .onConflictDoNothing()
}

export async function usesOf(ctx: Ctx, { uses, id: key }: EditedTable, id: string): Promise<UseCount[]> {
  const counts: UseCount[] = []
  for (const { what, counted, column } of uses) {
    const value = key.dataType === 'number' ? Number(id) : id
    const some = ctx.db
      .select({ one: sql`1`.as('one') })
      .from(column.table)
      .where(eq(column, value))
      .limit(COUNT_CAP + 1)
      .as('some')
    const [row] = await ctx.db.select({ count: sql<number>`count(*)::int` }).from(some)
    const count = found(row).count
    counts.push({ what, counted, count: Math.min(count, COUNT_CAP), capped: count > COUNT_CAP })
  }
  return counts
}

/** What differs between two rows, in people's words. */
export function changesBetween(
  fields: Readonly<Record<string, ReferenceField>>,
  before: RowValues | null,
  after: RowValues | null,
): FieldChange[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const [was, is] = [before, after].map(row => (row && key in row ? valueText(field, row[key]) : ''))
    return was === is ? [] : [{ name: field.label, before: was || null, after: is || null }]
  })
}
