// Owns what a shop may be: limits, formats, states, locks and their messages (D1 §4, §5; D2 §5, §6; decisions.md).
// Must never read a clock or a database, and must never name an agent's id.

import type { AccountFormat } from '#features/office/agents/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { formatCount } from '#kit/money.ts'
import { cleanAccount, cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { isPassword, PASSWORD_MAX } from '#kit/words/password.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

export const LIMITS = {
  shortName: 8,
  shopName: 30,
  personName: 20,
  /** What the SMS services take, and so every door (docs/decisions/0062). */
  signature: 12,
  signatureLeast: 2,
  memberTitle: 10,
  remark: 50,
  address: 100,
  referrer: 20,
  verificationRefusal: 100,
  passwordMax: PASSWORD_MAX,
  phone: 11,
  smsMax: 1_000_000,
} as const

export const MERCHANT_STATUSES = { normal: '正常', disabled: '已禁用' } as const
export type MerchantStatus = keyof typeof MERCHANT_STATUSES
/** The documents number the states 0 (normal) and -1 (disabled). */
export const STATUS_CODES = { normal: 0, disabled: -1 } as const

export const STATUS_STEPS = {
  disable: {
    from: ['normal'],
    to: 'disabled',
    by: ['merchants.status', 'settlement.undo', 'settlement.approve', 'aftersales.cancel'],
  },
  enable: { from: ['disabled'], to: 'normal', by: ['merchants.status'] },
} as const satisfies Machine<MerchantStatus>

export const VERIFICATION_STATUSES = {
  verified: '已认证',
  unverified: '未认证',
  failed: '认证失败',
  reviewing: '审核中',
} as const
export type VerificationStatus = keyof typeof VERIFICATION_STATUSES

export const STORE_KINDS = { head: '总店', branch: '分店' } as const
export type StoreKind = keyof typeof STORE_KINDS

/** Where a shop came from; a referrer set on the mobile website may still be corrected. */
export const SOURCES = {
  backOffice: '后台开通',
  mobileWebsite: '手机官网',
  app: 'APP注册',
  import: '批量导入',
} as const
export type Source = keyof typeof SOURCES

/** Of a search by the whole account, for whoever acts for one shop. */
export const FIND_REFUSALS = { ACCOUNT_UNKNOWN: '没有找到该账号的店铺，请核对后重新输入' } as const

export const REFUSALS = {
  SHORT_NAME_TOO_LONG: `店铺简称长度不得超过${LIMITS.shortName}字符`,
  SHORT_NAME_SYMBOLS: '店铺简称请勿输入特殊字符',
  SHOP_NAME_TOO_LONG: `店铺名称长度不得超过${LIMITS.shopName}字符`,
  SHOP_NAME_SYMBOLS: '店铺名称请勿输入特殊字符',
  PERSON_NAME_TOO_LONG: `商户姓名长度不得超过${LIMITS.personName}个字符`,
  SHORT_NAME_REQUIRED: '请输入店铺简称',
  SHOP_NAME_REQUIRED: '请输入店铺名称',
  PERSON_NAME_REQUIRED: '请输入商户姓名',
  ACCOUNT_REQUIRED: '请输入账号',
  ACCOUNT_FORMAT: '账号格式不对',
  ACCOUNT_MOBILE: '请输入正确的手机号',
  PHONE_REQUIRED: '请输入手机号',
  ACCOUNT_TAKEN: '账号已存在',
  PASSWORD_REQUIRED: '请输入密码',
  PASSWORD_FORMAT: '密码格式错误',
  SHOP_PHONE_FORMAT: '请输入正确的店铺电话',
  INDUSTRY_REQUIRED: '请选择行业类型',
  DIVISION_REQUIRED: '请选择省市区',
  ADDRESS_TOO_LONG: `详细地址不得超过${LIMITS.address}字`,
  REFERRER_TOO_LONG: `推荐人不得超过${LIMITS.referrer}字`,
  REMARK_TOO_LONG: `备注不得超过${LIMITS.remark}字`,
  SIGNATURE_REQUIRED: `请输入短信签名，限${LIMITS.signature}个字`,
  SIGNATURE_TOO_LONG: `请输入短信签名，限${LIMITS.signature}个字`,
  SIGNATURE_TOO_SHORT: `短信签名至少${LIMITS.signatureLeast}个字`,
  SIGNATURE_SYMBOLS: '短信签名只能用汉字、字母和数字，不含括号和空格',
  SIGNATURE_DIGITS: '短信签名不能全是数字',
  SIGNATURE_BY_APPROVAL: '短信签名须提交审批，通过后生效',
  SMS_COUNT_FORMAT: '短信条数只能输入数字',
  SMS_COUNT_TOO_MANY: `短信条数不得超过${formatCount(LIMITS.smsMax)}条`,
  VERIFICATION_REASON_REQUIRED: '请输入认证失败原因',
  VERIFICATION_REASON_TOO_LONG: `认证失败原因不得超过${LIMITS.verificationRefusal}字`,
  VERIFICATION_CHANGE_REASON: '请输入修改认证状态的原因',
  MANAGER_UNKNOWN: '客户经理不存在，请重新选择',
  PAYMENT_METHOD_UNKNOWN: '支付方式不可用，请重新选择',
  PAYMENT_FIELD_REQUIRED: '请输入支付参数',
  MERCHANT_DISABLED: '请启用后再进行操作',
  STATUS_UNCHANGED: '操作失败',
  FIELD_LOCKED: '该字段已有值，您没有修改权限',
  FIELD_OPERATOR_ONLY: '该字段仅运营人员可修改',
  // No limit: what the index knows: pairs of characters.
  SEARCH_TOO_SHORT: '搜索全部代理商时请至少输入2个字',
  PHONE_UNCHANGED: '新手机号与当前账号相同',
  PHONE_BY_STAFF: '该账号不是手机号，收不到验证码，请联系平台工作人员修改',
  NOTICE_NOT_MOBILE: '该商户的账号不是手机号，无法接收短信',
  NOTICE_UNCONNECTED: '没有接入短信服务，短信发不出去：请取消勾选，自行告知店主',
} as const
export type MerchantRefusal = keyof typeof REFUSALS

/** A broken rule and the form field it belongs to. */
export type FieldRefusal = { field: string; code: MerchantRefusal }

export const SHOP_PHONE = /^[A-Za-z0-9\p{P}\p{S}]{6,20}$/u
export const ACCOUNT_PATTERNS: Record<AccountFormat, RegExp> = {
  standard: /^[0168]\d\d{8,9}$/,
  long: /^[0168]\d\d{6,9}$/,
  any: /^\d{4,11}$/,
}

/** D1 §5: 0, 1, 6 or 8, a digit, then 8 to 9 more (6 to 9 for `long`); `any` is 4 to 11 digits. */
export function refuseAccount(account: string, format: AccountFormat): MerchantRefusal | null {
  const typed = cleanAccount(account)
  if (typed === '') return 'ACCOUNT_REQUIRED'
  return ACCOUNT_PATTERNS[format].test(typed) ? null : 'ACCOUNT_FORMAT'
}

/** Why this number cannot become the shop's account, or null. */
export function refuseNewPhone(phone: string, currentAccount: string): MerchantRefusal | null {
  const typed = cleanPhone(phone)
  if (typed === '') return 'PHONE_REQUIRED'
  if (!isMainlandMobile(typed)) return 'ACCOUNT_MOBILE'
  return typed === currentAccount ? 'PHONE_UNCHANGED' : null
}

/** Who may not change this shop's number: the code goes to the present one, which staff need none of. */
export function refusePhoneChange(
  account: string,
  { isVendorStaff }: { isVendorStaff: boolean },
): MerchantRefusal | null {
  return isVendorStaff || isMainlandMobile(account) ? null : 'PHONE_BY_STAFF'
}

export function refusePassword(password: string): MerchantRefusal | null {
  if (password === '') return 'PASSWORD_REQUIRED'
  return isPassword(password) ? null : 'PASSWORD_FORMAT'
}

export type MerchantNames = { shortName: string; shopName: string; personName: string }

/** Names in the order of D2 §5: lengths and symbols first, then whether they are there at all. */
export function refuseNames(names: MerchantNames): FieldRefusal | null {
  return (
    malformed('shortName', names.shortName) ??
    malformed('shopName', names.shopName) ??
    malformed('personName', names.personName) ??
    missing('shortName', names.shortName) ??
    missing('shopName', names.shopName) ??
    missing('personName', names.personName)
  )
}

/** Names in the order of D1 §5: each field whole before the next. */
function refuseNewNames(names: MerchantNames): FieldRefusal | null {
  for (const field of ['shortName', 'shopName', 'personName'] as const) {
    const broken = missing(field, names[field]) ?? malformed(field, names[field])
    if (broken) return broken
  }
  return null
}

const NAME_REFUSALS = {
  shortName: ['SHORT_NAME_REQUIRED', 'SHORT_NAME_TOO_LONG', 'SHORT_NAME_SYMBOLS'],
  shopName: ['SHOP_NAME_REQUIRED', 'SHOP_NAME_TOO_LONG', 'SHOP_NAME_SYMBOLS'],
  personName: ['PERSON_NAME_REQUIRED', 'PERSON_NAME_TOO_LONG', null],
} as const

function missing(field: keyof MerchantNames, name: string): FieldRefusal | null {
  return name.trim() === '' ? { field, code: NAME_REFUSALS[field][0] } : null
}

function malformed(field: keyof MerchantNames, name: string): FieldRefusal | null {
  const [, tooLong, symbols] = NAME_REFUSALS[field]
  if (lengthOf(name) > LIMITS[field]) return { field, code: tooLong }
  return symbols && !isPlainText(name) ? { field, code: symbols } : null
}

export type MerchantDetails = {
  referrer: string
  remark: string
  address: string
  districtCode: string
}

function refuseDetails(details: MerchantDetails): FieldRefusal | null {
  if (details.districtCode === '') return { field: 'districtCode', code: 'DIVISION_REQUIRED' }
  if (lengthOf(details.address) > LIMITS.address) return { field: 'address', code: 'ADDRESS_TOO_LONG' }
  if (lengthOf(details.referrer) > LIMITS.referrer) return { field: 'referrer', code: 'REFERRER_TOO_LONG' }
  if (lengthOf(details.remark) > LIMITS.remark) return { field: 'remark', code: 'REMARK_TOO_LONG' }
  return null
}

export type NewMerchant = MerchantNames &
  MerchantDetails & { industryId: number | null; account: string; password: string; smsCount: number }

/** First broken rule of a new shop (D1 §5), in the order of the form; version and term are checked before it. */
export function refuseNewMerchant(draft: NewMerchant, format: AccountFormat): FieldRefusal | null {
  if (draft.industryId === null) return { field: 'industryId', code: 'INDUSTRY_REQUIRED' }
  const names = refuseNewNames(draft)
  if (names) return names
  const account = refuseAccount(draft.account, format)
  if (account) return { field: 'account', code: account }
  const password = refusePassword(draft.password)
  if (password) return { field: 'password', code: password }
  if (!Number.isSafeInteger(draft.smsCount) || draft.smsCount < 0)
    return { field: 'smsCount', code: 'SMS_COUNT_FORMAT' }
  if (draft.smsCount > LIMITS.smsMax) return { field: 'smsCount', code: 'SMS_COUNT_TOO_MANY' }
  return refuseDetails(draft)
}

function isShopPhone(text: string): boolean {
  const phone = cleanAccount(text)
  return phone === '' || SHOP_PHONE.test(phone)
}

export type EditedMerchant = MerchantNames &
  MerchantDetails & {
    industryId: number | null
    account: string
    /** Empty: unchanged. */
    password: string
    shopPhone: string
    verificationStatus: VerificationStatus
    verificationRefusal: string
  }

/** First broken rule of an edited shop, in the order of D2 §5. An unchanged account is not judged again. */
export function refuseEditedMerchant(edited: EditedMerchant, currentAccount: string): FieldRefusal | null {
  const names = refuseNames(edited)
  if (names) return names
  const account = cleanPhone(edited.account)
  if (account === '') return { field: 'account', code: 'ACCOUNT_REQUIRED' }
  if (account !== currentAccount && !isMainlandMobile(account))
    return { field: 'account', code: 'ACCOUNT_MOBILE' }
  if (edited.password !== '') {
    const password = refusePassword(edited.password)
    if (password) return { field: 'password', code: password }
  }
  if (!isShopPhone(edited.shopPhone)) return { field: 'shopPhone', code: 'SHOP_PHONE_FORMAT' }
  if (edited.industryId === null) return { field: 'industryId', code: 'INDUSTRY_REQUIRED' }
  return refuseDetails(edited) ?? refuseVerification(edited)
}

export type Contact = { shopPhone: string; districtCode: string; address: string }

/** First broken rule of how a shop is reached. */
export function refuseContact({ shopPhone, districtCode, address }: Contact): FieldRefusal | null {
  if (!isShopPhone(shopPhone)) return { field: 'shopPhone', code: 'SHOP_PHONE_FORMAT' }
  if (districtCode === '') return { field: 'districtCode', code: 'DIVISION_REQUIRED' }
  return lengthOf(address) > LIMITS.address ? { field: 'address', code: 'ADDRESS_TOO_LONG' } : null
}

/** Who is told that a verification failed must be told why. */
function refuseVerification(edited: EditedMerchant): FieldRefusal | null {
  if (edited.verificationStatus !== 'failed') return null
  const field = 'verificationRefusal'
  if (edited.verificationRefusal.trim() === '') return { field, code: 'VERIFICATION_REASON_REQUIRED' }
  if (lengthOf(edited.verificationRefusal) <= LIMITS.verificationRefusal) return null
  return { field, code: 'VERIFICATION_REASON_TOO_LONG' }
}

type Verified = { verificationStatus: VerificationStatus }

/** A status that is set by hand, not by who reviewed the papers, says why; a failure's reason is the one that the shop is told. */
export function asksVerificationReason(edited: Verified, before: Verified): boolean {
  return edited.verificationStatus !== before.verificationStatus && edited.verificationStatus !== 'failed'
}

export function refuseVerificationChange(
  edited: Verified & { verificationReason?: string | undefined },
  before: Verified,
): FieldRefusal | null {
  if (!asksVerificationReason(edited, before)) return null
  const isGiven = (edited.verificationReason ?? '').trim() !== ''
  return isGiven ? null : { field: 'verificationReason', code: 'VERIFICATION_CHANGE_REASON' }
}

/** The one rule of every door: what no SMS service could ever approve is not begun. */
export function refuseSignature(signature: string) {
  const text = signature.trim()
  if (text === '') return 'SIGNATURE_REQUIRED'
  if (lengthOf(text) > LIMITS.signature) return 'SIGNATURE_TOO_LONG'
  if (!/^[\p{L}\p{N}]*$/u.test(text)) return 'SIGNATURE_SYMBOLS'
  if (/^\p{N}*$/u.test(text)) return 'SIGNATURE_DIGITS'
  return lengthOf(text) < LIMITS.signatureLeast ? 'SIGNATURE_TOO_SHORT' : null
}

/** Who may not set it at once: an agent asks for it (features/care/approvals). */
export function refuseSigner({ isVendorStaff }: { isVendorStaff: boolean }): MerchantRefusal | null {
  return isVendorStaff ? null : 'SIGNATURE_BY_APPROVAL'
}

export function refuseRemark(remark: string): MerchantRefusal | null {
  return lengthOf(remark) > LIMITS.remark ? 'REMARK_TOO_LONG' : null
}

/** Why nothing may be done with a disabled shop but enabling it (D1 §4), or null. */
export function refuseDisabled(status: MerchantStatus): MerchantRefusal | null {
  return status === 'disabled' ? 'MERCHANT_DISABLED' : null
}

export function refuseStatusStep(
  status: MerchantStatus,
  action: 'enable' | 'disable',
): MerchantRefusal | null {
  return nextState(STATUS_STEPS, status, action) === null ? 'STATUS_UNCHANGED' : null
}

export type Editor = { isOwner: boolean; isOperator: boolean }
export type LockedField =
  | 'referrer'
  | 'managerId'
  | 'versionId'
  | 'storeKind'
  | 'registeredAt'
  | 'expiresAt'
  | 'paymentMethodId'
  | 'account'
  | 'verificationStatus'

/**
 * Why this person may not change this field, or null (D1 §6, D2 §6). `hasValue`: the field holds something now.
 * Version, store kind, dates and the account change through orders and the phone change, and a verification by the provider;
 * only the operator corrects them here.
 */
export function lockOf(
  field: LockedField,
  editor: Editor,
  merchant: { hasValue: boolean; source: Source },
): MerchantRefusal | null {
  switch (field) {
    case 'referrer':
      return !editor.isOwner && merchant.hasValue && merchant.source !== 'mobileWebsite'
        ? 'FIELD_LOCKED'
        : null
    case 'managerId':
    case 'paymentMethodId':
      return !editor.isOwner && merchant.hasValue ? 'FIELD_LOCKED' : null
    default:
      return editor.isOperator ? null : 'FIELD_OPERATOR_ONLY'
  }
}

/** How much of a term is left, in words and how pressing it is; the day it ends on counts as left. */
export function termLeft(
  expiresAt: string,
  now: Date,
): { text: string; tone: 'problem' | 'attention' | undefined } {
  const days = (Date.parse(expiresAt) - now.getTime()) / 86_400_000
  if (days < 0) return { text: `已过期 ${Math.max(Math.floor(-days), 1)} 天`, tone: 'problem' }
  if (days < 1) return { text: '不到 1 天到期', tone: 'attention' }
  return { text: `剩 ${Math.floor(days)} 天`, tone: days < SOON_DAYS ? 'attention' : undefined }
}
export const SOON_DAYS = 30

/** Where an address is looked up: in the phone's own map, by its plain words; at a desk on a map's page. */
export function mapOf(address: string, phone: boolean, userAgent: string): string {
  const words = encodeURIComponent(address)
  if (!phone) return `https://uri.amap.com/search?keyword=${words}`
  return /iPhone|iPad|iPod/.test(userAgent) ? `maps://?q=${words}` : `geo:0,0?q=${words}`
}

/** Days without a login that the filter offers (decisions.md). */
export const LAST_LOGIN_DAYS = [1, 3, 7, 30, 90, 365] as const
/** Pieces of SMS credit that the filter compares with. */
export const SMS_LEFT = [10, 50, 100, 500] as const
/** Date presets of the filter, in days. */
export const DATE_PRESET_DAYS = [7, 15, 30, 90, 365] as const
/** The overdue list and the bell start here (D1 §2). */
export const OVERDUE_SINCE = '2017-01-01'
export const OVERDUE_PREVIEW = 5
