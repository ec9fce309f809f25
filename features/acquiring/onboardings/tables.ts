import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { IdPaperKind, MediaId } from '#kit/ports/onboarding.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { KeptRefusal, OnboardedSubject, OnboardingStep, PersonRole } from './rules.ts'

/**
 * Of an application: what the payment service asks for beyond it, and where it stands there. One row each; it goes along with a shop that
 * moves (trigger).
 */
// In no list: told beside its application.
export const onboardings = pgTable(
  'onboardings',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    applicationId: whole('application_id')
      .notNull()
      .references(() => paymentApplications.id),
    /** Counts what is saved and handed in. */
    revision: integer('revision').notNull().default(1),
    subjectKind: text('subject_kind').$type<OnboardedSubject>().notNull(),
    licenceAddress: text('licence_address').notNull().default(''),
    /** YYYY-MM-DD; empty: not told yet. */
    licenceFrom: text('licence_from').notNull().default(''),
    licenceTo: text('licence_to').notNull().default(''),
    isLicenceLongTerm: boolean('is_licence_long_term').notNull().default(false),
    idFrom: text('id_from').notNull().default(''),
    idTo: text('id_to').notNull().default(''),
    isIdLongTerm: boolean('is_id_long_term').notNull().default(false),
    idAddress: text('id_address').notNull().default(''),
    isOwner: boolean('is_owner').notNull().default(true),
    shortName: text('short_name').notNull().default(''),
    servicePhone: text('service_phone').notNull().default(''),
    /** The rule of settlement and the line of business, as the service names them. */
    category: text('category').notNull().default(''),
    /** Sealed. */
    accountNumber: bytes('account_number'),
    accountNumberMasked: text('account_number_masked').notNull().default(''),
    savedByName: text('saved_by_name').notNull(),
    savedAt: instant('saved_at').notNull(),
    /** Where it stands; of what the service tells beside it on its application. */
    state: text('state').$type<OnboardingStep>().notNull(),
    /** Ours; empty: never handed in. One is one application at the service, whatever is mended in it. */
    businessCode: text('business_code').notNull().default(''),
    /** The service's own number. */
    serviceId: text('service_id').notNull().default(''),
    /** What the service, or why it could not be asked, said last. */
    message: text('message').notNull().default(''),
    signUrl: text('sign_url').notNull().default(''),
    subMerchantId: text('sub_merchant_id').notNull().default(''),
    refusals: jsonb('refusals').$type<readonly KeptRefusal[]>().notNull().default([]),
    /** By paper, what the service gave for its picture. */
    media: jsonb('media').$type<Readonly<Record<string, MediaId>>>().notNull().default({}),
    /** Rounds since it was handed in, or tried to be. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the service now. */
    claim: text('claim').notNull().default(''),
    /** When the service is asked next; null: no more. */
    nextAt: instant('next_at'),
    askedAt: instant('asked_at'),
    submittedByName: text('submitted_by_name').notNull().default(''),
    submittedAt: instant('submitted_at'),
    /** Since when it stands so. */
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    uniqueIndex('onboardings_application_id').on(table.applicationId),
    uniqueIndex('onboardings_business_code').on(table.businessCode).where(sql`business_code <> ''`),
    index('onboardings_due').on(table.nextAt),
    index('onboardings_stuck').on(table.changedAt, table.id).where(sql`state = 'stuck'`),
    index('onboardings_merchant_id').on(table.merchantId, table.id),
    index('onboardings_agent_id').on(table.agentId, table.id),
  ],
)

/** Of an onboarding: who signs in place of the legal person, and who owns the company beside it. They go along with a shop that moves (trigger). */
// In no list: told beside its application.
export const onboardingPeople = pgTable(
  'onboarding_people',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    onboardingId: whole('onboarding_id')
      .notNull()
      .references(() => onboardings.id),
    role: text('role').$type<PersonRole>().notNull(),
    idKind: text('id_kind').$type<IdPaperKind>().notNull(),
    name: text('name').notNull(),
    /** Sealed. */
    idNumber: bytes('id_number').notNull(),
    idNumberMasked: text('id_number_masked').notNull(),
    /** YYYY-MM-DD. */
    idFrom: text('id_from').notNull(),
    /** Empty: without an end. */
    idTo: text('id_to').notNull().default(''),
    isIdLongTerm: boolean('is_id_long_term').notNull().default(false),
    address: text('address').notNull().default(''),
    frontId: whole('front_id')
      .notNull()
      .references(() => documents.id),
    /** Null: the paper has one side. */
    backId: whole('back_id').references(() => documents.id),
    /** Of a deputy; null: not there yet. */
    authorizationId: whole('authorization_id').references(() => documents.id),
    savedByName: text('saved_by_name').notNull(),
    savedAt: instant('saved_at').notNull(),
  },
  table => [
    index('onboarding_people_onboarding_id').on(table.onboardingId, table.id),
    uniqueIndex('onboarding_people_deputy').on(table.onboardingId).where(sql`role = 'deputy'`),
    index('onboarding_people_merchant_id').on(table.merchantId, table.id),
    index('onboarding_people_agent_id').on(table.agentId, table.id),
  ],
)
