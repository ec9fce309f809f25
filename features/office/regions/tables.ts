import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, whole } from '#server/columns.ts'

/** What differs from the table of divisions that comes with the program. */
export const regionChanges = pgTable('region_changes', {
  code: text('code').primaryKey(),
  name: text('name').notNull(),
  /** From then on it is offered no more; who has it keeps it. */
  retiredAt: instant('retired_at'),
})

/** The edition that holds: one row. */
export const regionEdition = pgTable('region_edition', {
  id: integer('id').primaryKey(),
  /** Where the table comes from: its day. */
  source: text('source').notNull(),
  /** Another with every change. */
  revision: whole('revision').notNull(),
  changedAt: instant('changed_at').notNull(),
  changedByName: text('changed_by_name').notNull(),
})
