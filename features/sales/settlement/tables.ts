import { sql } from 'drizzle-orm'
import { date, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import type { OrderKind, UndoKind, UndoRequestState } from './rules.ts'

/** An undo above the operator's amount waits here for a second person. */
export const undoRequests = pgTable(
  'undo_requests',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    kind: text('kind').$type<UndoKind>().notNull(),
    orderNo: text('order_no').notNull(),
    totalCents: whole('total_cents').notNull(),
    reason: text('reason').notNull(),
    state: text('state').$type<UndoRequestState>().notNull(),
    // No field: shown by name.
    requestedBy: whole('requested_by').notNull(),
    requestedByName: text('requested_by_name').notNull(),
    requestedAt: instant('requested_at').notNull(),
    // No field: shown by name.
    decidedBy: whole('decided_by'),
    decidedByName: text('decided_by_name').notNull().default(''),
    decidedAt: instant('decided_at'),
    decision: text('decision').notNull().default(''),
  },
  table => [
    uniqueIndex('undo_requests_pending').on(table.kind, table.orderNo).where(sql`state = 'pending'`),
    index('undo_requests_order_no').on(table.orderNo),
    index('undo_requests_agent_id').on(table.agentId, table.id),
    index('undo_requests_state').on(table.state, table.id),
    index('undo_requests_waiting').on(table.requestedAt, table.id).where(sql`state = 'pending'`),
  ],
)

/**
 * Orders that stand, by the day that their list filters by, kept by triggers. `cents`: their price in 1/100 token; `fen`: what
 * was paid from outside for SMS credit.
 */
// In no list: counts.
export const orderDays = pgTable(
  'order_days',
  {
    agentId: whole('agent_id').notNull(),
    day: date('day').notNull(),
    kind: text('kind').$type<OrderKind>().notNull(),
    orders: whole('orders').notNull(),
    cents: whole('cents').notNull(),
    fen: whole('fen').notNull(),
  },
  table => [
    primaryKey({ columns: [table.agentId, table.day, table.kind] }),
    index('order_days_day').on(table.day),
  ],
)
