// Owns what a payment service asks for beyond an application, what is wanting of it, where it stands there, and when the service is asked
// again (issue: getting a shop paid). Must never read a clock or a database.

import type {
  ApplicationState,
  PayType,
  ReasonField,
  Reasons,
  ReviewState,
} from '#features/acquiring/payment-applications/rules.ts'
import type { Refused } from '#features/acquiring/refusals/rules.ts'
import { maskNumber } from '#features/care/documents/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import {
  type FieldRefusal,
  ONBOARDING_FIELDS,
  ONBOARDING_STATE_DAYS,
  type OnboardingField,
  type OnboardingState,
  type SettlementCategory,
} from '#kit/ports/onboarding.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'

/** Those with a business licence; others hand in at the service themselves. */
export const ONBOARDED_SUBJECTS = { individual: '个体工商户', enterprise: '企业' } as const
export type OnboardedSubject = keyof typeof ONBOARDED_SUBJECTS
export const ONBOARDED_SUBJECT_KEYS = Object.keys(ONBOARDED_SUBJECTS) as [
  OnboardedSubject,
  ...OnboardedSubject[],
]

/** waiting: it is to be handed in by the program. mending: what was refused is to be mended first. */
export const ONBOARDING_STEP_WORDS = {
  filling: '未提交',
  waiting: '提交中',
  asked: '已提交',
  mending: '待修改',
  stuck: '无法提交',
  finished: '已开通',
  ended: '已作废',
} as const
export type OnboardingStep = keyof typeof ONBOARDING_STEP_WORDS

export const ONBOARDING_STEPS = {
  submit: {
    from: ['filling', 'mending', 'stuck', 'ended'],
    to: 'waiting',
    by: ['paymentApplications.review'],
  },
  handIn: { from: ['waiting', 'stuck'], to: 'asked', by: ['program'] },
  stick: { from: ['waiting', 'stuck'], to: 'stuck', by: ['provider'] },
  refuse: { from: ['waiting', 'stuck', 'asked'], to: 'mending', by: ['provider'] },
  /** It was sent back, or something is wanting again, before it was handed in. */
  withdraw: { from: ['waiting', 'stuck'], to: 'filling', by: ['program'] },
  /** The service does not know it any more. */
  lose: { from: ['asked'], to: 'waiting', by: ['provider'] },
  finish: { from: ['waiting', 'stuck', 'asked'], to: 'finished', by: ['provider'] },
  end: { from: ['waiting', 'stuck', 'asked'], to: 'ended', by: ['provider'] },
} as const satisfies Machine<OnboardingStep>

export const LIMITS = {
  address: 128,
  shortName: 64,
  servicePhone: 20,
  accountNumber: 30,
  accountNumberLeast: 8,
  /** Pictures of special papers that the service takes. */
  qualifications: 5,
  claimSeconds: 300,
  atOnce: 4,
  /** Rounds in which pictures are uploaded again before staff look. */
  pictureRounds: 3,
  /** Rounds without an answer after which staff are told. */
  silentRounds: 20,
  /** Rounds in which the service does not know what it had taken, before it is handed in again. */
  lostRounds: 3,
  /** Nobody asks sooner by hand. */
  askSeconds: 30,
} as const

export const REFUSALS = {
  NO_SERVICE: '没有接入支付服务，请联系运营商配置后再提交',
  NOT_APPROVED: '申请通过审核后才能提交支付服务',
  LACKING: '资料还没有补全',
  ACCEPTED: '申请已受理，无需再提交支付服务',
  UNDER_WAY: '已提交支付服务，处理期间不能修改',
  ALREADY_UNDER_WAY: '已经提交，无需重复提交',
  NOT_HANDED_IN: '没有正在处理的申请',
  ASKED_JUST_NOW: `刚刚查询过，请 ${LIMITS.askSeconds} 秒后再试`,
  NO_NUMBER: '支付服务还没有给出商户号',
  ACCOUNT_NUMBER_WRONG: `银行账号应为 ${LIMITS.accountNumberLeast} 至 ${LIMITS.accountNumber} 位数字`,
  DAYS_WRONG: '有效期止不能早于有效期起',
} as const
export type Refusal = keyof typeof REFUSALS

/** What people complete, and what is known already. */
export type Known = {
  payType: PayType
  phone: string
  bankCode: string
  company: string
  creditCode: string
  legalPerson: string
  personInCharge: string
  hasIdNumber: boolean
  /** The picture that goes along is the one beside which the number lies. */
  isSameCard: boolean
  districtCode: string
  address: string
  subjectKind: OnboardedSubject
  licenceAddress: string
  licenceFrom: string
  licenceTo: string
  isLicenceLongTerm: boolean
  idFrom: string
  idTo: string
  isIdLongTerm: boolean
  idAddress: string
  isOwner: boolean
  shortName: string
  servicePhone: string
  hasAccountNumber: boolean
  category: SettlementCategory | null
  qualifications: number
  /** Of Asia/Shanghai. */
  today: string
}
export type Lack = { field: string; words: string }

const NUMBER = new RegExp(`^\\d{${LIMITS.accountNumberLeast},${LIMITS.accountNumber}}$`)
const SERVICE_PHONE = /^[\d-]{5,20}$/

/** As people may see it: of a short one the end alone. */
export const maskAccount = (number: string) =>
  number.length < 16 ? `${'*'.repeat(number.length - 4)}${number.slice(-4)}` : maskNumber(number)

/** A citizen's: the service knows other papers as such. */
export const isCitizen = (idNumber: string) => /^[1-8]\d{16}[\dXx]$/.test(idNumber)

export const isAccountNumber = (text: string) => NUMBER.test(text)

/** What keeps it from being handed in, one for a field, in the order of the form. */
export function lackingOf(known: Known): Lack[] {
  const isEnterprise = known.subjectKind === 'enterprise'
  const { category } = known
  const lacks: (readonly [field: string, isLacking: boolean, words: string])[] = [
    ['company', known.company === '', '请在实名资料中填写企业名称'],
    ['creditCode', known.creditCode === '', '请在实名资料中填写统一社会信用代码'],
    ['legalPerson', known.legalPerson === '', '请在实名资料中填写法定代表人'],
    ['idNumber', !known.hasIdNumber, '请在实名资料中填写身份证号'],
    [
      'idFrontId',
      known.hasIdNumber && !known.isSameCard,
      '支付申请与实名资料的身份证人像面不是同一张，请统一后再提交',
    ],
    [
      'personInCharge',
      known.personInCharge !== '' && known.personInCharge !== known.legalPerson,
      '身份证须为经营者（法定代表人）本人，实名资料中的责任人不是法定代表人',
    ],
    ['phone', !isMainlandMobile(known.phone), '支付申请的联系电话须为经营者（法定代表人）的手机号，用于签约'],
    ['bankCode', known.bankCode === '', '请在支付申请中从列表选择开户银行'],
    [
      'shopAddress',
      known.districtCode === '' || known.address === '',
      '请在商户资料中填写店铺所在地区和详细地址',
    ],
    [
      'subjectKind',
      known.subjectKind === 'individual' && known.company.endsWith('公司'),
      '营业执照上是公司，主体类型应为企业',
    ],
    ['payType', isEnterprise && known.payType === 'private', '企业只能使用对公账户，请修改支付申请'],
    ['licenceAddress', known.licenceAddress === '', '请输入执照上的地址'],
    ...termLacks('licence', '执照', known.licenceFrom, known.licenceTo, known.isLicenceLongTerm, known.today),
    ...termLacks('id', '身份证', known.idFrom, known.idTo, known.isIdLongTerm, known.today),
    ['idAddress', isEnterprise && known.idAddress === '', '请输入身份证上的住址'],
    [
      'isOwner',
      isEnterprise && !known.isOwner,
      '法定代表人不是受益所有人的企业，请在支付服务的商户平台自行申请',
    ],
    ['shortName', [...known.shortName].length < 2, '请输入商户简称，至少两个字'],
    ['servicePhone', !SERVICE_PHONE.test(known.servicePhone), '请输入客服电话'],
    ['category', category === null, '请选择所属行业'],
    [
      'qualifications',
      Boolean(category?.arePapersRequired) && known.qualifications === 0,
      `该行业须上传${category?.papers ?? ''}，请在证件资料中上传为行业许可证或资质证书`,
    ],
    ['accountNumber', !known.hasAccountNumber, '请输入银行账号'],
  ]
  return lacks.filter(([, isLacking]) => isLacking).map(([field, , words]) => ({ field, words }))
}

function termLacks(
  of: 'licence' | 'id',
  paper: string,
  from: string,
  to: string,
  isLongTerm: boolean,
  today: string,
): [field: string, isLacking: boolean, words: string][] {
  return [
    [`${of}From`, from === '', `请选择${paper}有效期起`],
    [`${of}To`, !isLongTerm && to === '', `请选择${paper}有效期止，或选择长期有效`],
    [`${of}To`, !isLongTerm && to !== '' && to < today, `${paper}已过期，请更换后再提交`],
  ]
}

/** Which field of the application a refusal of the service is about; the others stand in the data that were completed. */
const OF_APPLICATION: Partial<Record<OnboardingField, ReasonField>> = {
  administratorPhone: 'phone',
  administratorEmail: 'email',
  licencePicture: 'licenceId',
  idFront: 'idFrontId',
  idBack: 'idBackId',
  entrancePictures: 'shopFrontId',
  indoorPictures: 'shopInsideId',
  accountBank: 'bankName',
  accountCity: 'bankRegion',
  accountBranch: 'branchName',
}

/** Which field of the data that were completed. */
const OF_DETAILS: Partial<Record<OnboardingField, string>> = {
  subjectKind: 'subjectKind',
  licenceAddress: 'licenceAddress',
  licenceTerm: 'licenceTo',
  idAddress: 'idAddress',
  idTerm: 'idTo',
  isOwner: 'isOwner',
  owners: 'isOwner',
  shortName: 'shortName',
  servicePhone: 'servicePhone',
  settlementId: 'category',
  qualificationType: 'category',
  qualifications: 'category',
  accountNumber: 'accountNumber',
}
/** Refusals by the field of the form at which they are mended. */
export const detailRefusals = (refusals: readonly FieldRefusal[]): { field: string; message: string }[] =>
  refusals.flatMap(({ field, reason }) => {
    const place = field === null ? undefined : OF_DETAILS[field]
    return place === undefined ? [] : [{ field: place, message: reason }]
  })

/** As the application tells them: at its own field, or in one text with what each is about. */
export function reasonsFrom(refusals: readonly FieldRefusal[], message: string): Reasons {
  const reasons: Partial<Record<ReasonField, string>> = {}
  const others: string[] = []
  for (const { field, name, reason } of refusals) {
    const place = field === null ? undefined : OF_APPLICATION[field]
    if (place !== undefined) reasons[place] = reasons[place] ? `${reasons[place]}；${reason}` : reason
    else {
      const label = field === null ? name : ONBOARDING_FIELDS[field]
      others.push(label === '' ? reason : `${label}：${reason}`)
    }
  }
  if (refusals.length === 0) others.push(message || '支付服务没有说明原因')
  return others.length > 0 ? { ...reasons, other: others.join('；') } : reasons
}

/** Each by the field at which it is mended, as they are counted. */
export function refusedFrom(refusals: readonly FieldRefusal[], message: string): Refused[] {
  if (refusals.length === 0)
    return [{ field: 'other', label: '其他', reason: message || '支付服务没有说明原因' }]
  return refusals.map(({ field, name, reason }) => ({
    field: field === null ? 'other' : (OF_APPLICATION[field] ?? OF_DETAILS[field] ?? field),
    label: field === null ? name || '其他' : ONBOARDING_FIELDS[field],
    reason,
  }))
}

/** What the shop's agent hears once it stands so; null: nothing is asked of anybody. */
export const TITLES: Readonly<Record<OnboardingState, string | null>> = {
  editing: null,
  auditing: null,
  rejected: '支付申请被支付服务驳回',
  toBeConfirmed: '支付申请待账户验证，请店主扫码',
  toBeSigned: '支付申请待签约，请店主扫码',
  signing: null,
  finished: '支付已开通',
  canceled: '支付申请已被支付服务作废',
}

const MINUTE = 60
/** Minutes that it stands so before it is asked about more seldom. */
const SOON = 60 * MINUTE

/** Seconds until the service is asked next; null: no more. Every five minutes in the first hour, then hourly; what did not go through, later and later. */
export function secondsToNext(
  { state, tries, changedAt }: { state: OnboardingStep; tries: number; changedAt: string },
  now: Date,
): number | null {
  switch (state) {
    case 'waiting':
      return Math.min(10 * MINUTE, 5 * 2 ** Math.min(tries, 10))
    case 'stuck':
      return Math.min(60 * MINUTE, MINUTE * 2 ** Math.min(tries, 10))
    case 'asked':
      return (now.getTime() - Date.parse(changedAt)) / 1_000 < SOON ? 5 * MINUTE : 60 * MINUTE
    default:
      return null
  }
}

/** Days in which the shop must act, from when it came to stand so; null: nothing is asked of it. */
export function daysLeftOf(state: OnboardingState | null, changedAt: string, now: Date): number | null {
  const days = state && ONBOARDING_STATE_DAYS[state]
  if (!days) return null
  return Math.max(0, days - Math.floor((now.getTime() - Date.parse(changedAt)) / 86_400_000))
}

/** Why nothing may be completed now; null: it may. */
export function refuseCompletion(
  state: OnboardingStep | null,
  review: ReviewState | null,
): 'UNDER_WAY' | 'ACCEPTED' | null {
  if (review === 'accepted' && state !== 'finished') return 'ACCEPTED'
  return state === 'waiting' || state === 'stuck' || state === 'asked' || state === 'finished'
    ? 'UNDER_WAY'
    : null
}

export function refuseSubmission({
  state,
  application,
  review,
  isConnected,
  lacking,
}: {
  state: OnboardingStep
  /** Of the application; it may have been accepted by hand. */
  review: ReviewState | null
  application: ApplicationState
  isConnected: boolean
  lacking: number
}): Refusal | null {
  if (!isConnected) return 'NO_SERVICE'
  if (!(ONBOARDING_STEPS.submit.from as readonly OnboardingStep[]).includes(state)) return 'ALREADY_UNDER_WAY'
  if (application !== 'approved') return 'NOT_APPROVED'
  if (review === 'accepted') return 'ACCEPTED'
  return lacking > 0 ? 'LACKING' : null
}

/** A code that no other application has: what was called off is another one at the service. */
export const businessCodeOf = (applicationId: number, round: string) => `PO_${applicationId}_${round}`
