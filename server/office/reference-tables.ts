// Tables of reference data as their features declare them to the server: the editor and the configuration file know no table.
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { BrokenValue, ReferenceTable, RowValues } from '#kit/reference.ts'
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
  /** The key of its rows: a number that the editor gives, or a text. */
  readonly id: AnyPgColumn
  readonly uses: readonly Use[]
  /** What it refuses of a change besides what its fields say. */
  readonly refuse?: (ctx: Ctx, change: RowChange) => Promise<BrokenValue | null>
}

/** A table whose rows are edited elsewhere; who changed them, when, and what lies in this office alone is left out. */
export type ConfiguredTable = {
  readonly key: string
  readonly title: string
  readonly table: PgTable
  readonly id: AnyPgColumn
  readonly named: string
  /** Columns that stay behind, with what a row that comes into another office gets in their place. */
  readonly leaves: Readonly<Record<string, unknown>>
  /** The words that a column may hold. */
  readonly words?: Readonly<Record<string, readonly string[]>>
}
