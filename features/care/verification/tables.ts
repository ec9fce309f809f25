import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { documents } from '#features/care/documents/tables.ts'
import type { VerificationStatus } from '#features/shops/merchants/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { OcrName, OcrProblem } from '#kit/ports/ocr.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { Origins, ReadName, ReadProblem } from './rules.ts'

/** The verification data of shops, one row each: a draft, or as submitted. Go along with a shop that moves (trigger). */
export const verifications = pgTable(
  'verifications',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** The shop's verification status is the same: a trigger follows where the operator sets that by hand. */
    state: text('state').$type<VerificationStatus>().notNull(),
    revision: integer('revision').notNull().default(1),
    company: text('company').notNull().default(''),
    creditCode: text('credit_code').notNull().default(''),
    legalPerson: text('legal_person').notNull().default(''),
    /** Whose ID card it is. */
    personInCharge: text('person_in_charge').notNull().default(''),
    /** The whole one lies with the card's picture in the vault. */
    // No field: facts of the details.
    idNumberMasked: text('id_number_masked').notNull().default(''),
    signature: text('signature').notNull().default(''),
    phone: text('phone').notNull().default(''),
    /** When a code that was sent to this phone came back. */
    // No field: facts of the details.
    phoneVerifiedAt: instant('phone_verified_at'),
    // No field: papers of the details.
    licenceId: whole('licence_id').references(() => documents.id),
    // No field: papers of the details.
    idFrontId: whole('id_front_id').references(() => documents.id),
    // No field: papers of the details.
    idBackId: whole('id_back_id').references(() => documents.id),
    /** The request for a signature that the data were given for. */
    // No field: facts of the details.
    requestId: whole('request_id'),
    // No field: facts of the details.
    origins: jsonb('origins').$type<Origins>().notNull().default({}),
    /** By warning: why it may stand, as whoever handed the data in says. */
    // No field: facts of the details.
    explanations: jsonb('explanations').$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** By warning: what whoever verified made of it. */
    // No field: facts of the details.
    answers: jsonb('answers').$type<Readonly<Record<string, string>>>().notNull().default({}),
    reason: text('reason').notNull().default(''),
    /** What the shop is told to do about it. */
    advice: text('advice').notNull().default(''),
    // No field: told by the log.
    savedBy: whole('saved_by').notNull(),
    // No field: told by the log.
    savedByName: text('saved_by_name').notNull(),
    // No field: told by the log.
    savedAt: instant('saved_at').notNull(),
    submittedByName: text('submitted_by_name').notNull().default(''),
    submittedAt: instant('submitted_at'),
    /** Of whom decided last. */
    // No field: shown by name.
    handledBy: whole('handled_by'),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(merchant_id::text || chr(31) || company || chr(31) || credit_code || chr(31) || person_in_charge)`,
      ),
  },
  table => [
    uniqueIndex('verifications_merchant_id').on(table.merchantId),
    index('verifications_state').on(table.state, table.submittedAt, table.id),
    index('verifications_submitted_at').on(table.submittedAt, table.id),
    index('verifications_agent_id').on(table.agentId, table.id),
    index('verifications_licence_id').on(table.licenceId),
    index('verifications_id_front_id').on(table.idFrontId),
    index('verifications_id_back_id').on(table.idBackId),
    index('verifications_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

/** Names and the licence's number as they are; of an ID number a keyed digest, by which the same one is known. */
export type KeptField = { value?: string; digest?: string; confidence: number }

/** What a reader said of a paper, kept so that it is asked and paid once. */
// In no list: beside their papers, in the details of verification data.
export const paperReadings = pgTable(
  'paper_readings',
  {
    documentId: whole('document_id')
      .primaryKey()
      .references(() => documents.id),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    reader: text('reader').$type<OcrName>().notNull(),
    isWeak: boolean('is_weak').notNull(),
    tries: integer('tries').notNull().default(1),
    fields: jsonb('fields').$type<Partial<Record<ReadName, KeptField>>>().notNull().default({}),
    warnings: jsonb('warnings').$type<OcrProblem[]>().notNull().default([]),
    /** Why nothing was read. */
    problem: text('problem').$type<ReadProblem>(),
    readAt: instant('read_at').notNull(),
  },
  table => [
    index('paper_readings_merchant_id').on(table.merchantId, table.documentId),
    index('paper_readings_agent_id').on(table.agentId, table.documentId),
  ],
)

/** Reasons for which data are rejected, each with what the shop is told to do; another may be typed. */
// In no list: in the one editor of reference data, which is made of declarations.
export const verificationReasons = pgTable('verification_reasons', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  advice: text('advice').notNull().default(''),
  position: integer('position').notNull(),
  /** From then on it is offered no more. */
  retiredAt: instant('retired_at'),
})
