// What the product asks of a payment service that opens merchant accounts for shops (进件): an application is handed in under a
// business code of ours, asked about by that code, and signed by the shop. Nothing is told by callback.
// Days are YYYY-MM-DD, the end of a term may be LONG_TERM. What is not known is absent, and never an empty text.

import type { PayChannelName } from './channels.ts'

/** `signing`: what the shop signed is being carried out there. `editing`: it broke while it was handed in, and is handed in again. */
export const ONBOARDING_STATES = {
  editing: '编辑中',
  auditing: '审核中',
  rejected: '已驳回',
  toBeConfirmed: '待账户验证',
  toBeSigned: '待签约',
  signing: '开通权限中',
  finished: '已完成',
  canceled: '已作废',
} as const
export type OnboardingState = keyof typeof ONBOARDING_STATES

/** Days in which the shop must act, after which the service calls the application off. */
export const ONBOARDING_STATE_DAYS: Partial<Record<OnboardingState, number>> = {
  toBeConfirmed: 10,
  toBeSigned: 30,
}

/** The states in which the same business code may be handed in again, with mended data. */
export const ONBOARDING_OPEN_STATES: readonly OnboardingState[] = ['editing', 'rejected']

export const SUBJECT_KINDS = {
  individual: '个体工商户',
  enterprise: '企业',
  government: '政府机关',
  institution: '事业单位',
  organization: '社会组织',
} as const
export type SubjectKind = keyof typeof SUBJECT_KINDS

/** What proves a subject that has no business licence. */
export const CERTIFICATE_KINDS = {
  institutionLegalPerson: '事业单位法人证书',
  creditCode: '统一社会信用代码证书',
  socialGroup: '社会团体法人登记证书',
  privateNonEnterprise: '民办非企业单位登记证书',
  foundation: '基金会法人登记证书',
  practice: '执业许可证/执业证',
  grassroots: '基层群众性自治组织特别法人统一社会信用代码证',
  ruralCollective: '农村集体经济组织登记证',
  religiousSite: '宗教活动场所登记证',
  otherProof: '政府部门下发的其他有效证明文件',
} as const
export type CertificateKind = keyof typeof CERTIFICATE_KINDS

export const ID_PAPER_KINDS = {
  idCard: '中国大陆居民身份证',
  overseaPassport: '其他国家或地区居民护照',
  hongKongPermit: '中国香港居民来往内地通行证',
  macaoPermit: '中国澳门居民来往内地通行证',
  taiwanPermit: '中国台湾居民来往大陆通行证',
  foreignResident: '外国人居留证',
  hongKongMacaoResident: '港澳居民居住证',
  taiwanResident: '台湾居民居住证',
} as const
export type IdPaperKind = keyof typeof ID_PAPER_KINDS

export const ACCOUNT_KINDS = { corporate: '对公', private: '对私' } as const
export type AccountKind = keyof typeof ACCOUNT_KINDS

/**
 * Which settlement account a subject may have: a shop of one person either, whose private one is the operator's; all others the
 * subject's own alone.
 */
export const ACCOUNT_KINDS_OF: Record<SubjectKind, readonly AccountKind[]> = {
  individual: ['corporate', 'private'],
  enterprise: ['corporate'],
  government: ['corporate'],
  institution: ['corporate'],
  organization: ['corporate'],
}

/** What refusals are about; the words are for people. */
export const ONBOARDING_FIELDS = {
  administratorKind: '超级管理员类型',
  administratorName: '超级管理员姓名',
  administratorIdKind: '超级管理员证件类型',
  administratorIdNumber: '超级管理员证件号码',
  administratorIdFront: '超级管理员证件正面照片',
  administratorIdBack: '超级管理员证件反面照片',
  administratorIdTerm: '超级管理员证件有效期',
  administratorAuthorization: '业务办理授权函',
  administratorPhone: '超级管理员手机',
  administratorEmail: '超级管理员邮箱',
  subjectKind: '主体类型',
  licencePicture: '营业执照照片',
  licenceNumber: '统一社会信用代码/注册号',
  subjectName: '商户名称',
  legalPerson: '经营者/法人姓名',
  licenceAddress: '注册地址',
  licenceTerm: '执照有效期',
  certificatePicture: '登记证书照片',
  certificateKind: '登记证书类型',
  certificateNumber: '证书号',
  idKind: '经营者/法人证件类型',
  idFront: '证件正面照片',
  idBack: '证件反面照片',
  idName: '证件姓名',
  idNumber: '证件号码',
  idAddress: '证件居住地址',
  idTerm: '证件有效期',
  isOwner: '经营者/法人是否为受益人',
  owners: '最终受益人',
  ownerIdKind: '受益人证件类型',
  ownerIdFront: '受益人证件正面照片',
  ownerIdBack: '受益人证件反面照片',
  ownerName: '受益人证件姓名',
  ownerIdNumber: '受益人证件号码',
  ownerIdAddress: '受益人证件居住地址',
  ownerIdTerm: '受益人证件有效期',
  shortName: '商户简称',
  servicePhone: '客服电话',
  scenes: '经营场景',
  storeName: '门店名称',
  storeCity: '门店省市',
  storeAddress: '门店地址',
  entrancePictures: '门店门头照片',
  indoorPictures: '店内环境照片',
  sceneAppid: '场景AppID',
  sceneDomain: '网站域名',
  scenePictures: '场景截图',
  sceneAuthorization: '网站授权函',
  settlementId: '入驻结算规则',
  qualificationType: '所属行业',
  qualifications: '特殊资质',
  accountKind: '账户类型',
  accountHolder: '开户名称',
  accountBank: '开户银行',
  accountCity: '开户银行省市',
  accountBranch: '开户支行',
  accountNumber: '银行账号',
  additionPictures: '补充材料',
  additionMessage: '补充说明',
} as const
export type OnboardingField = keyof typeof ONBOARDING_FIELDS

/** Beneficial owners beside the legal person. */
export const OWNERS_MAX = 4

/** A passport alone has one side. */
export const hasBack = (kind: IdPaperKind) => kind !== 'overseaPassport'

/** What the service gave for a picture that was uploaded. */
export type MediaId = string

/** Six digits of the administrative division, at least down to the city: 440300, 440305. The directory's cities have codes of their own. */
export type DivisionCode = string

export type IdPaper = {
  kind: IdPaperKind
  front: MediaId
  /** Absent: the paper has one side, as a passport. */
  back?: MediaId | undefined
  name: string
  number: string
  /** Asked of enterprises and of beneficial owners. */
  address?: string | undefined
  validFrom: string
  validTo: string
}

/** Who signs and is told what matters: the legal person, or a deputy whom the shop authorizes by letter. */
export type Administrator = { name: string; phone: string; email: string } & (
  | { kind: 'legalPerson' }
  | {
      kind: 'deputy'
      paper: Pick<IdPaper, 'kind' | 'front' | 'back' | 'number' | 'validFrom' | 'validTo'>
      authorization: MediaId
    }
)

export type Subject = {
  /** As the paper prints it. */
  name: string
  legalPerson: string
  number: string
  picture: MediaId
  address: string
  validFrom: string
  validTo: string
} & (
  | { kind: 'individual' | 'enterprise' }
  | { kind: 'government' | 'institution' | 'organization'; certificate: CertificateKind }
)

export type SalesScene =
  | {
      kind: 'store'
      name: string
      division: DivisionCode
      address: string
      entrance: readonly MediaId[]
      indoor: readonly MediaId[]
    }
  | { kind: 'officialAccount' | 'miniProgram' | 'app'; appid: string; pictures: readonly MediaId[] }
  | { kind: 'website'; domain: string; authorization?: MediaId | undefined }

export type SettlementAccount = {
  kind: AccountKind
  /** As the bank has it: the subject's name, or for a private one the operator's. */
  holder: string
  number: string
  /** `accountBank` of the directory's bank. */
  bank: string
  /** Where the account was opened. */
  division: DivisionCode
  /** Where the bank `needsBranch`. */
  branch?: { number: string; name: string } | undefined
}

export type OnboardingApplication = {
  /** Ours: letters, digits and underscores, at most 124. One code is one application and in the end one merchant number. */
  businessCode: string
  administrator: Administrator
  subject: Subject
  /** Of the operator or legal person. */
  identity: IdPaper
  /** Of enterprises: whether the legal person is a beneficial owner. */
  isOwner?: boolean | undefined
  /** Other beneficial owners, at most OWNERS_MAX. */
  owners: readonly IdPaper[]
  business: { shortName: string; servicePhone: string; scenes: readonly SalesScene[] }
  settlement: {
    /** Of `SettlementCategory`. */
    id: string
    qualificationType: string
    qualifications: readonly MediaId[]
  }
  account: SettlementAccount
  additions: { pictures: readonly MediaId[]; message?: string | undefined }
}

/** Why the service's staff refused one field. */
export type FieldRefusal = {
  /** Null: a field that is not ours; then `name` says what it is about. */
  field: OnboardingField | null
  /** Of `owners` that were handed in, which it is about, the first is 0; absent: none of them, or the service does not say. */
  place?: number | undefined
  /** In the service's words. */
  name: string
  reason: string
}

export type OnboardingFact = {
  businessCode: string
  /** The service's own number of the application. */
  serviceId: string
  state: OnboardingState
  /** In the service's words; may be empty. */
  message: string
  /** Where the administrator joins with the service's own app, has the account verified and signs, to be shown as a QR code; there in nearly every state. */
  signUrl: string | null
  /** There from signing on; good for payments only once it is finished. */
  subMerchantId: string | null
  refusals: readonly FieldRefusal[]
}

/** What the account is that money is settled to now, and whether the service has tried it. */
export type AccountFact = {
  kind: AccountKind
  bank: string
  branchName: string | null
  branchNumber: string | null
  /** Masked by the service. */
  numberMasked: string
  verification: 'verifying' | 'verified' | 'failed'
  /** Why it failed; else empty. */
  reason: string
}

export const ACCOUNT_CHANGE_STATES = { auditing: '审核中', done: '已生效', refused: '已驳回' } as const
export type AccountChangeState = keyof typeof ACCOUNT_CHANGE_STATES
export type AccountChangeFact = {
  state: AccountChangeState
  reason: string
  numberMasked: string
  finishedAt: string | null
}
/** Changes of one merchant's settlement account that the service takes on a day of Asia/Shanghai; and none while one is `auditing`. */
export const ACCOUNT_CHANGES_A_DAY = 5

export type Bank = {
  /** As people call it. */
  name: string
  /** To ask for its branches by. */
  code: string
  /** What applications name; several small banks share one. */
  accountBank: string
  needsBranch: boolean
}
/** The code is the directory's own; the name is that of the division, such as 广东省 and 深圳市 (a municipality is a city of itself). */
export type Place = { name: string; code: string }
export type BankBranch = { name: string; number: string }
export type DirectoryPage<Row> = { rows: readonly Row[]; total: number }
export type DirectoryWindow = { offset: number; limit: number }
/** Rows of one page at most. */
export const DIRECTORY_PAGE_MAX = 200

/** The place that a division's name means: 北京 and 北京市 are one. */
export function placeNamed(places: readonly Place[], name: string): Place | null {
  const plain = (text: string) => text.replace(/(省|市|(壮族|回族|维吾尔)?自治区|特别行政区)$/, '')
  return places.find(place => plain(place.name) === plain(name)) ?? null
}

/** Which banks, places and branches the service knows, branches only of banks that `needsBranch`. It changes seldom: keep what was answered for a day. */
export type BankDirectory = {
  banks(kind: AccountKind, window: DirectoryWindow): Promise<DirectoryPage<Bank>>
  /** Of a private account's number; empty: the service cannot tell. */
  banksOfNumber(accountNumber: string): Promise<readonly Bank[]>
  provinces(): Promise<readonly Place[]>
  cities(provinceCode: string): Promise<readonly Place[]>
  branches(bankCode: string, cityCode: string, window: DirectoryWindow): Promise<DirectoryPage<BankBranch>>
}

/** A rule by which the service settles with a line of business. */
export type SettlementCategory = {
  id: string
  subjects: readonly SubjectKind[]
  /** The name that applications carry. */
  qualificationType: string
  /** In hundredths of a percent: 60 is 0.60 %. */
  rateBasisPoints: number
  /** Days after which a payment is settled. */
  settledAfterDays: number
  /** Papers beside the licence, in words; empty: none. */
  papers: string
  /** Whether the service refuses without them; else they are asked for only where the shop has them. */
  arePapersRequired: boolean
}
export type SettlementCategories = {
  rows: readonly SettlementCategory[]
  /** Where the rows come from, and of which day they are. */
  source: string
  asOf: string
}

/**
 * Whose turn it is after a refusal. data: the application is to be mended, at `field` where it is known. pictures: they are to be
 * uploaded again. state: it stands otherwise than was thought, ask. account: the vendor's own account there is to be
 * mended, by somebody of ours. later: nothing is wrong, the same may be asked again later.
 */
export type OnboardingTurn = 'data' | 'pictures' | 'state' | 'account' | 'later'
export type OnboardingTrouble = {
  turn: OnboardingTurn
  field: OnboardingField | null
  /** As of a `FieldRefusal`. */
  place?: number | undefined
  /** In Chinese: what is wrong and what to do. */
  words: string
}

/**
 * All calls reject with ProviderRefused, ProviderBusy or ProviderUnknown. After the last one `ask` before handing in again: the
 * service may have taken it.
 */
export type OnboardingDesk = {
  readonly name: PayChannelName
  readonly directory: BankDirectory
  readonly categories: SettlementCategories
  /** A JPEG, PNG or BMP of at most PICTURE_BYTES_MAX. Uploading it again does no harm. */
  upload(picture: Uint8Array): Promise<MediaId>
  /** A code that is new, or one of ONBOARDING_OPEN_STATES, which this replaces. Answers the service's own number. */
  submit(application: OnboardingApplication): Promise<{ serviceId: string }>
  /** Null: the service knows no such code. */
  ask(businessCode: string): Promise<OnboardingFact | null>
  accountOf(subMerchantId: string): Promise<AccountFact>
  /** Answers the number to ask about the change by. Never repeated blindly: each counts among those of its day. */
  changeAccount(subMerchantId: string, account: SettlementAccount): Promise<{ changeId: string }>
  askChange(subMerchantId: string, changeId: string): Promise<AccountChangeFact>
  troubleOf(refusal: { code: string; message: string }): OnboardingTrouble
}

/** What all pages of the service allow; some say 5 MB. */
export const PICTURE_BYTES_MAX = 2 * 1024 * 1024
