// Owns the kinds of papers that are kept of a shop, why one may look at them, and what is refused (issue: documents vault).
// Must never hold a picture or a number: those lie sealed.
import type { Machine } from '#kit/machine.ts'
import { setting } from '#kit/settings.ts'

export const DOCUMENT_KINDS = {
  idCardFront: '身份证人像面',
  idCardBack: '身份证国徽面',
  businessLicence: '营业执照',
  permit: '行业许可证',
  shopFront: '门头照片',
  shopInside: '店内照片',
  authorizationLetter: '授权书',
  qualification: '资质证书',
  other: '其他资料',
} as const
export type DocumentKind = keyof typeof DOCUMENT_KINDS
export const DOCUMENT_KIND_KEYS = Object.keys(DOCUMENT_KINDS) as [DocumentKind, ...DocumentKind[]]

/** Of these a shop has one at a time: a newer one takes the older one's place. */
const SINGLE: readonly DocumentKind[] = ['idCardFront', 'idCardBack', 'businessLicence']
/** Pictures of a place end on no day. */
const ENDLESS: readonly DocumentKind[] = ['shopFront', 'shopInside']

export const isSingle = (kind: DocumentKind) => SINGLE.includes(kind)
export const mayEnd = (kind: DocumentKind) => !ENDLESS.includes(kind)

export const DOCUMENT_STATES = { current: '使用中', replaced: '已替换', erased: '已销毁' } as const
export type DocumentState = keyof typeof DOCUMENT_STATES

export const DOCUMENT_STEPS = {
  replace: { from: ['current'], to: 'replaced', by: ['documents.keep'] },
  /** The same picture is uploaded again. */
  restore: { from: ['replaced'], to: 'current', by: ['documents.keep'] },
} as const satisfies Machine<DocumentState>

/** Why somebody, or the program for somebody, looks at a paper; each look is logged with it. */
export const LOOK_PURPOSES = {
  verification: '核对实名资料',
  approval: '审批申请',
  paymentApplication: '支付进件',
  miniProgram: '小程序',
  support: '协助商户',
} as const
export type LookPurpose = keyof typeof LOOK_PURPOSES
export const LOOK_PURPOSE_KEYS = Object.keys(LOOK_PURPOSES) as [LookPurpose, ...LookPurpose[]]

/** The features that use papers, as people call what they do with them. */
export const DOCUMENT_USERS = {
  verification: '实名资料',
  approvals: '审批申请',
  paymentApplications: '支付进件',
  applets: '小程序',
} as const
export type DocumentUser = keyof typeof DOCUMENT_USERS

/** The purpose of the uploads. */
export const DOCUMENT_FILE = 'shopDocument'

export const DOCUMENT_KB = setting({
  key: 'shop-document-kb',
  group: '上传',
  label: '商户证件图片大小',
  unit: 'KB',
  initial: 5_120,
  min: 500,
  max: 10_240,
  hint: '身份证、营业执照等图片最大多少；加密保存',
})
export const DOCUMENTS_PER_SHOP = setting({
  key: 'documents-per-shop',
  group: '上传',
  label: '每家商户的证件资料',
  unit: '份',
  initial: 60,
  min: 10,
  max: 500,
})

export const KEEP_REFUSALS = {
  DOCUMENT_FILE_UNKNOWN: '图片已失效，请重新上传',
  DOCUMENT_NO_PICTURE: '请上传图片，不支持 PDF',
  DOCUMENTS_TOO_MANY: '该商户的证件资料过多，请先销毁不再使用的资料',
  EXPIRY_WRONG: '到期日期不正确',
} as const
export const REPLACE_REFUSALS = {
  DOCUMENT_REPLACED: '该资料已被替换，请刷新后重试',
} as const
export const DOCUMENT_REFUSALS = { ...KEEP_REFUSALS, ...REPLACE_REFUSALS } as const

const SHOWN_BEFORE = 6
const SHOWN_BEHIND = 4

/** A number of an identity paper as people may see it: 110101********1234. A short one shows less. */
export function maskNumber(number: string): string {
  const length = [...number].length
  const [before, behind] = length > SHOWN_BEFORE + SHOWN_BEHIND ? [SHOWN_BEFORE, SHOWN_BEHIND] : [1, 1]
  if (length <= before + behind) return '*'.repeat(length)
  return `${number.slice(0, before)}${'*'.repeat(length - before - behind)}${number.slice(-behind)}`
}
