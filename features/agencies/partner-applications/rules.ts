// Owns what a company that wants to become a partner tells of itself, how often, and what becomes of it.
// Must never read a clock or a database.
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

export const APPLICATION_STATES = {
  new: '待联系',
  contacting: '联系中',
  accepted: '已成为合作伙伴',
  refused: '已婉拒',
} as const
export type ApplicationState = keyof typeof APPLICATION_STATES
export const APPLICATION_STEPS = {
  contact: { from: ['new'], to: 'contacting', by: ['partnerApplications.decide'] },
  refuse: { from: ['new', 'contacting'], to: 'refused', by: ['partnerApplications.decide'] },
  accept: { from: ['new', 'contacting'], to: 'accepted', by: ['partners.manage'] },
} as const satisfies Machine<ApplicationState>
export type ApplicationStep = keyof typeof APPLICATION_STEPS

export const APPLICATION_LIMITS = {
  companyName: 50,
  contactName: 20,
  address: 100,
  sells: 200,
  remark: 300,
  reason: 100,
  note: 500,
  perNetworkDay: 10,
  perPhoneMonth: 3,
} as const

/** An applicant is called within so many business days. */
export const ANSWER_DAYS = setting({
  key: 'application-answer-days',
  group: '合作申请',
  label: '回复期限',
  unit: '个工作日',
  initial: 2,
  min: 1,
  max: 15,
  hint: '提交后告诉申请人的最晚致电日，按工作日历计算',
})

/** The purpose of the picture of a business licence. */
export const LICENCE_PICTURE = 'partnerLicence'
/** What the page makes of a photo before it is sent: it fits one request. */
export const LICENCE_LIMITS = { maxBytes: 160 * 1024, side: 1_600 } as const

export const APPLICATION_REFUSALS = {
  COMPANY_REQUIRED: '请输入公司名称',
  COMPANY_TOO_LONG: `公司名称不能超过${APPLICATION_LIMITS.companyName}字`,
  CONTACT_REQUIRED: '请输入联系人',
  CONTACT_SYMBOLS: '联系人请勿输入特殊字符',
  CONTACT_TOO_LONG: `联系人不能超过${APPLICATION_LIMITS.contactName}字`,
  MOBILE_REQUIRED: '请输入手机号码',
  // No limit: a mobile number has eleven digits.
  MOBILE_INVALID: '请输入正确的11位手机号码',
  CODE_REQUIRED: '请输入验证码',
  REGION_REQUIRED: '请选择所在地区',
  ADDRESS_TOO_LONG: `详细地址不能超过${APPLICATION_LIMITS.address}字`,
  SELLS_REQUIRED: '请输入经营业务',
  SELLS_TOO_LONG: `经营业务不能超过${APPLICATION_LIMITS.sells}字`,
  REMARK_TOO_LONG: `备注不能超过${APPLICATION_LIMITS.remark}字`,
  APPLIED_ALREADY: '该手机号的申请正在处理，我们会尽快与您联系',
  PHONE_TOO_MANY: '该手机号近期提交申请次数过多，请稍后再试',
  NETWORK_TOO_MANY: '提交次数过多，请明天再试',
} as const
export type ApplicationRefusal = keyof typeof APPLICATION_REFUSALS

export const DECISION_REFUSALS = {
  DECIDED_ALREADY: '该申请已有结果，请刷新后查看',
  CONTACTED_ALREADY: '该申请已在联系中',
  REASON_REQUIRED: '请输入婉拒原因',
  REASON_TOO_LONG: `婉拒原因不能超过${APPLICATION_LIMITS.reason}字`,
  NOTE_REQUIRED: '请输入跟进记录',
  NOTE_TOO_LONG: `跟进记录不能超过${APPLICATION_LIMITS.note}字`,
} as const
export type DecisionRefusal = keyof typeof DECISION_REFUSALS

export type ApplicationForm = {
  companyName: string
  contactName: string
  mobile: string
  code: string
  districtCode: string
  address: string
  sells: string
  remark: string
}
type Broken = { code: ApplicationRefusal; field: keyof ApplicationForm }

/** The broken rules of the form, one for a field, in its order. */
export function brokenIn(form: ApplicationForm): Broken[] {
  const broken: Broken[] = []
  const length = (field: keyof ApplicationForm) => lengthOf(form[field])
  const rule = (isBroken: boolean, field: Broken['field'], code: ApplicationRefusal) => {
    if (isBroken && !broken.some(other => other.field === field)) broken.push({ code, field })
  }
  rule(length('companyName') === 0, 'companyName', 'COMPANY_REQUIRED')
  rule(length('companyName') > APPLICATION_LIMITS.companyName, 'companyName', 'COMPANY_TOO_LONG')
  rule(length('contactName') === 0, 'contactName', 'CONTACT_REQUIRED')
  rule(length('contactName') > APPLICATION_LIMITS.contactName, 'contactName', 'CONTACT_TOO_LONG')
  rule(!isPlainText(form.contactName), 'contactName', 'CONTACT_SYMBOLS')
  const mobile = refuseMobile(form.mobile)
  rule(mobile !== null, 'mobile', mobile ?? 'MOBILE_INVALID')
  rule(length('code') === 0, 'code', 'CODE_REQUIRED')
  rule(!/^\d{6}$/.test(form.districtCode), 'districtCode', 'REGION_REQUIRED')
  rule(length('address') > APPLICATION_LIMITS.address, 'address', 'ADDRESS_TOO_LONG')
  rule(length('sells') === 0, 'sells', 'SELLS_REQUIRED')
  rule(length('sells') > APPLICATION_LIMITS.sells, 'sells', 'SELLS_TOO_LONG')
  rule(length('remark') > APPLICATION_LIMITS.remark, 'remark', 'REMARK_TOO_LONG')
  return broken
}

export function refuseMobile(mobile: string): ApplicationRefusal | null {
  if (mobile.trim() === '') return 'MOBILE_REQUIRED'
  return isMainlandMobile(cleanPhone(mobile)) ? null : 'MOBILE_INVALID'
}

/** Why nothing more is taken: of the phone that one is open, or many came in 30 days; of the network in the last day. */
export function refuseMore(sent: {
  open: number
  ofPhone: number
  ofNetwork: number
}): ApplicationRefusal | null {
  if (sent.open > 0) return 'APPLIED_ALREADY'
  if (sent.ofPhone >= APPLICATION_LIMITS.perPhoneMonth) return 'PHONE_TOO_MANY'
  return sent.ofNetwork >= APPLICATION_LIMITS.perNetworkDay ? 'NETWORK_TOO_MANY' : null
}

/** Why this step cannot be taken now, or null. */
export function refuseStep(state: ApplicationState, step: ApplicationStep): DecisionRefusal | null {
  if (nextState<ApplicationState, ApplicationStep>(APPLICATION_STEPS, state, step) !== null) return null
  return state === 'contacting' ? 'CONTACTED_ALREADY' : 'DECIDED_ALREADY'
}

export function refuseReason(reason: string): DecisionRefusal | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > APPLICATION_LIMITS.reason ? 'REASON_TOO_LONG' : null
}

export function refuseNote(note: string): DecisionRefusal | null {
  const length = lengthOf(note)
  if (length === 0) return 'NOTE_REQUIRED'
  return length > APPLICATION_LIMITS.note ? 'NOTE_TOO_LONG' : null
}
