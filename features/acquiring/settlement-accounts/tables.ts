import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { PayType } from '#features/acquiring/payment-applications/rules.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { AccountChangeStep } from './rules.ts'

/**
 * Changes of the account that a shop's money is settled to at the payment service. A shop has one at most that has not ended (unique index);
 * they go along with a shop that moves (trigger).
 */
// In no list: told beside the application whose number it is.
export const accountChanges = pgTable(
  'account_changes',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    applicationId: whole('application_id')
      .notNull()
      .references(() => paymentApplications.id),
    subMerchantId: text('sub_merchant_id').notNull(),
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
    /** The service's own; empty: it has not said that it has it. */
    changeId: text('change_id').notNull().default(''),
    /** What the service, or why it could not be asked, said last. */
    message: text('message').notNull().default(''),
    /** Rounds since it stands so. */
    tries: integer('tries').notNull().default(0),
    /** Whoever asks the service now. */
    claim: text('claim').notNull().default(''),
    /** When the service is asked next; null: no more. */
    nextAt: instant('next_at'),
    requestedByName: text('requested_by_name').notNull(),
    requestedAt: instant('requested_at').notNull(),
    /** Since when it stands so. */
    changedAt: instant('changed_at').notNull(),
  },
  table => [
    uniqueIndex('account_changes_open')
      .on(table.merchantId)
      .where(sql`state in ('waiting', 'unclear', 'auditing')`),
    index('account_changes_due').on(table.nextAt),
    index('account_changes_application_id').on(table.applicationId, table.id),
    index('account_changes_merchant_id').on(table.merchantId, table.id),
    index('account_changes_agent_id').on(table.agentId, table.id),
  ],
)
