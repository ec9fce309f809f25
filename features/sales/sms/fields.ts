// What the forms of SMS credit ask for; numbers as they are typed. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'
import { LIMITS } from './rules.ts'

/** SMS credit of the agent for a shop, for nothing. */
export const GIFT = {
  pieces: { kind: 'text', label: '赠送条数', control: { as: 'text', inputMode: 'numeric' } },
  remark: { kind: 'text', label: '备注', max: LIMITS.remark, control: { as: 'text' } },
} as const satisfies Fields

/** SMS credit back from a shop, with a code where the shop asks for one. */
export const RECALL = {
  pieces: { kind: 'text', label: '回收条数', control: { as: 'own' } },
  code: { kind: 'digits', label: '验证码', control: { as: 'own' } },
} as const satisfies Fields

/** A package of SMS credit for a shop. */
export const PACKAGE_PURCHASE = {
  packageId: { kind: 'id', label: '短信包', nullable: true, control: { as: 'own' } },
  remark: {
    kind: 'text',
    label: '备注',
    max: LIMITS.remark,
    control: { as: 'text', counted: true, placeholder: '选填' },
  },
} as const satisfies Fields
