import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { PayType } from '#features/acquiring/payment-applications/rules.ts'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { OwnerPaperName, OwnerPapersState, Reasons } from './rules.ts'

const paper = (name: string) => whole(name).references(() => documents.id)

/**
 * A link for the owner of a shop, and what he has handed in by it. Of a shop one stands at a time. They go along with a shop that moves
 * (trigger).
 */
// In no list: at the shop.
export const ownerPapers = pgTable(
  'owner_papers',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** Of the unguessable part of the address, which is told once. */
    tokenHash: bytes('token_hash').notNull(),
    state: text('state').$type<OwnerPapersState>().notNull().default('draft'),
    /** Counts what is handed in, sent back and taken over. */
    revision: integer('revision').notNull().default(1),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Called off, or replaced by another. */
    endedByName: text('ended_by_name').notNull().default(''),
    endedAt: instant('ended_at'),
    /** Messages that were sent with the link. */
    messages: integer('messages').notNull().default(0),
    /** Empty: nobody has proven one yet. */
    phone: text('phone').notNull().default(''),
    payType: text('pay_type').$type<PayType>().notNull().default('corporate'),
    company: text('company').notNull().default(''),
    creditCode: text('credit_code').notNull().default(''),
    legalPerson: text('legal_person').notNull().default(''),
    personInCharge: text('person_in_charge').notNull().default(''),
    email: text('email').notNull().default(''),
    bankName: text('bank_name').notNull().default(''),
    branchName: text('branch_name').notNull().default(''),
    /** Sealed. */
    idNumber: bytes('id_number'),
    idNumberMasked: text('id_number_masked').notNull().default(''),
    /** Sealed. */
    accountNumber: bytes('account_number'),
    accountNumberMasked: text('account_number_masked').notNull().default(''),
    idFrontId: paper('id_front_id'),
    idBackId: paper('id_back_id'),
    licenceId: paper('licence_id'),
    permitId: paper('permit_id'),
    bankCardId: paper('bank_card_id'),
    shopFrontId: paper('shop_front_id'),
    checkstandId: paper('checkstand_id'),
    shopInsideId: paper('shop_inside_id'),
    tradePermitId: paper('trade_permit_id'),
    certificateId: paper('certificate_id'),
    /** By paper, the upload that brought it. */
    sent: jsonb('sent').$type<Partial<Record<OwnerPaperName, string>>>().notNull().default({}),
    /** The upload of the bank card that was read. */
    cardRead: text('card_read').notNull().default(''),
    /** Of all pictures that came, whatever became of them. */
    pictures: integer('pictures').notNull().default(0),
    byteSum: whole('byte_sum').notNull().default(0),
    signedText: text('signed_text').notNull().default(''),
    /** SHA-256 of the text. */
    signedHash: text('signed_hash').notNull().default(''),
    signatureId: uuid('signature_id').references(() => files.id),
    submittedAt: instant('submitted_at'),
    /** By whom it was looked at first since it was handed in. */
    seenByName: text('seen_by_name').notNull().default(''),
    seenAt: instant('seen_at'),
    reasons: jsonb('reasons').$type<Reasons>().notNull().default({}),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    /** What was entered is gone: nobody went on with it. */
    isForgotten: boolean('is_forgotten').notNull().default(false),
    /** Where it was taken over, and where not and why. */
    outcome: text('outcome').notNull().default(''),
  },
  table => [
    uniqueIndex('owner_papers_token_hash').on(table.tokenHash),
    uniqueIndex('owner_papers_standing')
      .on(table.merchantId)
      .where(sql`ended_at is null and state <> 'adopted'`),
    index('owner_papers_merchant_id').on(table.merchantId, table.id),
    index('owner_papers_state').on(table.state, table.submittedAt, table.id),
    index('owner_papers_agent_id').on(table.agentId, table.submittedAt, table.id),
    index('owner_papers_signature_id').on(table.signatureId),
  ],
)

/** Pictures on their way, part by part, until they are whole. */
// In no list: what the program puts together.
export const ownerPaperParts = pgTable(
  'owner_paper_parts',
  {
    ownerPapersId: whole('owner_papers_id')
      .notNull()
      .references(() => ownerPapers.id),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    paper: text('paper').$type<OwnerPaperName>().notNull(),
    /** As the phone calls the whole picture. */
    upload: text('upload').notNull(),
    part: integer('part').notNull(),
    /** Sealed. */
    body: bytes('body').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.ownerPapersId, table.paper, table.part] }),
    index('owner_paper_parts_created_at').on(table.createdAt),
    index('owner_paper_parts_merchant_id').on(table.merchantId),
  ],
)

/** Phones that have proven themselves at a link; no account's session. */
// In no list: the way to what was entered.
export const ownerSessions = pgTable(
  'owner_sessions',
  {
    id: id(),
    tokenHash: bytes('token_hash').notNull(),
    ownerPapersId: whole('owner_papers_id')
      .notNull()
      .references(() => ownerPapers.id),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  table => [
    uniqueIndex('owner_sessions_token_hash').on(table.tokenHash),
    index('owner_sessions_expires_at').on(table.expiresAt),
    index('owner_sessions_merchant_id').on(table.merchantId),
  ],
)
