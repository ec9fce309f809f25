import { answered } from '#features/office/prices/contract-asked.ts'
import { ASKED_REFUSALS } from '#features/office/prices/rules.ts'
import {
  ATTEMPT_STATUS_KEYS,
  EVENT_STATUS_KEYS,
  RECONCILE_REFUSALS,
  REFUND_REFUSALS,
  REFUND_STATUS_KEYS,
  SETTINGS_REFUSALS,
} from '#features/sales/payments/rules.ts'
import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { day, pageInput, pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import {
  BILL_FIELDS,
  DIFFERENCE_FIELDS,
  EVENT_FIELDS,
  INTENT_FIELDS,
  PAYMENT_BILLS,
  PAYMENT_DIFFERENCES,
  PAYMENT_EVENTS,
  PAYMENT_INTENTS,
  PAYMENT_REFUNDS,
  REFUND_FIELDS,
} from './fields.ts'

const channel = z.enum(PAY_CHANNELS)
const queryId = z.string().regex(/^\d{10,30}$/)

const Attempt = z.object({
  id: z.number(),
  channel,
  outTradeNo: z.string(),
  amountFen: z.number(),
  status: z.enum(ATTEMPT_STATUS_KEYS),
  codeUrl: z.string().nullable(),
  transactionId: z.string().nullable(),
  /** Masked or opaque. */
  payer: z.string().nullable(),
  paidAt: z.string().nullable(),
  providerWords: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** When the channel is asked next; null: no more. */
  askAt: z.string().nullable(),
  asked: z.number(),
})

export const PaymentIntentRow = z.object({
  ...rowShape(INTENT_FIELDS),
  agentId: z.number(),
  expiresAt: z.string(),
})

export const PaymentEventRow = z.object({
  ...rowShape(EVENT_FIELDS),
  id: z.number(),
  /** Null: it fits no attempt. */
  intentId: z.string().nullable(),
  processedAt: z.string().nullable(),
})

export const PaymentRefundRow = z.object({
  ...rowShape(REFUND_FIELDS),
  id: z.number(),
  intentId: z.string(),
  agentId: z.number(),
  outTradeNo: z.string(),
})

export const ReconciliationRow = z.object({
  ...rowShape(BILL_FIELDS),
  id: z.number(),
  billFen: z.number(),
  ourFen: z.number(),
  billRefundFen: z.number(),
  ourRefundFen: z.number(),
  differences: z.number(),
  /** Differences that nobody has resolved. */
  openDifferences: z.number(),
  wantedAt: z.string(),
})

export const DifferenceRow = z.object({
  ...rowShape(DIFFERENCE_FIELDS),
  id: z.number(),
  reconciliationId: z.number(),
  /** Null: it fits no attempt. */
  intentId: z.string().nullable(),
  refundNo: z.string(),
  resolvedByName: z.string(),
  resolvedAt: z.string().nullable(),
})

/** Whether a channel is offered; null: as to everybody (for agent 0: on). */
const Choice = z.record(channel, z.boolean().nullable())

export const paymentDesk = {
  /** Newest first. `search`: the whole of an intent's, order's, attempt's or the channel's own number. */
  intents: op(
    { permission: 'paymentDesk.manage' },
    { method: 'GET', path: '/payments/intents', summary: 'Payments from outside, of all agents' },
  )
    .input(z.object(listInput(PAYMENT_INTENTS)))
    /** Fen paid, and what of it was given back. */
    .output(pageOf(PaymentIntentRow).extend({ paidFen: z.number(), refundedFen: z.number() })),
  /** For the command palette: payments of the acting agent, of all for vendor staff, by the whole of such a number. */
  find: op(
    { permission: 'payments.sms' },
    { method: 'GET', path: '/payments/find', summary: 'Find payments by one of their numbers' },
  )
    .input(z.object({ number: codeText.min(1).max(64) }))
    .output(
      z.object({
        rows: z.array(
          PaymentIntentRow.pick({ id: true, orderNo: true, subject: true, amountFen: true, status: true }),
        ),
      }),
    ),
  intent: op(
    { permission: 'paymentDesk.manage' },
    {
      method: 'GET',
      path: '/payments/intents/{id}',
      summary: 'A payment with its attempts, events and refunds',
    },
  )
    .input(z.object({ id: queryId }))
    .output(
      z.object({
        intent: PaymentIntentRow,
        attempts: z.array(Attempt),
        events: z.array(PaymentEventRow),
        refunds: z.array(PaymentRefundRow),
        /** Why it cannot be refunded now, or null. */
        refundRefusal: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  /** Callbacks as they came. */
  events: op(
    { permission: 'paymentDesk.manage' },
    { method: 'GET', path: '/payments/events', summary: 'Callbacks of the channels' },
  )
    .input(z.object(listInput(PAYMENT_EVENTS)))
    .output(pageOf(PaymentEventRow)),
  refunds: op(
    { permission: 'paymentDesk.manage' },
    { method: 'GET', path: '/payments/refunds', summary: 'Refunds of payments from outside' },
  )
    .input(z.object(listInput(PAYMENT_REFUNDS)))
    .output(pageOf(PaymentRefundRow)),
  /** Has the channels asked at once, also for what has ended; read `intent` again a moment later. */
  ask: op(
    { permission: 'paymentDesk.manage', log: '查询支付结果', stale: ['paymentDesk'] },
    { method: 'POST', path: '/payments/intents/{id}/asks', summary: 'Ask the channels about a payment' },
  )
    .input(z.object({ id: queryId }))
    .output(z.object({ attempts: z.number() })),
  /** Looks at a callback again that fitted nothing or was refused. */
  retryEvent: op(
    { permission: 'paymentDesk.manage', log: '重新处理支付通知', stale: ['paymentDesk'] },
    { method: 'POST', path: '/payments/events/{id}/retries', summary: 'Process a callback again' },
  )
    .input(z.object({ id: whole(1) }))
    .output(z.object({ status: z.enum(EVENT_STATUS_KEYS) })),
  /** Takes back the credit and returns the money, wholly. */
  refund: op(
    {
      permission: 'paymentDesk.refund',
      log: '支付退款',
      stepUp: true,
      idempotent: true,
      stale: ['paymentDesk', 'ledger', 'smsDesk'],
    },
    { method: 'POST', path: '/payments/intents/{id}/refunds', summary: 'Refund a payment' },
  )
    .errors(errorsOf(REFUND_REFUSALS))
    .input(z.object({ id: queryId, reason: linesText.max(200) }))
    .output(z.object({ refundNo: z.string(), amountFen: z.number() })),
  /** Sends a refund again that the channel refused, under the same number. */
  retryRefund: op(
    { permission: 'paymentDesk.refund', log: '重试退款', stale: ['paymentDesk'], stepUp: true },
    { method: 'POST', path: '/payments/refunds/{id}/retries', summary: 'Send a failed refund again' },
  )
    .errors(errorsOf(REFUND_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ status: z.enum(REFUND_STATUS_KEYS) })),

  reconciliations: op(
    { permission: 'paymentDesk.manage' },
    {
      method: 'GET',
      path: '/payments/reconciliations',
      summary: 'Comparisons with the bills of the channels',
    },
  )
    .input(z.object(listInput(PAYMENT_BILLS)))
    .output(pageOf(ReconciliationRow)),
  differences: op(
    { permission: 'paymentDesk.manage' },
    { method: 'GET', path: '/payments/differences', summary: 'What differs from the bills' },
  )
    .input(z.object(listInput(PAYMENT_DIFFERENCES)))
    .output(pageOf(DifferenceRow)),
  /** Fetches the channel's bill of a day and compares; the row is `wanted` until that is done. */
  reconcile: op(
    { permission: 'paymentDesk.reconcile', log: '支付对账', stale: ['paymentDesk'] },
    { method: 'POST', path: '/payments/reconciliations', summary: 'Compare a day with the bill' },
  )
    .errors(errorsOf(RECONCILE_REFUSALS))
    .input(z.object({ channel, day }))
    .output(z.object({ id: z.number() })),
  resolveDifference: op(
    { permission: 'paymentDesk.reconcile', log: '处理对账差异', stale: ['paymentDesk'] },
    { method: 'POST', path: '/payments/differences/{id}/resolution', summary: 'Note what a difference was' },
  )
    .errors(errorsOf(RECONCILE_REFUSALS))
    .input(
      z.object({
        id: whole(1),
        note: linesText.max(400),
        /** The note that was seen: what a colleague has noted since is not overwritten. */
        seen: madeText.max(400).default(''),
      }),
    )
    .output(z.object({ id: z.number() })),

  settings: op(
    { permission: 'paymentDesk.settings' },
    { method: 'GET', path: '/payments/settings', summary: 'Prices and channels of topping up' },
  ).output(
    z.object({
      tokenFen: z.number(),
      smsHundredFen: z.number(),
      /** Connected to this program at all. */
      connected: z.array(channel),
      /** Offered to agents without a choice of their own. */
      offered: z.record(channel, z.boolean()),
    }),
  ),
  setPrices: op(
    {
      permission: 'paymentDesk.settings',
      log: '修改充值价格',
      stale: ['paymentDesk', 'payments'],
      stepUp: true,
    },
    { method: 'PUT', path: '/payments/settings/prices', summary: 'Set what tokens and SMS cost' },
  )
    .errors(errorsOf({ ...SETTINGS_REFUSALS, ...ASKED_REFUSALS }))
    .input(z.object({ tokenFen: z.number(), smsHundredFen: z.number(), answered }))
    .output(z.object({ tokenFen: z.number(), smsHundredFen: z.number() })),
  /** Agents that have a choice of their own. */
  agentChannels: op(
    { permission: 'paymentDesk.settings' },
    { method: 'GET', path: '/payments/settings/channels', summary: 'Agents with channels of their own' },
  )
    .input(z.object({ ...pageInput, agentId: whole(1).optional() }))
    .output(pageOf(z.object({ agentId: z.number(), agentName: z.string(), choice: Choice }))),
  /** `agentId` 0: offered to all that have no choice of their own. */
  setAgentChannels: op(
    {
      permission: 'paymentDesk.settings',
      log: '设置支付渠道',
      stale: ['paymentDesk', 'payments'],
      stepUp: true,
    },
    { method: 'PUT', path: '/payments/settings/channels', summary: 'Set which channels an agent is offered' },
  )
    .errors(errorsOf(SETTINGS_REFUSALS))
    .input(z.object({ agentId: whole(0), choice: Choice }))
    .output(z.object({ agentId: z.number(), choice: Choice })),
}
