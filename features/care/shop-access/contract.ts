import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { CODE_REFUSALS, HAND_OVER_REFUSALS, SENDING_STATES } from '#features/shops/messages/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { accountText, codeText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'

const merchantId = z.object({ id: whole(1) })

export const shopAccess = {
  /** The phone is the shop's account. Vendor staff need no code (D1 §6). */
  changePhone: op(
    { permission: 'shopAccess.changePhone', log: '修改商户手机号', stale: ['merchants', 'renewals'] },
    { method: 'PATCH', path: '/merchants/{id}/phone', summary: 'Change the phone of a merchant' },
  )
    .errors(errorsOf({ ...REFUSALS, ...CODE_REFUSALS }))
    .input(z.object({ id: whole(1), phone: accountText.max(500), code: codeText.max(20).default('') }))
    .output(z.object({ id: z.number(), account: z.string() })),
  /** `notify`: a message without the password goes to the outbox. */
  resetPassword: op(
    { permission: 'shopAccess.resetPassword', log: '重置商户密码', stale: ['renewals'] },
    { method: 'PUT', path: '/merchants/{id}/password', summary: 'Give a merchant a new password' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1), password: secretText.max(128), notify: z.boolean() }))
    .output(merchantId),
  /** Switching it off takes a recovery code, except of vendor staff. */
  setRecoveryCode: op(
    { permission: 'merchants.edit', log: '修改短信回收验证', stale: ['merchants.details', 'sms'] },
    { method: 'PATCH', path: '/merchants/{id}/recovery-code', summary: 'Whether a recall needs a code' },
  )
    .errors(errorsOf({ ...REFUSALS, ...CODE_REFUSALS }))
    .input(z.object({ id: whole(1), needsRecoveryCode: z.boolean(), code: codeText.max(20).default('') }))
    .output(z.object({ id: z.number(), needsRecoveryCode: z.boolean() })),
  /** What its owner needs to begin, but for the password, and the message that would tell it. */
  handOver: op(
    { permission: 'shopAccess.handOver' },
    { method: 'GET', path: '/merchants/{id}/hand-over', summary: 'What a shop is handed over with' },
  )
    .input(merchantId)
    .output(
      z.object({
        id: z.number(),
        shopName: z.string(),
        account: z.string(),
        status: z.enum(['normal', 'disabled']),
        versionName: z.string(),
        shopsBought: z.number(),
        expiresAt: z.string().nullable(),
        /** Where shops log in; null where no address is set. */
        loginUrl: z.string().nullable(),
        sms: z.object({
          text: z.string(),
          /** What it costs the acting agent, and what it has. */
          pieces: z.number(),
          balance: z.number(),
          refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
          /** What became of the last one; null: none was sent. */
          sending: z.object({ state: z.enum(SENDING_STATES), words: z.string() }).nullable(),
        }),
      }),
    ),
  sendHandOver: op(
    {
      permission: 'shopAccess.handOver',
      log: '发送开店通知',
      idempotent: true,
      stale: ['shopAccess', 'messageDesk', 'ledger', 'renewals'],
    },
    {
      method: 'POST',
      path: '/merchants/{id}/hand-over',
      summary: 'Send a shop what it needs to begin, by SMS',
    },
  )
    .errors(
      errorsOf({ ...REFUSALS, ...HAND_OVER_REFUSALS, SMS_INSUFFICIENT: LEDGER_REFUSALS.SMS_INSUFFICIENT }),
    )
    .input(merchantId)
    .output(z.object({ id: z.number(), pieces: z.number() })),
}
