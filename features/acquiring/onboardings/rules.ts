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
  hasBack,
  type IdPaperKind,
  ONBOARDING_FIELDS,
  ONBOARDING_STATE_DAYS,
  type OnboardingField,
  type OnboardingState,
  OWNERS_MAX,
  type SettlementCategory,
} from '#kit/ports/onboarding.ts'
import { refuseIdNumber } from '#kit/words/id-number.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'

/** Those with a business licence; others hand in at the service themselves. */
export const ONBOARDED_SUBJECTS = { individual: '个体工商户', enterprise: '企业' } as const
export type OnboardedSubject = keyof typeof ONBOARDED_SUBJECTS
export const ONBOARDED_SUBJECT_KEYS = Object.keys(ONBOARDED_SUBJECTS) as [
  OnboardedSubject,
  ...OnboardedSubject[],
]

/** Whom the service asks for beside the legal person: who signs in its place, and who owns the company, too. */
export const PERSON_ROLES = { deputy: '经办人', owner: '受益所有人' } as const
export type PersonRole = keyof typeof PERSON_ROLES
export const PERSON_ROLE_KEYS = Object.keys(PERSON_ROLES) as [PersonRole, ...PersonRole[]]

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
  personName: 100,
  personNumber: 20,
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
  NO_SERVICE: '没有接入支付服务：厂商在服务器上设置服务商收款后再提交',
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
  PERSON_NAME_WRONG: '姓名至少两个字，不能含数字',
  PERSON_NUMBER_MISSING: '请输入证件号码',
  PERSON_NUMBER_WRONG: '证件号码有误，请逐位核对',
  PERSON_TERM_MISSING: '请选择证件有效期止，或选择长期有效',
  PERSON_TERM_PAST: '证件已过期，请使用有效的证件',
  PERSON_ADDRESS_MISSING: '请输入证件上的住址',
  PERSON_FRONT_MISSING: '请上传证件正面照片',
  PERSON_BACK_MISSING: '请上传证件反面照片',
  DEPUTY_TWICE: '已经有经办人，请直接修改',
  OWNERS_OF_COMPANIES: '只有企业需要填写受益所有人',
  OWNERS_FULL: `除法定代表人外，受益所有人最多 ${OWNERS_MAX} 位`,
  OWNER_TWICE: '这位受益所有人已经添加，请核对证件号码',
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
  /** The deputy first, then the owners in the order in which they were added. */
  people: readonly KnownPerson[]
  shortName: string
  servicePhone: string
  hasAccountNumber: boolean
  category: SettlementCategory | null
  qualifications: number
  /** Of Asia/Shanghai. */
  today: string
}
export type KnownPerson = {
  role: PersonRole
  name: string
  idTo: string
  isIdLongTerm: boolean
  hasAuthorization: boolean
}
export type Lack = { field: string; words: string }

const NUMBER = new RegExp(`^\\d{${LIMITS.accountNumberLeast},${LIMITS.accountNumber}}$`)
const SERVICE_PHONE = /^[\d-]{5,20}$/

/** As people may see it: of a short one the end alone. */
export const maskAccount = (number: string) =>
  number.length < 16 ? `${'*'.repeat(number.length - 4)}${number.slice(-4)}` : maskNumber(number)

/** A citizen's: the service knows other papers as such. */
export const isCitizen = (idNumber: string) => /^[1-8]\d{16}[\dXx]$/.test(idNumber)

/** A licence's number is a 15-digit one, or a code that the market's registrars gave (9…). */
const isLicensed = (code: string) => code.length !== 18 || code.startsWith('9')

/** What a person's form holds. `idNumber` null: as it is kept. */
export type PersonForm = {
  role: PersonRole
  idKind: IdPaperKind
  name: string
  idNumber: string | null
  idFrom: string
  idTo: string
  isIdLongTerm: boolean
  address: string
  frontId: number | null
  backId: number | null
}
export type PersonField = Exclude<keyof PersonForm, 'role'> | 'authorizationId'

/** A resident's card is checked to its last digit; other papers have numbers of many kinds. */
const isPersonNumber = (kind: IdPaperKind, number: string, today: string) =>
  kind === 'idCard'
    ? isCitizen(number) && refuseIdNumber(number, today) === null
    : /^[A-Za-z0-9()]{5,20}$/.test(number)

/** What is wrong with a person beyond what is missing, in the order of the form. The letter alone may come later. */
export function brokenPerson(person: PersonForm, today: string): { field: PersonField; code: Refusal }[] {
  const { role, idKind, name, idNumber, idFrom, idTo, isIdLongTerm } = person
  const broken: (readonly [field: PersonField, isBroken: boolean, code: Refusal])[] = [
    ['frontId', person.frontId === null, 'PERSON_FRONT_MISSING'],
    ['backId', hasBack(idKind) && person.backId === null, 'PERSON_BACK_MISSING'],
    ['name', [...name].length < 2 || /\d/.test(name), 'PERSON_NAME_WRONG'],
    ['idNumber', idNumber === '', 'PERSON_NUMBER_MISSING'],
    ['idNumber', Boolean(idNumber) && !isPersonNumber(idKind, idNumber ?? '', today), 'PERSON_NUMBER_WRONG'],
    ['idTo', !isIdLongTerm && idTo === '', 'PERSON_TERM_MISSING'],
    ['idTo', !isIdLongTerm && idTo !== '' && idTo < today, 'PERSON_TERM_PAST'],
    ['idTo', !isIdLongTerm && idTo !== '' && idFrom !== '' && idTo <= idFrom, 'DAYS_WRONG'],
    ['address', role === 'owner' && person.address === '', 'PERSON_ADDRESS_MISSING'],
  ]
  return broken.filter(([, isBroken]) => isBroken).map(([field, , code]) => ({ field, code }))
}

/** Why nobody may be added in this role; null: somebody may. */
export function refuseMore(
  role: PersonRole,
  subjectKind: OnboardedSubject,
  people: readonly { role: PersonRole }[],
): 'DEPUTY_TWICE' | 'OWNERS_OF_COMPANIES' | 'OWNERS_FULL' | null {
  const there = people.filter(one => one.role === role).length
  if (role === 'deputy') return there > 0 ? 'DEPUTY_TWICE' : null
  if (subjectKind !== 'enterprise') return 'OWNERS_OF_COMPANIES'
  return there >= OWNERS_MAX ? 'OWNERS_FULL' : null
}

/** Those whom the service is told of: it asks companies alone who owns them. */
export const toldOf = <P extends { role: PersonRole }>(
  people: readonly P[],
  subjectKind: OnboardedSubject,
): P[] => people.filter(({ role }) => role === 'deputy' || subjectKind === 'enterprise')

export const isAccountNumber = (text: string) => NUMBER.test(text)

/** What keeps it from being handed in, one for a field, in the order of the form. */
export function lackingOf(known: Known): Lack[] {
  const isEnterprise = known.subjectKind === 'enterprise'
  const { category } = known
  const people = toldOf(known.people, known.subjectKind)
  const deputy = people.find(({ role }) => role === 'deputy')
  const lacks: (readonly [field: string, isLacking: boolean, words: string])[] = [
    ['company', known.company === '', '请在实名资料中填写企业名称'],
    [
      'creditCode',
      known.creditCode === '',
      '请在实名资料中填写统一社会信用代码；没有营业执照的小微商户，请在支付服务的商户平台自行申请',
    ],
    [
      'creditCode',
      !isLicensed(known.creditCode),
      '统一社会信用代码不是营业执照的，政府机关、事业单位和社会组织请在支付服务的商户平台自行申请',
    ],
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
    [
      'phone',
      !isMainlandMobile(known.phone),
      `支付申请的联系电话须为${deputy ? '经办人' : '经营者（法定代表人）'}的手机号，用于签约`,
    ],
    ['deputy', deputy !== undefined && !deputy.hasAuthorization, '请上传经办人的业务办理授权函'],
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
      isEnterprise && !known.isOwner && !people.some(({ role }) => role === 'owner'),
      '法定代表人不是受益所有人，请添加企业的受益所有人',
    ],
    ...people.map(
      ({ role, name, idTo, isIdLongTerm }) =>
        [
          role,
          !isIdLongTerm && idTo < known.today,
          `${PERSON_ROLES[role]}${name}的证件已过期，请更换后再提交`,
        ] as const,
    ),
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
/** Of a person's data: whose, and which field. */
const OF_PEOPLE: Partial<Record<OnboardingField, readonly [role: PersonRole, field: PersonField]>> = {
  administratorKind: ['deputy', 'name'],
  administratorName: ['deputy', 'name'],
  administratorIdKind: ['deputy', 'idKind'],
  administratorIdNumber: ['deputy', 'idNumber'],
  administratorIdFront: ['deputy', 'frontId'],
  administratorIdBack: ['deputy', 'backId'],
  administratorIdTerm: ['deputy', 'idTo'],
  administratorAuthorization: ['deputy', 'authorizationId'],
  ownerIdKind: ['owner', 'idKind'],
  ownerName: ['owner', 'name'],
  ownerIdNumber: ['owner', 'idNumber'],
  ownerIdFront: ['owner', 'frontId'],
  ownerIdBack: ['owner', 'backId'],
  ownerIdAddress: ['owner', 'address'],
  ownerIdTerm: ['owner', 'idTo'],
}

/** As it is kept: with who it is about, since others may be added or removed before it is mended. */
export type KeptRefusal = FieldRefusal & { personId?: number }

/** Each with the person whom it is about, of those who were handed in, in their order. */
export function withPeople(
  refusals: readonly FieldRefusal[],
  people: readonly { id: number; role: PersonRole }[],
): KeptRefusal[] {
  return refusals.map(refusal => {
    const [role] = (refusal.field && OF_PEOPLE[refusal.field]) || []
    const those = people.filter(one => one.role === role)
    const one =
      refusal.place === undefined ? (those.length === 1 ? those[0] : undefined) : those[refusal.place]
    return one ? { ...refusal, personId: one.id } : refusal
  })
}

export type DetailRefusal = {
  field: string
  message: string
  role: PersonRole | null
  personId: number | null
}

/** Refusals by the field of the form at which they are mended: of the completed data, or of a person's. */
export const detailRefusals = (
  refusals: readonly KeptRefusal[],
  people: readonly { id: number; role: PersonRole }[],
): DetailRefusal[] =>
  refusals.flatMap(({ field, reason: message, personId }): DetailRefusal[] => {
    const place = field === null ? undefined : OF_DETAILS[field]
    if (place !== undefined) return [{ field: place, message, role: null, personId: null }]
    const [role, of] = (field && OF_PEOPLE[field]) || []
    // Who was removed meanwhile is not mended any more.
    if (!role || !of || !people.some(one => one.role === role)) return []
    if (personId !== undefined && !people.some(({ id }) => id === personId)) return []
    return [{ field: of, message, role, personId: personId ?? null }]
  })

/** As the application tells them: at its own field, or in one text with what each is about. */
export function reasonsFrom(refusals: readonly FieldRefusal[], message: string): Reasons {
  const reasons: Partial<Record<ReasonField, string>> = {}
  const others: string[] = []
  for (const { field, place: which, name, reason } of refusals) {
    const place = field === null ? undefined : OF_APPLICATION[field]
    if (place !== undefined) reasons[place] = reasons[place] ? `${reasons[place]}；${reason}` : reason
    else {
      const label =
        field === null
          ? name
          : ONBOARDING_FIELDS[field] + (which === undefined ? '' : `（第 ${which + 1} 位）`)
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
