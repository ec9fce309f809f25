import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { id, instant, whole } from '#server/columns.ts'

/** Who took something that waits, and until when it was put off; the thing itself is a row of its own feature. */
export const inboxItems = pgTable(
  'inbox_items',
  {
    id: id(),
    /** Whose inbox: the agency's; the operator's is that of all vendor staff. */
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    // No field: shown as kind.
    source: text('source').notNull(),
    /** Of the source's own. */
    // No field: names the row.
    itemId: whole('item_id').notNull(),
    // No field: shown by name.
    assigneeId: whole('assignee_id'),
    assigneeName: text('assignee_name').notNull().default(''),
    snoozedUntil: instant('snoozed_until'),
    snoozedByName: text('snoozed_by_name').notNull().default(''),
    snoozeReason: text('snooze_reason').notNull().default(''),
    // No field: for the clearing alone.
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    uniqueIndex('inbox_items_one').on(table.agentId, table.source, table.itemId),
    index('inbox_items_assignee').on(table.assigneeId, table.source).where(sql`assignee_id is not null`),
    index('inbox_items_changed').on(table.changedAt),
  ],
)
