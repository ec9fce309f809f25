import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import type { TemplateTag } from '#features/programs/program-versions/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { Judged, TrainShopState, TrainState } from './rules.ts'

/** One version that is released to many mini programs, wave by wave. */
export const releaseTrains = pgTable(
  'release_trains',
  {
    id: id(),
    name: text('name').notNull(),
    // No field: shown as its version.
    templateId: integer('template_id').notNull(),
    version: text('version').notNull(),
    tag: text('tag').$type<TemplateTag>().notNull(),
    /** By what its mini programs were chosen. */
    // No field: kept for the log.
    filter: jsonb('filter').$type<Record<string, unknown>>().notNull(),
    /** What the reviewers are told. */
    feedback: text('feedback').notNull().default(''),
    waveSize: integer('wave_size').notNull(),
    haltPercent: integer('halt_percent').notNull(),
    haltFrom: integer('halt_from').notNull(),
    /** What was judged when somebody had it go on. */
    // No field: the job's.
    forgiven: jsonb('forgiven').$type<Judged>().notNull().default({ judged: 0, refused: 0 }),
    state: text('state').$type<TrainState>().notNull(),
    /** Why it has halted; empty: it has not. */
    reason: text('reason').notNull().default(''),
    /** The wave that is under way, from 1. */
    wave: integer('wave').notNull(),
    waves: integer('waves').notNull(),
    shops: integer('shops').notNull(),
    /** When it is looked at next; null: nothing is under way. Put off while an instance has it in hand. */
    // No field: the job's.
    nextAt: instant('next_at'),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Since when it stands so. */
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    index('release_trains_created_at').on(table.createdAt, table.id),
    index('release_trains_due').on(table.nextAt, table.id),
    index('release_trains_state').on(table.state, table.changedAt, table.id),
  ],
)

/** The mini program of a shop in a train. It goes along with a shop that moves (trigger). */
export const releaseTrainShops = pgTable(
  'release_train_shops',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    // No field: the list is of one.
    trainId: whole('train_id')
      .notNull()
      .references(() => releaseTrains.id),
    // No field: leads to its page.
    applicationId: whole('application_id')
      .notNull()
      .references(() => programApplications.id),
    wave: integer('wave').notNull(),
    state: text('state').$type<TrainShopState>().notNull(),
    /** Why it stands so; empty: nothing is wrong. */
    reason: text('reason').notNull().default(''),
    /** The same for the same refusal. */
    // No field: by it refusals are grouped.
    reasonKey: text('reason_key').notNull().default(''),
    // No field: shown as its version.
    templateId: integer('template_id').notNull(),
    version: text('version').notNull(),
    feedback: text('feedback').notNull().default(''),
    /** The audit that was handed in for it last; until then the one that counted before. */
    // No field: the job's.
    auditId: whole('audit_id'),
    /** The version that it goes back to. */
    // No field: the job's.
    backTo: text('back_to').notNull().default(''),
    /** How often it was corrected. */
    corrections: integer('corrections').notNull().default(0),
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    uniqueIndex('release_train_shops_train').on(table.trainId, table.applicationId),
    uniqueIndex('release_train_shops_open')
      .on(table.applicationId)
      .where(sql`state not in ('released', 'refused', 'failed', 'skipped', 'left', 'rolledBack')`),
    index('release_train_shops_place').on(table.trainId, table.wave, table.id),
    index('release_train_shops_state').on(table.trainId, table.state, table.id),
    index('release_train_shops_application_id').on(table.applicationId, table.id),
    index('release_train_shops_merchant_id').on(table.merchantId, table.id),
    index('release_train_shops_agent_id').on(table.agentId, table.id),
  ],
)
