import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { CODE_PURPOSES, SEND_REFUSALS } from './rules.ts'

export const messages = {
  /** Sends a code to the shop's own phone, or for `identity` to `phone`. Its purpose decides which permission the account needs. */
  sendCode: op(
    { unshown: 'a code is read on a phone', permission: 'session', log: '发送验证码' },
    { method: 'POST', path: '/messages/codes', summary: 'Send a code of six digits to the phone of a shop' },
  )
    .errors(errorsOf({ ...SEND_REFUSALS, ...PASS_REFUSALS }))
    .input(
      z.object({
        merchantId: whole(1),
        purpose: z.enum(CODE_PURPOSES),
        captcha: passToken,
        phone: phoneText.max(20).optional(),
      }),
    )
    .output(
      z.object({
        /** Masked. */
        phone: z.string(),
        /** Until another code may be sent. */
        secondsLeft: z.number(),
        /** Where it can be read, while SMS is simulated; else null. */
        inboxUrl: z.string().nullable(),
      }),
    ),
  /** Texts that can be sent, in their order. `signature`: what every message begins with, for counting segments. */
  templates: op(
    { permission: 'campaigns.list' },
    { method: 'GET', path: '/messages/templates', summary: 'Templates of SMS that are approved' },
  ).output(
    z.object({
      signature: z.string(),
      rows: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          /** With ${name} where a variable stands. */
          text: z.string(),
          variables: z.array(z.object({ name: z.string(), label: z.string() })),
          /** Whether it can be sent to many shops. */
          forCampaigns: z.boolean(),
        }),
      ),
    }),
  ),
}
