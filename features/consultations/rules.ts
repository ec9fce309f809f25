// Owns what a visitor of the website may ask to be called for, and how often (D1 §2, §3 website consultation).
// Must never read a clock or a database.
import { isMainlandMobile } from '#kit/phone.ts'

export const CONSULTATION_LIMITS = {
  name: 20,
  address: 100,
  content: 300,
  perMobileDay: 3,
  perNetworkDay: 20,
} as const

export const CONSULTATION_REFUSALS = {
  NAME_REQUIRED: '请输入您的称呼',
  NAME_TOO_LONG: '称呼不能超过20字',
  MOBILE_REQUIRED: '请输入手机号码',
  MOBILE_INVALID: '请输入正确的11位手机号码',
  ADDRESS_TOO_LONG: '地址不能超过100字',
  CONTENT_TOO_LONG: '咨询内容不能超过300字',
  MOBILE_TOO_MANY: '该手机号今天已提交过咨询，我们会尽快与您联系',
  NETWORK_TOO_MANY: '提交次数过多，请明天再试',
} as const
export type ConsultationRefusal = keyof typeof CONSULTATION_REFUSALS

export type ConsultationForm = { name: string; mobile: string; address: string; content: string }

/** The first broken rule of the form, with its field. */
export function refuseConsultation(
  form: ConsultationForm,
): { code: ConsultationRefusal; field: keyof ConsultationForm } | null {
  const length = (field: keyof ConsultationForm) => form[field].trim().length
  if (length('name') === 0) return { code: 'NAME_REQUIRED', field: 'name' }
  if (length('name') > CONSULTATION_LIMITS.name) return { code: 'NAME_TOO_LONG', field: 'name' }
  if (length('mobile') === 0) return { code: 'MOBILE_REQUIRED', field: 'mobile' }
  if (!isMainlandMobile(form.mobile.trim())) return { code: 'MOBILE_INVALID', field: 'mobile' }
  if (length('address') > CONSULTATION_LIMITS.address) return { code: 'ADDRESS_TOO_LONG', field: 'address' }
  if (length('content') > CONSULTATION_LIMITS.content) return { code: 'CONTENT_TOO_LONG', field: 'content' }
  return null
}

/** Why nothing more is taken today, by what came in the last 24 hours. */
export function refuseMore(sent: { byMobile: number; byNetwork: number }): ConsultationRefusal | null {
  if (sent.byMobile >= CONSULTATION_LIMITS.perMobileDay) return 'MOBILE_TOO_MANY'
  return sent.byNetwork >= CONSULTATION_LIMITS.perNetworkDay ? 'NETWORK_TOO_MANY' : null
}
