// Owns what a shop's owner hands in by phone: what is asked for, the states, limits and refusals, and the text that is signed (D3 §2
// merchantImportH5). Must never read a clock or a database.

import { isAccountNumber, REFUSALS as ONBOARDING_REFUSALS } from '#features/acquiring/onboardings/rules.ts'
import {
  REASON_FIELDS as APPLICATION_LABELS,
  FORM_REFUSALS as APPLICATION_REFUSALS,
  brokenApplication,
  PAPERS,
  PAY_TYPES,
  type PayType,
  papersFor,
} from '#features/acquiring/payment-applications/rules.ts'
import { reasonRules } from '#features/acquiring/refusals/rules.ts'
import { DOCUMENT_KINDS, type DocumentKind } from '#features/care/documents/rules.ts'
import {
  brokenSubmission,
  READ_LABELS,
  FORM_REFUSALS as VERIFICATION_REFUSALS,
} from '#features/care/verification/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'

export const OWNER_PAPERS_STATES = {
  draft: '店主填写中',
  submitted: '店主已提交',
  returned: '已退回店主',
  adopted: '已采用',
} as const
export type OwnerPapersState = keyof typeof OWNER_PAPERS_STATES

export const OWNER_PAPERS_STEPS = {
  /** By the owner, who has no account. */
  submit: { from: ['draft', 'returned'], to: 'submitted', by: ['program'] },
  sendBack: { from: ['submitted'], to: 'returned', by: ['ownerPapers.decide'] },
  adopt: { from: ['submitted'], to: 'adopted', by: ['ownerPapers.decide'] },
} as const satisfies Machine<OwnerPapersState>
export type OwnerPapersStep = keyof typeof OWNER_PAPERS_STEPS

export const takes = (state: OwnerPapersState, step: OwnerPapersStep) =>
  nextState<OwnerPapersState, OwnerPapersStep>(OWNER_PAPERS_STEPS, state, step) !== null

/** Papers of the application, and what a line of business may be asked for beside them, of which none is a must by itself. */
export const OWNER_PAPERS = {
  ...PAPERS,
  tradePermitId: 'permit',
  certificateId: 'qualification',
} as const satisfies Record<string, DocumentKind>
export type OwnerPaperName = keyof typeof OWNER_PAPERS
export const OWNER_PAPER_NAMES = Object.keys(OWNER_PAPERS) as [OwnerPaperName, ...OwnerPaperName[]]
const PERMITS = ['tradePermitId', 'certificateId'] as const satisfies readonly OwnerPaperName[]
export const ownerPapersFor = (payType: PayType): OwnerPaperName[] => [...papersFor(payType), ...PERMITS]

/** What is said of permits to the owner. */
export type PermitsAsked = {
  /** As the line of business that was chosen names them; empty: none was chosen yet, or it names none. */
  words: string
  /** It is refused without any, and the shop has none yet. */
  areRequired: boolean
}

/** What the owner types, as it is called where it is taken over. */
export const OWNER_TEXTS = {
  company: READ_LABELS.company,
  creditCode: READ_LABELS.creditCode,
  legalPerson: READ_LABELS.legalPerson,
  personInCharge: READ_LABELS.personInCharge,
  email: APPLICATION_LABELS.email,
  bankName: APPLICATION_LABELS.bankName,
  branchName: APPLICATION_LABELS.branchName,
} as const
export type OwnerText = keyof typeof OWNER_TEXTS
export const OWNER_TEXT_KEYS = Object.keys(OWNER_TEXTS) as [OwnerText, ...OwnerText[]]

/** Kept encrypted, shown masked. */
export const OWNER_NUMBERS = { idNumber: READ_LABELS.idNumber, accountNumber: '银行账号' } as const
export type OwnerNumber = keyof typeof OWNER_NUMBERS
export const OWNER_NUMBER_KEYS = Object.keys(OWNER_NUMBERS) as [OwnerNumber, ...OwnerNumber[]]

/** Of each field what may be said to be wrong with it, in the order of the page. */
export const REASON_FIELDS = {
  payType: '支付类型',
  licenceId: DOCUMENT_KINDS.businessLicence,
  company: OWNER_TEXTS.company,
  creditCode: OWNER_TEXTS.creditCode,
  legalPerson: OWNER_TEXTS.legalPerson,
  idFrontId: DOCUMENT_KINDS.idCardFront,
  idBackId: DOCUMENT_KINDS.idCardBack,
  personInCharge: OWNER_TEXTS.personInCharge,
  idNumber: OWNER_NUMBERS.idNumber,
  permitId: DOCUMENT_KINDS.accountPermit,
  bankCardId: DOCUMENT_KINDS.bankCard,
  accountNumber: OWNER_NUMBERS.accountNumber,
  bankName: OWNER_TEXTS.bankName,
  branchName: OWNER_TEXTS.branchName,
  email: OWNER_TEXTS.email,
  shopFrontId: DOCUMENT_KINDS.shopFront,
  checkstandId: DOCUMENT_KINDS.checkstand,
  shopInsideId: DOCUMENT_KINDS.shopInside,
  tradePermitId: DOCUMENT_KINDS.permit,
  certificateId: DOCUMENT_KINDS.qualification,
  other: '其他',
} as const
export type ReasonField = keyof typeof REASON_FIELDS
export const REASON_FIELD_KEYS = Object.keys(REASON_FIELDS) as [ReasonField, ...ReasonField[]]
export type Reasons = Readonly<Partial<Record<ReasonField, string>>>

/** Those that an account of this type has. */
export function reasonFieldsFor(payType: PayType): ReasonField[] {
  const papers: readonly string[] = ownerPapersFor(payType)
  return REASON_FIELD_KEYS.filter(field => !(field in OWNER_PAPERS) || papers.includes(field))
}

export const LINK_DAYS = 7
/** What was begun and not taken over is kept so long behind the end of its link. */
export const UNUSED_KEPT_DAYS = 30
/** How long a phone is known that proved itself. */
export const SESSION_HOURS = 24
export const LIMITS = {
  /** Pictures and bytes of one link, whatever becomes of them. */
  pictures: 60,
  bytes: 80 * 1024 * 1024,
  pictureBytes: 4 * 1024 * 1024,
  /** One part of a picture: what an operation may be sent without a session. */
  partBytes: 96 * 1024,
  parts: 48,
  /** Codes of one link on a day; a phone has its own limits beside. */
  codesPerDay: 12,
  messages: 3,
  reason: 100,
  signatureBytes: 96 * 1024,
  historyShown: 20,
} as const
/** Of a network in ten minutes: links that are nobody's, and parts of pictures. */
export const NETWORK_LIMITS = { unknown: 30, parts: 1_500, minutes: 10 } as const

export const OWNER_PAPERS_REFUSALS = {
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  SUBMITTED_ALREADY: '店主已提交，请先采用或退回',
  LINK_ENDED: '链接已失效，请重新生成',
  LINK_OTHER: '请重新生成链接后再发送',
  PHONE_NOT_MOBILE: '该商户的账号不是手机号，请复制链接发给店主',
  /** Copied it is of no use either: it opens with a code to the phone. */
  SMS_NONE: '未开通短信服务，店主收不到链接和验证码，开通后再邀请',
  MESSAGES_TOO_MANY: `同一链接最多发送${LIMITS.messages}条短信，请复制链接发给店主`,
  NOT_SUBMITTED: '店主还没有提交，或已由其他人处理，请刷新',
  REASONS_REQUIRED: '请输入至少一项退回原因',
  REASON_TOO_LONG: `退回原因不得超过${LIMITS.reason}字`,
} as const

export const GUEST_REFUSALS = {
  PAGE_CLOSED: '该页面暂不可用，请联系服务商',
  LINK_EXPIRED: '链接已过期，请向服务商索取新的链接',
  SIGNED_OUT: '请先验证手机号',
  HANDED_IN: '资料已提交，不能修改',
  CODES_NONE: '服务商未开通短信服务，暂时不能获取验证码，请联系服务商；已填写的内容会保留',
  CODES_TOO_MANY: '该链接今日获取验证码次数已达上限，请明天再试',
  PICTURES_TOO_MANY: '上传图片次数过多，请联系服务商',
  PART_WRONG: '图片没有传完整，请重新上传',
  PERMITS_REQUIRED: `请上传${DOCUMENT_KINDS.permit}或${DOCUMENT_KINDS.qualification}`,
  DRAWING_REQUIRED: '请先在框内手写签名',
  TEXT_CHANGED: '资料已变化，请重新确认后签名',
  NUMBER_WRONG: '请重新输入完整的号码',
  ...VERIFICATION_REFUSALS,
  ...APPLICATION_REFUSALS,
  PHONE_WRONG: '请输入正确的手机号',
  ACCOUNT_NUMBER_REQUIRED: '请输入银行账号',
  ACCOUNT_NUMBER_WRONG: ONBOARDING_REFUSALS.ACCOUNT_NUMBER_WRONG,
} as const
export type GuestRefusal = keyof typeof GUEST_REFUSALS

export const refuseOwnerPhone = (phone: string): 'PHONE_WRONG' | null =>
  isMainlandMobile(phone) ? null : 'PHONE_WRONG'

/** As the owner has filled it in. A number that is empty has not been given; `kept`: it was given before. */
export type OwnerForm = Record<OwnerText, string> &
  Record<OwnerPaperName, number | null> & { payType: PayType; phone: string } & {
    idNumber: { typed: string; kept: boolean }
    accountNumber: { typed: string; kept: boolean }
  }
export type BrokenField = { field: ReasonField; code: GuestRefusal }

const OWN_FIELDS: readonly string[] = REASON_FIELD_KEYS

/** What keeps it from being handed in, one for a field, in the order of the page: judged by the rules of what it is taken over into. */
export function brokenOwner(
  form: OwnerForm,
  today: string,
  { areRequired }: Pick<PermitsAsked, 'areRequired'>,
): BrokenField[] {
  const { idNumber, accountNumber } = form
  const asked: readonly string[] = ownerPapersFor(form.payType)
  const verification = brokenSubmission(
    {
      ...form,
      ...{ signature: '', explanations: {} },
      idNumber: idNumber.kept && idNumber.typed === '' ? null : idNumber.typed,
      code: '',
    },
    { keptNumber: idNumber.kept, today },
  )
  const application = brokenApplication({
    ...form,
    ...{ merchantId: 0, bankRegion: '', bankCode: '', branchNumber: '' },
  })
  const all: { field: string; code: GuestRefusal }[] = [
    ...application.filter(({ field }) => field !== 'phone'),
    ...verification.filter(({ field }) => field !== 'phone'),
    ...(areRequired && PERMITS.every(name => form[name] === null)
      ? [{ field: PERMITS[0], code: 'PERMITS_REQUIRED' as const }]
      : []),
    ...(accountNumber.typed === ''
      ? accountNumber.kept
        ? []
        : [{ field: 'accountNumber', code: 'ACCOUNT_NUMBER_REQUIRED' as const }]
      : isAccountNumber(accountNumber.typed)
        ? []
        : [{ field: 'accountNumber', code: 'ACCOUNT_NUMBER_WRONG' as const }]),
  ]
  const isAsked = (field: string) =>
    OWN_FIELDS.includes(field) && (!(field in OWNER_PAPERS) || asked.includes(field))
  return REASON_FIELD_KEYS.flatMap(field => {
    const one = isAsked(field) ? all.find(broken => broken.field === field) : undefined
    return one ? [{ field, code: one.code }] : []
  })
}

/** What is said of a broken field: the rules of others speak of a field without naming it. */
export function messageOf({ field, code }: BrokenField): string {
  if (code === 'FIELD_REQUIRED') return `请${field in OWNER_PAPERS ? '上传' : '输入'}${REASON_FIELDS[field]}`
  if (code === 'TEXT_TOO_LONG') return `${REASON_FIELDS[field]}过长`
  if (code === 'TEXT_SYMBOLS' || code === 'NAME_SYMBOLS') return `${REASON_FIELDS[field]}请勿输入特殊字符`
  return GUEST_REFUSALS[code]
}

export const { givenReasons, refuseReasons, reasonsText } = reasonRules(REASON_FIELDS, LIMITS.reason)

type Signed = Record<OwnerText, string> & {
  shopName: string
  agentName: string
  payType: PayType
  phoneMasked: string
  idNumberMasked: string
  accountNumberMasked: string
  /** By paper, the SHA-256 of its picture. */
  papers: readonly { name: OwnerPaperName; sha256: string }[]
}

/** What the owner puts his name to: all that he gave, numbers masked, pictures by what they are known by. */
export function statementText(signed: Signed): string {
  const said = (label: string, text: string) => (text === '' ? [] : [`${label}：${text}`])
  return [
    `本人确认：以下资料由本人提供，真实、完整、有效，并授权${signed.agentName}用于「${signed.shopName}」的实名认证和收款开通。`,
    ...said(REASON_FIELDS.payType, PAY_TYPES[signed.payType]),
    ...OWNER_TEXT_KEYS.flatMap(key => said(OWNER_TEXTS[key], signed[key])),
    ...said(OWNER_NUMBERS.idNumber, signed.idNumberMasked),
    ...said(OWNER_NUMBERS.accountNumber, signed.accountNumberMasked),
    ...said('手机号', signed.phoneMasked),
    ...OWNER_PAPER_NAMES.flatMap(name => {
      const paper = signed.papers.find(one => one.name === name)
      return paper ? said(REASON_FIELDS[name], `图片 ${paper.sha256.slice(0, 16)}`) : []
    }),
  ].join('\n')
}
