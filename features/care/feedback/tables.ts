import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { FeedbackState } from './rules.ts'

export const feedbackMessages = pgTable(
  'feedback_messages',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    createdByName: text('created_by_name').notNull(),
    /** Of who told it, then. */
    phone: text('phone').notNull().default(''),
    content: text('content').notNull(),
    pictureId: uuid('picture_id').references(() => files.id),
    state: text('state').$type<FeedbackState>().notNull(),
    answer: text('answer').notNull().default(''),
    answeredByName: text('answered_by_name').notNull().default(''),
    answeredAt: instant('answered_at'),
    createdAt: instant('created_at').notNull(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(content || chr(31) || created_by_name || chr(31) || phone)`),
  },
  table => [
    index('feedback_messages_created').on(table.createdAt, table.id),
    index('feedback_messages_state').on(table.state, table.createdAt, table.id),
    index('feedback_messages_search').using('gin', sql`bigrams(${table.searchText})`),
    index('feedback_messages_agent_id').on(table.agentId, table.createdAt, table.id),
  ],
)
