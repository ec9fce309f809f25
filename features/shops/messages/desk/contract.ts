import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import {
  ABNORMAL_STATUSES,
  FORECAST_OF,
  MESSAGE_KIND_KEYS,
  MESSAGE_STATUS_KEYS,
  PAYER_KEYS,
  REMINDER_LIMITS,
  RESEND_LIMITS,
  RESEND_REFUSAL_KEYS,
  RESEND_REFUSALS,
  type ReminderRefusal,
  SETTLE_LIMITS,
  SETTLE_OUTCOMES,
  SETTLE_REFUSALS,
  TEST_REFUSALS,
} from '#features/shops/messages/rules.ts'
import { fileOf, listInput } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ABNORMAL_MESSAGES, OUTBOX, SENT_MESSAGES, SHOP_FORECAST } from './fields.ts'

const kind = z.enum(MESSAGE_KIND_KEYS)
const searchErrors = { SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }

export const OutboxRow = z.object({
  id: z.number(),
  createdAt: z.string(),
  kind,
  merchantId: z.number().nullable(),
  shopName: z.string().nullable(),
  phone: z.string(),
  text: z.string(),
  createdByName: z.string(),
  status: z.enum(MESSAGE_STATUS_KEYS),
})

/** One message as it was sent; codes are masked in its text. */
export const SentMessage = z.object({
  id: z.number(),
  createdAt: z.string(),
  agentId: z.number(),
  agentName: z.string(),
  merchantId: z.number().nullable(),
  /** Null: no shop, or one that belongs to another agent now. */
  shopName: z.string().nullable(),
  kind,
  phone: z.string(),
  text: z.string(),
  status: z.enum(MESSAGE_STATUS_KEYS),
  /** Expected segments; what the receipt told stands in `fee`. */
  segments: z.number(),
  fee: z.number().nullable(),
  payer: z.enum(PAYER_KEYS),
  /** Pieces that the payer is charged for it now. */
  charged: z.number(),
  submittedAt: z.string().nullable(),
  reportedAt: z.string().nullable(),
  /** The shop's own, that it carried; empty: the vendor's. */
  signature: z.string(),
  /** The provider's or the carrier's code, and why in words; both blank where nothing went wrong. */
  errorCode: z.string(),
  reason: z.string(),
  /** The message that this one repeats, and the one that repeats this (is_reissued). */
  resendOf: z.number().nullable(),
  resentAs: z.number().nullable(),
  /** Why it cannot be sent again, a key of RESEND_REFUSALS; null: it can. */
  resendRefusal: z.enum(RESEND_REFUSAL_KEYS).nullable(),
  createdByName: z.string(),
})

export const messageDesk = {
  /** As the providers have approved it, with a place for what differs from shop to shop. */
  reminderText: op(
    { permission: 'messageDesk.remind' },
    { method: 'GET', path: '/messages/reminders/text', summary: 'The text of a renewal reminder' },
  ).output(z.object({ text: z.string() })),
  /** Queues a reminder for each shop that may get one, and tells for each of the others why not. */
  remind: op(
    { permission: 'messageDesk.remind', log: '发送续费提醒', stale: ['messageDesk', 'renewals'] },
    { method: 'POST', path: '/messages/reminders', summary: 'Remind shops of their renewal' },
  )
    .input(z.object({ merchantIds: z.array(whole(1)).min(1).max(REMINDER_LIMITS.shops) }))
    .output(
      z.object({
        rows: z.array(
          z.object({
            merchantId: z.number(),
            shopName: z.string(),
            /** Null: the reminder is in the outbox. */
            refusal: z
              .enum([
                'MERCHANT_DISABLED',
                'NEVER_EXPIRES',
                'PHONE_NOT_MOBILE',
                'REMINDED_ALREADY',
                'SHOP_UNKNOWN',
              ] satisfies ReminderRefusal[])
              .nullable(),
          }),
        ),
      }),
    ),
  outbox: op(
    { permission: 'messageDesk.outbox', mayLag: true },
    { method: 'GET', path: '/messages/outbox', summary: 'What is to be sent by SMS, the latest first' },
  )
    .input(z.object(listInput(OUTBOX)))
    .output(pageOf(OutboxRow)),
  /** To the acting account's own number. */
  sendTest: op(
    {
      permission: 'messageDesk.outbox',
      log: '发送测试短信',
      stale: ['messageDesk', 'setup'],
      forKeys: false,
    },
    { method: 'POST', path: '/messages/tests', summary: 'Send a test to the acting account' },
  )
    .errors(errorsOf(TEST_REFUSALS))
    .output(
      z.object({
        /** Masked. */
        phone: z.string(),
        /** Where it can be read, while SMS is simulated; else null. */
        inboxUrl: z.string().nullable(),
      }),
    ),
  /** Newest first. `segments` sums what `total` counts: told by the receipt, or expected. */
  log: op(
    { permission: 'messageDesk.log', mayLag: true },
    { method: 'GET', path: '/messages/log', summary: 'SMS that were sent for shops; all for vendor staff' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object(listInput(SENT_MESSAGES)))
    .output(
      pageOf(SentMessage).extend({
        segments: z.number(),
        /** More shops match the search than are looked for. */
        shopsCapped: z.boolean(),
      }),
    ),
  /** Sends failed and expired messages again, and tells for each of the others why not. Charges as the first time. */
  resend: op(
    { permission: 'messageDesk.resend', log: '重发短信', idempotent: true, stale: ['messageDesk', 'ledger'] },
    { method: 'POST', path: '/messages/resends', summary: 'Send failed SMS again' },
  )
    .errors(
      errorsOf({
        NONE_RESENDABLE: RESEND_REFUSALS.NONE_RESENDABLE,
        SMS_INSUFFICIENT: LEDGER_REFUSALS.SMS_INSUFFICIENT,
      }),
    )
    .input(z.object({ ids: z.array(whole(1)).min(1).max(RESEND_LIMITS.messages) }))
    .output(
      z.object({
        rows: z.array(
          z.object({
            id: z.number(),
            phone: z.string(),
            /** Null: it waits to be sent again as `resentAs`. */
            refusal: z.enum(RESEND_REFUSAL_KEYS).nullable(),
            resentAs: z.number().nullable(),
          }),
        ),
        queued: z.number(),
      }),
    ),
  /** What went wrong or is not known, over all agents, newest first, with how often each reason stands in what `total` counts. */
  abnormal: op(
    { permission: 'messageDesk.abnormal' },
    { method: 'GET', path: '/messages/abnormal', summary: 'SMS that failed, expired or are unknown' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object(listInput(ABNORMAL_MESSAGES)))
    .output(
      pageOf(SentMessage).extend({
        shopsCapped: z.boolean(),
        /** Most frequent first, at most 20. */
        reasons: z.array(
          z.object({
            /** Blank: no code was told. */
            errorCode: z.string(),
            status: z.enum(ABNORMAL_STATUSES),
            reason: z.string(),
            messages: z.number(),
          }),
        ),
      }),
    ),
  /** Staff decide what became of a message that nobody could tell about. A failed one is paid back. */
  settleUnknown: op(
    {
      permission: 'messageDesk.abnormal',
      log: '处理待确认短信',
      idempotent: true,
      stale: ['messageDesk', 'ledger'],
    },
    {
      method: 'POST',
      path: '/messages/{id}/settlement',
      summary: 'Mark an unknown SMS as failed or delivered',
    },
  )
    .errors(errorsOf(SETTLE_REFUSALS))
    .input(
      z.object({
        id: whole(1),
        outcome: z.enum(SETTLE_OUTCOMES),
        note: linesText.max(SETTLE_LIMITS.noteMax),
      }),
    )
    .output(z.object({ id: z.number(), status: z.enum(MESSAGE_STATUS_KEYS), returned: z.number() })),
  /** Who runs out of SMS credit first: shops, or agents (`of`). Only who used some in the last 30 days is listed. */
  forecast: op(
    { permission: 'messageDesk.forecast', mayLag: true },
    { method: 'GET', path: '/messages/forecast', summary: 'How long SMS credit lasts, the shortest first' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object({ ...listInput(SHOP_FORECAST), of: z.enum(FORECAST_OF).default('merchant') }))
    .output(
      pageOf(
        z.object({
          /** Id of the shop or the agent. */
          id: z.number(),
          name: z.string(),
          agentId: z.number(),
          agentName: z.string(),
          /** Pieces. */
          balance: z.number(),
          /** Segments in the last 30 days, today included. */
          used: z.number(),
          /** Segments per day, in tenths. */
          perDayTenths: z.number(),
          daysLeft: z.number(),
          /** Day of Asia/Shanghai. */
          lastDay: z.string(),
          driesUp: z.boolean(),
        }),
      ).extend({
        /** How many of all that are listed without `driesUp` and search run out within 7 days. */
        dryingUp: z.number(),
        /** The acting agent's own credit; `daysLeft` null: none was used. */
        own: z.object({
          balance: z.number(),
          used: z.number(),
          perDayTenths: z.number(),
          daysLeft: z.number().nullable(),
          lastDay: z.string().nullable(),
          driesUp: z.boolean(),
        }),
      }),
    ),
}

export const messageDeskDownloads = { log: fileOf(SENT_MESSAGES) }
