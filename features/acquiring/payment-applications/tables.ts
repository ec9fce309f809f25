import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { OnboardingState } from '#kit/ports/onboarding.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { ApplicationState, PayType, Reasons, ReviewState } from './rules.ts'

const paper = (name: string) => whole(name).references(() => documents.id)

/**
 * Applications of shops to be paid through the payment service: a draft, or as handed in. A shop has one that is not accepted; another one
 * begins once it is. They go along with a shop that moves (trigger).
 */
export const paymentApplications = pgTable(
  'payment_applications',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    state: text('state').$type<ApplicationState>().notNull(),
    /** Null: it is not with the payment service. */
    // No steps: the reviewer sets any of them (D2 §4).
    reviewState: text('review_state').$type<ReviewState>(),
    /** Counts what is saved, handed in and decided. */
    revision: integer('revision').notNull().default(1),
    payType: text('pay_type').$type<PayType>().notNull(),
    phone: text('phone').notNull().default(''),
    email: text('email').notNull().default(''),
    /** Six digits of the district. */
    // No field: shown by name as regionName.
    bankRegion: text('bank_region').notNull().default(''),
    bankName: text('bank_name').notNull().default(''),
    /** Of the payment service's directory. */
    // No field: what the directory calls the bank.
    bankCode: text('bank_code').notNull().default(''),
    branchName: text('branch_name').notNull().default(''),
    branchNumber: text('branch_number').notNull().default(''),
    // No field: papers of the details.
    idFrontId: paper('id_front_id'),
    // No field: papers of the details.
    idBackId: paper('id_back_id'),
    // No field: papers of the details.
    licenceId: paper('licence_id'),
    // No field: papers of the details.
    permitId: paper('permit_id'),
    // No field: papers of the details.
    bankCardId: paper('bank_card_id'),
    // No field: papers of the details.
    shopFrontId: paper('shop_front_id'),
    // No field: papers of the details.
    checkstandId: paper('checkstand_id'),
    // No field: papers of the details.
    shopInsideId: paper('shop_inside_id'),
    // No field: told as reason, in one line.
    reasons: jsonb('reasons').$type<Reasons>().notNull().default({}),
    /** As the service itself tells; null: it was not handed in there by the program. */
    // No steps: the service moves it.
    serviceState: text('service_state').$type<OnboardingState>(),
    reviewNote: text('review_note').notNull().default(''),
    // No field: told by the log.
    savedBy: whole('saved_by').notNull(),
    // No field: told by the log.
    savedByName: text('saved_by_name').notNull(),
    // No field: told by the log.
    savedAt: instant('saved_at').notNull(),
    // No field: shown by name.
    submittedBy: whole('submitted_by'),
    submittedByName: text('submitted_by_name').notNull().default(''),
    submittedAt: instant('submitted_at'),
    // No field: shown by name.
    handledBy: whole('handled_by'),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    reviewedByName: text('reviewed_by_name').notNull().default(''),
    reviewedAt: instant('reviewed_at'),
  },
  table => [
    uniqueIndex('payment_applications_open')
      .on(table.merchantId)
      .where(sql`review_state is distinct from 'accepted'`),
    index('payment_applications_merchant_id').on(table.merchantId, table.id),
    // With the agent, which the policy asks for: what is counted is counted without reading the rows.
    index('payment_applications_state').on(table.state, table.submittedAt, table.id, table.agentId),
    index('payment_applications_agent_state').on(table.agentId, table.state, table.submittedAt, table.id),
    index('payment_applications_review').on(table.reviewState, table.handledAt, table.id, table.agentId),
    index('payment_applications_mend')
      .on(table.agentId, table.handledAt, table.id)
      .where(sql`state = 'rejected'`),
    index('payment_applications_sign')
      .on(table.agentId, table.reviewedAt, table.id)
      .where(sql`service_state in ('toBeConfirmed', 'toBeSigned')`),
    index('payment_applications_submitted_at')
      .on(table.submittedAt, table.id, table.agentId)
      .where(sql`state <> 'draft' and submitted_at is not null`),
    index('payment_applications_handled_at')
      .on(table.handledAt, table.id, table.agentId)
      .where(sql`review_state is not null and handled_at is not null`),
    index('payment_applications_agent_id')
      .on(table.agentId, table.submittedAt, table.id)
      .where(sql`state <> 'draft' and submitted_at is not null`),
    index('payment_applications_id_front_id').on(table.idFrontId),
    index('payment_applications_id_back_id').on(table.idBackId),
    index('payment_applications_licence_id').on(table.licenceId),
    index('payment_applications_permit_id').on(table.permitId),
    index('payment_applications_bank_card_id').on(table.bankCardId),
    index('payment_applications_shop_front_id').on(table.shopFrontId),
    index('payment_applications_checkstand_id').on(table.checkstandId),
    index('payment_applications_shop_inside_id').on(table.shopInsideId),
  ],
)
