// Owns the kinds of papers that are kept of a shop, why one may look at them, and what is refused (issue: documents vault).
// Must never hold a picture or a number: those lie sealed.
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'

export const DOCUMENT_KINDS = {
  idCardFront: '身份证人像面',
  idCardBack: '身份证国徽面',
  businessLicence: '营业执照',
  permit: '行业许可证',
  shopFront: '门头照片',
  shopInside: '店内照片',
  checkstand: '收银台照片',
  accountPermit: '开户许可证',
  bankCard: '银行卡',
  authorizationLetter: '授权书',
  personIdFront: '其他人员证件正面',
  personIdBack: '其他人员证件反面',
  qualification: '资质证书',
  headImage: '小程序头像',
  other: '其他资料',
} as const
export type DocumentKind = keyof typeof DOCUMENT_KINDS
export const DOCUMENT_KIND_KEYS = Object.keys(DOCUMENT_KINDS) as [DocumentKind, ...DocumentKind[]]

/** Of these a shop has one at a time: a newer one takes the older one's place. */
const SINGLE: readonly DocumentKind[] = ['idCardFront', 'idCardBack', 'businessLicence', 'headImage']
/** Pictures of a place end on no day, and neither does an account's permit. */
const ENDLESS: readonly DocumentKind[] = [
  'shopFront',
  'shopInside',
  'checkstand',
  'accountPermit',
  'headImage',
]

export const isSingle = (kind: DocumentKind) => SINGLE.includes(kind)
export const mayEnd = (kind: DocumentKind) => !ENDLESS.includes(kind)

/** What a shop's owner hands in is offered: it takes nothing's place until somebody of its agent or of staff has taken it over. */
export const DOCUMENT_STATES = {
  current: '使用中',
  offered: '待采用',
  replaced: '已替换',
  erased: '已销毁',
} as const
export type DocumentState = keyof typeof DOCUMENT_STATES

export const DOCUMENT_STEPS = {
  replace: { from: ['current'], to: 'replaced', by: ['documents.keep'] },
  /** The same picture is uploaded again. */
  restore: { from: ['replaced'], to: 'current', by: ['documents.keep'] },
  /** The owner's, where what he took before was dropped. */
  offer: { from: ['replaced'], to: 'offered', by: ['program'] },
  adopt: { from: ['offered'], to: 'current', by: ['ownerPapers.decide', 'documents.keep'] },
  /** The owner took another picture in its place. */
  drop: { from: ['offered'], to: 'replaced', by: ['program'] },
  /** By a person, or by the job once nothing has needed it for long: key and bytes go, the row stays and says so. */
  erase: { from: ['current', 'offered', 'replaced'], to: 'erased', by: ['documents.erase'] },
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
  acquirerOnboardings: '收单进件',
  ownerPapers: '店主资料',
  programApplications: '小程序申请',
  programProfile: '小程序资料',
} as const
export type DocumentUser = keyof typeof DOCUMENT_USERS

/** So many days before a paper ends people are told, once for each. */
export const WARN_DAYS = [60, 15] as const
/** The last of them that a paper has come to; null: none yet, or it has ended. */
export function warningMark(daysLeft: number): number | null {
  return daysLeft < 0 ? null : (WARN_DAYS.findLast(days => daysLeft <= days) ?? null)
}

/** How a paper stands to its end, as lists are filtered: ended, within so many days, or nobody has said when. */
export const DOCUMENT_ENDS = {
  ended: '已到期',
  in15: '15 天内到期',
  in30: '30 天内到期',
  in60: '60 天内到期',
  in90: '90 天内到期',
  unknown: '未填写到期日期',
} as const
export type DocumentEnds = keyof typeof DOCUMENT_ENDS
/** Days from today within which it ends, both included; null: no day at all. */
export function endRange(ends: DocumentEnds): { from: number | null; to: number } | null {
  if (ends === 'unknown') return null
  return ends === 'ended' ? { from: null, to: -1 } : { from: 0, to: Number(ends.slice(2)) }
}

/** Which a list shows; what is in use where nothing is chosen. */
export const SHOWN_STATES = { ...DOCUMENT_STATES, all: '全部' } as const

export const ERASE_REASON_MAX = 100
/** Of papers that the job erases, by why nothing needs them any more. */
export const KEPT_LONG_ENOUGH = {
  replaced: '已被替换且不再使用，保留期满',
  left: '商户已禁用或到期且资料不再使用，保留期满',
} as const
/** A certificate's number: one paper has one. */
export const certificateNo = (id: number) => `XH${String(id).padStart(10, '0')}`

/** Papers of one file; beyond, it is the work of the operator's backup. */
export const ZIP_PAPERS_MOST = 10_000

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

export const REPLACED_KEPT_DAYS = setting({
  key: 'document-kept-days',
  group: '保留期限',
  label: '被替换的证件资料',
  unit: '天',
  initial: 180,
  min: 1,
  max: 3_650,
  hint: '没有使用的资料从被替换起保留多久，之后自动销毁并留下销毁证明',
})
export const LEFT_KEPT_DAYS = setting({
  key: 'left-document-kept-days',
  group: '保留期限',
  label: '禁用或到期商户的证件资料',
  unit: '天',
  initial: 1_095,
  min: 30,
  max: 3_650,
  hint: '没有使用的资料从商户禁用或到期起保留多久，之后自动销毁并留下销毁证明',
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
export const ERASE_REFUSALS = {
  DOCUMENT_USED: '该资料正在使用，不能销毁',
  DOCUMENT_ERASED: '该资料已被销毁',
  ERASE_REASON_REQUIRED: '请输入销毁原因',
  ERASE_REASON_TOO_LONG: `销毁原因最多 ${ERASE_REASON_MAX} 个字`,
} as const
export const ZIP_REFUSALS = {
  NO_DOCUMENTS: '该商户没有可以下载的证件资料',
  ZIP_TOO_MANY: `一次最多打包 ${ZIP_PAPERS_MOST} 份证件资料`,
} as const
export type EraseRefusal = keyof typeof ERASE_REFUSALS
export const DOCUMENT_REFUSALS = {
  ...KEEP_REFUSALS,
  ...REPLACE_REFUSALS,
  ...ERASE_REFUSALS,
  ...ZIP_REFUSALS,
} as const

/** Why a paper cannot be erased, or null: what something uses is kept. */
export function refuseErase(row: {
  state: DocumentState
  usedBy: readonly DocumentUser[]
}): EraseRefusal | null {
  if (nextState<DocumentState, keyof typeof DOCUMENT_STEPS>(DOCUMENT_STEPS, row.state, 'erase') === null)
    return 'DOCUMENT_ERASED'
  return row.usedBy.length > 0 ? 'DOCUMENT_USED' : null
}

export function refuseEraseReason(reason: string): EraseRefusal | null {
  const { length } = [...reason.trim()]
  if (length === 0) return 'ERASE_REASON_REQUIRED'
  return length > ERASE_REASON_MAX ? 'ERASE_REASON_TOO_LONG' : null
}

/** What no file may be called by everywhere. */
const NOT_IN_NAMES = /[\\/:*?"<>|]/g
/** Characters of it; names of files have at most 255 bytes. */
const WHOSE_SHOWN = 40

/** How a paper is called among others: the shop's number, its kind, whose it is, its day, and a number where others are called so. */
export function paperName(
  { merchantId, kind, whose, day }: { merchantId: number; kind: DocumentKind; whose: string; day: string },
  taken: Set<string>,
): string {
  const person = [...whose.replace(NOT_IN_NAMES, '')].slice(0, WHOSE_SHOWN).join('')
  const name = [merchantId, DOCUMENT_KINDS[kind], ...(person ? [person] : []), day].join('_')
  for (let at = 1; ; at += 1) {
    const whole = at === 1 ? name : `${name}_${at}`
    if (taken.has(whole)) continue
    taken.add(whole)
    return `${whole}.jpg`
  }
}

const SHOWN_BEFORE = 6
const SHOWN_BEHIND = 4

/** A number of an identity paper as people may see it: 110101********1234. A short one shows less. */
export function maskNumber(number: string): string {
  const length = [...number].length
  const [before, behind] = length > SHOWN_BEFORE + SHOWN_BEHIND ? [SHOWN_BEFORE, SHOWN_BEHIND] : [1, 1]
  if (length <= before + behind) return '*'.repeat(length)
  return `${number.slice(0, before)}${'*'.repeat(length - before - behind)}${number.slice(-behind)}`
}
