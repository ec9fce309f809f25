// What the forms of an agency's own data ask for. Words stand in rules.ts.
import { AGENT_PROFILE_FIELDS } from '#features/office/agents/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { DOMAIN, LOGO } from './rules.ts'

/** Another number for one's account, with a code to each. */
export const PHONE_CHANGE = {
  oldCode: { kind: 'digits', label: '原手机的验证码', control: { as: 'own' } },
  phone: { kind: 'phone', label: '新手机号', control: { as: 'text', required: true } },
  newCode: { kind: 'digits', label: '新手机的验证码', control: { as: 'own' } },
} as const satisfies Fields

const { contactName, telephone, districtCode, address, hotline, qq, wechat } = AGENT_PROFILE_FIELDS

/** Everything that is the agency's own to change. */
export const PROFILE = {
  logoId: { ...AGENT_PROFILE_FIELDS.logoId, control: { as: 'own', hint: LOGO.hint } },
  contactName,
  telephone,
  districtCode: { ...districtCode, control: { as: 'own' } },
  address,
  domainLabel: {
    kind: 'text',
    label: AGENT_PROFILE_FIELDS.domainLabel.label,
    control: { as: 'own', hint: `${DOMAIN.min} 至 ${DOMAIN.max} 个小写字母、数字或减号` },
  },
  hotline,
  qq,
  wechat,
} as const satisfies Fields
