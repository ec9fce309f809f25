import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { acquirerOnboardings } from '#features/acquiring/acquirer-onboardings/tables.ts'
import type { PayType } from '#features/acquiring/payment-applications/rules.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { AccountChangeStep, AccountChannel } from './rules.ts'

/**
 * Changes of the account that a shop's money is settled to, at the payment service or at an acquirer: each belongs to the application or to
 * the onboarding by which the shop came there (check). A shop has one at most at a channel that has not ended (unique index); they go along
 * with a shop that moves (trigger).
 */
// In no list: told beside what it belongs to.
export const accountChanges = pgTable(
  'account_changes',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    channel: text('channel').$type<AccountChannel>().notNull(),
    /** At the payment service; else null. */
    applicationId: whole('application_id').references(() => paymentApplications.id),
    /** At an acquirer; else null. */
    acquirerOnboardingId: whole('acquirer_onboarding_id').references(() => acquirerOnboardings.id),
    /** The channel's number of the merchant. */
    merchantCode: text('merchant_code').notNull(),
    payType: text('pay_type').$type<PayType>().notNull(),
    /** As the bank has it. */
    holder: text('holder').notNull(),
    bankRegion: text('bank_region').notNull(),
    bankName: text('bank_name').notNull(),
    bankCode: text('bank_code').notNull(),
    branchName: text('branch_name').notNull(),
    branchNumber: text('branch_number').notNull(),
    /** Sealed; null once it has ended. */
    accountNumber: bytes('account_number'),
    accountNumberMasked: text('account_number_masked').notNull(),
    state: text('state').$type<AccountChangeStep>().notNull(),
    /** The paper of the new account that goes along; null: none is asked for. */
    documentId: whole('document_id').references(() => documents.id),
    /** Ours, under which it may be handed in again; empty: the channel knows no such number. */
    requestNo: text('request_no').notNull().default(''),
    /** The channel's own; empty: it has not said that it has it. */
    changeId: text('change_id').notNull().default(''),
    /** What the channel, or why it could not be asked, said last. */
    message: text('message').notNull().default(''),
    /** Rounds since it stands so. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the channel now. */
    claim: text('claim').notNull().default(''),
    /** When the channel is asked next; null: no more. */
    nextAt: instant('next_at'),
    requestedByName: text('requested_by_name').notNull(),
    requestedAt: instant('requested_at').notNull(),
    /** Since when it stands so. */
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    uniqueIndex('account_changes_open')
      .on(table.merchantId, table.channel)
      .where(sql`state in ('waiting', 'unclear', 'auditing')`),
    check('account_changes_of_one', sql`num_nonnulls(application_id, acquirer_onboarding_id) = 1`),
    index('account_changes_due').on(table.nextAt),
    index('account_changes_application_id').on(table.applicationId, table.id),
    index('account_changes_acquirer_onboarding_id').on(table.acquirerOnboardingId, table.id),
    index('account_changes_merchant_id').on(table.merchantId, table.id),
    index('account_changes_agent_id').on(table.agentId, table.id),
  ],
)
