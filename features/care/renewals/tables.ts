import { date, index, pgTable, text } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { MarkState } from './rules.ts'

/** What was agreed with a shop about its renewal; the latest row of the shop's agent holds, for MARK_VALID_DAYS. */
// In no list: the history of a shop.
export const renewalMarks = pgTable(
  'renewal_marks',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    // No steps: a mark stays: the next one is a row of its own.
    state: text('state').$type<MarkState>().notNull(),
    note: text('note').notNull().default(''),
    /** Day of Asia/Shanghai on which to look again. */
    nextOn: date('next_on'),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('renewal_marks_merchant_id').on(table.merchantId, table.id),
    index('renewal_marks_agent_id').on(table.agentId, table.createdAt),
  ],
)
