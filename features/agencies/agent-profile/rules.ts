// Owns what an agency says of itself: its logo, its domain and how it is reached (D3 §3 Agent info, §5).
// Must never read a clock or a database.
import { setting } from '#kit/declare/settings.ts'
import { cleanAccount, cleanCode, cleanPhone } from '#kit/words/cleaned.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

/** As D3 says: less than 2 MB, best 260x70 and 300 KB; kept twice as sharp as it is shown. */
export const LOGO = { keptSide: 520, hint: '建议 260×70、300KB 以内' } as const
export const LOGO_KB = setting({
  key: 'logo-kb',
  group: '上传',
  label: '公司标识',
  unit: 'KB',
  initial: 2_048,
  min: 300,
  max: 8_192,
})

/** What only the operator changes, and why. */
export const OPERATORS_OWN = {
  companyName: '与合同一致，由厂商修改',
  agentId: '不能修改',
  level: '决定折扣，由厂商调整',
  parent: '由厂商调整',
  accountFormat: '由厂商开通',
  name: '由厂商修改',
  loginName: '由厂商修改',
} as const

/** Characters of what stands before the suffix; a name of the internet may have 63. */
export const DOMAIN = { min: 3, max: 30 } as const

/** What people take for the vendor's own, or what machines look for by name. */
const RESERVED = new Set(
  `www www1 www2 web wap app apps api m mobile admin administrator root system sys office console portal dashboard manage manager
  login signin sso auth oauth account accounts passport user users my pay payment payments cashier bank wallet alipay wechat weixin wx
  mail email smtp imap pop pop3 webmail mx autodiscover autoconfig ftp sftp ssh vpn proxy gateway ns ns1 ns2 dns wpad isatap localhost
  static assets cdn img image images file files upload download downloads media docs doc blog news forum bbs shop store
  support help service services kefu hotline official security safe abuse postmaster hostmaster webmaster info contact
  partner partners agent agents vendor operator staff demo test testing dev development stage staging beta prod production status`.split(
    /\s+/,
  ),
)

export const PROFILE_REFUSALS = {
  CONTACT_SYMBOLS: '联系人请勿输入特殊字符',
  TELEPHONE_FORMAT: '电话格式错误，如 0755-12345678',
  REGION_UNKNOWN: '请选择省市区',
  HOTLINE_FORMAT: '服务热线格式错误，如 400-123-4567',
  QQ_FORMAT: 'QQ号格式错误',
  WECHAT_FORMAT: '微信号由字母、数字、下划线或减号组成',
  DOMAIN_OFF: '尚未开通代理商域名：厂商在服务器上设置 AGENT_DOMAIN_SUFFIX 后使用',
  DOMAIN_LENGTH: `域名须为${DOMAIN.min}至${DOMAIN.max}个字符`,
  DOMAIN_FORMAT: '域名由小写字母、数字和减号组成，减号不能在开头或结尾',
  DOMAIN_RESERVED: '该域名为系统保留，请换一个',
  DOMAIN_TAKEN: '该域名已被使用，请换一个',
  LOGO_UNKNOWN: '标志不存在，请重新上传',
} as const
export type ProfileRefusal = keyof typeof PROFILE_REFUSALS

/** What is wrong with a label before it is looked for, or null. */
export function refuseDomain(label: string): ProfileRefusal | null {
  if (label.length < DOMAIN.min || label.length > DOMAIN.max) return 'DOMAIN_LENGTH'
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) return 'DOMAIN_FORMAT'
  // What begins so stands for another text than it shows.
  if (label.slice(2, 4) === '--') return 'DOMAIN_FORMAT'
  return RESERVED.has(label) ? 'DOMAIN_RESERVED' : null
}

/** Blanks and capitals are only typed so. */
export function asDomain(typed: string): string {
  return typed.trim().toLowerCase()
}

export type ProfileForm = {
  contactName: string
  telephone: string
  hotline: string
  qq: string
  wechat: string
  /** Empty: none. */
  domainLabel: string
}

/** Broken rules in the order of the form, beyond a text that is missing or too long. */
export function brokenProfile(form: ProfileForm): { field: string; code: ProfileRefusal }[] {
  const { contactName, telephone, hotline, qq, wechat, domainLabel } = form
  const broken: { field: string; code: ProfileRefusal }[] = []
  const domain = asDomain(domainLabel) === '' ? null : refuseDomain(asDomain(domainLabel))
  if (!isPlainText(contactName)) broken.push({ field: 'contactName', code: 'CONTACT_SYMBOLS' })
  if (!isDialled(telephone)) broken.push({ field: 'telephone', code: 'TELEPHONE_FORMAT' })
  if (domain) broken.push({ field: 'domainLabel', code: domain })
  if (!isDialled(hotline)) broken.push({ field: 'hotline', code: 'HOTLINE_FORMAT' })
  if (!/^([1-9]\d{4,11})?$/.test(cleanCode(qq))) broken.push({ field: 'qq', code: 'QQ_FORMAT' })
  if (!/^[\w-]*$/.test(wechat.trim())) broken.push({ field: 'wechat', code: 'WECHAT_FORMAT' })
  return broken
}

/** Numbers that are dialled: 0755-12345678, 400-123-4567, 12345, +86 755 12345678, with an extension. */
function isDialled(text: string): boolean {
  const plain = cleanAccount(text)
  return plain === '' || (/^\+?\d[\d-]*(转\d{1,6})?$/.test(plain) && plain.replace(/\D/g, '').length >= 5)
}

/** Codes to the old and to the new number. */
export const PHONE_STEPS = ['old', 'new'] as const
export type PhoneStep = (typeof PHONE_STEPS)[number]

export const PHONE_REFUSALS = {
  OLD_CODE_REQUIRED: '请输入原手机收到的验证码',
  PHONE_REQUIRED: '请输入新手机号',
  PHONE_FORMAT: '请输入正确的手机号',
  PHONE_SAME: '新手机号与原手机号相同',
  NEW_CODE_REQUIRED: '请输入新手机收到的验证码',
  OLD_UNREACHABLE: '原手机号无法接收验证码，请联系厂商核实后更换',
  CODE_WRONG: '验证码错误或已过期',
  CODE_SPENT: '验证码错误次数过多，请重新获取',
} as const
export type PhoneRefusal = keyof typeof PHONE_REFUSALS

export type PhoneForm = { oldCode: string; phone: string; newCode: string }

/** The first thing wrong with what is typed, in the order of the form. The number that is there is not known to the page whole. */
export function refusePhoneForm(form: PhoneForm): { field: keyof PhoneForm; code: PhoneRefusal } | null {
  const wrongCode = (code: string) => !/^\d{6}$/.test(cleanCode(code))
  if (form.oldCode.trim() === '') return { field: 'oldCode', code: 'OLD_CODE_REQUIRED' }
  if (wrongCode(form.oldCode)) return { field: 'oldCode', code: 'CODE_WRONG' }
  const phone = refuseNewPhone(form.phone)
  if (phone) return { field: 'phone', code: phone }
  if (form.newCode.trim() === '') return { field: 'newCode', code: 'NEW_CODE_REQUIRED' }
  return wrongCode(form.newCode) ? { field: 'newCode', code: 'CODE_WRONG' } : null
}

export function refuseNewPhone(phone: string, old?: string): PhoneRefusal | null {
  if (phone.trim() === '') return 'PHONE_REQUIRED'
  if (!isMainlandMobile(cleanPhone(phone))) return 'PHONE_FORMAT'
  return cleanPhone(phone) === old ? 'PHONE_SAME' : null
}

/** What the puzzle before such a code is solved for: per account, whichever numbers it names. */
export function phoneSubject(accountId: number, step: PhoneStep): string {
  return `own-phone:${accountId}:${step}`
}
