// The simulated WeChat Pay's onboarding: applications with their states, moved by its clock, by the shop's phone and by the control plane,
// and pictures by their hash.
// Different from the real service: a review takes seconds; it refuses what contradicts itself (names, terms, one picture for both
// sides), a short name with 驳回, and else what the control plane says; only a deputy must have the account verified.
import { randomDigits, randomText } from './simulator-keys.ts'
import {
  counterOf,
  type Desk,
  dayOf,
  keep,
  keyOf,
  type OnboardingBook,
  type SimApplication,
  type SimRefusal,
  type SimState,
  STATE_WORDS,
} from './simulator-onboarding-book.ts'
import { readApplication } from './simulator-onboarding-checks.ts'
import { LONG_TERM, type Said } from './simulator-onboarding-form.ts'
import { Refused } from './simulator-orders.ts'

const MERCHANTS_MAX = 5
const DAY_MS = 86_400_000
const CONFIRM_DAYS = 10
const SIGN_DAYS = 30

/** A new application, or one that was refused or broke, in the place of what it was. */
export function submit(book: OnboardingBook, body: unknown, desk: Desk): { applyment_id: number } {
  const said = readApplication(body, counterOf(book, desk))
  const businessCode = String(said.business_code)
  const before = find(book, desk.mchid, businessCode, desk.now)
  if (before && !['EDITTING', 'REJECTED'].includes(before.state))
    throw before.state === 'FINISHED' || before.state === 'CANCELED'
      ? new Refused(400, 'INVALID_REQUEST', '该业务申请编号的申请单已结束，请更换业务申请编号重新提交')
      : new Refused(400, 'PROCESSING', '存在流程进行中的申请单，请检查是否重入')
  refuseTooMany(book, businessCode, said)
  const application: SimApplication = {
    mchid: desk.mchid,
    businessCode,
    applymentId: before?.applymentId ?? Number(`2000002${randomDigits(9)}`),
    signKey: before?.signKey ?? randomText(32),
    state: 'AUDITING',
    since: desk.now.getTime(),
    refusals: [],
    subMchid: '',
    said,
  }
  book.applications.set(keyOf(desk.mchid, businessCode), application)
  keep(book)
  return { applyment_id: application.applymentId }
}

const LICENCE = 'subject_info.business_license_info'
const NUMBER = `${LICENCE}.license_number`

function refuseTooMany({ applications }: OnboardingBook, businessCode: string, said: Said): void {
  const others = [...applications.values()].filter(
    one => one.businessCode !== businessCode && one.state !== 'CANCELED' && one.said[NUMBER] === said[NUMBER],
  )
  if (said[NUMBER] !== undefined && others.length >= MERCHANTS_MAX)
    throw new Refused(400, 'INVALID_REQUEST', '该主体在微信支付的商户号数量已达上限')
}

/** As it stands now. */
function find(book: OnboardingBook, mchid: string, businessCode: string, now: Date): SimApplication | null {
  const application = book.applications.get(keyOf(mchid, businessCode))
  if (!application) return null
  moveOn(book, application, now)
  return application
}

export function describeApplication(
  book: OnboardingBook,
  mchid: string,
  by: { businessCode: string } | { applymentId: string },
  signUrl: (application: SimApplication) => string,
  now: Date,
): object {
  const businessCode =
    'businessCode' in by
      ? by.businessCode
      : [...book.applications.values()].find(one => String(one.applymentId) === by.applymentId)?.businessCode
  const application = find(book, mchid, businessCode ?? '', now)
  if (!application) throw new Refused(400, 'APPLYMENT_NOT_EXIST', '申请单不存在')
  const { state, refusals, subMchid } = application
  return {
    business_code: application.businessCode,
    applyment_id: application.applymentId,
    ...(subMchid === '' ? {} : { sub_mchid: subMchid }),
    sign_url: signUrl(application),
    applyment_state: `APPLYMENT_STATE_${state}`,
    applyment_state_msg: STATE_WORDS[state],
    ...(state === 'REJECTED' ? { audit_detail: refusals } : {}),
  }
}

export function listApplications(book: OnboardingBook, now: Date): SimApplication[] {
  return [...book.applications.values()].map(one => {
    moveOn(book, one, now)
    return one
  })
}

/** What time does: the review ends, the signed is carried out, what nobody signs is called off. */
function moveOn(book: OnboardingBook, application: SimApplication, now: Date): void {
  const passed = now.getTime() - application.since
  const { state } = application
  if (state === 'AUDITING' && passed >= book.reviewMs) review(book, application, now)
  if (state === 'TO_BE_CONFIRMED' && passed > CONFIRM_DAYS * DAY_MS) enter(book, application, 'CANCELED', now)
  if (state === 'TO_BE_SIGNED' && passed > SIGN_DAYS * DAY_MS) enter(book, application, 'CANCELED', now)
  if (state === 'SIGNING' && passed >= book.signingMs) enter(book, application, 'FINISHED', now)
}

function review(book: OnboardingBook, application: SimApplication, now: Date): void {
  application.refusals = faultsOf(book, application.said, dayOf(now))
  const isDeputy = application.said['contact_info.contact_type'] === 'SUPER'
  const passed = isDeputy ? 'TO_BE_CONFIRMED' : 'TO_BE_SIGNED'
  enter(book, application, application.refusals.length > 0 ? 'REJECTED' : passed, now)
}

export function enter(book: OnboardingBook, application: SimApplication, state: SimState, now: Date): void {
  application.state = state
  application.since = now.getTime()
  if (['TO_BE_SIGNED', 'SIGNING', 'FINISHED'].includes(state) && application.subMchid === '')
    application.subMchid = `16${randomDigits(8)}`
  if (state === 'FINISHED' && !book.merchants.has(application.subMchid)) open(book, application)
  keep(book)
}

function open(book: OnboardingBook, { mchid, subMchid, said }: SimApplication): void {
  const of = (name: string) => String(said[`bank_account_info.${name}`] ?? '')
  const mayBePersonal = said['subject_info.subject_type'] === 'SUBJECT_TYPE_INDIVIDUAL'
  const isPersonal = of('bank_account_type') === 'BANK_ACCOUNT_TYPE_PERSONAL'
  const account = {
    type: isPersonal ? 'ACCOUNT_TYPE_PRIVATE' : 'ACCOUNT_TYPE_BUSINESS',
    bank: of('account_bank'),
    branchName: of('bank_name'),
    branchNumber: of('bank_branch_id'),
    number: of('account_number'),
  }
  book.merchants.set(subMchid, { mchid, subMchid, mayBePersonal, account, changes: [] })
  book.opened(mchid, subMchid)
}

/** What a reviewer sees that no rule at the door does. */
function faultsOf({ media }: OnboardingBook, said: Said, today: string): SimRefusal[] {
  const identity = 'subject_info.identity_info'
  const card = `${identity}.id_card_info`
  const of = (path: string) => String(said[path] ?? '')
  const name = of(`${card}.id_card_name`) || of(`${identity}.id_doc_info.id_doc_name`)
  const subject = of(`${LICENCE}.merchant_name`) || of('subject_info.certificate_info.merchant_name')
  const legal = of(`${LICENCE}.legal_person`) || of('subject_info.certificate_info.legal_person')
  const isPersonal = of('bank_account_info.bank_account_type') === 'BANK_ACCOUNT_TYPE_PERSONAL'
  const faults: SimRefusal[] = []
  const blame = (field: string, field_name: string, reject_reason: string) =>
    faults.push({ field, field_name, reject_reason })
  if (legal !== name) blame('id_card_name', '身份证姓名', '身份证姓名与营业执照的经营者/法人不一致，请核对')
  if (of('contact_info.contact_type') === 'LEGAL' && of('contact_info.contact_name') !== name)
    blame('contact_name', '超级管理员姓名', '超级管理员为法人时，姓名须与法人证件一致')
  if (of('bank_account_info.account_name') !== (isPersonal ? name : subject))
    blame('account_name', '开户名称', isPersonal ? '开户名称须与经营者姓名一致' : '开户名称须与商户名称一致')
  if (isOver(of(`${card}.card_period_end`), today))
    blame('card_period_end', '身份证有效期结束时间', '身份证已过有效期，请上传有效的证件')
  if (isOver(of('contact_info.contact_period_end'), today))
    blame('contact_period_end', '超级管理员证件有效期', '超级管理员证件已过有效期，请上传有效的证件')
  for (const path of Object.keys(said).filter(one => one.endsWith('.ubo_period_end')))
    if (isOver(of(path), today)) blame(path, '受益人证件有效期', '受益人证件已过有效期，请上传有效的证件')
  if (isOver(of(`${LICENCE}.period_end`), today))
    blame('period_end', '营业执照有效期', '营业执照已过有效期，请上传有效的执照')
  if (of('business_info.merchant_shortname').includes('驳回'))
    blame('merchant_shortname', '商户简称', '商户简称须体现实际经营内容，请修改')
  const front = media.get(of(`${card}.id_card_copy`))
  const back = media.get(of(`${card}.id_card_national`))
  if (front && front.sha256 === back?.sha256)
    blame('id_card_national', '身份证国徽面照片', '身份证背面识别失败，请上传更清晰的身份证图片')
  for (const [field, words, path] of [
    ['license_copy', '营业执照照片', `${LICENCE}.license_copy`],
    ['id_card_copy', '身份证人像面照片', `${card}.id_card_copy`],
  ] as const)
    if (media.get(of(path))?.problem) blame(field, words, '图片不清晰或不完整，请重新拍摄后上传')
  return faults
}

const isOver = (day: string, today: string) => day !== '' && day !== LONG_TERM && day < today

/** What the shop does on its phone; null: there is nothing to do. */
export function actOnPhone(
  book: OnboardingBook,
  application: SimApplication,
  action: 'confirm' | 'sign',
  now: Date,
): SimState | null {
  moveOn(book, application, now)
  const next =
    action === 'confirm' && application.state === 'TO_BE_CONFIRMED'
      ? 'TO_BE_SIGNED'
      : action === 'sign' && application.state === 'TO_BE_SIGNED'
        ? 'SIGNING'
        : null
  if (next) enter(book, application, next, now)
  return next
}

/** What a reviewer does by hand, or whoever calls an application off. Null: there is none such. */
export function decide(
  book: OnboardingBook,
  { businessCode, state, refusals }: { businessCode: string; state?: SimState; refusals?: SimRefusal[] },
  now: Date,
): SimApplication | null {
  const application = [...book.applications.values()].find(one => one.businessCode === businessCode)
  if (!application) return null
  moveOn(book, application, now)
  application.refusals = refusals ?? []
  enter(book, application, state ?? (application.refusals.length > 0 ? 'REJECTED' : 'TO_BE_SIGNED'), now)
  return application
}
