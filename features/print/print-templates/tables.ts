import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { TemplateEventKind, TemplateKind } from './rules.ts'

const LIVE = sql`deleted_at is null`
const SERVED = sql`withdrawn_at is null and superseded_by is null`

/** System templates of labels and receipts as staff draw them, each with its draft; of no agent. */
export const printTemplates = pgTable(
  'print_templates',
  {
    id: id(),
    // No field: a list of each.
    kind: text('kind').$type<TemplateKind>().notNull(),
    name: text('name').notNull(),
    /** A copy of another one. */
    isCustom: boolean('is_custom').notNull(),
    /** Whose shops it is drawn for; none: any. */
    // No field: shown by name.
    industryIds: integer('industry_ids').array().notNull().default([]),
    /** The draft: a label or a receipt, as its kind says. */
    // No field: shown as a picture.
    content: jsonb('content').$type<unknown>().notNull(),
    /** Counts saved drafts, so that a stale page cannot overwrite a newer one. */
    revision: integer('revision').notNull().default(1),
    /** The newest version that is served; null: none is. */
    publishedVersion: integer('published_version'),
    /** The draft that the version was. */
    // No field: shown as its state.
    publishedRevision: integer('published_revision'),
    createdBy: whole('created_by')
      .notNull()
      .references(() => accounts.id),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedByName: text('updated_by_name').notNull(),
    updatedAt: instant('updated_at').notNull(),
    // No field: told by its history.
    deletedAt: instant('deleted_at'),
    // No field: told by its history.
    deletedByName: text('deleted_by_name').notNull().default(''),
    searchText: text('search_text').notNull().generatedAlwaysAs(sql`lower(name)`),
  },
  table => [
    index('print_templates_updated_at').on(table.kind, table.updatedAt, table.id).where(LIVE),
    index('print_templates_created_at').on(table.kind, table.createdAt, table.id).where(LIVE),
    index('print_templates_created_by').on(table.createdBy),
    index('print_templates_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

const ofTemplate = () =>
  whole('template_id')
    .notNull()
    .references(() => printTemplates.id, { onDelete: 'cascade' })

/** What was published, frozen. A shop gets of each template the newest that is served and meant for it. */
// In no list: the history of a print template, in a dialog of its own.
export const printTemplateVersions = pgTable(
  'print_template_versions',
  {
    templateId: ofTemplate(),
    /** From 1, of its template. */
    number: integer('number').notNull(),
    kind: text('kind').$type<TemplateKind>().notNull(),
    name: text('name').notNull(),
    industryIds: integer('industry_ids').array().notNull(),
    content: jsonb('content').$type<unknown>().notNull(),
    toAll: boolean('to_all').notNull(),
    toIndustryIds: integer('to_industry_ids').array().notNull().default([]),
    /** What was wrong with it and why it was published all the same; empty: nothing was. */
    faults: text('faults').array().notNull().default([]),
    reason: text('reason').notNull().default(''),
    publishedBy: whole('published_by')
      .notNull()
      .references(() => accounts.id),
    publishedByName: text('published_by_name').notNull(),
    publishedAt: instant('published_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    /** A newer version that is meant for all whom this one is meant for; ends when that is withdrawn. */
    supersededBy: integer('superseded_by'),
  },
  table => [
    primaryKey({ columns: [table.templateId, table.number] }),
    index('print_template_versions_all').on(table.templateId, table.number).where(sql`to_all and ${SERVED}`),
    index('print_template_versions_industries').using('gin', table.toIndustryIds).where(SERVED),
    index('print_template_versions_published_by').on(table.publishedBy),
  ],
)

/** Shops that a version is meant for by name. */
// In no list: the history of a print template, in a dialog of its own.
export const printTemplateShops = pgTable(
  'print_template_shops',
  {
    templateId: whole('template_id').notNull(),
    number: integer('number').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
  },
  table => [
    primaryKey({ columns: [table.merchantId, table.templateId, table.number] }),
    index('print_template_shops_version').on(table.templateId, table.number),
    foreignKey({
      name: 'print_template_shops_version_fk',
      columns: [table.templateId, table.number],
      foreignColumns: [printTemplateVersions.templateId, printTemplateVersions.number],
    }).onDelete('cascade'),
  ],
)

/** What happened to a template: its history. */
// In no list: the history of a print template, in a dialog of its own.
export const printTemplateEvents = pgTable(
  'print_template_events',
  {
    id: id(),
    templateId: ofTemplate(),
    kind: text('kind').$type<TemplateEventKind>().notNull(),
    /** The version that it is about. */
    number: integer('number'),
    /** For whom, and why. */
    audience: text('audience').notNull().default(''),
    reason: text('reason').notNull().default(''),
    byName: text('by_name').notNull(),
    at: instant('at').notNull(),
  },
  table => [index('print_template_events_template_id').on(table.templateId, table.id)],
)

/** The pictures that stand in drafts and versions. */
// In no list: the history of a print template, in a dialog of its own.
export const printTemplatePictures = pgTable(
  'print_template_pictures',
  {
    templateId: ofTemplate(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
  },
  table => [
    primaryKey({ columns: [table.templateId, table.fileId] }),
    index('print_template_pictures_file_id').on(table.fileId),
  ],
)
