// What the forms of a shop's access ask for. Words stand in the rules of merchants and of messages.
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { CODE_REFUSALS } from '#features/shops/messages/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'

/** Another phone for a shop, with a code sent to the present one. */
export const PHONE_CHANGE = {
  code: {
    kind: 'digits',
    label: '手机验证码',
    control: { as: 'own', required: true, missing: CODE_REFUSALS.PHONE_CODE_REQUIRED },
  },
  phone: {
    kind: 'phone',
    label: '新手机号',
    control: { as: 'text', required: true, missing: REFUSALS.PHONE_REQUIRED },
  },
} as const satisfies Fields

/** What switching off the code of a recall asks for. */
export const RECOVERY_CODE = {
  code: {
    kind: 'digits',
    label: '验证码',
    control: { as: 'own', required: true, missing: CODE_REFUSALS.RECOVERY_CODE_REQUIRED },
  },
} as const satisfies Fields

export const NEW_PASSWORD = {
  password: {
    kind: 'text',
    label: '新密码',
    control: { as: 'own', required: true, secret: true, hint: '至少6位，字母、数字或常用符号' },
  },
  notify: { kind: 'flag', label: '短信通知商户密码已重置', control: { as: 'own' } },
} as const satisfies Fields
