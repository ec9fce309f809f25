import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { AcquirerName, AcquirerPaper } from '#kit/ports/acquirers.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { ApprovalState, ChannelState, MerchantStanding, Reasons, TestState } from './rules.ts'

/** Shops that are brought in to acquirers, one row for a shop and an acquirer. They go along with a shop that moves (trigger). */
export const acquirerOnboardings = pgTable(
  'acquirer_onboardings',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    channel: text('channel').$type<AcquirerName>().notNull(),
    approvalState: text('approval_state').$type<ApprovalState>().notNull(),
    state: text('state').$type<ChannelState>().notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** Null: it has no number there yet. */
    // No steps: staff set it as the acquirer says.
    merchantStatus: text('merchant_status').$type<MerchantStanding>(),
    /** Counts what is saved, decided and handed over. */
    revision: integer('revision').notNull().default(1),
    /** The acquirer's number of the merchant. */
    code: text('code').notNull().default(''),
    remark: text('remark').notNull().default(''),
    // No field: told as reason, in one line.
    reasons: jsonb('reasons').$type<Reasons>().notNull().default({}),
    shortName: text('short_name').notNull().default(''),
    contactName: text('contact_name').notNull().default(''),
    contactPhone: text('contact_phone').notNull().default(''),
    email: text('email').notNull().default(''),
    accountName: text('account_name').notNull().default(''),
    category: text('category').notNull().default(''),
    rate: text('rate').notNull().default(''),
    /** Sealed; null: that of the payment service is the same. */
    accountNumber: bytes('account_number'),
    // No field: asked by its form.
    accountNumberMasked: text('account_number_masked').notNull().default(''),
    /** As they were handed in. */
    // No field: papers of the details.
    papers: jsonb('papers').$type<Readonly<Partial<Record<AcquirerPaper, number>>>>().notNull().default({}),
    createdAt: instant('created_at').notNull(),
    // No field: shown by name.
    submittedBy: whole('submitted_by'),
    submittedByName: text('submitted_by_name').notNull().default(''),
    submittedAt: instant('submitted_at'),
    handledByName: text('handled_by_name').notNull().default(''),
    handledAt: instant('handled_at'),
    sentByName: text('sent_by_name').notNull().default(''),
    sentAt: instant('sent_at'),
    /** When its number came. */
    openedAt: instant('opened_at'),
    /** The number by which the shop was last said to be paid. */
    // No field: told by the details.
    handedOverCode: text('handed_over_code').notNull().default(''),
    handedOverByName: text('handed_over_by_name').notNull().default(''),
    handedOverAt: instant('handed_over_at'),
    /** Under which it is handed in by the acquirer's protocol; empty: it is brought there by hand, or not yet. */
    // No field: known to the program alone.
    requestNo: text('request_no').notNull().default(''),
    /** The acquirer's own number of the application. */
    // No field: told by the details.
    applicationId: text('application_id').notNull().default(''),
    /** The merchant number in that application, by which it is mended once it was refused. */
    // No field: known to the program alone.
    applicationCode: text('application_code').notNull().default(''),
    /** Why the last round came to nothing. */
    // No field: told by the details.
    serviceMessage: text('service_message').notNull().default(''),
    /** When the acquirer last answered where it stands. */
    // No field: told by the details.
    askedAt: instant('asked_at'),
    /** Who of staff wants to know at once; empty: nobody. */
    // No field: told by the details.
    askedByName: text('asked_by_name').notNull().default(''),
    /** Who asks at the moment. */
    // No field: known to the program alone.
    claim: text('claim').notNull().default(''),
    /** Rounds without an answer. */
    // No field: known to the program alone.
    tries: integer('tries').notNull().default(0),
    // No field: known to the program alone.
    nextAt: instant('next_at'),
  },
  table => [
    uniqueIndex('acquirer_onboardings_shop').on(table.merchantId, table.channel),
    uniqueIndex('acquirer_onboardings_code').on(table.channel, table.code).where(sql`code <> ''`),
    index('acquirer_onboardings_number').on(table.code),
    index('acquirer_onboardings_created_at').on(table.createdAt, table.id),
    index('acquirer_onboardings_agent_id').on(table.agentId, table.createdAt, table.id),
    index('acquirer_onboardings_approval').on(table.approvalState, table.createdAt, table.id),
    index('acquirer_onboardings_state').on(table.state, table.createdAt, table.id),
    index('acquirer_onboardings_decide')
      .on(table.submittedAt, table.id)
      .where(sql`approval_state = 'pending' and is_active`),
    index('acquirer_onboardings_mend')
      .on(table.agentId, table.handledAt, table.id)
      .where(sql`approval_state = 'rejected' and is_active`),
    index('acquirer_onboardings_number_wanted')
      .on(table.handledAt, table.id)
      .where(sql`approval_state = 'approved' and code = '' and is_active`),
    index('acquirer_onboardings_next').on(table.nextAt, table.id).where(sql`next_at is not null`),
    index('acquirer_onboardings_hand_over')
      .on(table.openedAt, table.id)
      .where(sql`state = 'opened' and code <> handed_over_code and is_active`),
  ],
)

/** Payments of one fen that staff try a handed over configuration with. They go along with a shop that moves (trigger). */
// In no list: the latest stand in the details of their onboarding.
export const acquirerTestPayments = pgTable(
  'acquirer_test_payments',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    onboardingId: whole('onboarding_id')
      .notNull()
      .references(() => acquirerOnboardings.id),
    state: text('state').$type<TestState>().notNull(),
    /** The merchant number that the shop was paid by. */
    code: text('code').notNull(),
    orderNo: text('order_no').notNull(),
    /** Counts refunds that the acquirer gave up: each has a number of its own. */
    refundRound: integer('refund_round').notNull().default(1),
    codeUrl: text('code_url').notNull().default(''),
    /** Why it failed, or is not done yet. */
    reason: text('reason').notNull().default(''),
    startedByName: text('started_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    paidAt: instant('paid_at'),
    refundedAt: instant('refunded_at'),
    /** Since when staff are told that money may lie there. */
    stuckAt: instant('stuck_at'),
    /** What somebody says was seen to by hand; empty: nobody does. */
    settleReason: text('settle_reason').notNull().default(''),
    settledBy: whole('settled_by'),
    settledByName: text('settled_by_name').notNull().default(''),
    settledAt: instant('settled_at'),
    /** Whoever looked at that, too. */
    checkedByName: text('checked_by_name').notNull().default(''),
    checkedAt: instant('checked_at'),
    /** Who asks at the moment. */
    claim: text('claim').notNull().default(''),
    /** Rounds without an answer. */
    tries: integer('tries').notNull().default(0),
    nextAt: instant('next_at'),
  },
  table => [
    uniqueIndex('acquirer_test_payments_order').on(table.orderNo),
    uniqueIndex('acquirer_test_payments_open')
      .on(table.onboardingId)
      .where(sql`state in ('ordering', 'waiting', 'paid')`),
    index('acquirer_test_payments_of').on(table.onboardingId, table.id),
    index('acquirer_test_payments_shop').on(table.merchantId),
    index('acquirer_test_payments_next').on(table.nextAt, table.id).where(sql`next_at is not null`),
    index('acquirer_test_payments_stuck').on(table.stuckAt, table.id).where(sql`stuck_at is not null`),
  ],
)
