import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { ProgressChannel, ProgressKind, ProgressStep, Turn } from './rules.ts'

/** When it was first known whether what was handed in is taken: refused or open, whichever came first. */
const FIRST_RESULT = sql`least(refused_at, opened_at)`

/**
 * Where each application for payments (with its onboarding at the payment service) and each acquirer onboarding stands, and whose turn it
 * is: one row each; one of a shop without an application to whose owner a link was sent. Kept by triggers on what it is made of (`keep_progress` in SQL), with which it goes along as a shop moves. The program itself writes the reminders alone.
 */
export const acquiringProgress = pgTable(
  'acquiring_progress',
  {
    id: id(),
    kind: text('kind').$type<ProgressKind>().notNull(),
    /** Of the application or the acquirer onboarding; of an owner the shop. */
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
    /** When its papers were handed in first. */
    // No field: told by the figures, as the three below.
    submittedAt: instant('submitted_at'),
    /** When it was sent back first, by our staff or by whoever it was handed in to. */
    // No field: as above.
    refusedAt: instant('refused_at'),
    /** When the number stood in what the shop is paid by, for the first time. */
    // No field: as above.
    openedAt: instant('opened_at'),
    /** When money went through it first, which is known of test payments alone. */
    // No field: as above.
    paidAt: instant('paid_at'),
  },
  table => [
    uniqueIndex('acquiring_progress_source').on(table.kind, table.sourceId),
    // With the agent, which the policy asks for, and what is filtered by: what is counted is counted without reading the rows.
    index('acquiring_progress_since')
      .on(table.since, table.id, table.agentId, table.step)
      .where(sql`turn <> 'none'`),
    index('acquiring_progress_turn').on(table.turn, table.since, table.id, table.agentId),
    index('acquiring_progress_agent_id').on(table.agentId, table.turn, table.since, table.id),
    index('acquiring_progress_agent_since')
      .on(table.agentId, table.since, table.id, table.step, table.channel, table.reviewerName)
      .where(sql`turn <> 'none'`),
    index('acquiring_progress_channel')
      .on(table.channel, table.since, table.id, table.agentId)
      .where(sql`turn <> 'none'`),
    index('acquiring_progress_reviewer')
      .on(table.reviewerName, table.since, table.id, table.agentId)
      .where(sql`turn <> 'none'`),
    index('acquiring_progress_merchant_id').on(table.merchantId, table.id),
    index('acquiring_progress_opened').on(table.openedAt).where(sql`opened_at is not null`),
    index('acquiring_progress_agent_opened')
      .on(table.agentId, table.openedAt)
      .where(sql`opened_at is not null`),
    index('acquiring_progress_first_result').on(FIRST_RESULT).where(sql`${FIRST_RESULT} is not null`),
    index('acquiring_progress_agent_first_result')
      .on(table.agentId, FIRST_RESULT)
      .where(sql`${FIRST_RESULT} is not null`),
  ],
)
