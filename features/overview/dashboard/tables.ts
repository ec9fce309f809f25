import { date, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { whole } from '#server/columns.ts'

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
