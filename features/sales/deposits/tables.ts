import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { paymentRefunds } from '#features/sales/payments/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { DepositKind, DepositPaymentState, DepositState, RequestKind, RequestState } from './rules.ts'

const ofAgent = () =>
  whole('agent_id')
    .notNull()
    .references(() => agents.id)
const ofShop = () =>
  whole('merchant_id')
    .notNull()
    .references(() => merchants.id)
const ofDeposit = () =>
  whole('deposit_id')
    .notNull()
    .references(() => deposits.id)

/** What a channel or a device asks a shop for, and what of it is held, given back and kept. Money in fen. */
export const deposits = pgTable(
  'deposits',
  {
    id: id(),
    /** Its number in the ledger. */
    orderNo: text('order_no').notNull(),
    agentId: ofAgent(),
    merchantId: ofShop(),
    kind: text('kind').$type<DepositKind>().notNull(),
    /** What for, in words. */
    subject: text('subject').notNull(),
    amountFen: whole('amount_fen').notNull(),
    heldFen: whole('held_fen').notNull().default(0),
    returnedFen: whole('returned_fen').notNull().default(0),
    keptFen: whole('kept_fen').notNull().default(0),
    state: text('state').$type<DepositState>().notNull(),
    /** The unguessable part of the address at which it is paid. */
    // No field: shown as the address.
    code: text('code').notNull(),
    // No field: shown as askedByName.
    askedBy: whole('asked_by').notNull(),
    askedByName: text('asked_by_name').notNull(),
    askedAt: instant('asked_at').notNull(),
    /** The payment that it is held of. */
    // No field: part of its payment.
    intentId: text('intent_id'),
    payMethod: text('pay_method').$type<PayChannelName>(),
    paidAt: instant('paid_at'),
    // No field: part of its history.
    cancelledByName: text('cancelled_by_name').notNull().default(''),
    // No field: part of its history.
    cancelReason: text('cancel_reason').notNull().default(''),
    // No field: part of its history.
    cancelledAt: instant('cancelled_at'),
    settledAt: instant('settled_at'),
  },
  table => [
    uniqueIndex('deposits_order_no').on(table.orderNo),
    uniqueIndex('deposits_code').on(table.code),
    index('deposits_agent_id').on(table.agentId, table.askedAt, table.id),
    index('deposits_asked_at').on(table.askedAt, table.id),
    index('deposits_state').on(table.state, table.askedAt, table.id),
    index('deposits_merchant_id').on(table.merchantId, table.id),
    check('deposits_amount_positive', sql`${table.amountFen} > 0`),
    check(
      'deposits_add_up',
      sql`${table.heldFen} >= 0 and ${table.returnedFen} >= 0 and ${table.keptFen} >= 0
        and ${table.heldFen} + ${table.returnedFen} + ${table.keptFen} = case when ${table.paidAt} is null then 0 else ${table.amountFen} end`,
    ),
  ],
)

/** Each time that its payment was begun: an order of ten minutes, of which at most one counts. */
// In no list: parts of a deposit.
export const depositPayments = pgTable(
  'deposit_payments',
  {
    id: id(),
    depositId: ofDeposit(),
    agentId: ofAgent(),
    merchantId: ofShop(),
    /** Also of its payment. */
    orderNo: text('order_no').notNull(),
    intentId: text('intent_id').notNull(),
    state: text('state').$type<DepositPaymentState>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    uniqueIndex('deposit_payments_order_no').on(table.orderNo),
    index('deposit_payments_deposit_id').on(table.depositId, table.id),
    index('deposit_payments_merchant_id').on(table.merchantId, table.id),
    index('deposit_payments_agent_id').on(table.agentId, table.id),
  ],
)

/** Giving back or keeping some of a deposit: asked for by one, decided by another. */
// In no list: parts of a deposit.
export const depositRequests = pgTable(
  'deposit_requests',
  {
    id: id(),
    depositId: ofDeposit(),
    agentId: ofAgent(),
    merchantId: ofShop(),
    kind: text('kind').$type<RequestKind>().notNull(),
    amountFen: whole('amount_fen').notNull(),
    reason: text('reason').notNull(),
    state: text('state').$type<RequestState>().notNull(),
    askedBy: whole('asked_by').notNull(),
    askedByName: text('asked_by_name').notNull(),
    askedAt: instant('asked_at').notNull(),
    decidedBy: whole('decided_by'),
    decidedByName: text('decided_by_name').notNull().default(''),
    decidedAt: instant('decided_at'),
    /** Why it was turned down. */
    answer: text('answer').notNull().default(''),
    /** By which its channel gives it back. */
    refundId: whole('refund_id').references(() => paymentRefunds.id),
    /** Of what was paid out by hand. */
    receiptNo: text('receipt_no').notNull().default(''),
    paidOutByName: text('paid_out_by_name').notNull().default(''),
    doneAt: instant('done_at'),
  },
  table => [
    uniqueIndex('deposit_requests_standing').on(table.depositId).where(sql`state = 'asked'`),
    uniqueIndex('deposit_requests_refund_id').on(table.refundId),
    index('deposit_requests_deposit_id').on(table.depositId, table.id),
    index('deposit_requests_merchant_id').on(table.merchantId, table.id),
    index('deposit_requests_agent_id').on(table.agentId, table.id),
    index('deposit_requests_asked').on(table.askedAt, table.id).where(sql`state = 'asked'`),
    index('deposit_requests_owed').on(table.decidedAt, table.id).where(sql`state = 'owed'`),
    check('deposit_requests_amount_positive', sql`${table.amountFen} > 0`),
    check('deposit_requests_second_person', sql`${table.decidedBy} <> ${table.askedBy}`),
  ],
)
