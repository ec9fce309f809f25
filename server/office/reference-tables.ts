// What tables of reference data are told by, as their features declare them to the server (EditedTable, ConfiguredTable of server/ctx.ts): the
// editor and the configuration file know no table.
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { RowValues } from '#kit/declare/reference.ts'

/** Rows that name a row of the table: a row that is named does not vanish. */
export type Use = {
  /** What they are, and the word that counts them. */
  readonly what: string
  readonly counted: string
  readonly column: AnyPgColumn
}

export type RowChange = { id: number | string; before: RowValues; after: RowValues }

/** A row of a configuration file: values by the names of their columns in code. */
export type FileRow = Readonly<Record<string, unknown>>
/** What a row of another table of the file is called. */
export type NameIn = (table: string, id: unknown) => string

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
