// What the forms of a second factor ask for. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'
import { PASSWORD_MAX } from '#kit/words/password.ts'
import { FACTOR_REFUSALS, NAME_MAX } from './rules.ts'

/** The first code of an authenticator app. */
export const FIRST_CODE = {
  code: { kind: 'digits', label: '验证码', control: { as: 'text', required: true } },
} as const satisfies Fields

/** What a passkey is called. */
export const KEY_NAME = {
  name: { kind: 'text', label: '名称', max: NAME_MAX, control: { as: 'text', required: true } },
} as const satisfies Fields

/** The password once more, of an account that has nothing better. */
export const PASSWORD_PROOF = {
  password: {
    kind: 'text',
    label: '登录密码',
    max: PASSWORD_MAX,
    control: { as: 'text', required: true, secret: true, missing: FACTOR_REFUSALS.PASSWORD_REQUIRED },
  },
} as const satisfies Fields
