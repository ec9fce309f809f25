import { boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import type { ColumnSetting } from './rules.ts'

/** A list's filters, sort and columns under a name; shared ones are seen by the agent's whole staff. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    list: text('list').notNull(),
    name: text('name').notNull(),
    params: jsonb('params').$type<Record<string, string>>().notNull(),
    columns: jsonb('columns').$type<ColumnSetting[]>(),
    isShared: boolean('is_shared').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('saved_views_agent_id').on(table.agentId, table.list)],
)

/** The columns of a list as an account arranged them. */
export const listColumns = pgTable(
  'list_columns',
  {
    accountId: whole('account_id').notNull(),
    agentId: whole('agent_id').notNull(),
    list: text('list').notNull(),
    columns: jsonb('columns').$type<ColumnSetting[]>().notNull(),
  },
  table => [primaryKey({ columns: [table.accountId, table.list] })],
)
