// Where TianQue's simulator takes shops in: pictures that it decodes, applications whose fields it checks, and a review that takes its time;
// and where it changes their accounts.
// It shares no code with the client.
//
// Different from the real service, as far as that is known: an application that comes again under its request number is the same one; the
// review refuses what has 驳回 in its short name, or in the branch of a changed account, and takes on everything else after seconds; words and
// codes of refusals are its own.
import { randomBytes } from 'node:crypto'
import type { SimRequest } from '../simulator.ts'

type Data = Record<string, unknown>
/** 0: under review; 1: taken on; 2: refused. */
export type TianqueTask = '0' | '1' | '2'
export type TianqueApplication = {
  applicationId: string
  mno: string
  reqIds: string[]
  data: Data
  taskStatus: TianqueTask
  suggestion: string
  /** When the review ends by itself, in milliseconds; null: not before the control plane says so. */
  decidedAt: number | null
}
/** 4: under review; 5: done; 6: refused. */
export type TianqueChangeTask = '4' | '5' | '6'
export type TianqueChange = Pick<
  TianqueApplication,
  'applicationId' | 'mno' | 'data' | 'suggestion' | 'decidedAt'
> & {
  reqId: string
  taskStatus: TianqueChangeTask
}
export type MerchantBook = {
  orgId: string
  pictures: Map<string, string>
  applications: TianqueApplication[]
  changes: TianqueChange[]
  made: number
  /** Null: nobody reviews but the control plane. */
  reviewMs: number | null
}

export const makeMerchantBook = (orgId: string, reviewMs: number | null): MerchantBook => ({
  ...{ orgId, reviewMs, made: 0, pictures: new Map(), applications: [], changes: [] },
})

const DIGITS = /^\d+$/
const DIVISION = /^\d{12}$/
const CREDIT_CODE = /^[0-9A-HJ-NP-RTUWXY]{2}\d{6}[0-9A-Z]{10}$/
const ID_NUMBER = /^\d{17}[\dX]$/

type Check = [field: string, is: (text: string) => boolean, words: string]
const oneOf =
  (...all: string[]) =>
  (text: string) =>
    all.includes(text)
const CHECKS: readonly Check[] = [
  ['mecDisNm', text => text.length <= 40 && !DIGITS.test(text), '商户简称不能为纯数字，且不超过 40 字'],
  ['mblNo', text => /^1\d{10}$/.test(text), '商户联系手机号格式不正确'],
  ['operationalType', oneOf('01', '02', '03', '04', '05', '06'), '经营类型不正确'],
  ['haveLicenseNo', oneOf('02', '03'), '资质类型不正确'],
  ['mecTypeFlag', oneOf('00', '01', '02'), '商户类型不正确'],
  ['cprRegNmCn', text => text.length <= 100, '营业执照注册名称过长'],
  ['registCode', text => CREDIT_CODE.test(text), '营业执照注册号格式不正确'],
  ['licenseMatch', oneOf('00'), '非三证合一须上传税务登记证'],
  ['cprRegAddr', text => text.length <= 100, '经营详细地址过长'],
  ['regProvCd', text => DIVISION.test(text) && text.endsWith('0000000000'), '省编码不正确'],
  ['regCityCd', text => DIVISION.test(text) && text.endsWith('00000000'), '市编码不正确'],
  ['regDistCd', text => DIVISION.test(text) && text.endsWith('000000'), '区编码不正确'],
  ['mccCd', text => /^\d{4}$/.test(text), '经营类目不正确'],
  ['csTelNo', text => DIGITS.test(text), '客服电话须为纯数字'],
  ['identityName', () => true, ''],
  ['identityTyp', oneOf('00', '05', '06', '07', '99'), '法人证件类型不正确'],
  ['identityNo', text => ID_NUMBER.test(text), '法人证件号格式不正确'],
  ['actNm', () => true, ''],
  ['actTyp', oneOf('00', '01'), '结算账户类型不正确'],
  ['actNo', text => /^\d{8,30}$/.test(text), '结算卡号格式不正确'],
]
/** With a corporate account, and with one of a person. */
const OF_ACCOUNT: Readonly<Record<string, readonly Check[]>> = {
  '00': [['lbnkNo', text => /^\d{12}$/.test(text), '开户支行联行号不正确']],
  '01': [['stmManIdNo', text => ID_NUMBER.test(text), '结算人证件号格式不正确']],
}
type AskedPicture = [field: string, type: string]
const PICTURES: readonly AskedPicture[] = [
  ['licensePic', '13'],
  ['legalPersonidPositivePic', '02'],
  ['legalPersonidOppositePic', '03'],
  ['storePic', '10'],
  ['insideScenePic', '11'],
]
const PICTURES_OF_ACCOUNT: Readonly<Record<string, readonly AskedPicture[]>> = {
  '00': [['openingAccountLicensePic', '04']],
  '01': [['bankCardPositivePic', '05']],
}

const taken = (more: Data): Data => ({ bizCode: '0000', bizMsg: '成功', ...more })
const refused = (bizMsg: string): Data => ({ bizCode: '0001', bizMsg })

/** No signature covers it; what it says is checked. Answers what stands for the picture, or why it is none. */
export async function takePicture(book: MerchantBook, { headers, body }: SimRequest): Promise<Data> {
  const type = headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  const text = (name: string) => {
    const value = form?.get(name)
    return typeof value === 'string' ? value : ''
  }
  const file = form?.get('file')
  if (!(file instanceof File)) return refused('file 不能为空')
  if (text('orgId') !== book.orgId) return refused('机构不存在')
  if (!/^\w{1,32}$/.test(text('reqId'))) return refused('reqId 不正确')
  if (!/^\d\d$/.test(text('pictureType'))) return refused('pictureType 不正确')
  const bytes = Buffer.from(await file.arrayBuffer())
  const { default: sharp } = await import('sharp')
  const known = await sharp(bytes)
    .stats()
    .then(() => sharp(bytes).metadata())
    .catch(() => null)
  if (known?.format !== 'jpeg' && known?.format !== 'png') return refused('图片无法打开')
  if (bytes.length > 2 * 1024 * 1024) return refused('图片过大')
  const name = randomBytes(16).toString('hex')
  book.pictures.set(name, text('pictureType'))
  return taken({ PhotoUrl: name, cdnUrl: `https://images.tianquetech.com/${name}` })
}

/** What is wrong with an application, each thing in a sentence. */
function wrongIn(book: MerchantBook, data: Data): string[] {
  const account = String(data.actTyp ?? '')
  return [
    ...wrongTexts(data, [...CHECKS, ...(OF_ACCOUNT[account] ?? [])]),
    ...ratesIn(data),
    ...wrongPictures(book, data, [...PICTURES, ...(PICTURES_OF_ACCOUNT[account] ?? [])]),
    ...foreignIn(data, data),
  ]
}

const ACCOUNT_FIELDS = ['actNm', 'actTyp', 'actNo']
/** Of another account for a merchant, whose application it may know. */
function wrongInAccount(book: MerchantBook, data: Data, known: Data | undefined): string[] {
  const account = String(data.actTyp ?? '')
  const checks = CHECKS.filter(([field]) => ACCOUNT_FIELDS.includes(field))
  return [
    ...wrongTexts(data, [...checks, ...(OF_ACCOUNT[account] ?? [])]),
    ...wrongPictures(book, data, PICTURES_OF_ACCOUNT[account] ?? []),
    ...(known ? foreignIn(data, known) : []),
  ]
}

const isThere = (data: Data, field: string) => typeof data[field] === 'string' && data[field] !== ''

const wrongTexts = (data: Data, checks: readonly Check[]): string[] =>
  checks.flatMap(([field, is, words]) => {
    if (!isThere(data, field)) return [`${field}不能为空`]
    return is(String(data[field])) ? [] : [`${words}（${field}）`]
  })

const wrongPictures = ({ pictures }: MerchantBook, data: Data, asked: readonly AskedPicture[]): string[] =>
  asked.flatMap(([field, type]) => {
    if (!isThere(data, field)) return [`${field}不能为空`]
    return pictures.get(String(data[field])) === type ? [] : [`图片不存在或类型不符（${field}）`]
  })

/** Whether an account is another's than the subject's. */
function foreignIn(account: Data, subject: Data): string[] {
  const isOwn =
    account.actTyp === '01'
      ? account.stmManIdNo === subject.identityNo && account.actNm === subject.identityName
      : account.actNm === subject.cprRegNmCn
  return isOwn ? [] : ['账户名不一致须上传授权函（actNm）']
}

function ratesIn({ qrcodeList }: Data): string[] {
  if (!Array.isArray(qrcodeList)) return ['qrcodeList不能为空']
  const rates = new Map<string, string>()
  for (const one of qrcodeList as Data[]) rates.set(String(one?.rateType), String(one?.rate))
  const isWhole = ['01', '02', '06', '07'].every(type => /^\d\.\d{1,2}$/.test(rates.get(type) ?? ''))
  return isWhole ? [] : ['费率不正确（qrcodeList）']
}

export function takeApplication(
  book: MerchantBook,
  name: string,
  reqId: string,
  data: Data,
  now: Date,
): Data {
  const before = book.applications.find(one => one.reqIds.includes(reqId))
  if (before) return taken({ applicationId: before.applicationId, mno: before.mno })
  const wrong = wrongIn(book, data)
  if (wrong.length > 0) return refused(wrong.join('；'))
  const decidedAt = book.reviewMs === null ? null : now.getTime() + book.reviewMs
  const reviewed = { data, taskStatus: '0' as const, suggestion: '', decidedAt }
  if (name === 'update-merchant') {
    const standing = book.applications.find(({ mno }) => mno === data.mno)
    if (!standing) return refused('商户不存在')
    if (standing.taskStatus !== '2') return refused('审核状态不是入驻驳回，不能修改')
    const applicationId = randomBytes(16).toString('hex')
    Object.assign(standing, reviewed, { applicationId })
    standing.reqIds.push(reqId)
    return taken({ applicationId, mno: standing.mno })
  }
  const made: TianqueApplication = {
    ...reviewed,
    applicationId: randomBytes(16).toString('hex'),
    // A number that another run gave out is not given again.
    mno: `399${String(now.getTime()).slice(-9)}${String(++book.made % 1_000).padStart(3, '0')}`,
    reqIds: [reqId],
  }
  book.applications.push(made)
  return taken({ applicationId: made.applicationId, mno: made.mno })
}

/** What its time has decided, by the simulator's clock. */
function review(book: MerchantBook, now: Date): void {
  for (const one of book.applications) {
    if (one.taskStatus !== '0' || one.decidedAt === null || one.decidedAt > now.getTime()) continue
    const isRefused = String(one.data.mecDisNm).includes('驳回')
    one.taskStatus = isRefused ? '2' : '1'
    one.suggestion = isRefused ? '门头照与商户简称不符；营业执照照片不清晰' : ''
  }
  for (const one of book.changes) {
    if (one.taskStatus !== '4' || one.decidedAt === null || one.decidedAt > now.getTime()) continue
    const isRefused = String(one.data.lbnkNm).includes('驳回')
    one.taskStatus = isRefused ? '6' : '5'
    one.suggestion = isRefused ? '银行卡照片与卡号不符' : ''
  }
}

export function tellApplication(book: MerchantBook, { applicationId }: Data, now: Date): Data {
  review(book, now)
  const one = book.applications.find(known => known.applicationId === applicationId)
  if (!one) return refused('进件申请不存在')
  const { mno, taskStatus, suggestion } = one
  return taken({ applicationId, mno, taskStatus, suggestion, repoInfo: [] })
}

/** What a reviewer does. Throws where there is no such application. */
export function decideApplication(
  book: MerchantBook,
  {
    applicationId,
    taskStatus,
    suggestion = '',
  }: Pick<TianqueApplication, 'applicationId' | 'taskStatus'> & {
    suggestion?: string
  },
): void {
  const one = book.applications.find(known => known.applicationId === applicationId)
  if (!one) throw new Error(`no application ${applicationId}`)
  Object.assign(one, { taskStatus, suggestion, decidedAt: null })
}

/** `isInOrder`: of a merchant whose application it does not know. */
export function takeChange(
  book: MerchantBook,
  reqId: string,
  data: Data,
  isInOrder: boolean,
  now: Date,
): Data {
  const before = book.changes.find(one => one.reqId === reqId)
  if (before) return taken({ applicationId: before.applicationId })
  review(book, now)
  const known = book.applications.find(one => one.mno === data.mno)
  if (known ? known.taskStatus !== '1' : !isInOrder) return refused('商户不存在或未入驻成功，不能修改')
  if (book.changes.some(one => one.mno === data.mno && one.taskStatus === '4'))
    return refused('商户修改审核中，请勿重复提交')
  const wrong = wrongInAccount(book, data, known?.data)
  if (wrong.length > 0) return refused(wrong.join('；'))
  const made: TianqueChange = {
    ...{ applicationId: randomBytes(16).toString('hex'), mno: String(data.mno), reqId, data },
    ...{ taskStatus: '4', suggestion: '' },
    decidedAt: book.reviewMs === null ? null : now.getTime() + book.reviewMs,
  }
  book.changes.push(made)
  return taken({ applicationId: made.applicationId })
}

export function tellChange(book: MerchantBook, { applicationId }: Data, now: Date): Data {
  review(book, now)
  const one = book.changes.find(known => known.applicationId === applicationId)
  if (!one) return refused('修改申请不存在')
  const { mno, taskStatus, suggestion } = one
  return taken({ applicationId, mno, taskStatus, suggestion })
}

/** What a reviewer does. Throws where there is no such change. */
export function decideChange(
  book: MerchantBook,
  {
    applicationId,
    taskStatus,
    suggestion = '',
  }: Pick<TianqueChange, 'applicationId' | 'taskStatus'> & { suggestion?: string },
): void {
  const one = book.changes.find(known => known.applicationId === applicationId)
  if (!one) throw new Error(`no change ${applicationId}`)
  Object.assign(one, { taskStatus, suggestion, decidedAt: null })
}
