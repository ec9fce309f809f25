// Owns what an application for payments of a shop is, what is refused of it, its states and who takes which step (D2 §2 18 to 20, §4, §5).
// Must never read a clock or a database.

import { type Refused, reasonRules } from '#features/acquiring/refusals/rules.ts'
import { DOCUMENT_KINDS, type DocumentKind } from '#features/care/documents/rules.ts'
import { FIND_REFUSALS, REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import type { OnboardingState } from '#kit/ports/onboarding.ts'
import { cleanLine, cleanLines, cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

/** The documents number them 0 and 1. */
export const PAY_TYPES = { corporate: '对公', private: '对私' } as const
export type PayType = keyof typeof PAY_TYPES
export const PAY_TYPE_KEYS = Object.keys(PAY_TYPES) as [PayType, ...PayType[]]

/** The documents number what is handed in 0 pending, 1 approved, 2 rejected; their labels are 待处理, 已处理 and 失败. */
export const APPLICATION_STATES = {
  draft: '草稿',
  pending: '待处理',
  approved: '已处理',
  rejected: '失败',
} as const
export type ApplicationState = keyof typeof APPLICATION_STATES
/** Those of the list: what was handed in. */
export const HANDED_IN = ['pending', 'approved', 'rejected'] as const satisfies readonly ApplicationState[]

export const PAYMENT_APPLICATION_STEPS = {
  submit: {
    from: ['draft', 'rejected'],
    to: 'pending',
    by: ['paymentApplications.edit'],
  },
  approve: { from: ['pending'], to: 'approved', by: ['paymentApplications.decide'] },
  reject: { from: ['pending'], to: 'rejected', by: ['paymentApplications.decide'] },
  /** The review at the payment service found that data must be mended, or has more to say of it: it is handed in anew. */
  reopen: { from: ['approved', 'rejected'], to: 'rejected', by: ['paymentApplications.review'] },
  /** It goes on there, also where that is taken back before anything was handed in anew. */
  resume: { from: ['rejected', 'approved'], to: 'approved', by: ['paymentApplications.review'] },
} as const satisfies Machine<ApplicationState>
export type ApplicationStep = keyof typeof PAYMENT_APPLICATION_STEPS

/** Of what was approved, how far it is with the payment service; the documents number them 0 to 3. */
export const REVIEW_STATES = {
  waiting: '待受理',
  accepting: '受理中',
  accepted: '已受理',
  rejected: '已驳回',
} as const
export type ReviewState = keyof typeof REVIEW_STATES
export const REVIEW_STATE_KEYS = Object.keys(REVIEW_STATES) as [ReviewState, ...ReviewState[]]

/** The pictures in the order of the form, and which of the vault's kinds each is. */
export const PAPERS = {
  idFrontId: 'idCardFront',
  idBackId: 'idCardBack',
  licenceId: 'businessLicence',
  permitId: 'accountPermit',
  bankCardId: 'bankCard',
  shopFrontId: 'shopFront',
  checkstandId: 'checkstand',
  shopInsideId: 'shopInside',
} as const satisfies Record<string, DocumentKind>
export type PaperName = keyof typeof PAPERS
export const PAPER_NAMES = Object.keys(PAPERS) as [PaperName, ...PaperName[]]

/** The seven that an account asks for: its permit where it is the company's, its card where it is a person's. */
export function papersFor(payType: PayType): PaperName[] {
  const other: PaperName = payType === 'corporate' ? 'bankCardId' : 'permitId'
  return PAPER_NAMES.filter(name => name !== other)
}

export const LIMITS = {
  phone: 20,
  email: 100,
  bankName: 60,
  bankCode: 32,
  branchName: 100,
  branchNumber: 12,
  reason: 100,
  reviewNote: 200,
} as const

export const APPLICATION_HOURS = setting({
  key: 'payment-application-hours',
  group: '审批',
  label: '支付申请承诺处理时间',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 240,
  hint: '提交后多久内给出结果，提交时告知代理商',
})

/** The documents' messages, in their order; of both sides of the card, which have none there, ours. */
export const FORM_REFUSALS = {
  ACCOUNT_REQUIRED: '请输入软件注册的账号',
  ...FIND_REFUSALS,
  PHONE_REQUIRED: '请输入联系电话',
  PHONE_WRONG: '联系电话不正确，请输入手机号或带区号的座机号',
  EMAIL_REQUIRED: '请输入联系邮箱',
  EMAIL_WRONG: '联系邮箱格式不正确',
  REGION_REQUIRED: '请输入开户行信息',
  BANK_REQUIRED: '请选择开户银行',
  BRANCH_REQUIRED: '请输入支行名称',
  BRANCH_NUMBER_WRONG: `支行联行号应为 ${LIMITS.branchNumber} 位数字`,
  ID_FRONT_REQUIRED: '请上传身份证人像面',
  ID_BACK_REQUIRED: '请上传身份证国徽面',
  LICENCE_REQUIRED: '请上传营业执照',
  PERMIT_REQUIRED: '请上传开户许可证',
  BANK_CARD_REQUIRED: '请上传银行卡',
  SHOP_FRONT_REQUIRED: '请上传门店照',
  CHECKSTAND_REQUIRED: '请上传收银台照',
  SHOP_INSIDE_REQUIRED: '请上传店内场景照',
  TEXT_TOO_LONG: '内容过长',
  TEXT_SYMBOLS: '请勿输入特殊字符',
} as const
export type FormRefusal = keyof typeof FORM_REFUSALS

export const STEP_REFUSALS = {
  PENDING_ALREADY: '申请待处理，不能修改',
  UNDER_WAY: '申请已通过，正在支付服务受理，不能修改',
  HANDLED_ALREADY: '已由其他人处理，请刷新',
  REASONS_REQUIRED: '请输入至少一项驳回原因',
  REASON_TOO_LONG: `驳回原因不得超过${LIMITS.reason}字`,
  OWN_SUBMISSION: '不能审核自己提交的申请，请由另一位工作人员审核',
  NOT_APPROVED: '申请还没有通过审核，不能受理',
  AT_SERVICE: '支付服务正在处理该申请，不能驳回，请等待它的结果',
  NOTE_REQUIRED: '请输入驳回的原因',
  NOTE_TOO_LONG: `审核备注不得超过${LIMITS.reviewNote}字`,
  NEWER_APPLICATION: '该店铺已有更新的申请，请处理新的申请',
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  NO_PAPERS: '该申请没有可以下载的资料',
} as const
export const SAVE_REFUSALS = {
  ...FORM_REFUSALS,
  PENDING_ALREADY: STEP_REFUSALS.PENDING_ALREADY,
  UNDER_WAY: STEP_REFUSALS.UNDER_WAY,
  MERCHANT_DISABLED: STEP_REFUSALS.MERCHANT_DISABLED,
} as const

const TEXTS = ['phone', 'email', 'bankName', 'branchName'] as const

export type ApplicationForm = Record<(typeof TEXTS)[number], string> &
  Record<PaperName, number | null> & {
    /** Null: no shop was found yet. */
    merchantId: number | null
    payType: PayType
    /** Six digits of the district where the account was opened. */
    bankRegion: string
    /** Of the payment service's directory; empty where there is none. */
    bankCode: string
    branchNumber: string
  }
export type BrokenField = { field: string; code: FormRefusal }

/** A mobile number, or one of a line with its area: some shops have no other. */
const PHONE = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}|400-?\d{3}-?\d{4})$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/

const isBranchNumber = (text: string) => /^\d+$/.test(text) && text.length === LIMITS.branchNumber

/** What a draft may not be: too long for its place, or full of what is no text. */
export function brokenDraft(form: ApplicationForm): BrokenField[] {
  return [
    ...TEXTS.flatMap((field): BrokenField[] =>
      lengthOf(form[field]) > LIMITS[field] ? [{ field, code: 'TEXT_TOO_LONG' }] : [],
    ),
    ...(['bankName', 'branchName'] as const).flatMap((field): BrokenField[] =>
      isPlainText(cleanLine(form[field])) ? [] : [{ field, code: 'TEXT_SYMBOLS' }],
    ),
    ...(form.branchNumber === '' || isBranchNumber(form.branchNumber)
      ? []
      : [{ field: 'branchNumber', code: 'BRANCH_NUMBER_WRONG' as const }]),
  ]
}

const PAPER_REQUIRED: Record<PaperName, FormRefusal> = {
  idFrontId: 'ID_FRONT_REQUIRED',
  idBackId: 'ID_BACK_REQUIRED',
  licenceId: 'LICENCE_REQUIRED',
  permitId: 'PERMIT_REQUIRED',
  bankCardId: 'BANK_CARD_REQUIRED',
  shopFrontId: 'SHOP_FRONT_REQUIRED',
  checkstandId: 'CHECKSTAND_REQUIRED',
  shopInsideId: 'SHOP_INSIDE_REQUIRED',
}

/** What keeps an application from being handed in, one for a field, in the documents' order. */
export function brokenApplication(form: ApplicationForm): BrokenField[] {
  const phone = cleanPhone(form.phone)
  const email = cleanLine(form.email)
  const broken: BrokenField[] = [
    ...(form.merchantId === null ? [{ field: 'account', code: 'ACCOUNT_REQUIRED' as const }] : []),
    ...emptyOr('phone', phone, 'PHONE_REQUIRED', PHONE.test(phone) ? null : 'PHONE_WRONG'),
    ...emptyOr('email', email, 'EMAIL_REQUIRED', EMAIL.test(email) ? null : 'EMAIL_WRONG'),
    ...emptyOr('bankRegion', form.bankRegion, 'REGION_REQUIRED', null),
    ...emptyOr('bankName', cleanLine(form.bankName), 'BANK_REQUIRED', null),
    ...emptyOr('branchName', cleanLine(form.branchName), 'BRANCH_REQUIRED', null),
    ...papersFor(form.payType).flatMap((field): BrokenField[] =>
      form[field] === null ? [{ field, code: PAPER_REQUIRED[field] }] : [],
    ),
  ]
  const all = [...brokenDraft(form), ...broken]
  return FORM_ORDER.flatMap(field => all.find(one => one.field === field) ?? [])
}

function emptyOr(field: string, text: string, empty: FormRefusal, wrong: FormRefusal | null): BrokenField[] {
  if (text === '') return [{ field, code: empty }]
  return wrong === null ? [] : [{ field, code: wrong }]
}

/** Of each field what staff may say is wrong with it, in the order of the form. */
export const REASON_FIELDS = {
  account: '软件账号',
  phone: '联系电话',
  email: '联系邮箱',
  bankRegion: '开户行地区',
  bankName: '开户银行',
  branchName: '支行名称',
  idFrontId: DOCUMENT_KINDS.idCardFront,
  idBackId: DOCUMENT_KINDS.idCardBack,
  licenceId: DOCUMENT_KINDS.businessLicence,
  permitId: DOCUMENT_KINDS.accountPermit,
  bankCardId: DOCUMENT_KINDS.bankCard,
  shopFrontId: DOCUMENT_KINDS.shopFront,
  checkstandId: DOCUMENT_KINDS.checkstand,
  shopInsideId: DOCUMENT_KINDS.shopInside,
  other: '其他',
} as const
export type ReasonField = keyof typeof REASON_FIELDS
export const REASON_FIELD_KEYS = Object.keys(REASON_FIELDS) as [ReasonField, ...ReasonField[]]
const FORM_ORDER: readonly string[] = REASON_FIELD_KEYS
/** By field, in the words of whoever rejected it. */
export type Reasons = Readonly<Partial<Record<ReasonField, string>>>

/** Those of the fields that an account of this type has. */
export function reasonFieldsFor(payType: PayType): ReasonField[] {
  const papers: readonly string[] = papersFor(payType)
  const isPaper = (field: string) => field in PAPERS
  return REASON_FIELD_KEYS.filter(field => !isPaper(field) || papers.includes(field))
}

export const { givenReasons, refuseReasons, reasonsText } = reasonRules(REASON_FIELDS, LIMITS.reason)

/** Each by its field, as they are counted. */
export const refusedIn = (reasons: Reasons): Refused[] =>
  REASON_FIELD_KEYS.flatMap(field =>
    reasons[field] ? [{ field, label: REASON_FIELDS[field], reason: reasons[field] }] : [],
  )

type Standing = { state: ApplicationState; handledByName: string }

/** Why it cannot be changed now; null: it can. */
export function refuseEdit(state: ApplicationState | null): 'PENDING_ALREADY' | 'UNDER_WAY' | null {
  if (state === null || takes(state, 'submit')) return null
  return state === 'pending' ? 'PENDING_ALREADY' : 'UNDER_WAY'
}

/** While the service has it, what the shop signs there is not what its agent would mend here. */
export const refuseRejection = (review: ReviewState, service: OnboardingState | null): 'AT_SERVICE' | null =>
  review === 'rejected' && service !== null && service !== 'rejected' && service !== 'canceled'
    ? 'AT_SERVICE'
    : null

/** Why it cannot be decided so, told to whoever came second; null where it can. */
export function undecidableText(
  { state, handledByName }: Standing,
  step: 'approve' | 'reject',
): string | null {
  if (takes(state, step)) return null
  if (state === 'draft') return '申请还没有提交'
  return `已由${handledByName || '平台'}处理（${APPLICATION_STATES[state]}）`
}

function takes(state: ApplicationState, step: ApplicationStep): boolean {
  return nextState<ApplicationState, ApplicationStep>(PAYMENT_APPLICATION_STEPS, state, step) !== null
}

export function refuseNote(state: ReviewState, note: string): 'NOTE_REQUIRED' | 'NOTE_TOO_LONG' | null {
  if (state === 'rejected' && cleanLines(note) === '') return 'NOTE_REQUIRED'
  return lengthOf(note) > LIMITS.reviewNote ? 'NOTE_TOO_LONG' : null
}
