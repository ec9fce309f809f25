import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, instant, whole } from '#server/columns.ts'

/** A month of the log that left it: its rows with their links lie in a sealed file of the storage. */
// In no list: read by commands of the operator.
export const operationLogArchives = pgTable(
  'operation_log_archives',
  {
    /** 1, 2, 3 … in the order of months; what is signed of it outside of the database has the same. */
    number: whole('number').primaryKey(),
    /** Its first day, as 2026-01. */
    month: text('month').notNull(),
    rows: whole('rows').notNull(),
    /** SHA-256 of its text, hexadecimal. */
    digest: text('digest').notNull(),
    /** Where its bytes lie. */
    file: text('file').notNull(),
    /** What its bytes are encrypted with, itself encrypted; null: the archive was kept long enough, and is gone. */
    fileKey: bytes('file_key'),
    archivedAt: instant('archived_at').notNull(),
  },
  table => [uniqueIndex('operation_log_archives_month').on(table.month)],
)
