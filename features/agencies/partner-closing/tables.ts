import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { BalanceChoice, ClosingState } from './rules.ts'

/** The end of a partner: where its shops go, and how far they are. */
export const partnerClosings = pgTable(
  'partner_closings',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    takerId: whole('taker_id')
      .notNull()
      .references(() => agents.id),
    balances: text('balances').$type<BalanceChoice>().notNull(),
    reason: text('reason').notNull(),
    state: text('state').$type<ClosingState>().notNull(),
    /** When it began, and moved so far. */
    shops: whole('shops').notNull(),
    moved: whole('moved').notNull().default(0),
    /** The last head that was looked at, by the order of the list; null: from the beginning. */
    // No field: the program's own notes.
    cursorAt: instant('cursor_at'),
    // No field: the program's own notes.
    cursorId: whole('cursor_id').notNull().default(0),
    /** Why it is stuck beside its shops. */
    // No field: facts of the details.
    problem: text('problem').notNull().default(''),
    /** What it still held in the end, and the document of its movements. */
    // No field: facts of the details.
    tokenCents: whole('token_cents'),
    // No field: facts of the details.
    sms: whole('sms'),
    // No field: facts of the details.
    documentNo: text('document_no'),
    // No field: facts of the details.
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  table => [
    uniqueIndex('partner_closings_open').on(table.agentId).where(sql`state <> 'done'`),
    index('partner_closings_created_at').on(table.createdAt, table.id),
    index('partner_closings_taker_id').on(table.takerId),
  ],
)

/** Shops that could not be moved; a retry begins with none. */
export const partnerClosingFailures = pgTable(
  'partner_closing_failures',
  {
    id: id(),
    // No field: told by the details.
    closingId: whole('closing_id')
      .notNull()
      .references(() => partnerClosings.id),
    // No field: told by the details.
    merchantId: whole('merchant_id').notNull(),
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [uniqueIndex('partner_closing_failures_shop').on(table.closingId, table.merchantId)],
)
