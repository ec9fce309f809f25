import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { CodePurpose, MessageKind, MessageStatus } from './rules.ts'

/** What is to be sent, in the order it was asked for; a sender takes it from here. */
export const outboxMessages = pgTable(
  'outbox_messages',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id'),
    kind: text('kind').$type<MessageKind>().notNull(),
    phone: text('phone').notNull(),
    text: text('text').notNull(),
    status: text('status').$type<MessageStatus>().notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('outbox_messages_created').on(table.createdAt, table.id),
    index('outbox_messages_kind').on(table.kind, table.createdAt, table.id),
    index('outbox_messages_merchant_id').on(table.merchantId, table.createdAt),
    index('outbox_messages_phone').on(table.phone, table.createdAt),
    index('outbox_messages_agent_id').on(table.agentId, table.createdAt, table.id),
  ],
)

/** Codes of six digits, kept as keyed hashes; one is used at most once. */
export const verificationCodes = pgTable(
  'verification_codes',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id').notNull(),
    purpose: text('purpose').$type<CodePurpose>().notNull(),
    phone: text('phone').notNull(),
    codeHash: bytes('code_hash').notNull(),
    failures: integer('failures').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  table => [
    index('verification_codes_merchant_id').on(table.merchantId, table.purpose, table.id),
    index('verification_codes_phone').on(table.phone, table.createdAt),
  ],
)
