import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { AgencyExportState } from './rules.ts'

/** Everything of one agency as an archive; its bytes lie sealed in the storage until `expiresAt`. */
export const agencyExports = pgTable(
  'agency_exports',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    reason: text('reason').notNull(),
    state: text('state').$type<AgencyExportState>().notNull(),
    // No field: in its progress.
    rowsWritten: whole('rows_written').notNull().default(0),
    // No field: in its progress.
    rowsExpected: whole('rows_expected'),
    // No field: in its progress.
    filesWritten: whole('files_written').notNull().default(0),
    byteSize: whole('byte_size'),
    /** Of the archive. */
    // No field: a fact of the certificate.
    sha256: text('sha256'),
    /** What was signed, and its signature. */
    // No field: the certificate itself.
    certificate: text('certificate'),
    /** What its bytes are sealed with, itself encrypted; gone with them. */
    // No field: the program's own notes.
    sealedKey: bytes('sealed_key'),
    /** How often it was begun; only the latest beginning may write to the row. */
    // No field: the program's own notes.
    attempts: whole('attempts').notNull().default(0),
    /** The most memory that its program held, in MiB. */
    // No field: the program's own notes.
    peakMib: whole('peak_mib'),
    // No field: shown with its state.
    error: text('error').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: the program's own notes.
    heartbeatAt: instant('heartbeat_at'),
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at'),
  },
  table => [
    uniqueIndex('agency_exports_open').on(table.agentId).where(sql`state in ('queued', 'making')`),
    index('agency_exports_created_at').on(table.createdAt, table.id),
    index('agency_exports_state').on(table.state, table.id),
  ],
)
