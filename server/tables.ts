// Tables of the server itself: stored answers of idempotent operations, and the operation log.
import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, instant, whole } from './columns.ts'

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

/** A transaction's number, which never comes twice. */
const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** In people's words: amounts with their unit, instants as Shanghai's clock shows them. */
export type FieldChange = { name: string; before: string | null; after: string | null }

/**
 * refused: an attempt that did not succeed and is worth knowing of, as a sign-in with a wrong password. read: a program with an API
 * key read something; what people read leaves no row.
 */
export type LogOutcome = 'done' | 'refused' | 'read'

/**
 * The operation log: written by `log_operation` alone, in partitions by month. A row is never changed; its place in its agent's chain is
 * a link of its own, made behind the commit (docs/decisions/0080-the-log-is-chained-behind-the-commit.md).
 */
export const operationLogs = pgTable(
  'operation_logs',
  {
    id: whole('id').notNull().default(sql`nextval('operation_logs_id_seq')`),
    agentId: whole('agent_id').notNull(),
    accountId: whole('account_id').notNull(),
    accountName: text('account_name').notNull(),
    operation: text('operation').notNull(),
    /** The first word of the operation's path. */
    module: text('module')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(substring(operation from '^/?([a-z0-9-]+)'), '')`),
    title: text('title').notNull(),
    subject: text('subject').notNull(),
    /** What it was about, as kind:id, what matters most first: an object's history reads it. */
    objects: text('objects').array().notNull(),
    objectKind: text('object_kind')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(split_part(objects[1], ':', 1), '')`),
    /** The shop that the operation was about; its timeline reads it. */
    merchantId: whole('merchant_id'),
    /** The agent whose data it was about, where another acted; its log shows it too. */
    aboutAgentId: whole('about_agent_id'),
    outcome: text('outcome').$type<LogOutcome>().notNull(),
    changes: jsonb('changes').$type<FieldChange[]>().notNull(),
    requestId: text('request_id').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: instant('created_at').notNull(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(account_name || chr(31) || title || chr(31) || subject)`),
  },
  table => [
    primaryKey({ columns: [table.id, table.createdAt] }),
    index('operation_logs_created_at').on(table.createdAt, table.id),
    // With both agents, whose rows the policy asks for: what is counted is counted without reading the rows.
    index('operation_logs_agent_id').on(table.agentId, table.createdAt, table.id, table.aboutAgentId),
    index('operation_logs_about_agent_id')
      .on(table.aboutAgentId, table.createdAt, table.id, table.agentId)
      .where(sql`${table.aboutAgentId} is not null`),
    index('operation_logs_account_id').on(table.accountId, table.createdAt, table.id),
    index('operation_logs_merchant_id')
      .on(table.merchantId, table.createdAt, table.id)
      .where(sql`${table.merchantId} is not null`),
    index('operation_logs_objects').using('gin', table.objects),
    index('operation_logs_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

/** Rows of the log that have no link yet, written with them; gone once they have one. */
export const operationLogWaiting = pgTable(
  'operation_log_waiting',
  {
    /** The transaction that wrote it: links are made in the order of transactions. */
    transaction: transactionId('transaction').notNull(),
    id: whole('id').notNull(),
    agentId: whole('agent_id').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Of the row as it was written. */
    rowHash: bytes('row_hash').notNull(),
    /** The row is no more what was written: it gets no link, and `log:verify` tells of it. */
    altered: boolean('altered').notNull().default(false),
  },
  table => [primaryKey({ columns: [table.transaction, table.id] })],
)

/** The chain of each agent: a link for each row, in partitions by month as the rows. */
export const operationLogLinks = pgTable(
  'operation_log_links',
  {
    agentId: whole('agent_id').notNull(),
    sequence: whole('sequence').notNull(),
    /** Of the row. */
    id: whole('id').notNull(),
    /** Over the row's columns, its place and the hash of the link before. */
    hash: bytes('hash').notNull(),
    /** The row's. */
    createdAt: instant('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.agentId, table.sequence, table.createdAt] }),
    index('operation_log_links_id').on(table.id),
  ],
)

/** Rows of the log of which a person's data were erased: their link is that of what they were, and this, signed, says what they are. */
export const operationLogErasures = pgTable(
  'operation_log_erasures',
  {
    id: whole('id').notNull(),
    agentId: whole('agent_id').notNull(),
    /** The row's. */
    createdAt: instant('created_at').notNull(),
    /** The number of the erasure. */
    erasure: text('erasure').notNull(),
    /** Of its link, which stays. */
    linkHash: bytes('link_hash').notNull(),
    /** Of the row as it is now, without its place. */
    rowHash: bytes('row_hash').notNull(),
    /** Of all of it, with the key that signs checkpoints. */
    signature: bytes('signature').notNull(),
  },
  table => [primaryKey({ columns: [table.id, table.createdAt] })],
)

/** Where each agent's chain ends. */
export const operationLogHeads = pgTable('operation_log_heads', {
  agentId: whole('agent_id').primaryKey(),
  entryCount: whole('entry_count').notNull(),
  headHash: bytes('head_hash'),
  lastAt: instant('last_at'),
})

/** Where each agent's chain begins since months of it were dropped. */
export const operationLogAnchors = pgTable('operation_log_anchors', {
  agentId: whole('agent_id').primaryKey(),
  sequence: whole('sequence').notNull(),
  hash: bytes('hash').notNull(),
  droppedBefore: instant('dropped_before').notNull(),
})

/** Pictures and papers that people uploaded; their bytes lie in the storage. */
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
  /** What its bytes are encrypted with, itself encrypted; null: they lie as they are. */
  sealedKey: bytes('sealed_key'),
  /** The bytes of before it was given a key may still lie there. */
  plainRemains: boolean('plain_remains').notNull().default(false),
  /** Of the bytes as they are kept, before they are encrypted; of uploads alone. */
  sha256: text('sha256'),
})

/** Files whose row is gone and whose bytes may still lie in the storage; a row of these goes once they do not. */
export const removedFiles = pgTable('removed_files', {
  id: uuid('id').primaryKey(),
  removedAt: instant('removed_at').notNull(),
})
