import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import type { CohortKind, IncomeKind, SumKind } from './rules.ts'

/**
 * What the pages add up, per agent and month: changes are added as rows of their own where they happen, so that no two
 * purchases wait for each other, and a job makes one row of many.
 */
// In no list: counts.
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
    id: id(),
    merchantId: whole('merchant_id').notNull(),
    day: date('day').notNull(),
    agentId: whole('agent_id').notNull(),
    orders: whole('orders').notNull(),
  },
  table => [
    uniqueIndex('renewed_terms_term').on(table.merchantId, table.day, table.agentId),
    index('renewed_terms_agent').on(table.agentId, table.day, table.id).where(sql`orders > 0`),
  ],
)

/**
 * Shops of the whole office by version, by the month in which they were registered and by that in which their term ends or, of a
 * term that was renewed, would have ended: rows are added as in `insightSums`. An agent's own are counted by its indexes.
 */
// In no list: counts.
export const insightCohorts = pgTable(
  'insight_cohorts',
  {
    versionId: integer('version_id').notNull(),
    /** Its first day, as that of `ends`. */
    month: date('month').notNull(),
    kind: text('kind').$type<CohortKind>().notNull(),
    /** Null: permanent. */
    ends: date('ends'),
    shops: whole('shops').notNull(),
  },
  table => [index('insight_cohorts_month').on(table.month)],
)

/** What is planned to come in, as it was set: the latest row of a kind and month is what is planned, those before it its history. */
// In no list: by month and kind, with their history, on the page of income.
export const insightPlans = pgTable(
  'insight_plans',
  {
    id: id(),
    kind: text('kind').$type<IncomeKind>().notNull(),
    /** Its first day. */
    month: date('month').notNull(),
    /** In 1/100 of the kind's unit; null: nothing is planned any more. */
    cents: whole('cents'),
    setBy: whole('set_by').notNull(),
    setByName: text('set_by_name').notNull(),
    setAt: instant('set_at').notNull(),
  },
  table => [index('insight_plans_month').on(table.kind, table.month, table.id)],
)
