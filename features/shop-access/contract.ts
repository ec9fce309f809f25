import { z } from 'zod'
import { REFUSALS } from '#features/merchants/rules.ts'
import { CODE_REFUSALS } from '#features/messages/rules.ts'
import { enteredText } from '#kit/list-input.ts'
import { errorsOf, op } from '#kit/op.ts'
import { whole } from '#kit/page.ts'

const merchantId = z.object({ id: whole(1) })

export const shopAccess = {
  /** The phone is the shop's account. Vendor staff need no code (D1 §6). */
  changePhone: op(
    { permission: 'shopAccess.changePhone', log: '修改商户手机号', stale: ['merchants', 'renewals'] },
    { method: 'PATCH', path: '/merchants/{id}/phone', summary: 'Change the phone of a merchant' },
  )
    .errors(errorsOf({ ...REFUSALS, ...CODE_REFUSALS }))
    .input(z.object({ id: whole(1), phone: enteredText, code: z.string().max(20).default('') }))
    .output(z.object({ id: z.number(), account: z.string() })),
  /** `notify`: a message without the password goes to the outbox. */
  resetPassword: op(
    { permission: 'shopAccess.resetPassword', log: '重置商户密码', stale: ['renewals'] },
    { method: 'PUT', path: '/merchants/{id}/password', summary: 'Give a merchant a new password' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1), password: z.string().max(128), notify: z.boolean() }))
    .output(merchantId),
  /** Switching it off takes a recovery code, except of vendor staff. */
  setRecoveryCode: op(
    { permission: 'merchants.edit', log: '修改短信回收验证', stale: ['merchants.details', 'sms'] },
    { method: 'PATCH', path: '/merchants/{id}/recovery-code', summary: 'Whether a recall needs a code' },
  )
    .errors(errorsOf({ ...REFUSALS, ...CODE_REFUSALS }))
    .input(z.object({ id: whole(1), needsRecoveryCode: z.boolean(), code: z.string().max(20).default('') }))
    .output(z.object({ id: z.number(), needsRecoveryCode: z.boolean() })),
}
