import { date, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { whole } from '#server/columns.ts'
import type { SumKind } from './rules.ts'

/**
 * What the pages add up, per agent and month: changes are added as rows of their own where they happen, so that no two
 * purchases wait for each other, and a job makes one row of many.
 */
export const insightSums = pgTable(
  'insight_sums',
  {
    agentId: whole('agent_id').notNull(),
    /** Its first day. */
    month: date('month').notNull(),
    kind: text('kind').$type<SumKind>().notNull(),
    entries: whole('entries').notNull(),
    amount: whole('amount').notNull(),
  },
  table => [index('insight_sums_kind').on(table.kind, table.month, table.agentId)],
)

/** Terms that would have ended on a day, had their shop not been renewed by so many orders that stand. */
export const renewedTerms = pgTable(
  'renewed_terms',
  {
    merchantId: whole('merchant_id').notNull(),
    day: date('day').notNull(),
    agentId: whole('agent_id').notNull(),
    orders: whole('orders').notNull(),
  },
  table => [
    primaryKey({ columns: [table.merchantId, table.day, table.agentId] }),
    index('renewed_terms_day').on(table.day, table.agentId),
  ],
)
