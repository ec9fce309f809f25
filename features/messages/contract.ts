import { z } from 'zod'
import { errorsOf, op } from '#kit/op.ts'
import { day, pageInput, pageOf, searchText, whole } from '#kit/page.ts'
import { CODE_PURPOSES, REMINDER_LIMITS, type ReminderRefusal, SEND_REFUSALS } from './rules.ts'

const kind = z.enum(['phone-code', 'recovery-code', 'password-reset', 'renewal-reminder'])

export const OutboxRow = z.object({
  id: z.number(),
  createdAt: z.string(),
  kind,
  merchantId: z.number().nullable(),
  shopName: z.string().nullable(),
  phone: z.string(),
  text: z.string(),
  createdByName: z.string(),
  status: z.enum(['queued']),
})

export const messages = {
  /** Sends a code to the shop's own phone. Its purpose decides which permission the account needs. */
  sendCode: op(
    { permission: 'session', log: '发送验证码' },
    { method: 'POST', path: '/messages/codes', summary: 'Send a code of six digits to the phone of a shop' },
  )
    .errors(errorsOf(SEND_REFUSALS))
    .input(z.object({ merchantId: whole(1), purpose: z.enum(CODE_PURPOSES) }))
    .output(
      z.object({
        /** Masked. */
        phone: z.string(),
        /** Until another code may be sent. */
        secondsLeft: z.number(),
      }),
    ),
  /** Queues a reminder for each shop that may get one, and tells for each of the others why not. */
  remind: op(
    { permission: 'messages.remind', log: '发送续费提醒' },
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
              ] satisfies ReminderRefusal[])
              .nullable(),
          }),
        ),
      }),
    ),
  outbox: op(
    { permission: 'messages.outbox' },
    { method: 'GET', path: '/messages/outbox', summary: 'What is to be sent by SMS, the latest first' },
  )
    .input(
      z.object({
        ...pageInput,
        /** A whole phone number or a shop's id. */
        search: searchText,
        kind: kind.optional(),
        from: day.optional(),
        to: day.optional(),
      }),
    )
    .output(pageOf(OutboxRow)),
}
