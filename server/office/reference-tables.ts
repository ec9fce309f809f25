// Tables of reference data as their features declare them to the server: the editor and the configuration file know no table.
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Fields } from '#kit/declare/fields.ts'
import type { BrokenValue, ReferenceTable, RowValues } from '#kit/declare/reference.ts'
import type { Ctx } from '../ctx.ts'

/** Rows that name a row of the table: a row that is named does not vanish. */
export type Use = {
  /** What they are, and the word that counts them. */
  readonly what: string
  readonly counted: string
  readonly column: AnyPgColumn
}

export type RowChange = { id: number | string; before: RowValues; after: RowValues }

/** The columns that it declares have the names of its fields; with `orders` it has `position`, with `retires` `retiredAt`. */
export type EditedTable = ReferenceTable & {
  readonly table: PgTable
  /** The key of its rows: a number that the editor gives, a text, or one of its fields, which is typed once. */
  readonly id: AnyPgColumn
  readonly uses: readonly Use[]
  /** What it refuses of a change besides what its fields say. */
  readonly refuse?: (ctx: Ctx, change: RowChange) => Promise<BrokenValue | null>
  /** What those of its columns are called that are no fields. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A row of a configuration file: values by the names of their columns in code. */
export type FileRow = Readonly<Record<string, unknown>>
/** What a row of another table of the file is called. */
export type NameIn = (table: string, id: unknown) => string

/** A table whose rows are edited elsewhere; who changed them, when, and what lies in this office alone is left out. */
export type ConfiguredTable = {
  readonly key: string
  readonly title: string
  readonly table: PgTable
  /** The columns that tell its rows apart in every office alike: their key, or what they are about. */
  readonly id: AnyPgColumn | readonly AnyPgColumn[]
  /** The column that people know a row by, or what it is called. */
  readonly named: string | ((row: FileRow, nameIn: NameIn) => string)
  /** What its columns are called where that is not said for all tables (COLUMN_LABELS). */
  readonly labels?: Readonly<Record<string, string>>
  /** What its columns are called otherwise. */
  readonly fields?: Fields
  /** How a value is told; null: as it stands. */
  readonly textOf?: (column: string, value: unknown) => string | null
  /** Columns that stay behind, with what a row that comes into another office gets in their place. */
  readonly leaves: Readonly<Record<string, unknown>>
  /** Columns that a change by a file sets besides, as the count by which a stale page is told. */
  readonly touches?: Readonly<Record<string, unknown>>
  /** The words that a column may hold. */
  readonly words?: Readonly<Record<string, readonly string[]>>
  /** What is wrong with a row besides, in words. */
  readonly flawOf?: (row: FileRow) => string | null
  /** Which of its rows are carried; all where it is left out. */
  readonly carried?: SQL
  /** What of it stays behind: said in the file and before it is imported. */
  readonly left?: string
  /** With it, rows that the file does not have go where nothing names them. */
  readonly uses?: readonly Use[]
  readonly dated?: Dated
  /** Once rows of it were written. */
  readonly afterwards?: (ctx: Ctx) => Promise<unknown>
}

/**
 * Its rows hold from `startsAt` on, until another of the same `line` begins, and are never changed: carried are those that hold and
 * those to come. In an office that sells already what differs begins with the import, so that nothing changes for the past.
 */
export type Dated = { readonly line: readonly string[]; readonly value: readonly string[] }

/** What columns are called that many tables have. */
export const COLUMN_LABELS: Readonly<Record<string, string>> = {
  id: '编号',
  key: '编号',
  name: '名称',
  title: '标题',
  code: '代码',
  position: '顺序',
  enabled: '启用',
  remark: '备注',
  kind: '类型',
  retiredAt: '停用时间',
  startsAt: '开始时间',
  endsAt: '结束时间',
}
