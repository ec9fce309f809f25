// Tables of the server itself: stored answers of idempotent operations, and the operation log.
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, id, instant, whole } from './columns.ts'

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: whole('account_id').notNull(),
    key: text('key').notNull(),
    operation: text('operation').notNull(),
    inputHash: bytes('input_hash').notNull(),
    answer: jsonb('answer'),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
  ],
)

/** In people's words: amounts with their unit, instants as Shanghai's clock shows them. */
export type FieldChange = { name: string; before: string | null; after: string | null }

export const operationLogs = pgTable(
  'operation_logs',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    accountName: text('account_name').notNull(),
    operation: text('operation').notNull(),
    title: text('title').notNull(),
    subject: text('subject').notNull(),
    /** The shop that the operation was about; its timeline reads it. */
    merchantId: whole('merchant_id'),
    /** The agent whose data it was about, where another acted; its log shows it too. */
    aboutAgentId: whole('about_agent_id'),
    changes: jsonb('changes').$type<FieldChange[]>().notNull(),
    requestId: text('request_id').notNull(),
    ip: text('ip').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('operation_logs_agent_id_id').on(table.agentId, table.id.desc()),
    index('operation_logs_about_agent_id')
      .on(table.aboutAgentId, table.id.desc())
      .where(sql`${table.aboutAgentId} is not null`),
    index('operation_logs_merchant_id')
      .on(table.merchantId, table.id)
      .where(sql`${table.merchantId} is not null`),
  ],
)

/** Pictures that people uploaded; their bytes lie under DATA_DIR. */
export const files = pgTable('files', {
  id: uuid('id').primaryKey(),
  agentId: whole('agent_id').notNull(),
  purpose: text('purpose').notNull(),
  mime: text('mime').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  byteSize: integer('byte_size').notNull(),
  createdBy: whole('created_by').notNull(),
  createdAt: instant('created_at').notNull(),
})
