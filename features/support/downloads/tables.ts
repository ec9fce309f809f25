import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { System } from './rules.ts'

/** Software and papers that the vendor offers; of no agent. */
export const downloadFiles = pgTable(
  'download_files',
  {
    id: id(),
    system: text('system').$type<System>().notNull(),
    name: text('name').notNull(),
    version: text('version').notNull(),
    notes: text('notes').notNull().default(''),
    /** Null: it lies elsewhere. */
    fileId: uuid('file_id').references(() => files.id),
    fileName: text('file_name').notNull().default(''),
    link: text('link').notNull().default(''),
    /** Of the file; nothing of what lies elsewhere. */
    byteSize: whole('byte_size').notNull().default(0),
    sha256: text('sha256').notNull().default(''),
    downloads: integer('downloads').notNull().default(0),
    withdrawnAt: instant('withdrawn_at'),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Counts edits, so that a stale page cannot overwrite a newer one. */
    revision: integer('revision').notNull().default(1),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(name || chr(31) || version || chr(31) || file_name)`),
  },
  table => [
    uniqueIndex('download_files_version').on(table.system, table.name, table.version),
    index('download_files_created_at').on(table.createdAt, table.id),
    index('download_files_system').on(table.system, table.createdAt, table.id),
    index('download_files_file_id').on(table.fileId),
    index('download_files_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

/** Who began to download what, and when the last time: one that broke off and goes on is no other download. */
// In no list: counted on its file.
export const downloadTakes = pgTable(
  'download_takes',
  {
    downloadId: whole('download_id')
      .notNull()
      .references(() => downloadFiles.id, { onDelete: 'cascade' }),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    takenAt: instant('taken_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.downloadId, table.accountId] }),
    index('download_takes_account_id').on(table.accountId),
  ],
)
