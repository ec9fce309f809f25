import { date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { DayKind } from '#kit/business-days.ts'
import { instant, whole } from '#server/columns.ts'
import type { ReasonKind } from './rules.ts'

/** Reasons that forms offer; another may be typed. */
// In no list: in the one editor of reference data, which is made of declarations.
export const reasons = pgTable(
  'reasons',
  {
    id: integer('id').primaryKey(),
    kind: text('kind').$type<ReasonKind>().notNull(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    /** From then on it is offered no more. */
    retiredAt: instant('retired_at'),
  },
  table => [index('reasons_kind').on(table.kind, table.position)],
)

/** Rows of reference data that were deleted: a start of the program does not bring them back. */
// In no list: in the one editor of reference data, which is made of declarations.
export const removedRows = pgTable(
  'removed_rows',
  {
    tableName: text('table_name').notNull(),
    rowId: text('row_id').notNull(),
    removedAt: instant('removed_at').notNull(),
  },
  table => [primaryKey({ columns: [table.tableName, table.rowId] })],
)

/** What the operator sets for the whole office, by name. */
// In no list: settings, in their own dialogs.
export const officeSettings = pgTable('office_settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedBy: whole('updated_by').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Days that differ from the week: holidays, and days at weekends that make up for them. */
// In no list: in the one editor of reference data, which is made of declarations.
export const businessDays = pgTable('business_days', {
  day: date('day').primaryKey(),
  kind: text('kind').$type<DayKind>().notNull(),
  name: text('name').notNull(),
})
