import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { DocumentKind, DocumentState, DocumentUser } from './rules.ts'

/** Papers of shops, each kept once. They go along with a shop that moves to another agent (trigger), and so do their files. */
export const documents = pgTable(
  'documents',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    kind: text('kind').$type<DocumentKind>().notNull(),
    /** Null once it is erased. */
    fileId: uuid('file_id').references(() => files.id),
    /** Of the bytes that are kept; stays when they go. */
    // No field: what the same picture is known by.
    sha256: text('sha256').notNull(),
    state: text('state').$type<DocumentState>().notNull(),
    expiresOn: date('expires_on', { mode: 'string' }),
    isLongTerm: boolean('is_long_term').notNull().default(false),
    /** What was read or typed of it, as JSON, encrypted with the key of its file. */
    // No field: encrypted.
    facts: bytes('facts'),
    numberMasked: text('number_masked').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: told by the log.
    replacedAt: instant('replaced_at'),
    /** From then on it is erased, since nothing needs it any more; null: it is needed. */
    keepUntil: instant('keep_until'),
    /** The mark before its end that people were told of last; null: of none. */
    // No field: the watching job's own note.
    warnedDays: integer('warned_days'),
    erasedAt: instant('erased_at'),
    /** Null: the program. */
    // No field: shown as erasedByName.
    erasedBy: whole('erased_by'),
    erasedByName: text('erased_by_name').notNull().default(''),
    eraseReason: text('erase_reason').notNull().default(''),
    /** Where its bytes lay. */
    // No field: where its bytes lay.
    erasedFileId: uuid('erased_file_id'),
  },
  table => [
    uniqueIndex('documents_same')
      .on(table.merchantId, table.kind, table.sha256)
      .where(sql`state <> 'erased'`),
    index('documents_merchant_id').on(table.merchantId, table.id),
    index('documents_agent_id').on(table.agentId, table.id),
    /** One upload is one paper: erasing it takes nothing from another. */
    uniqueIndex('documents_file_id').on(table.fileId),
    index('documents_expires_on').on(table.expiresOn, table.id),
    index('documents_agent_expires_on').on(table.agentId, table.expiresOn, table.id),
    index('documents_keep_until').on(table.keepUntil).where(sql`keep_until is not null`),
  ],
)

/** What uses a paper: as long as something does, it is kept. */
export const documentUses = pgTable(
  'document_uses',
  {
    // No field: what it uses.
    documentId: whole('document_id')
      .notNull()
      .references(() => documents.id),
    // No field: shown as usedBy.
    feature: text('feature').$type<DocumentUser>().notNull(),
    /** Of the feature's own. */
    // No field: the feature's own.
    objectId: text('object_id').notNull(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.documentId, table.feature, table.objectId] }),
    index('document_uses_object').on(table.merchantId, table.feature, table.objectId),
  ],
)
