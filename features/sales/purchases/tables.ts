import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { id, instant, whole } from '#server/columns.ts'

/** Bulk renewals that were paid, one for each; their orders carry the number. */
export const renewalBatches = pgTable(
  'renewal_batches',
  {
    id: id(),
    batchNo: text('batch_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    orders: whole('orders').notNull(),
    totalCents: whole('total_cents').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    paidAt: instant('paid_at').notNull(),
  },
  table => [
    uniqueIndex('renewal_batches_batch_no').on(table.batchNo),
    index('renewal_batches_agent_id').on(table.agentId, table.paidAt, table.id),
    index('renewal_batches_paid_at').on(table.paidAt, table.id),
  ],
)
