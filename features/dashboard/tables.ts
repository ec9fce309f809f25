import { date, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { whole } from '#server/columns.ts'
import type { OrderKind } from './rules.ts'

/**
 * Orders that stand, by the day that their list filters by, kept by triggers. `cents`: their price in 1/100 token; `fen`: what
 * was paid from outside for SMS credit.
 */
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

/** The sum of `sms_days` over an agent and its shops (0: the vendor), kept by triggers. */
export const smsAgentDays = pgTable(
  'sms_agent_days',
  {
    agentId: whole('agent_id').notNull(),
    day: date('day').notNull(),
    messages: whole('messages').notNull(),
    segments: whole('segments').notNull(),
  },
  table => [primaryKey({ columns: [table.agentId, table.day] }), index('sms_agent_days_day').on(table.day)],
)
