// Owns what a shop's verification (identity) data are, what is refused of them, their states and who takes which step, and how what was
// read of a paper stands beside what was typed (D1 §2, §4, §5; D2 §3, §5).
// Must never read a clock or a database, and must never hold an ID number.
import { REQUEST_REFUSALS } from '#features/care/approvals/rules.ts'
import { DOCUMENT_KINDS, type DocumentKind } from '#features/care/documents/rules.ts'
import {
  LIMITS as MERCHANT_LIMITS,
  REFUSALS as MERCHANT_REFUSALS,
  refuseSignature,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from '#features/shops/merchants/rules.ts'
import { CODE_REFUSALS, refuseTypedCode } from '#features/shops/messages/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import type { OcrName, OcrProblem } from '#kit/ports/ocr.ts'
import { cleanCode, cleanPhone, lengthOf } from '#kit/words/cleaned.ts'
import { ID_NUMBER_REFUSALS, refuseIdNumber } from '#kit/words/id-number.ts'
import { LICENCE_NUMBER_REFUSALS, refuseLicenceNumber } from '#kit/words/licence-number.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

/** The documents number them 1 verified, 2 unverified, 3 failed, 4 in review; what is unverified is a draft. */
export const VERIFICATION_STEPS = {
  submit: { from: ['unverified', 'failed'], to: 'reviewing', by: ['verification.edit', 'pos.write'] },
  withdraw: { from: ['reviewing'], to: 'unverified', by: ['verification.edit'] },
  verify: { from: ['reviewing'], to: 'verified', by: ['verification.decide'] },
  reject: { from: ['reviewing'], to: 'failed', by: ['verification.decide'] },
  /** What was verified turns out to be wrong. */
  revoke: { from: ['verified'], to: 'failed', by: ['verification.decide'] },
} as const satisfies Machine<VerificationStatus>
export type VerificationStep = keyof typeof VERIFICATION_STEPS

/** The texts, in the order of the form. */
export const TEXTS = ['company', 'creditCode', 'legalPerson', 'personInCharge', 'signature', 'phone'] as const
export type TextName = (typeof TEXTS)[number]
/** What a paper may say. */
export type ReadName = Exclude<TextName, 'signature' | 'phone'> | 'idNumber'
export const READ_LABELS = {
  company: '企业名称',
  creditCode: '统一社会信用代码',
  legalPerson: '法定代表人',
  personInCharge: '责任人姓名',
  idNumber: '责任人身份证号',
} as const satisfies Record<ReadName, string>
export const READ_NAMES = Object.keys(READ_LABELS) as [ReadName, ...ReadName[]]

/** The papers, and which of the vault's kinds each is. */
export const PAPERS = {
  licenceId: 'businessLicence',
  idFrontId: 'idCardFront',
  idBackId: 'idCardBack',
} as const satisfies Record<string, DocumentKind>
export type PaperName = keyof typeof PAPERS
export const PAPER_NAMES = Object.keys(PAPERS) as [PaperName, ...PaperName[]]

export const VERIFICATION_LIMITS = {
  company: 50,
  creditCode: 18,
  legalPerson: 30,
  personInCharge: 30,
  idNumber: 18,
  signature: MERCHANT_LIMITS.signature,
  phone: 11,
  reason: 50,
  advice: 100,
  /** Why a warning may stand, or what was made of it. */
  explanation: 100,
  /** Of one form; more warnings than there can be. */
  explanations: 60,
} as const

export const READS_PER_PAPER = setting({
  key: 'paper-reads',
  group: '证件识别',
  label: '每张证件最多识别',
  unit: '次',
  initial: 5,
  min: 1,
  max: 50,
  hint: '识别失败后可重试；识别服务按次收费，识别成功的证件不会重复识别',
})
export const VERIFICATION_HOURS = setting({
  key: 'verification-hours',
  group: '审批',
  label: '实名资料承诺审核时间',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 240,
  hint: '提交后多久内给出结果，提交时告知代理商',
})

const { SIGNATURE_REQUIRED, SIGNATURE_TOO_LONG, SIGNATURE_TOO_SHORT, SIGNATURE_SYMBOLS, SIGNATURE_DIGITS } =
  MERCHANT_REFUSALS

export const FORM_REFUSALS = {
  FIELD_REQUIRED: '请填入必填项',
  TEXT_TOO_LONG: '内容过长',
  NAME_SYMBOLS: '请勿输入特殊字符',
  SIGNATURE_REQUIRED,
  SIGNATURE_TOO_LONG,
  SIGNATURE_TOO_SHORT,
  SIGNATURE_SYMBOLS,
  SIGNATURE_DIGITS,
  WARNING_UNEXPLAINED: '请说明原因',
  ID_NUMBER_NEEDS_PAPER: '请先上传身份证人像面，号码与图片一起加密保存',
  PHONE_REQUIRED: '请输入手机号',
  ...ID_NUMBER_REFUSALS,
  ...LICENCE_NUMBER_REFUSALS,
  CODE_WRONG: CODE_REFUSALS.CODE_WRONG,
  CODE_SPENT: CODE_REFUSALS.CODE_SPENT,
} as const
export const STEP_REFUSALS = {
  IN_REVIEW: '资料审核中，撤回后才能修改',
  VERIFIED_ALREADY: '资料已认证，如需变更请联系平台工作人员',
  NOT_IN_REVIEW: '资料不在审核中，不能撤回',
  NO_DATA: '该商户还没有提交实名资料',
  HANDLED_ALREADY: '已由其他人处理，请刷新',
  REASON_REQUIRED: '请选择或填写驳回原因',
  REASON_TOO_LONG: `驳回原因不得超过${VERIFICATION_LIMITS.reason}字`,
  ADVICE_TOO_LONG: `给商户的建议不得超过${VERIFICATION_LIMITS.advice}字`,
  WARNING_UNANSWERED: '请填写每条提示的核实意见',
  ANSWER_TOO_LONG: `核实意见不得超过${VERIFICATION_LIMITS.explanation}字`,
  OWN_SUBMISSION: '不能审核自己提交的资料，请由另一位工作人员审核',
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
} as const
export const SAVE_REFUSALS = {
  ...FORM_REFUSALS,
  IN_REVIEW: STEP_REFUSALS.IN_REVIEW,
  VERIFIED_ALREADY: STEP_REFUSALS.VERIFIED_ALREADY,
  MERCHANT_DISABLED: STEP_REFUSALS.MERCHANT_DISABLED,
  REQUESTS_TOO_MANY: REQUEST_REFUSALS.REQUESTS_TOO_MANY,
} as const
export const READ_REFUSALS = {
  READER_NONE: '未开通证件识别，请手工填写',
  READS_TOO_MANY: '这张图片识别次数过多，请更换图片或手工填写',
  NOT_READABLE: '该类资料不支持识别',
} as const
export type FormRefusal = keyof typeof FORM_REFUSALS

export type VerificationForm = Record<TextName, string> &
  Record<PaperName, number | null> & {
    /** Null: as it is kept. */
    idNumber: string | null
    code: string
    explanations: WarningTexts
  }
export type BrokenField = { field: string; code: FormRefusal }

const NAMES = ['company', 'legalPerson', 'personInCharge'] as const

/** What a draft may not be: too long for its place, a number without its paper, a code that cannot be one. */
export function brokenDraft(form: VerificationForm): BrokenField[] {
  return [
    ...TEXTS.flatMap((field): BrokenField[] =>
      lengthOf(form[field]) > VERIFICATION_LIMITS[field] ? [{ field, code: 'TEXT_TOO_LONG' }] : [],
    ),
    ...NAMES.flatMap((field): BrokenField[] =>
      isPlainText(form[field].trim()) ? [] : [{ field, code: 'NAME_SYMBOLS' }],
    ),
    ...Object.entries(form.explanations).flatMap(([key, text]): BrokenField[] =>
      lengthOf(text) > VERIFICATION_LIMITS.explanation
        ? [{ field: explanationField(key), code: 'TEXT_TOO_LONG' }]
        : [],
    ),
    ...refusalOfDraftNumber(form),
    ...(form.code.trim() === '' ? [] : refusalOfCode(form)),
  ]
}

function refusalOfDraftNumber({ idNumber, idFrontId }: VerificationForm): BrokenField[] {
  const number = cleanCode(idNumber ?? '')
  if (number === '') return []
  if (idFrontId === null) return [{ field: 'idNumber', code: 'ID_NUMBER_NEEDS_PAPER' }]
  return lengthOf(number) > VERIFICATION_LIMITS.idNumber ? [{ field: 'idNumber', code: 'TEXT_TOO_LONG' }] : []
}

function refusalOfCode({ phone, code }: VerificationForm): BrokenField[] {
  if (!isMainlandMobile(cleanPhone(phone))) return [{ field: 'phone', code: 'PHONE_REQUIRED' }]
  return refuseTypedCode('identity', code) === null ? [] : [{ field: 'code', code: 'CODE_WRONG' }]
}

/**
 * What keeps data from being submitted, one for a field, in the order of the form. `keptNumber`: an ID number is kept.
 * `today` as YYYY-MM-DD.
 */
export function brokenSubmission(
  form: VerificationForm,
  { keptNumber, today }: { keptNumber: boolean; today: string },
): BrokenField[] {
  const drafted = brokenDraft(form)
  const broken: BrokenField[] = [
    ...PAPER_NAMES.filter(field => form[field] === null).map(required),
    ...TEXTS.filter(field => form[field].trim() === '').map(required),
    ...wrongSignature(form.signature),
    ...wrongNumber(
      'creditCode',
      refuseLicenceNumber(cleanCode(form.creditCode).toUpperCase()),
      form.creditCode,
    ),
    ...(form.idNumber === null
      ? keptNumber
        ? []
        : [required('idNumber')]
      : form.idNumber.trim() === ''
        ? [required('idNumber')]
        : wrongNumber('idNumber', refuseIdNumber(cleanCode(form.idNumber), today), form.idNumber)),
    ...(form.phone.trim() !== '' && !isMainlandMobile(cleanPhone(form.phone))
      ? [{ field: 'phone', code: 'PHONE_REQUIRED' as const }]
      : []),
  ]
  const all = [...drafted, ...broken]
  const order = [...ORDER, ...all.map(({ field }) => field)]
  return all
    .filter(({ field }, at) => all.findIndex(one => one.field === field) === at)
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

const ORDER = [
  'licenceId',
  'company',
  'creditCode',
  'legalPerson',
  'idFrontId',
  'idBackId',
  'personInCharge',
  'idNumber',
  'signature',
  'phone',
  'code',
]
const required = (field: string): BrokenField => ({ field, code: 'FIELD_REQUIRED' })
const wrongSignature = (text: string): BrokenField[] => {
  const code = refuseSignature(text)
  return code === null || text.trim() === '' ? [] : [{ field: 'signature', code }]
}
const wrongNumber = (field: string, code: FormRefusal | null, text: string): BrokenField[] =>
  code === null || text.trim() === '' ? [] : [{ field, code }]

/**
 * The state that counts for the next step. Of a shop without data a status of 审核中 comes from elsewhere: there is nothing to be
 * reviewed here, so that it may be begun.
 */
export function standingState(own: VerificationStatus | null, shop: VerificationStatus): VerificationStatus {
  return own ?? (shop === 'reviewing' ? 'unverified' : shop)
}

/** Why the data cannot be changed now. */
export function refuseEdit(state: VerificationStatus): 'IN_REVIEW' | 'VERIFIED_ALREADY' | null {
  if (nextState(VERIFICATION_STEPS, state, 'submit') !== null) return null
  return state === 'reviewing' ? 'IN_REVIEW' : 'VERIFIED_ALREADY'
}

/** Why it cannot be decided so, told to whoever came second; null where it can. */
export function undecidableText(
  { state, handledByName }: { state: VerificationStatus; handledByName: string },
  step: 'verify' | 'reject' | 'revoke',
): string | null {
  if (nextState<VerificationStatus, VerificationStep>(VERIFICATION_STEPS, state, step) !== null) return null
  if (state === 'unverified') return '商户已撤回，等待重新提交'
  if (state === 'reviewing') return '资料审核中'
  return `已由${handledByName || '平台'}处理（${VERIFICATION_STATUSES[state]}）`
}

export function refuseReason(reason: string): 'REASON_REQUIRED' | 'REASON_TOO_LONG' | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > VERIFICATION_LIMITS.reason ? 'REASON_TOO_LONG' : null
}

export function refuseAdvice(advice: string): 'ADVICE_TOO_LONG' | null {
  return lengthOf(advice) > VERIFICATION_LIMITS.advice ? 'ADVICE_TOO_LONG' : null
}

/** What went wrong with a picture, or around it, in a sentence that says what to do. */
export const READ_PROBLEMS = {
  blurred: '图片模糊，请重新拍摄清晰的原件，也可手工填写',
  'wrong-side': '证件正反面传反了，请上传另一面',
  copy: '疑似复印件或翻拍，请上传原件照片',
  expired: '证件已过有效期，请上传有效证件',
  incomplete: '证件边缘缺失或反光，请重新拍摄完整证件',
  altered: '图片疑似经过修改，请上传原图',
  temporary: '临时身份证不能用于认证，请上传正式身份证',
  unreadable: '没有识别到证件，请确认图片后重试，也可手工填写',
  arrears: '识别服务已欠费，请手工填写，平台会尽快恢复',
  busy: '识别服务繁忙，请稍后重试，也可手工填写',
  unknown: '识别服务没有应答，请稍后重试，也可手工填写',
  settings: '识别服务暂不可用，请手工填写',
} as const satisfies Record<OcrProblem | 'arrears' | 'busy' | 'unknown' | 'settings', string>
export type ReadProblem = keyof typeof READ_PROBLEMS
export const READ_PROBLEM_KEYS = Object.keys(READ_PROBLEMS) as [ReadProblem, ...ReadProblem[]]

export const READERS = {
  tencent: '腾讯云',
  aliyun: '阿里云',
  tesseract: '本机识别',
} as const satisfies Record<OcrName, string>

/** Where a value comes from. `read`: as the paper was read, so sure (0 to 100); `corrected`: a paper says otherwise. */
export type Origin = { by: 'typed' | 'read' | 'corrected'; sure: number | null }
export type Origins = Partial<Record<ReadName, Origin>>

const percent = (confidence: number) => Math.round(confidence * 100)

/** Names and numbers as they are compared: papers are read with other spaces and brackets. */
export function comparable(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '').toUpperCase()
}

/** Where a value comes from that stands beside what was read; null: the value is empty. */
export function originOf(
  value: string,
  read: { confidence: number; isSame: boolean } | undefined,
): Origin | null {
  if (value.trim() === '') return null
  if (!read) return { by: 'typed', sure: null }
  return read.isSame
    ? { by: 'read', sure: percent(read.confidence) }
    : { by: 'corrected', sure: percent(read.confidence) }
}

/** Below it a value that was read is to be compared by eye. */
export const SURE_ENOUGH = 80

export function originText({ by, sure }: Origin): string {
  if (by === 'typed') return '手工填写'
  if (by === 'corrected') return '手工填写，与识别不同'
  return sure !== null && sure < SURE_ENOUGH ? `识别（把握 ${sure}%，请核对）` : `识别（把握 ${sure}%）`
}

/** By warning, in somebody's words. */
export type WarningTexts = Readonly<Record<string, string>>
export type Warning = { key: string; text: string }

type Judged = {
  origins: Origins
  phone: string
  phoneVerifiedAt: string | null
  papers: readonly {
    name: PaperName
    expiresOn: string | null
    isLongTerm: boolean
    reading: { problem: ReadProblem | null; warnings: readonly ReadProblem[] } | null
  }[]
}

/** Says nothing of the paper. */
const OF_THE_READER: readonly ReadProblem[] = ['arrears', 'busy', 'unknown', 'settings']

/**
 * What speaks against data though nothing is missing: whoever hands them in explains each, and whoever verifies answers each.
 * `today` as YYYY-MM-DD.
 */
export function warningsOf({ origins, papers, phone, phoneVerifiedAt }: Judged, today: string): Warning[] {
  return [
    ...READ_NAMES.flatMap(name => warningOfOrigin(name, origins[name])),
    ...papers.flatMap(paper => warningsOfPaper(paper, today)),
    ...(phone !== '' && phoneVerifiedAt === null
      ? [{ key: 'unproven:phone', text: '责任人手机号未用验证码核实' }]
      : []),
  ]
}

function warningOfOrigin(name: ReadName, origin: Origin | undefined): Warning[] {
  if (origin?.by === 'corrected')
    return [{ key: `differs:${name}`, text: `${READ_LABELS[name]}与证件上识别的不同` }]
  return origin?.by === 'read' && origin.sure !== null && origin.sure < SURE_ENOUGH
    ? [{ key: `unsure:${name}`, text: `${READ_LABELS[name]}识别把握只有 ${origin.sure}%` }]
    : []
}

function warningsOfPaper({ name, expiresOn, isLongTerm, reading }: Judged['papers'][number], today: string) {
  const label = DOCUMENT_KINDS[PAPERS[name]]
  const told = [...(reading?.problem ? [reading.problem] : []), ...(reading?.warnings ?? [])]
  const isPast = !isLongTerm && expiresOn !== null && expiresOn < today
  const isExpired = isPast || told.includes('expired')
  const end = isPast ? `（${expiresOn}）` : ''
  return [
    ...(isExpired ? [{ key: `expired:${name}`, text: `${label}已过有效期${end}` }] : []),
    ...[...new Set(told)]
      .filter(one => one !== 'expired' && !OF_THE_READER.includes(one))
      .map(one => ({ key: `${one}:${name}`, text: `${label}：${READ_PROBLEMS[one]}` })),
  ]
}

/** The place of a warning's explanation in the form. */
export const explanationField = (key: string) => `explanations.${key}`

/** Those that nobody has said anything of. */
export function unanswered(warnings: readonly Warning[], texts: WarningTexts): Warning[] {
  return warnings.filter(({ key }) => (texts[key]?.trim() ?? '') === '')
}

/** Of what was said, what is about warnings that stand. */
export function standingTexts(warnings: readonly Warning[], texts: WarningTexts): WarningTexts {
  return Object.fromEntries(
    warnings.flatMap(({ key }) => (texts[key]?.trim() ? [[key, texts[key].trim()]] : [])),
  )
}

/** Why what was made of the warnings does not do. */
export function refuseAnswers(
  warnings: readonly Warning[],
  answers: WarningTexts,
): 'WARNING_UNANSWERED' | 'ANSWER_TOO_LONG' | null {
  if (unanswered(warnings, answers).length > 0) return 'WARNING_UNANSWERED'
  return Object.values(answers).some(text => lengthOf(text) > VERIFICATION_LIMITS.explanation)
    ? 'ANSWER_TOO_LONG'
    : null
}

/** What is filled into empty fields of what was read, and what is offered beside those that say otherwise. */
export function proposed(
  draft: Readonly<Partial<Record<ReadName, string>>>,
  read: Readonly<Partial<Record<ReadName, string>>>,
): { filled: Partial<Record<ReadName, string>>; offered: ReadName[] } {
  const filled: Partial<Record<ReadName, string>> = {}
  const offered: ReadName[] = []
  for (const name of READ_NAMES) {
    const value = read[name]
    if (!value) continue
    const standing = draft[name]?.trim() ?? ''
    if (standing === '') filled[name] = value.slice(0, VERIFICATION_LIMITS[name])
    else if (comparable(standing) !== comparable(value)) offered.push(name)
  }
  return { filled, offered }
}
