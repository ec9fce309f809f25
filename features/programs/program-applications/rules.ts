// Owns what an application for a shop's mini program is, what is refused of it, its states and who takes which step (D2 §2 16, 17, 22,
// §4, §5; D3 §2). Must never read a clock or a database.
import { DOCUMENT_KINDS, type DocumentKind } from '#features/care/documents/rules.ts'
import { FIND_REFUSALS, REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { cleanCode, cleanLine, cleanLines, cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { refuseLicenceNumber } from '#kit/words/licence-number.ts'

/** Registered by the vendor for the shop, or one that the shop has already and hands to the vendor. */
export const APPLICATION_KINDS = { registration: '注册小程序', existing: '已有小程序' } as const
export type ApplicationKind = keyof typeof APPLICATION_KINDS

/** The documents number what is handed in 0; what is decided they call processed. */
export const PROGRAM_APPLICATION_STATES = {
  draft: '草稿',
  pending: '待审核',
  approved: '已处理',
  rejected: '已驳回',
} as const
export type ApplicationState = keyof typeof PROGRAM_APPLICATION_STATES
export const STATE_KEYS = Object.keys(PROGRAM_APPLICATION_STATES) as [ApplicationState, ...ApplicationState[]]

export const PROGRAM_APPLICATION_STEPS = {
  submit: { from: ['draft', 'rejected'], to: 'pending', by: ['programApplications.edit'] },
  approve: { from: ['pending'], to: 'approved', by: ['programApplications.decide'] },
  reject: { from: ['pending'], to: 'rejected', by: ['programApplications.decide'] },
} as const satisfies Machine<ApplicationState>
export type ApplicationStep = keyof typeof PROGRAM_APPLICATION_STEPS

/** Where it stands on the way to its release, by the documents' numbers (D2 §4). */
export type FlowNumbers = { flowStatus: number; flowStep: number; submitStatus: number }
/** Data are reviewed by hand; reviewed, it can be created; one that exists waits for its owner's authorisation (D3 §3). */
export const FLOW_NUMBERS = {
  review: { flowStatus: 1, flowStep: 1, submitStatus: 0 },
  reviewed: { flowStatus: 1, flowStep: 2, submitStatus: 0 },
  existing: { flowStatus: 9, flowStep: 99, submitStatus: 0 },
} as const satisfies Record<string, FlowNumbers>

/** What the mini program is for. The documents number them 1 to 10, in this order. */
export const PROGRAM_TYPES = {
  shop: '微商城',
  points: '积分商城',
  shopBooking: '微商城+预约',
  shopPoints: '微商城+积分商城',
  shopPointsBooking: '微商城+积分商城+预约',
  scanOrder: '扫码点餐',
  scanBuy: '扫码购',
  booking: '预约',
  artTraining: '艺术培训',
  boardGames: '棋牌',
} as const
export type ProgramType = keyof typeof PROGRAM_TYPES
export const PROGRAM_TYPE_KEYS = Object.keys(PROGRAM_TYPES) as [ProgramType, ...ProgramType[]]

/** The pictures in the order in which they are asked for, and which of the vault's kinds each is. */
export const PAPERS = {
  headImageId: 'headImage',
  idFrontId: 'idCardFront',
  idBackId: 'idCardBack',
  licenceId: 'businessLicence',
} as const satisfies Record<string, DocumentKind>
export type PaperName = keyof typeof PAPERS
export const PAPER_NAMES = Object.keys(PAPERS) as [PaperName, ...PaperName[]]

export const LIMITS = {
  companyName: 100,
  companyCode: 18,
  legalPersonName: 50,
  wechatLeast: 6,
  legalPersonWechat: 20,
  servicePhone: 20,
  /** The platform counts a Chinese character twice. */
  nameWidthLeast: 4,
  nameWidthMost: 30,
  introLeast: 4,
  intro: 50,
  reason: 100,
  certificates: 10,
  headImageBytes: 2 * 1024 * 1024,
} as const

export const PROGRAM_APPLICATION_HOURS = setting({
  key: 'program-application-hours',
  group: '审批',
  label: '小程序申请承诺审核时间',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 240,
  hint: '提交后多久内给出结果，提交时告知代理商',
})

/** The documents' messages for what is missing; what is wrong with the rest, ours. */
export const FORM_REFUSALS = {
  ACCOUNT_REQUIRED: '请输入软件注册的账户',
  ...FIND_REFUSALS,
  COMPANY_REQUIRED: '请输入营业执照上的名称',
  CODE_REQUIRED: '请输入营业上的统一社会信用代码',
  // No limit: lengths of the numbers' own standards.
  CODE_WRONG: '代码不正确，应为 18 位统一社会信用代码、15 位注册号或 9 位组织机构代码',
  WECHAT_REQUIRED: '请输入法人微信号',
  WECHAT_WRONG: `微信号不正确，应为 ${LIMITS.wechatLeast} 至 ${LIMITS.legalPersonWechat} 位字母、数字、下划线或减号，以字母开头`,
  LEGAL_PERSON_REQUIRED: '请输入法人姓名',
  PHONE_REQUIRED: '请输入客服电话',
  // No limit: the prefix of a service number.
  PHONE_WRONG: '客服电话不正确，请输入手机号、带区号的座机号或 400 电话',
  NAME_REQUIRED: '请输入小程序名称',
  NAME_LENGTH_WRONG: `小程序名称须为 ${LIMITS.nameWidthLeast} 至 ${LIMITS.nameWidthMost} 个字符，一个汉字算两个字符`,
  NAME_SYMBOLS: '小程序名称不能含空格、引号、尖括号、斜杠或 @',
  NAME_UNAVAILABLE: '当前名称不可用',
  TYPE_REQUIRED: '请输入小程序类别',
  INTRO_REQUIRED: '请输入小程序简介',
  INTRO_TOO_SHORT: `小程序简介至少 ${LIMITS.introLeast} 个字`,
  INTRO_TOO_LONG: `小程序简介不得超过 ${LIMITS.intro} 字`,
  CATEGORY_REQUIRED: '请选择小程序类目',
  CATEGORY_GONE: '所选类目已不在类目清单中，请重新选择小程序类目',
  CATEGORY_NOT_LAST: '请选择三级类目',
  HEAD_IMAGE_REQUIRED: '请上传小程序头像',
  HEAD_IMAGE_NOT_SQUARE: '小程序头像须为正方形，请裁剪后重新上传',
  HEAD_IMAGE_TOO_LARGE: '小程序头像不得超过 2M，请压缩后重新上传',
  ID_FRONT_REQUIRED: '请上传身份证正面照',
  ID_BACK_REQUIRED: '请上传身份证反面照',
  LICENCE_REQUIRED: '请上传营业执照',
  CERTIFICATE_REQUIRED: '请上传资质证书',
  TEXT_TOO_LONG: '内容过长，请缩短后重试',
} as const
export type FormRefusal = keyof typeof FORM_REFUSALS

export const STEP_REFUSALS = {
  PENDING_ALREADY: '申请待审核，不能修改',
  APPROVED_ALREADY: '申请已处理，不能修改',
  DELETED_ALREADY: '申请已删除，请先恢复',
  HANDLED_ALREADY: '已由其他人处理，请刷新',
  REASON_REQUIRED: '请输入驳回原因',
  REASON_TOO_LONG: `驳回原因不得超过${LIMITS.reason}字`,
  OWN_SUBMISSION: '不能审核自己提交的申请，请由另一位工作人员审核',
  ANOTHER_STANDS: '该店铺已有小程序申请，不能再新建或恢复',
  EXISTING_ALREADY: '该店铺登记的是已有小程序，不需要填写注册资料',
  NOT_EXISTING: '该申请是注册小程序，请在小程序资料中修改类别',
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  NO_PAPERS: '该申请没有可以下载的资料',
} as const
export const SAVE_REFUSALS = { ...FORM_REFUSALS, ...STEP_REFUSALS } as const

/** What is typed; the WeChat number of the legal person is null where the one that is kept stays. */
export type TypedForm = {
  companyName: string
  companyCode: string
  legalPersonWechat: string
  legalPersonName: string
  servicePhone: string
  programName: string
  programType: ProgramType | null
  intro: string
}
/** `categoryId`: the platform's number of the last level. `alternative`: which of its sets of papers, from 0. */
export type ChosenForm = Record<PaperName, number | null> & ChosenCategory
export type ChosenCategory = {
  categoryId: number | null
  alternative: number
  certificates: readonly Certificate[]
}
export type Certificate = { name: string; documentId: number }
/** One of the levels of the category that was chosen. */
export type CategoryLevel = { id: number; name: string }
export type BrokenField = { field: string; code: FormRefusal }

/** How the platform calls the code: 1 credit code, 2 of an organization, 3 of a registration (D2 §5). */
export function codeKindOf(code: string): 1 | 2 | 3 {
  const { length } = cleanCode(code)
  return length === 9 ? 2 : length === 15 ? 3 : 1
}

/** Two for a Chinese character. */
export const nameWidth = (name: string) =>
  [...cleanLine(name)].reduce((sum, one) => sum + (one > '\u00ff' ? 2 : 1), 0)

const PHONE = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}|400-?\d{3}-?\d{4})$/
/** What an owner chose, or the mobile number that stands for it. */
const WECHAT = /^([A-Za-z][\w-]{5,19}|1[3-9]\d{9})$/
const NAME_SIGNS = /[\s<>"'@/\\]/

/** `wechatKept`: one is kept already, so that nothing typed means no change. */
export function brokenTexts(form: TypedForm, wechatKept = false): BrokenField[] {
  const code = cleanCode(form.companyCode).toUpperCase()
  const wechat = cleanLine(form.legalPersonWechat)
  const phone = cleanPhone(form.servicePhone)
  const name = cleanLine(form.programName)
  const intro = cleanLines(form.intro)
  const found: (readonly [field: string, code: FormRefusal | null])[] = [
    ['companyName', cleanLine(form.companyName) === '' ? 'COMPANY_REQUIRED' : null],
    ['companyCode', code === '' ? 'CODE_REQUIRED' : isCompanyCode(code) ? null : 'CODE_WRONG'],
    [
      'legalPersonWechat',
      wechat === '' ? (wechatKept ? null : 'WECHAT_REQUIRED') : WECHAT.test(wechat) ? null : 'WECHAT_WRONG',
    ],
    ['legalPersonName', cleanLine(form.legalPersonName) === '' ? 'LEGAL_PERSON_REQUIRED' : null],
    ['servicePhone', phone === '' ? 'PHONE_REQUIRED' : PHONE.test(phone) ? null : 'PHONE_WRONG'],
    ['programName', name === '' ? 'NAME_REQUIRED' : wrongName(name)],
    ['programType', form.programType === null ? 'TYPE_REQUIRED' : null],
    [
      'intro',
      intro === '' ? 'INTRO_REQUIRED' : lengthOf(intro) < LIMITS.introLeast ? 'INTRO_TOO_SHORT' : null,
    ],
  ]
  const tooLong = brokenDraft(form)
  return found.flatMap(([field, refused]): BrokenField[] => {
    const long = tooLong.find(one => one.field === field)
    if (refused !== null) return [{ field, code: refused }]
    return long ? [long] : []
  })
}

function isCompanyCode(code: string): boolean {
  if (code.length === 9) return /^[0-9A-Z]{8}-?[0-9X]$/.test(code)
  return refuseLicenceNumber(code) === null
}

function wrongName(name: string): FormRefusal | null {
  if (NAME_SIGNS.test(name)) return 'NAME_SYMBOLS'
  const width = nameWidth(name)
  return width < LIMITS.nameWidthLeast || width > LIMITS.nameWidthMost ? 'NAME_LENGTH_WRONG' : null
}

/** What the platform could be asked about a name; null: it need not be, since the name is refused anyhow or empty. */
export function askableName(name: string): string | null {
  const cleaned = cleanLine(name)
  return cleaned === '' || wrongName(cleaned) !== null ? null : cleaned
}

/** What a draft may not be: too long for its place. */
export function brokenDraft(form: Omit<TypedForm, 'programType'>): BrokenField[] {
  const lengths: readonly (readonly [field: string, isLong: boolean, code: FormRefusal])[] = [
    ['companyName', lengthOf(form.companyName) > LIMITS.companyName, 'TEXT_TOO_LONG'],
    ['companyCode', lengthOf(form.companyCode) > LIMITS.companyCode, 'CODE_WRONG'],
    ['legalPersonWechat', lengthOf(form.legalPersonWechat) > LIMITS.legalPersonWechat, 'WECHAT_WRONG'],
    ['legalPersonName', lengthOf(form.legalPersonName) > LIMITS.legalPersonName, 'TEXT_TOO_LONG'],
    ['servicePhone', lengthOf(form.servicePhone) > LIMITS.servicePhone, 'PHONE_WRONG'],
    ['programName', nameWidth(form.programName) > LIMITS.nameWidthMost, 'NAME_LENGTH_WRONG'],
    ['intro', lengthOf(form.intro) > LIMITS.intro, 'INTRO_TOO_LONG'],
  ]
  return lengths.flatMap(([field, isLong, code]) => (isLong ? [{ field, code }] : []))
}

const PAPER_REQUIRED: Record<PaperName, FormRefusal> = {
  headImageId: 'HEAD_IMAGE_REQUIRED',
  idFrontId: 'ID_FRONT_REQUIRED',
  idBackId: 'ID_BACK_REQUIRED',
  licenceId: 'LICENCE_REQUIRED',
}

/** The category as the list in force has it: its sets of papers, and whether there is a level below. Null: it is not there. */
export type KnownCategory = { alternatives: readonly (readonly string[])[]; isLast: boolean }

/** Beside the texts, in the documents' order: category, avatar, both sides of the card, licence, certificates. */
export function brokenChoices(form: ChosenForm, category: KnownCategory | null): BrokenField[] {
  return [
    ...brokenCategory(form, category),
    ...PAPER_NAMES.flatMap((field): BrokenField[] =>
      form[field] === null ? [{ field, code: PAPER_REQUIRED[field] }] : [],
    ),
    ...brokenCertificates(form, category),
  ]
}

/** Of a category and its certificates alone. */
export const brokenChosenCategory = (form: ChosenCategory, category: KnownCategory | null): BrokenField[] => [
  ...brokenCategory(form, category),
  ...brokenCertificates(form, category),
]

function brokenCategory({ categoryId }: ChosenCategory, category: KnownCategory | null): BrokenField[] {
  const code = refuseCategory(categoryId, category)
  return code === null ? [] : [{ field: 'categoryId', code }]
}

function brokenCertificates(form: ChosenCategory, category: KnownCategory | null): BrokenField[] {
  const wanted = category?.alternatives[form.alternative] ?? category?.alternatives[0] ?? []
  return wanted.flatMap((name, at): BrokenField[] =>
    form.certificates.some(one => one.name === name)
      ? []
      : [{ field: certificateField(at), code: 'CERTIFICATE_REQUIRED' }],
  )
}

function refuseCategory(id: number | null, category: KnownCategory | null): FormRefusal | null {
  if (id === null) return 'CATEGORY_REQUIRED'
  if (category === null) return 'CATEGORY_GONE'
  return category.isLast ? null : 'CATEGORY_NOT_LAST'
}

/** Under which the certificate of this place in its set stands in the form. */
export const certificateField = (at: number) => `certificate${at}`

/** The certificates that the chosen set of papers wants; what else was uploaded is let go. */
export function wantedCertificates(
  form: Pick<ChosenForm, 'alternative' | 'certificates'>,
  { alternatives }: KnownCategory,
): Certificate[] {
  const wanted = alternatives[form.alternative] ?? alternatives[0] ?? []
  return form.certificates.filter(({ name }) => wanted.includes(name))
}

/** `bytes` and edges in pixels of the picture as it is kept. */
export function refuseHeadImage(picture: {
  bytes: number
  width: number
  height: number
}): FormRefusal | null {
  if (picture.bytes > LIMITS.headImageBytes) return 'HEAD_IMAGE_TOO_LARGE'
  return picture.width === picture.height ? null : 'HEAD_IMAGE_NOT_SQUARE'
}

/** Enough to be recognised by whoever knows it. */
export function maskWechat(wechat: string): string {
  return wechat === '' ? '' : `${wechat.slice(0, 2)}****${wechat.slice(-2)}`
}

type Standing = { state: ApplicationState; handledByName: string; deletedAt: string | null }

/** Why it cannot be changed now; null: it can. Staff who review it mend what waits for them. */
export function refuseEdit(
  row: Pick<Standing, 'state' | 'deletedAt'> & { kind: ApplicationKind },
  reviews: boolean,
): 'DELETED_ALREADY' | 'EXISTING_ALREADY' | 'PENDING_ALREADY' | 'APPROVED_ALREADY' | null {
  if (row.deletedAt !== null) return 'DELETED_ALREADY'
  if (row.kind === 'existing') return 'EXISTING_ALREADY'
  if (takes(row.state, 'submit')) return null
  if (row.state === 'pending') return reviews ? null : 'PENDING_ALREADY'
  return 'APPROVED_ALREADY'
}

/** Why it cannot be decided so, told to whoever came second; null where it can. */
export function undecidableText(row: Standing, step: 'approve' | 'reject'): string | null {
  if (row.deletedAt !== null) return STEP_REFUSALS.DELETED_ALREADY
  if (takes(row.state, step)) return null
  if (row.state === 'draft') return '申请还没有提交'
  return `已由${row.handledByName || '平台'}处理（${PROGRAM_APPLICATION_STATES[row.state]}）`
}

function takes(state: ApplicationState, step: ApplicationStep): boolean {
  return nextState<ApplicationState, ApplicationStep>(PROGRAM_APPLICATION_STEPS, state, step) !== null
}

export function refuseReason(reason: string): 'REASON_REQUIRED' | 'REASON_TOO_LONG' | null {
  if (cleanLines(reason) === '') return 'REASON_REQUIRED'
  return lengthOf(reason) > LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** What is said of a name: it may be had, it may not, it may with papers that prove it, or nobody could say. */
export const NAME_STANDINGS = {
  available: '名称可用',
  unavailable: FORM_REFUSALS.NAME_UNAVAILABLE,
  proof: '名称可用，但需要证明材料',
  unknown: '暂时不能校验名称，不影响提交，最终以微信审核为准',
} as const
export type NameStanding = keyof typeof NAME_STANDINGS

/** How papers are called in the log. */
export const PAPER_LABELS = Object.fromEntries(
  PAPER_NAMES.map(name => [name, DOCUMENT_KINDS[PAPERS[name]]]),
) as Record<PaperName, string>
