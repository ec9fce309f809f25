import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { SmsProviderName } from '#kit/ports/providers.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { CodePurpose, MessageKind, MessageStatus, Payer } from './rules.ts'

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
    /** Key of the template that the text was made from; null for messages from before templates. */
    // No field: shown as the text.
    template: text('template'),
    /** The template's variables. A code's value is taken away once it was submitted. */
    // No field: shown as the text.
    params: jsonb('params').$type<Record<string, string>>().notNull().default({}),
    /** Expected segments, and those that the receipt told. */
    segments: integer('segments').notNull().default(1),
    // No field: shown as segments, and in the ledger.
    fee: integer('fee'),
    // No field: shown as segments, and in the ledger.
    payer: text('payer').$type<Payer>().notNull().default('vendor'),
    /** The agent or the shop that pays; null for the vendor. */
    // No field: shown as segments, and in the ledger.
    payerId: whole('payer_id'),
    /** Pieces that the payer's account is charged for this message now. */
    // No field: shown as segments, and in the ledger.
    charged: integer('charged').notNull().default(0),
    /** Document of the ledger that the charge belongs to. */
    // No field: shown as segments, and in the ledger.
    documentNo: text('document_no'),
    // No field: the list of a campaign asks for it.
    campaignId: whole('campaign_id'),
    // No field: by which receipts find it.
    provider: text('provider').$type<SmsProviderName>(),
    // No field: by which receipts find it.
    providerId: text('provider_id'),
    /** The shop's own, that it was sent under; empty: the vendor's. */
    signature: text('signature').notNull().default(''),
    /** Ours, for the call that it was submitted in. */
    // No field: by which receipts find it.
    batchReference: text('batch_reference'),
    /** Codes go before notices, notices before campaigns: see PRIORITIES. */
    // No field: the sender's own notes.
    priority: integer('priority').notNull().default(1),
    // No field: the sender's own notes.
    notBefore: instant('not_before').notNull().default(sql`now()`),
    /** Not sent after this. */
    // No field: the sender's own notes.
    expiresAt: instant('expires_at'),
    // No field: the sender's own notes.
    claimedAt: instant('claimed_at'),
    submittedAt: instant('submitted_at'),
    reportedAt: instant('reported_at'),
    /** When the provider is asked what became of it; null: no more, or not yet. */
    askAt: instant('ask_at'),
    /** The provider's or the carrier's code and words. */
    errorCode: text('error_code').notNull().default(''),
    // No field: shown as the reason.
    errorText: text('error_text').notNull().default(''),
    /** The message that this one repeats, and the one that repeats this. */
    // No field: shown as isReissued.
    resendOf: whole('resend_of'),
    // No field: shown as isReissued.
    resentAs: whole('resent_as'),
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
    // For the clearing alone.
    index('outbox_messages_uncharged').on(table.createdAt).where(sql`payer = 'vendor' and charged = 0`),
    index('outbox_messages_due').on(table.priority, table.notBefore, table.id).where(sql`status = 'queued'`),
    index('outbox_messages_late').on(table.expiresAt).where(sql`status = 'queued'`),
    index('outbox_messages_open').on(table.claimedAt).where(sql`status = 'sending'`),
    index('outbox_messages_ask').on(table.askAt).where(sql`ask_at is not null`),
    index('outbox_messages_abnormal')
      .on(table.createdAt, table.id)
      .where(sql`status in ('failed', 'unknown', 'expired')`),
    index('outbox_messages_batch').on(table.batchReference, table.phone),
    index('outbox_messages_campaign').on(table.campaignId, table.status),
    index('outbox_messages_status').on(table.status, table.createdAt, table.id),
    index('outbox_messages_agent_status').on(table.agentId, table.status, table.createdAt, table.id),
  ],
)

/** Texts as the providers have approved them; only such can be sent. */
// In no list: only the program reads them whole.
export const smsTemplates = pgTable('sms_templates', {
  key: text('key').primaryKey(),
  name: text('name').notNull(),
  /** With ${name} where a variable stands. */
  text: text('text').notNull(),
  /** Names of the variables in their order, with what they are called. */
  variables: jsonb('variables').$type<{ name: string; label: string }[]>().notNull(),
  /** Whether partners may send it to shops. */
  forCampaigns: boolean('for_campaigns').notNull(),
  aliyunCode: text('aliyun_code').notNull(),
  tencentId: text('tencent_id').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  position: integer('position').notNull(),
})

/** Segments that were used on a day, by who paid; the sender keeps it. */
// In no list: counts.
export const smsDays = pgTable(
  'sms_days',
  {
    payer: text('payer').$type<Payer>().notNull(),
    /** 0 for the vendor. */
    payerId: whole('payer_id').notNull(),
    day: date('day').notNull(),
    /** Whose data it is; 0 for the vendor. */
    agentId: whole('agent_id').notNull(),
    messages: whole('messages').notNull(),
    segments: whole('segments').notNull(),
  },
  table => [
    primaryKey({ columns: [table.payer, table.payerId, table.day] }),
    index('sms_days_agent_id').on(table.agentId, table.day),
    index('sms_days_day').on(table.day),
  ],
)

/** Segments that a payer used of an agent in the 30 days up to `countedOn`; triggers keep it, a job moves the days on. */
// In no list: counts.
export const smsUses = pgTable(
  'sms_uses',
  {
    payer: text('payer').$type<Payer>().notNull(),
    payerId: whole('payer_id').notNull(),
    agentId: whole('agent_id').notNull(),
    used: whole('used').notNull(),
    countedOn: date('counted_on').notNull(),
  },
  table => [
    primaryKey({ columns: [table.payer, table.payerId, table.agentId] }),
    index('sms_uses_agent_id').on(table.agentId, table.payer, table.payerId),
    index('sms_uses_counted_on').on(table.countedOn),
  ],
)

/** Codes of six digits, kept as keyed hashes; one is used at most once. */
// In no list: only the program reads them whole.
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
