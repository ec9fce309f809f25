// TianQue's open platform on loopback: it verifies every request with the organisation's public key, checks the fields, and signs its answers
// with the platform's own key. It shares no code with the client.
//
// Different from the real service, as far as that is known: any number of 15 digits is a merchant in order until the control plane says
// otherwise; codes of refusals are its own; the payer's phone is a page; no callbacks are sent. Nothing outlives the process. How it takes
// shops in: `simulator-merchants.ts`.
// Control plane of its /__sim/: `merchants` (POST {mno, state: normal|frozen|unknown}), `orders`, `pay` (POST {code, outcome}), `phone`,
// `refunds` (POST {next: done|processing|failed}), `applications` (GET; POST {applicationId, taskStatus: 0|1|2, suggestion}), `changes` (the same with
// 4|5|6, of accounts), and `faults` and `clock` as everywhere.
import { createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  type Control,
  json,
  type RunningSimulator,
  type SimAnswer,
  type SimRequest,
  startSimulator,
} from '../simulator.ts'
import {
  decideApplication,
  decideChange,
  type MerchantBook,
  makeMerchantBook,
  type TianqueApplication,
  type TianqueChange,
  takeApplication,
  takeChange,
  takePicture,
  tellApplication,
  tellChange,
} from './simulator-merchants.ts'
import { phonePage, type TianqueOrder } from './simulator-phone.ts'

export type TianqueKeys = {
  orgId: string
  orgPrivateKey: string
  orgPublicKey: string
  platformPrivateKey: string
  platformPublicKey: string
}
export type TianqueSimulator = RunningSimulator & {
  /** A payer's phone scans the code and pays, or fails to. Throws where it cannot. */
  payCode(code: string, outcome?: 'paid' | 'failed'): void
  orders(): readonly TianqueOrder[]
  /** How a merchant stands from now on. */
  setMerchant(mno: string, state: 'normal' | 'frozen' | 'unknown'): void
  /** What comes of the next refund; after `processing` it is done once it is asked about. */
  setNextRefund(outcome: 'done' | 'processing' | 'failed'): void
  applications(): readonly TianqueApplication[]
  changes(): readonly TianqueChange[]
  /** What a reviewer does. Throws where there is no such application, or change. */
  decide(given: Parameters<typeof decideApplication>[1]): void
  decideChange(given: Parameters<typeof decideChange>[1]): void
}
type Book = {
  merchantBook: MerchantBook
  keys: TianqueKeys
  orders: TianqueOrder[]
  merchants: Map<string, 'normal' | 'frozen' | 'unknown'>
  nextRefunds: ('done' | 'processing' | 'failed')[]
}
type Texts = Record<string, string>

/** What its codes begin with and no other's do. */
export const TIANQUE_CODES = 'https://qr.tianquetech.com/'
const PATHS: Readonly<Record<string, string>> = {
  '/order/activePlusScan': 'create',
  '/query/tradeQuery': 'query',
  '/query/close': 'close',
  '/order/refund': 'refund',
  '/query/refundQuery': 'refund-query',
  '/merchant/uploadPicture': 'upload',
  '/merchant/income': 'income',
  '/merchant/updateMerchantInfo': 'update-merchant',
  '/merchant/queryMerchantInfo': 'query-merchant',
  '/merchant/editMerchantInfo': 'edit-merchant',
  '/merchant/queryModifyResult': 'query-modify',
}
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  create: ['mno', 'ordNo', 'amt', 'subject', 'trmIp'],
  query: ['mno', 'ordNo'],
  close: ['mno', 'origOrderNo'],
  refund: ['mno', 'ordNo', 'origOrderNo', 'amt'],
  'refund-query': ['mno', 'ordNo'],
  'update-merchant': ['mno'],
  'query-merchant': ['applicationId'],
  'edit-merchant': ['mno'],
  'query-modify': ['applicationId'],
}
const ABOUT_APPLICATIONS = ['income', 'update-merchant', 'query-merchant', 'edit-merchant', 'query-modify']
const REFUNDED = { done: 'REFUNDSUC', processing: 'REFUNDING', failed: 'REFUNDFAIL' } as const
const DEFAULT_MINUTES = 5

class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function makeTianqueKeys(): TianqueKeys {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
  const [org, platform] = [pair(), pair()]
  return {
    orgId: '10000614',
    orgPrivateKey: org.privateKey,
    orgPublicKey: org.publicKey,
    platformPrivateKey: platform.privateKey,
    platformPublicKey: platform.publicKey,
  }
}

/** What the client must be told to speak to the simulator that runs at `url`. */
export function tianqueSettings({ orgId, orgPrivateKey, platformPublicKey }: TianqueKeys, url: string) {
  return { baseUrl: url, orgId, privateKey: orgPrivateKey, publicKey: platformPublicKey }
}

/** `reviewMs`: how long an application is reviewed; null: until the control plane decides. */
export async function startTianqueSimulator(
  keys: TianqueKeys,
  port = 0,
  { reviewMs = 8_000 }: { reviewMs?: number | null } = {},
): Promise<TianqueSimulator> {
  const merchantBook = makeMerchantBook(keys.orgId, reviewMs)
  const book: Book = { keys, orders: [], merchants: new Map(), nextRefunds: [], merchantBook }
  const running = await startSimulator(
    {
      nameOf: ({ path, method }) => (method === 'POST' ? (PATHS[path] ?? null) : null),
      handle: (name, request, control) => handle(book, name, request, control),
      errorOf: (code, message, request, control) =>
        answer(book, request, { code, msg: message }, control, ''),
      control: (path, request, control) => answerControl(book, path, request, control),
    },
    port,
  )
  return {
    ...running,
    payCode: (code, outcome = 'paid') => pay(book, code, outcome, running.control.now()),
    orders: () => book.orders,
    setMerchant: (mno, state) => void book.merchants.set(mno, state),
    setNextRefund: outcome => void book.nextRefunds.push(outcome),
    applications: () => merchantBook.applications,
    changes: () => merchantBook.changes,
    decide: given => decideApplication(merchantBook, given),
    decideChange: given => decideChange(merchantBook, given),
  }
}

const stamp = (at: Date) => at.toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' }).replace(/\D/g, '')

async function handle(book: Book, name: string, request: SimRequest, control: Control): Promise<SimAnswer> {
  try {
    if (name === 'upload')
      return json({ code: '0000', msg: '成功', respData: await takePicture(book.merchantBook, request) })
    const data = verified(book.keys, name, request)
    const now = control.now()
    const result = ABOUT_APPLICATIONS.includes(name)
      ? aboutApplications(book, name, request, now)
      : operate(book, name, data, now)
    return answer(book, request, { code: '0000', msg: '成功', respData: result }, control, name)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return answer(book, request, { code: error.code, msg: error.message }, control, name)
  }
}

function aboutApplications(book: Book, name: string, request: SimRequest, now: Date) {
  const { merchantBook } = book
  const { reqId, reqData } = parsed(request)
  const data = (reqData ?? {}) as Record<string, unknown>
  if (name === 'query-merchant') return tellApplication(merchantBook, data, now)
  if (name === 'query-modify') return tellChange(merchantBook, data, now)
  return name === 'edit-merchant'
    ? takeChange(merchantBook, String(reqId), data, standingOf(book, String(data.mno)) === 'normal', now)
    : takeApplication(merchantBook, name, String(reqId), data, now)
}

const standingOf = ({ merchants }: Book, mno: string) =>
  /^\d{15}$/.test(mno) ? (merchants.get(mno) ?? 'normal') : 'unknown'

function parsed({ body }: SimRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** As the documents tell how to sign, in words of its own. */
function textToSign(members: Record<string, unknown>): string {
  const parts: string[] = []
  for (const name of Object.keys(members).sort()) {
    const value = members[name]
    if (name === 'sign' || value === '' || value === null || value === undefined) continue
    parts.push(`${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
  }
  return parts.join('&')
}

function verified(keys: TianqueKeys, name: string, request: SimRequest): Texts {
  const envelope = parsed(request)
  if (envelope.orgId !== keys.orgId) throw new Refused('1001', '机构不存在')
  if (envelope.signType !== 'RSA') throw new Refused('1002', 'signType 不支持')
  if (typeof envelope.sign !== 'string') throw new Refused('1003', '签名不能为空')
  const verifier = createVerify('sha1').update(textToSign(envelope))
  if (!verifier.verify(keys.orgPublicKey, Buffer.from(envelope.sign, 'base64')))
    throw new Refused('1004', '验签失败')
  if (!/^1\.\d$/.test(String(envelope.version))) throw new Refused('1005', 'version 不正确')
  if (!/^\d{14}$/.test(String(envelope.timestamp))) throw new Refused('1006', 'timestamp 格式不正确')
  if (!/^\w{1,32}$/.test(String(envelope.reqId))) throw new Refused('1007', 'reqId 不正确')
  const data = (envelope.reqData ?? {}) as Record<string, unknown>
  for (const field of NEEDED[name] ?? [])
    if (typeof data[field] !== 'string' || data[field] === '') throw new Refused('1008', `${field} 不能为空`)
  return data as Texts
}

function operate(book: Book, name: string, data: Texts, now: Date): Texts {
  const standing = standingOf(book, data.mno ?? '')
  if (standing === 'unknown') return { bizCode: '0101', bizMsg: '商户不存在' }
  expire(book, now)
  if (name === 'create') return create(book, data, standing, now)
  if (name === 'refund-query') return queryRefund(book, data)
  const ordNo = name === 'query' ? data.ordNo : data.origOrderNo
  const order = book.orders.find(one => one.mno === data.mno && one.ordNo === ordNo)
  if (!order) return { bizCode: '0102', bizMsg: '订单不存在' }
  if (name === 'refund') return refund(book, order, data)
  if (name === 'close') {
    if (order.state === 'SUCCESS') return { bizCode: '0103', bizMsg: '订单已支付，不能关闭' }
    if (order.state === 'PAYING') order.state = 'CLOSED'
    return { bizCode: '0000', bizMsg: '成功', ordNo: order.ordNo }
  }
  const { state: tranSts, payTime, amt } = order
  return { bizCode: '0000', bizMsg: '成功', ordNo: order.ordNo, tranSts, amt, payTime }
}

/** Of their time, by its clock. */
function expire({ orders }: Book, now: Date): void {
  for (const order of orders)
    if (order.state === 'PAYING' && order.expiresAt <= now.getTime()) order.state = 'CLOSED'
}

function create(book: Book, data: Texts, standing: 'normal' | 'frozen', now: Date): Texts {
  const { mno = '', ordNo = '', amt = '', subject = '', timeExpire } = data
  if (standing === 'frozen') return { bizCode: '0104', bizMsg: '商户已冻结，不能交易' }
  if (!/^\d+\.\d\d$/.test(amt) || Number(amt) <= 0) return { bizCode: '0105', bizMsg: 'amt 不正确' }
  if (ordNo.length > 64 || subject.length > 256) return { bizCode: '0106', bizMsg: '字段过长' }
  if (book.orders.some(one => one.mno === mno && one.ordNo === ordNo))
    return { bizCode: '0107', bizMsg: '订单号重复' }
  const minutes = timeExpire === undefined ? DEFAULT_MINUTES : Number(timeExpire)
  if (!(minutes >= 1 && minutes <= 1_440)) return { bizCode: '0108', bizMsg: 'timeExpire 不正确' }
  const code = `${TIANQUE_CODES}${randomBytes(12).toString('hex')}`
  const expiresAt = now.getTime() + minutes * 60_000
  book.orders.push({ mno, ordNo, amt, subject, code, state: 'PAYING', payTime: '', expiresAt, refunds: [] })
  return { bizCode: '0000', bizMsg: '成功', ordNo, uuid: randomBytes(16).toString('hex'), payUrl: code }
}

function refund(book: Book, order: TianqueOrder, { ordNo = '', amt = '' }: Texts): Texts {
  const before = order.refunds.find(one => one.ordNo === ordNo)
  if (before) return told(before)
  if (order.state !== 'SUCCESS') return { bizCode: '0109', bizMsg: '订单未支付，不能退款' }
  const back = order.refunds.filter(one => one.state !== 'REFUNDFAIL')
  const left = Number(order.amt) - back.reduce((sum, one) => sum + Number(one.amt), 0)
  if (!(Number(amt) > 0) || Number(amt) > left) return { bizCode: '0110', bizMsg: '退款金额超过可退金额' }
  const made = { ordNo, amt, state: REFUNDED[book.nextRefunds.shift() ?? 'done'] }
  order.refunds.push(made)
  return told(made)
}

function queryRefund({ orders }: Book, { mno, ordNo }: Texts): Texts {
  const made = orders
    .filter(one => one.mno === mno)
    .flatMap(one => one.refunds)
    .find(one => one.ordNo === ordNo)
  if (!made) return { bizCode: '0111', bizMsg: '退款单不存在' }
  if (made.state === 'REFUNDING') made.state = 'REFUNDSUC'
  return told(made)
}

const told = ({ ordNo, amt, state }: TianqueOrder['refunds'][number]): Texts => ({
  ...{ bizCode: state === 'REFUNDING' ? '2002' : '0000', bizMsg: '成功', ordNo },
  ...{ refundAmount: amt, tranSts: state },
})

function answer(
  { keys }: Book,
  request: SimRequest,
  result: { code: string; msg: string; respData?: Record<string, unknown> },
  control: Control,
  name: string,
): SimAnswer {
  const { reqId = '' } = parsed(request)
  const { orgId } = keys
  const members = {
    ...result,
    orgId,
    reqId,
    signType: 'RSA',
    timestamp: stamp(control.now()),
    version: '1.0',
  }
  const text = `${textToSign(members)}${control.take('wrong-signature', name) ? ' ' : ''}`
  return json({ ...members, sign: createSign('sha1').update(text).sign(keys.platformPrivateKey, 'base64') })
}

function pay(book: Book, code: string, outcome: 'paid' | 'failed', now: Date): void {
  expire(book, now)
  const order = book.orders.find(one => one.code === code)
  if (!order) throw new Error('没有这个二维码')
  if (order.state !== 'PAYING') throw new Error('订单已支付或已关闭')
  order.state = outcome === 'paid' ? 'SUCCESS' : 'FAIL'
  if (outcome === 'paid') order.payTime = stamp(now)
}

function answerControl(book: Book, path: string, request: SimRequest, control: Control): SimAnswer | null {
  const isPost = request.method === 'POST'
  if (path === 'orders') return json({ orders: book.orders })
  if (path === 'applications' && !isPost) return json({ applications: book.merchantBook.applications })
  if (path === 'changes' && !isPost) return json({ changes: book.merchantBook.changes })
  if (path === 'phone') {
    expire(book, control.now())
    const code = request.query.get('code') ?? ''
    return phonePage(
      code,
      book.orders.find(one => one.code === code),
    )
  }
  if (!isPost) return null
  const input = parsed(request) as Texts
  if (path === 'pay') {
    try {
      pay(book, input.code ?? '', input.outcome === 'failed' ? 'failed' : 'paid', control.now())
      return json({ message: input.outcome === 'failed' ? '支付失败' : '支付成功' })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return json({ message: error.message }, 409)
    }
  }
  if (path === 'applications') {
    const { applicationId = '', taskStatus, suggestion = '' } = input
    if (taskStatus !== '0' && taskStatus !== '1' && taskStatus !== '2')
      return json({ message: 'taskStatus' }, 400)
    if (!book.merchantBook.applications.some(one => one.applicationId === applicationId))
      return json({ message: '没有这份进件' }, 404)
    decideApplication(book.merchantBook, { applicationId, taskStatus, suggestion })
    return json({ applicationId, taskStatus })
  }
  if (path === 'changes') {
    const { applicationId = '', taskStatus, suggestion = '' } = input
    if (taskStatus !== '4' && taskStatus !== '5' && taskStatus !== '6')
      return json({ message: 'taskStatus' }, 400)
    if (!book.merchantBook.changes.some(one => one.applicationId === applicationId))
      return json({ message: '没有这次修改' }, 404)
    decideChange(book.merchantBook, { applicationId, taskStatus, suggestion })
    return json({ applicationId, taskStatus })
  }
  if (path === 'merchants') {
    const { mno = '', state } = input
    if (state !== 'normal' && state !== 'frozen' && state !== 'unknown')
      return json({ message: 'state' }, 400)
    book.merchants.set(mno, state)
    return json({ mno, state })
  }
  if (path === 'refunds') {
    const { next } = input
    if (next !== 'done' && next !== 'processing' && next !== 'failed') return json({ message: 'next' }, 400)
    book.nextRefunds.push(next)
    return json({ next })
  }
  return null
}
