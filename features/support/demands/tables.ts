import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { threads } from '#features/care/threads/tables.ts'
import { accounts } from '#features/office/access/tables.ts'
import { industries, merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import { type FieldChange, files } from '#server/tables.ts'
import type { Client, DemandType, Priority, RelationKind, SourceKind, Status } from './rules.ts'

const LIVE = sql`deleted_at is null and merged_into_id is null`
const IS_OPEN = sql`status not in ('online', 'postponed', 'rejected')`

type Related = { demandId: number; otherId: number; kind: RelationKind }

/** Of the demand that another was merged into: its new sources and followers, when its own had asked, and relations that moved. */
export type MergeUndo = {
  sources: readonly number[]
  asked: readonly { id: number; askedAt: string }[]
  followers: readonly number[]
  relations: { left: readonly Related[]; came: readonly Related[] }
}

/** What shops want of the software, as the vendor's staff follow it; of no agent. */
export const demands = pgTable(
  'demands',
  {
    id: id(),
    title: text('title').notNull(),
    /** Where in the software it is. */
    path: text('path').notNull().default(''),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    ownerId: whole('owner_id')
      .notNull()
      .references(() => accounts.id),
    priority: text('priority').$type<Priority>().notNull(),
    type: text('type').$type<DemandType>().notNull(),
    client: text('client').$type<Client>().notNull(),
    // No field: shown by its name.
    industryId: integer('industry_id')
      .notNull()
      .references(() => industries.id),
    deadline: instant('deadline'),
    // No steps: a free choice, every change of which is in its log.
    status: text('status').$type<Status>().notNull(),
    /** Clean HTML (server/texts). */
    description: text('description').notNull().default(''),
    /** The words of it. */
    descriptionText: text('description_text').notNull().default(''),
    shops: integer('shops').notNull().default(0),
    renewalCents: whole('renewal_cents').notNull().default(0),
    oldestAskedAt: instant('oldest_asked_at').notNull(),
    /** `weightRank` of rules.ts. */
    // No field: orders the weights.
    weightRank: whole('weight_rank').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Counts edits, so that a stale page cannot overwrite a newer one. */
    revision: integer('revision').notNull().default(1),
    deletedAt: instant('deleted_at'),
    // No field: told on a deleted one.
    deletedByName: text('deleted_by_name').notNull().default(''),
    // No field: told on a merged one, which no list shows.
    mergedIntoId: whole('merged_into_id').references((): AnyPgColumn => demands.id, { onDelete: 'cascade' }),
    // No field: told on a merged one, which no list shows.
    mergedAt: instant('merged_at'),
    // No field: told on a merged one, which no list shows.
    mergedByName: text('merged_by_name').notNull().default(''),
    /** What the merge has changed at the other one, for its undoing. */
    // No field: kept for the undoing of the merge.
    mergeUndo: jsonb('merge_undo').$type<MergeUndo>(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(merchant_id::text || chr(31) || title || chr(31) || path || chr(31) || description_text)`,
      ),
  },
  table => [
    index('demands_created_at').on(table.createdAt, table.id).where(LIVE),
    index('demands_deadline').on(table.deadline, table.id).where(LIVE),
    index('demands_deadline_latest').on(table.deadline.desc().nullsLast(), table.id.desc()).where(LIVE),
    index('demands_weight_rank').on(table.weightRank, table.id).where(LIVE),
    index('demands_status').on(table.status, table.weightRank, table.id).where(LIVE),
    index('demands_owner_id').on(table.ownerId, table.createdAt, table.id).where(LIVE),
    index('demands_client').on(table.client, table.createdAt, table.id).where(LIVE),
    index('demands_merchant_id').on(table.merchantId),
    index('demands_merged_into_id').on(table.mergedIntoId).where(sql`merged_into_id is not null`),
    index('demands_deleted_at').on(table.deletedAt, table.id).where(sql`deleted_at is not null`),
    index('demands_new').on(table.createdAt, table.id).where(sql`status = 'feedbacked' and ${LIVE}`),
    index('demands_open_deadline').on(table.deadline, table.id).where(sql`${IS_OPEN} and ${LIVE}`),
    index('demands_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

const ofDemand = () =>
  whole('demand_id')
    .notNull()
    .references(() => demands.id, { onDelete: 'cascade' })

/** Who asked for it: shops, threads of shops, and what partners wrote. `toldAt`: that it is online, the last time it was. */
// In no list: beside one demand, in its own form and log.
export const demandSources = pgTable(
  'demand_sources',
  {
    id: id(),
    demandId: ofDemand(),
    kind: text('kind').$type<SourceKind>().notNull(),
    merchantId: whole('merchant_id').references(() => merchants.id),
    feedbackId: whole('feedback_id').references(() => feedbackMessages.id),
    /** Of a thread, `merchantId` is its shop. */
    threadId: whole('thread_id').references(() => threads.id),
    askedAt: instant('asked_at').notNull(),
    createdByName: text('created_by_name').notNull(),
    toldAt: instant('told_at'),
  },
  table => [
    uniqueIndex('demand_sources_shop').on(table.demandId, table.merchantId).where(sql`kind = 'shop'`),
    uniqueIndex('demand_sources_feedback').on(table.demandId, table.feedbackId).where(sql`kind = 'feedback'`),
    uniqueIndex('demand_sources_thread').on(table.demandId, table.threadId).where(sql`kind = 'thread'`),
    index('demand_sources_merchant_id').on(table.merchantId),
    index('demand_sources_feedback_id').on(table.feedbackId),
    index('demand_sources_thread_id').on(table.threadId),
  ],
)

/** What happened to it, in words, and what was said. */
// In no list: beside one demand, in its own form and log.
export const demandEvents = pgTable(
  'demand_events',
  {
    id: id(),
    demandId: ofDemand(),
    /** What was done; empty where something was said. */
    title: text('title').notNull().default(''),
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    text: text('text').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('demand_events_demand_id').on(table.demandId, table.id)],
)

// In no list: beside one demand, in its own form and log.
export const demandSubscribers = pgTable(
  'demand_subscribers',
  {
    demandId: ofDemand(),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
  },
  table => [
    primaryKey({ columns: [table.demandId, table.accountId] }),
    index('demand_subscribers_account_id').on(table.accountId),
  ],
)

/** The one blocks the other, or belongs to it. */
// In no list: beside one demand, in its own form and log.
export const demandRelations = pgTable(
  'demand_relations',
  {
    demandId: ofDemand(),
    otherId: whole('other_id')
      .notNull()
      .references(() => demands.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<RelationKind>().notNull(),
  },
  table => [
    primaryKey({ columns: [table.demandId, table.otherId, table.kind] }),
    index('demand_relations_other_id').on(table.otherId),
  ],
)

/** The pictures that stand in descriptions. */
// In no list: beside one demand, in its own form and log.
export const demandPictures = pgTable(
  'demand_pictures',
  {
    demandId: ofDemand(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
  },
  table => [
    primaryKey({ columns: [table.demandId, table.fileId] }),
    index('demand_pictures_file_id').on(table.fileId),
  ],
)

// In no list: beside one demand, in its own form and log.
export const demandFiles = pgTable(
  'demand_files',
  {
    id: id(),
    demandId: ofDemand(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
    name: text('name').notNull(),
    isPdf: boolean('is_pdf').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('demand_files_demand_id').on(table.demandId, table.id),
    index('demand_files_file_id').on(table.fileId),
  ],
)
