import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { paymentSettings } from '#features/money/payment-settings/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type {
  AttemptStatus,
  DifferenceKind,
  EventStatus,
  IntentStatus,
  PaidAsset,
  ReconciliationStatus,
  RefundReason,
  RefundStatus,
  TokenOrderStatus,
} from './rules.ts'

/** What is to be paid from outside, once. Money in fen. */
export const paymentIntents = pgTable(
  'payment_intents',
  {
    /** Also the documents' queryId. */
    id: text('id').primaryKey(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    /** 0: nobody's, the payer has no account. */
    accountId: whole('account_id').notNull(),
    accountName: text('account_name').notNull(),
    /** Whose account is paid; null: the vendor's. */
    // No field: shown as payeeName.
    payeeAgentId: whole('payee_agent_id').references(() => agents.id),
    // No field: for the cashier.
    businessType: integer('business_type').notNull(),
    asset: text('asset').$type<PaidAsset>().notNull(),
    /** The order that it pays: an SMS order or a token order. */
    orderNo: text('order_no').notNull(),
    amountFen: whole('amount_fen').notNull(),
    subject: text('subject').notNull(),
    /** Part of the cashier's address; unguessable. */
    // No field: for the cashier.
    token: text('token').notNull(),
    /** Until when the QR that is shown now counts; refreshing moves it. */
    // No field: for the cashier.
    displayUntil: instant('display_until').notNull(),
    status: text('status').$type<IntentStatus>().notNull(),
    paidBy: text('paid_by').$type<PayChannelName>(),
    createdAt: instant('created_at').notNull(),
    // No field: facts of the details.
    expiresAt: instant('expires_at').notNull(),
    paidAt: instant('paid_at'),
    /** When the providers were last asked for it. */
    // No field: facts of the details.
    askedAt: instant('asked_at'),
  },
  table => [
    uniqueIndex('payment_intents_token').on(table.token),
    uniqueIndex('payment_intents_order_no').on(table.orderNo),
    index('payment_intents_agent_id').on(table.agentId, table.createdAt, table.id),
    index('payment_intents_created_at').on(table.createdAt, table.id),
    index('payment_intents_status').on(table.status, table.createdAt, table.id),
    index('payment_intents_ending').on(table.expiresAt).where(sql`status = 'waiting'`),
  ],
)

/** One per intent and channel, made when it is first wanted. */
// In no list: parts of a payment.
export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    id: id(),
    intentId: text('intent_id')
      .notNull()
      .references(() => paymentIntents.id),
    agentId: whole('agent_id').notNull(),
    channel: text('channel').$type<PayChannelName>().notNull(),
    /** The payee's own account that it was ordered on; null: the vendor's. It never changes. */
    settingsId: whole('settings_id').references(() => paymentSettings.id),
    outTradeNo: text('out_trade_no').notNull(),
    amountFen: whole('amount_fen').notNull(),
    status: text('status').$type<AttemptStatus>().notNull(),
    /** in-app: inside the channel's own app, for one payer; a number ordered one way cannot be ordered the other. */
    way: text('way').$type<'code' | 'in-app'>().notNull().default('code'),
    /** The payer's code, until the channel was asked with it; then what the app's browser needs. */
    payerCode: text('payer_code'),
    parameters: jsonb('parameters').$type<Record<string, string>>(),
    codeUrl: text('code_url'),
    transactionId: text('transaction_id'),
    payer: text('payer'),
    paidAt: instant('paid_at'),
    /** What the provider said last, for staff. */
    providerWords: text('provider_words').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** When the channel is asked next; null: no more. */
    askAt: instant('ask_at'),
    asked: integer('asked').notNull().default(0),
  },
  table => [
    uniqueIndex('payment_attempts_intent').on(table.intentId, table.channel),
    uniqueIndex('payment_attempts_out_trade_no').on(table.outTradeNo),
    index('payment_attempts_ask_at').on(table.askAt),
    index('payment_attempts_transaction_id').on(table.transactionId),
    index('payment_attempts_paid_at').on(table.channel, table.paidAt),
  ],
)

export const paymentRefunds = pgTable(
  'payment_refunds',
  {
    id: id(),
    // No field: shown as outTradeNo.
    attemptId: whole('attempt_id')
      .notNull()
      .references(() => paymentAttempts.id),
    agentId: whole('agent_id').notNull(),
    /** Fixed: the same number is sent until the provider answers. */
    refundNo: text('refund_no').notNull(),
    amountFen: whole('amount_fen').notNull(),
    reason: text('reason').$type<RefundReason>().notNull(),
    remark: text('remark').notNull().default(''),
    status: text('status').$type<RefundStatus>().notNull(),
    providerWords: text('provider_words').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    doneAt: instant('done_at'),
    askAt: instant('ask_at'),
    asked: integer('asked').notNull().default(0),
  },
  table => [
    uniqueIndex('payment_refunds_refund_no').on(table.refundNo),
    index('payment_refunds_attempt_id').on(table.attemptId),
    index('payment_refunds_agent_id').on(table.agentId, table.createdAt, table.id),
    index('payment_refunds_created_at').on(table.createdAt, table.id),
    index('payment_refunds_ask_at').on(table.askAt),
    index('payment_refunds_done_at').on(table.doneAt),
    index('payment_refunds_failed').on(table.createdAt, table.id).where(sql`status = 'failed'`),
  ],
)

/** Verified callbacks as they came, once per event of the provider; processed after they are kept. */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: id(),
    channel: text('channel').$type<PayChannelName>().notNull(),
    /** The agent's own account that it is about; null: the vendor's. */
    // No field: the account is that of its payment.
    settingsId: whole('settings_id').references(() => paymentSettings.id),
    eventId: text('event_id').notNull(),
    /** What the callback says, read and verified. */
    // No field: kept as it came.
    content: jsonb('content').$type<Record<string, unknown>>().notNull(),
    // No field: kept as it came.
    body: bytes('body').notNull(),
    outTradeNo: text('out_trade_no').notNull(),
    status: text('status').$type<EventStatus>().notNull(),
    problem: text('problem').notNull().default(''),
    /** How often it came. */
    times: integer('times').notNull().default(1),
    receivedAt: instant('received_at').notNull(),
    // No field: shown as its state.
    processedAt: instant('processed_at'),
  },
  table => [
    unique('provider_events_event').on(table.channel, table.settingsId, table.eventId).nullsNotDistinct(),
    index('provider_events_received').on(table.receivedAt, table.id),
    index('provider_events_status').on(table.status, table.id),
    index('provider_events_out_trade_no').on(table.outTradeNo),
    index('provider_events_misfit')
      .on(table.receivedAt, table.id)
      .where(sql`status in ('unmatched', 'refused')`),
  ],
)

/** Tokens that an agent buys from outside. */
// In no list: parts of a payment.
export const tokenOrders = pgTable(
  'token_orders',
  {
    id: id(),
    orderNo: text('order_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    /** With those that are given. */
    tokenCents: whole('token_cents').notNull(),
    bonusCents: whole('bonus_cents').notNull().default(0),
    amountFen: whole('amount_fen').notNull(),
    /** The name of the offer that applied. */
    offer: text('offer').notNull().default(''),
    status: text('status').$type<TokenOrderStatus>().notNull(),
    payMethod: text('pay_method').$type<PayChannelName>(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    paidAt: instant('paid_at'),
  },
  table => [
    uniqueIndex('token_orders_order_no').on(table.orderNo),
    index('token_orders_agent_id').on(table.agentId, table.createdAt, table.id),
  ],
)

/** Which channels an agent is offered; agent 0 stands for all that have no row of their own. */
// In no list: settings, in their own dialogs.
export const agentPayChannels = pgTable(
  'agent_pay_channels',
  {
    agentId: whole('agent_id').notNull(),
    channel: text('channel').$type<PayChannelName>().notNull(),
    enabled: boolean('enabled').notNull(),
  },
  table => [primaryKey({ columns: [table.agentId, table.channel] })],
)

/** The comparison of a day with the provider's bill. */
export const paymentReconciliations = pgTable(
  'payment_reconciliations',
  {
    id: id(),
    channel: text('channel').$type<PayChannelName>().notNull(),
    day: date('day').notNull(),
    status: text('status').$type<ReconciliationStatus>().notNull(),
    problem: text('problem').notNull().default(''),
    /** Lines and fen of the bill, and ours. */
    billPayments: integer('bill_payments').notNull().default(0),
    billFen: whole('bill_fen').notNull().default(0),
    ourPayments: integer('our_payments').notNull().default(0),
    ourFen: whole('our_fen').notNull().default(0),
    billRefunds: integer('bill_refunds').notNull().default(0),
    // No field: shown with their numbers.
    billRefundFen: whole('bill_refund_fen').notNull().default(0),
    ourRefunds: integer('our_refunds').notNull().default(0),
    // No field: shown with their numbers.
    ourRefundFen: whole('our_refund_fen').notNull().default(0),
    differences: integer('differences').notNull().default(0),
    // No field: shown as comparedAt once it is done.
    wantedAt: instant('wanted_at').notNull(),
    comparedAt: instant('compared_at'),
    askAt: instant('ask_at'),
    asked: integer('asked').notNull().default(0),
  },
  table => [
    uniqueIndex('payment_reconciliations_day').on(table.channel, table.day),
    index('payment_reconciliations_newest').on(table.day, table.id),
    index('payment_reconciliations_ask_at').on(table.askAt),
  ],
)

export const paymentDifferences = pgTable(
  'payment_differences',
  {
    id: id(),
    // No field: the list of a comparison asks for it.
    reconciliationId: whole('reconciliation_id')
      .notNull()
      .references(() => paymentReconciliations.id),
    kind: text('kind').$type<DifferenceKind>().notNull(),
    isRefund: boolean('is_refund').notNull(),
    outTradeNo: text('out_trade_no').notNull(),
    refundNo: text('refund_no').notNull().default(''),
    transactionId: text('transaction_id').notNull().default(''),
    billFen: whole('bill_fen'),
    ourFen: whole('our_fen'),
    /** What staff found out; empty: open. */
    resolution: text('resolution').notNull().default(''),
    // No field: shown with its resolution.
    resolvedByName: text('resolved_by_name').notNull().default(''),
    // No field: shown with its resolution.
    resolvedAt: instant('resolved_at'),
  },
  table => [
    index('payment_differences_reconciliation_id').on(table.reconciliationId),
    index('payment_differences_open').on(table.id).where(sql`resolution = ''`),
  ],
)
