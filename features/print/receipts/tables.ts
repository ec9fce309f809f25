import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { ReceiptItem, Section } from '#kit/print/receipt.ts'
import { instant, whole } from '#server/columns.ts'
import { SHIPPED_MOST } from './rules.ts'

/** Groups of what a receipt says, which templates are put together of; of no agent. */
export const receiptGroups = pgTable('receipt_groups', {
  // Those before come with the program.
  id: whole('id')
    .primaryKey()
    .generatedByDefaultAsIdentity({ startWith: SHIPPED_MOST + 1 }),
  name: text('name').notNull(),
  // No field: said as sectionName.
  section: text('section').$type<Section>().notNull(),
  /** As they were typed, divided by commas of either width. */
  tags: text('tags').notNull().default(''),
  remarks: text('remarks').notNull().default(''),
  // No field: on the cards and in the form.
  items: jsonb('items').$type<ReceiptItem[]>().notNull(),
  updatedByName: text('updated_by_name').notNull(),
  updatedAt: instant('updated_at').notNull(),
  /** Counts edits, so that a stale page cannot overwrite a newer one. */
  revision: integer('revision').notNull().default(1),
})
