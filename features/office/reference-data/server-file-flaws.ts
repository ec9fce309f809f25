// What a column of the database cannot hold of a value that came with a file. Pure.

import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isDay } from '#kit/time.ts'
import type { FileRow } from '#server/office/reference-tables.ts'
import type { FileTable } from './server-file-tables.ts'

const INTEGER_MAX = 2_147_483_647
const TEXT_MAX = 20_000
const ENTRIES_MAX = 1_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a column cannot hold, or what the table's own rules say. */
export async function flawIn(table: FileTable, row: FileRow): Promise<string | null> {
  for (const [name, column] of Object.entries(table.columns)) {
    const value = row[name]
    if (value === undefined) return `缺少${table.labelOf(name)}（${name}）`
    if (value === null) {
      if (column.notNull) return `缺少${table.labelOf(name)}（${name}）`
    } else if (!fits(column, value)) return `${table.labelOf(name)}（${name}）的内容不对`
  }
  const strange = Object.keys(row).find(name => !(name in table.columns))
  return strange === undefined ? table.flawOf(row) : `多出 ${strange}`
}

/** Ids, amounts and positions alike are not below zero. */
function fits(column: AnyPgColumn, value: unknown): boolean {
  switch (column.columnType) {
    case 'PgCustomColumn':
      return typeof value === 'string' && isInstant(value)
    case 'PgInteger':
      return isWhole(value) && value <= INTEGER_MAX
    case 'PgBigInt53':
      return isWhole(value)
    case 'PgBoolean':
      return typeof value === 'boolean'
    case 'PgUUID':
      return typeof value === 'string' && UUID.test(value)
    case 'PgDateString':
      return typeof value === 'string' && isDay(value)
    case 'PgJsonb':
      return typeof value === 'object'
    case 'PgText':
      return typeof value === 'string' && value.length <= TEXT_MAX && !value.includes('\u0000')
    case 'PgArray':
      return Array.isArray(value) && value.length <= ENTRIES_MAX && value.every(isWhole)
    default:
      return false
  }
}

const isWhole = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** Whether two values are the same to the column. */
export function isSameValue(column: AnyPgColumn, a: unknown, b: unknown): boolean {
  if (column.columnType === 'PgCustomColumn' && typeof a === 'string' && typeof b === 'string')
    return Date.parse(a) === Date.parse(b)
  return JSON.stringify(a) === JSON.stringify(b)
}
