import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/columns.ts'

export const loginFailures = pgTable(
  'login_failures',
  {
    id: id(),
    subject: text('subject').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('login_failures_subject').on(table.subject, table.createdAt)],
)
