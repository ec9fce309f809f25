import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { RefusedBy } from './rules.ts'

/** Why applications are refused, each once however many shops it met, with what staff advise. */
export const refusalCauses = pgTable(
  'refusal_causes',
  {
    id: id(),
    field: text('field').notNull(),
    /** As the field is called where it is filled in. */
    label: text('label').notNull(),
    /** What the same reasons have in common. */
    // No field: `reason` is shown.
    cause: text('cause').notNull(),
    /** As it was said last. */
    reason: text('reason').notNull(),
    refusedBy: text('refused_by').$type<RefusedBy>().notNull(),
    times: integer('times').notNull().default(1),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    advice: text('advice').notNull().default(''),
    advisedByName: text('advised_by_name').notNull().default(''),
    advisedAt: instant('advised_at'),
    /** Counts what staff wrote. */
    revision: integer('revision').notNull().default(0),
  },
  table => [
    uniqueIndex('refusal_causes_cause').on(table.refusedBy, table.field, table.cause),
    index('refusal_causes_last_at').on(table.lastAt, table.id),
    index('refusal_causes_times').on(table.times, table.id),
  ],
)

/** A refusal of one field of an application; it goes along with a shop that moves (trigger). */
// In no list: told by its cause.
export const applicationRefusals = pgTable(
  'application_refusals',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    applicationId: whole('application_id').notNull(),
    causeId: whole('cause_id')
      .notNull()
      .references(() => refusalCauses.id),
    field: text('field').notNull(),
    refusedAt: instant('refused_at').notNull(),
    /** When it was handed in anew, or refused otherwise; null: it waits to be mended. */
    mendedAt: instant('mended_at'),
  },
  table => [
    index('application_refusals_cause_id').on(table.causeId, table.id),
    index('application_refusals_waiting').on(table.causeId, table.id).where(sql`mended_at is null`),
    index('application_refusals_application_id').on(table.applicationId, table.id),
    index('application_refusals_merchant_id').on(table.merchantId, table.id),
    index('application_refusals_agent_id').on(table.agentId, table.id),
  ],
)
