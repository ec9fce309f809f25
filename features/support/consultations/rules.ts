// Owns what a visitor of the website may ask to be called for, and how often (D1 §2, §3 website consultation).
// Must never read a clock or a database.
import { setting } from '#kit/declare/settings.ts'
import { cleanPhone } from '#kit/words/cleaned.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'

export const CONSULTATION_LIMITS = {
  name: 20,
  address: 100,
  content: 300,
} as const

export const CONSULTATIONS_PER_MOBILE = setting({
  key: 'consultations-per-mobile',
  group: '反馈与咨询',
  label: '每个手机号每天咨询',
  unit: '次',
  initial: 3,
  min: 1,
  max: 50,
})
export const CONSULTATIONS_PER_NETWORK = setting({
  key: 'consultations-per-network',
  group: '反馈与咨询',
  label: '每个网络每天咨询',
  unit: '次',
  initial: 20,
  min: 1,
  max: 500,
})

export const CONSULTATION_REFUSALS = {
  NAME_REQUIRED: '请输入您的称呼',
  NAME_TOO_LONG: `称呼不能超过${CONSULTATION_LIMITS.name}字`,
  MOBILE_REQUIRED: '请输入手机号码',
  // No limit: a mobile number has eleven digits.
  MOBILE_INVALID: '请输入正确的11位手机号码',
  ADDRESS_TOO_LONG: `地址不能超过${CONSULTATION_LIMITS.address}字`,
  CONTENT_TOO_LONG: `咨询内容不能超过${CONSULTATION_LIMITS.content}字`,
  MOBILE_TOO_MANY: '该手机号今天已提交过咨询，我们会尽快与您联系',
  NETWORK_TOO_MANY: '提交次数过多，请明天再试',
} as const
export const CONTACT_REFUSALS = { CONTACTED_ALREADY: '该客户已标记联系' } as const
export type ConsultationRefusal = keyof typeof CONSULTATION_REFUSALS

export type ConsultationForm = { name: string; mobile: string; address: string; content: string }

type Broken = { code: ConsultationRefusal; field: keyof ConsultationForm }

/** The broken rules of the form, one for a field. */
export function brokenIn(form: ConsultationForm): Broken[] {
  const broken: Broken[] = []
  const rule = (isBroken: boolean, field: Broken['field'], code: ConsultationRefusal) => {
    if (isBroken && !broken.some(other => other.field === field)) broken.push({ code, field })
  }
  const length = (field: keyof ConsultationForm) => form[field].trim().length
  rule(length('name') === 0, 'name', 'NAME_REQUIRED')
  rule(length('name') > CONSULTATION_LIMITS.name, 'name', 'NAME_TOO_LONG')
  rule(length('mobile') === 0, 'mobile', 'MOBILE_REQUIRED')
  rule(!isMainlandMobile(cleanPhone(form.mobile)), 'mobile', 'MOBILE_INVALID')
  rule(length('address') > CONSULTATION_LIMITS.address, 'address', 'ADDRESS_TOO_LONG')
  rule(length('content') > CONSULTATION_LIMITS.content, 'content', 'CONTENT_TOO_LONG')
  return broken
}

/** Why nothing more is taken today, by what came in the last 24 hours. */
export function refuseMore(
  sent: { byMobile: number; byNetwork: number },
  most: { perMobile: number; perNetwork: number },
): ConsultationRefusal | null {
  if (sent.byMobile >= most.perMobile) return 'MOBILE_TOO_MANY'
  return sent.byNetwork >= most.perNetwork ? 'NETWORK_TOO_MANY' : null
}
