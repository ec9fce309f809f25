import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, whole } from '#server/columns.ts'
import type { ExportState } from './rules.ts'

/** A file that is made in the background; its bytes lie in the storage until `expiresAt`. */
export const exportJobs = pgTable(
  'export_jobs',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    /** Path of the download in the contract. */
    // No field: what is asked of the list.
    path: text('path').notNull(),
    title: text('title').notNull(),
    /** What was filtered, in words. */
    conditions: text('conditions').notNull().default(''),
    // No field: what is asked of the list.
    query: jsonb('query').$type<Record<string, unknown>>().notNull(),
    state: text('state').$type<ExportState>().notNull(),
    // No field: in its progress.
    rowsWritten: whole('rows_written').notNull().default(0),
    // No field: in its progress.
    rowsExpected: whole('rows_expected'),
    byteSize: whole('byte_size'),
    /** How often it was begun; only the latest beginning may write to the row. */
    // No field: the program's own notes.
    attempts: whole('attempts').notNull().default(0),
    /** The most memory that its program held, in MiB. */
    // No field: the program's own notes.
    peakMib: whole('peak_mib'),
    // No field: shown with its state.
    error: text('error').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    // No field: the program's own notes.
    startedAt: instant('started_at'),
    // No field: the program's own notes.
    heartbeatAt: instant('heartbeat_at'),
    // No field: the program's own notes.
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at'),
  },
  table => [
    index('export_jobs_account_id').on(table.accountId, table.id),
    index('export_jobs_state').on(table.state, table.id),
  ],
)
