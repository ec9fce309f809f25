import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import type { FeedbackState } from './rules.ts'

export const feedbackMessages = pgTable(
  'feedback_messages',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    createdByName: text('created_by_name').notNull(),
    content: text('content').notNull(),
    state: text('state').$type<FeedbackState>().notNull(),
    answer: text('answer').notNull().default(''),
    answeredByName: text('answered_by_name').notNull().default(''),
    answeredAt: instant('answered_at'),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('feedback_messages_created').on(table.createdAt, table.id),
    index('feedback_messages_agent_id').on(table.agentId, table.createdAt, table.id),
  ],
)
