import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import type { ChangeData, ChangeTopic } from './rules.ts'

/** What has changed, in no order yet: written by triggers and `note_shop_change` in the transaction that changes it. */
// In no list: read by programs.
export const changeInbox = pgTable('change_inbox', {
  id: id(),
  /** Null: of the agency. */
  merchantId: whole('merchant_id'),
  /** Whose shop it is, or, of a shop that left, was. */
  agentId: whole('agent_id').notNull(),
  topic: text('topic').$type<ChangeTopic>().notNull(),
  data: jsonb('data').$type<ChangeData>().notNull(),
  at: instant('at').notNull(),
  /** Of a shop that is taken back, and stands nowhere any more: who looked after it, and may be told of it. */
  managerId: whole('manager_id'),
})

/** The changes with consecutive numbers, which they are given after their commit. */
// In no list: read by programs.
export const shopChanges = pgTable(
  'shop_changes',
  {
    seq: whole('seq').primaryKey(),
    merchantId: whole('merchant_id'),
    agentId: whole('agent_id').notNull(),
    topic: text('topic').$type<ChangeTopic>().notNull(),
    data: jsonb('data').$type<ChangeData>().notNull(),
    at: instant('at').notNull(),
    /** Of a shop that is taken back, and stands nowhere any more: who looked after it, and may be told of it. */
    managerId: whole('manager_id'),
  },
  table => [index('shop_changes_agent_id').on(table.agentId, table.seq)],
)

/** One row: the last number given, and the last that is kept no more. */
// In no list: read by programs.
export const shopChangeEnds = pgTable('shop_change_ends', {
  id: whole('id').primaryKey(),
  last: whole('last').notNull(),
  cleared: whole('cleared').notNull(),
})
