import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { ProgressChannel, ProgressKind, ProgressStep, Turn } from './rules.ts'

/**
 * Where each application for payments (with its onboarding at the payment service) and each acquirer onboarding stands, and whose turn it
 * is: one row each. Kept by triggers on what it is made of (`keep_progress` in SQL), with which it goes along as a shop moves. The program itself writes the reminders alone.
 */
export const acquiringProgress = pgTable(
  'acquiring_progress',
  {
    id: id(),
    kind: text('kind').$type<ProgressKind>().notNull(),
    /** Of the application or the acquirer onboarding. */
    sourceId: whole('source_id').notNull(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    channel: text('channel').$type<ProgressChannel>().notNull(),
    step: text('step').$type<ProgressStep>().notNull(),
    turn: text('turn').$type<Turn>().notNull(),
    /** Since when it is at this step. */
    since: instant('since').notNull(),
    /** Whoever of our staff decided it last. */
    reviewerName: text('reviewer_name').notNull().default(''),
    remindedAt: instant('reminded_at'),
    remindedByName: text('reminded_by_name').notNull().default(''),
    /** The message of the newest reminder. */
    // No field: its status is shown.
    reminderId: whole('reminder_id'),
  },
  table => [
    uniqueIndex('acquiring_progress_source').on(table.kind, table.sourceId),
    index('acquiring_progress_since').on(table.since, table.id).where(sql`turn <> 'none'`),
    index('acquiring_progress_turn').on(table.turn, table.since, table.id),
    index('acquiring_progress_agent_id').on(table.agentId, table.turn, table.since, table.id),
    index('acquiring_progress_agent_since')
      .on(table.agentId, table.since, table.id)
      .where(sql`turn <> 'none'`),
    index('acquiring_progress_channel').on(table.channel, table.since, table.id).where(sql`turn <> 'none'`),
    index('acquiring_progress_reviewer')
      .on(table.reviewerName, table.since, table.id)
      .where(sql`turn <> 'none'`),
    index('acquiring_progress_merchant_id').on(table.merchantId, table.id),
  ],
)
