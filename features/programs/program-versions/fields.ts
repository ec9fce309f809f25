// What the dialogs of a mini program's versions ask for.
import type { Fields } from '#kit/declare/fields.ts'
import { type AuditState, LIMITS, VERSION_REFUSALS } from './rules.ts'

export const FEEDBACK = {
  feedback: {
    kind: 'text',
    label: '给审核人员的说明',
    max: LIMITS.feedback,
    none: '',
    control: { as: 'lines', rows: 4, counted: true },
  },
} as const satisfies Fields

export const TESTER = {
  wechat: {
    kind: 'text',
    label: '体验者微信号',
    max: LIMITS.wechat,
    none: '',
    control: {
      ...{ as: 'text', required: true, missing: VERSION_REFUSALS.WECHAT_REQUIRED },
      hint: '微信号或绑定的手机号，不是昵称',
    },
  },
} as const satisfies Fields

export const AUDIT_TONES: Readonly<Record<AuditState, 'done' | 'attention' | 'problem' | 'neutral'>> = {
  ...{ reviewing: 'neutral', delayed: 'attention', refused: 'problem' },
  ...{ withdrawn: 'neutral', passed: 'attention', released: 'done' },
}
