// Alipay's gateway.do on loopback: it verifies every request with the app's public key, and signs every answer and callback with
// Alipay's own. It shares no code with the client.
//
// Different from the real service: the bill of the current day can be had at once (unless `billOfToday` is false; the real one makes
// it the next morning); the text that a wrong signature is answered with is not HTML-escaped; a precreate of the same number must
// always have the same content, also while there is no trade; a trade's expiry is noticed when somebody looks; the age of `timestamp` is
// not checked, so that the clock can be moved; the callback of a retry keeps all but notify_time. Nothing outlives the process.
import { createSign, createVerify, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import type { PaySimulation, PaySimulator } from '../simulated-room.ts'
import { type Control, json, type SimAnswer, type SimRequest, startSimulator } from '../simulator.ts'
import { type BillKnob, emptyBill, makeBill } from './simulator-bill.ts'
import {
  type Book,
  CODES,
  cancelTrade,
  closeTrade,
  GatewayError,
  type Order,
  PHONE_OUTCOMES,
  type PhoneOutcome,
  type PhoneResult,
  payByPhone,
  precreate,
  queryRefund,
  queryTrade,
  type Remembered,
  refundTrade,
  rememberTrade,
  wallClock,
} from './simulator-book.ts'
import { makeNotifier, type Notifier, type Notify } from './simulator-notify.ts'
import { landingPage, paymentPage, stateOfOrder } from './simulator-phone.ts'

/** Both sides' identities and keys (PEM), as JSON keeps them. */
export type AlipayKeys = {
  appId: string
  sellerId: string
  appPrivateKey: string
  appPublicKey: string
  alipayPrivateKey: string
  alipayPublicKey: string
}
export type AlipaySimulatorOptions = {
  keys: AlipayKeys
  /** Further apps, each with trades of its own. */
  others?: readonly AlipayKeys[]
  /** What the documented gaps between a callback's attempts are multiplied by. */
  callbackScale?: number
  billOfToday?: boolean
  /** Certificate mode: requests must name the first two, answers name the third. */
  certificates?: { appCertSn: string; alipayRootCertSn: string; alipayCertSn: string }
}
export type Payment = { outcome: PhoneOutcome; late?: boolean } & ({ code: string } | { outTradeNo: string })
export type AlipaySimulator = PaySimulator & {
  pay(payment: Payment): PhoneResult
  callbacks: readonly Notify[]
}

/** Of one app. */
type Room = {
  keys: AlipayKeys
  options: AlipaySimulatorOptions
  book: Book
  notifier: Notifier
  knobs: BillKnob[]
  downloads: Map<string, { day: string; until: number }>
}
type Fields = Record<string, unknown>

// Four minutes become a fifth of a second.
const CALLBACK_SCALE = 1 / 1_200
const DOWNLOAD_LIFE_MS = 30_000
const SHOWN_MAX = 10
const METHODS: Record<string, string> = {
  'alipay.trade.precreate': 'precreate',
  'alipay.trade.query': 'query',
  'alipay.trade.close': 'close',
  'alipay.trade.cancel': 'cancel',
  'alipay.trade.refund': 'refund',
  'alipay.trade.fastpay.refund.query': 'refund-query',
  'alipay.data.dataservice.bill.downloadurl.query': 'bill-url',
}

export function makeAlipayKeys(): AlipayKeys {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
  const app = pair()
  const alipay = pair()
  const twelve = () =>
    String(randomInt(10 ** 6)).padStart(6, '0') + String(randomInt(10 ** 6)).padStart(6, '0')
  return {
    appId: `2021${twelve()}`,
    sellerId: `2088${twelve()}`,
    appPrivateKey: app.privateKey,
    appPublicKey: app.publicKey,
    alipayPrivateKey: alipay.privateKey,
    alipayPublicKey: alipay.publicKey,
  }
}

/** What the app has to be configured with to speak to the simulator that runs at `url`. */
export function alipaySettingsFor(keys: AlipayKeys, url: string) {
  return {
    gatewayUrl: `${url}/gateway.do`,
    billOrigin: url,
    appId: keys.appId,
    sellerId: keys.sellerId,
    privateKey: keys.appPrivateKey,
    alipayPublicKey: keys.alipayPublicKey,
  }
}

export type AlipaySimulatorSettings = ReturnType<typeof alipaySettingsFor>

export const ALIPAY_SIMULATION = {
  codes: CODES,
  makeKeys: makeAlipayKeys,
  makeOwnKeys: makeAlipayKeys,
  start: (keys, own, pace, port) => startAlipaySimulator({ keys, others: [own], ...pace }, port),
  settings: alipaySettingsFor,
  environment: ({ gatewayUrl, billOrigin, appId, sellerId, privateKey, alipayPublicKey }) => ({
    ALIPAY_GATEWAY_URL: gatewayUrl,
    ALIPAY_BILL_ORIGIN: billOrigin,
    ALIPAY_APP_ID: appId,
    ALIPAY_SELLER_ID: sellerId,
    ALIPAY_PRIVATE_KEY: privateKey,
    ALIPAY_PUBLIC_KEY: alipayPublicKey,
  }),
  ownValues: (_, own) => ({
    appId: own.appId,
    sellerId: own.sellerId,
    privateKey: own.appPrivateKey,
    alipayPublicKey: own.alipayPublicKey,
    signType: 'RSA2',
  }),
} satisfies PaySimulation<AlipaySimulatorSettings, AlipayKeys, AlipayKeys, AlipaySimulator>

export async function startAlipaySimulator(
  options: AlipaySimulatorOptions,
  port = 0,
): Promise<AlipaySimulator> {
  const { keys, others = [] } = options
  const callbackScale = options.callbackScale ?? CALLBACK_SCALE
  const rooms: Room[] = []
  const running = await startSimulator(
    {
      nameOf: request => nameOf(request),
      handle: (name, request, control) => handle(rooms, name, request, control),
      errorOf: (code, message, request, control) =>
        errorAnswer(
          roomOf(rooms, request) ?? rooms[0],
          request,
          control,
          new GatewayError(/^\d{5}$/.test(code) ? code : '40004', code, message),
        ),
      control: (path, request, control) => answerControl(rooms, path, request, control),
      stop: async () => {
        await Promise.all(rooms.map(({ notifier }) => notifier.stop()))
      },
    },
    port,
  )
  for (const app of [keys, ...others]) {
    const { appId, sellerId, alipayPrivateKey: privateKey } = app
    const notifier = makeNotifier({ appId, sellerId, privateKey, callbackScale, control: running.control })
    const book: Book = { orders: new Map(), onEvent: notifier.notify }
    rooms.push({ keys: app, options, book, notifier, knobs: [], downloads: new Map() })
  }
  return {
    ...running,
    pay: payment => pay(rooms, payment, running.control),
    payCode(code, { late = false } = {}) {
      const paid = pay(rooms, { code, outcome: 'paid', late }, running.control)
      if (!paid.ok) throw new Error(paid.message)
    },
    keptCallbacks: () =>
      rooms
        .flatMap(({ notifier }) => notifier.sent)
        .filter(({ attempts }) => attempts.some(({ answer }) => answer.startsWith('200 success')))
        .map(({ notifyId }) => notifyId),
    callbacks: rooms[0]?.notifier.sent ?? [],
  }
}

const roomOf = (rooms: readonly Room[], request: SimRequest) =>
  rooms.find(({ keys }) => keys.appId === paramsOf(request).app_id)
const ordersOf = (rooms: readonly Room[]) => rooms.flatMap(({ book }) => [...book.orders.values()])

/** Public parameters come in the query or in the body. */
function paramsOf({ query, body }: SimRequest): Record<string, string> {
  return Object.fromEntries([...query, ...new URLSearchParams(body.toString('utf8'))])
}

function nameOf(request: SimRequest): string | null {
  if (request.path === '/downloadBillFile.resource') return 'bill-download'
  if (request.path !== '/gateway.do') return null
  return METHODS[paramsOf(request).method ?? ''] ?? 'gateway'
}

function handle(rooms: readonly Room[], name: string, request: SimRequest, control: Control): SimAnswer {
  if (name === 'bill-download') return downloadBill(rooms, request, control)
  const room = roomOf(rooms, request)
  try {
    if (!room) throw new GatewayError('40002', 'isv.invalid-app-id', '无效的AppID参数', false)
    const params = verifiedParams(room, request)
    if (control.take('token-revoked', name))
      throw new GatewayError('20001', 'aop.invalid-app-auth-token', '无效的应用授权令牌')
    if (control.take('quota-exhausted', name))
      throw new GatewayError('40005', 'isv.app-call-limited', '应用调用次数超限，包含调用频率超限')
    const fields = operate(room, name, bizOf(params), params, request, control)
    return signedAnswer(
      room,
      params.method ?? '',
      { code: '10000', msg: 'Success', ...fields },
      control,
      name,
    )
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return errorAnswer(room, request, control, error)
  }
}

function verifiedParams(
  { keys, options: { certificates } }: Room,
  request: SimRequest,
): Record<string, string> {
  const params = paramsOf(request)
  const invalid = (subCode: string, words: string) => new GatewayError('40002', `isv.${subCode}`, words)
  if (!params.method) throw invalid('missing-method', '缺少方法名参数')
  if (!METHODS[params.method]) throw invalid('invalid-method', '不存在的方法名')
  if (params.charset?.toLowerCase() !== 'utf-8')
    throw invalid('invalid-charset', `不支持的字符集：${params.charset}`)
  if (params.sign_type !== 'RSA2') throw invalid('invalid-signature-type', '无效的签名类型')
  if (!params.sign) throw invalid('missing-signature', '缺少签名参数')
  if (params.version !== '1.0') throw invalid('invalid-version', '非法的版本参数')
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(params.timestamp ?? ''))
    throw invalid('invalid-timestamp', '非法的时间戳参数')
  if (
    certificates &&
    (params.app_cert_sn !== certificates.appCertSn ||
      params.alipay_root_cert_sn !== certificates.alipayRootCertSn)
  )
    throw invalid('invalid-app-cert-sn', '应用公钥证书序列号或支付宝根证书序列号不匹配')
  const names = Object.keys(params)
    .filter(name => name !== 'sign' && params[name])
    .sort()
  const text = names.map(name => `${name}=${params[name]}`).join('&')
  const verifier = createVerify('sha256').update(Buffer.from(text, 'utf8'))
  if (!verifier.verify(keys.appPublicKey, Buffer.from(params.sign, 'base64')))
    throw invalid(
      'invalid-signature',
      `验签出错，建议检查签名字符串或签名私钥与应用公钥是否匹配，网关生成的验签字符串为：${text}`,
    )
  return params
}

function bizOf(params: Record<string, string>): Fields {
  try {
    const biz: unknown = JSON.parse(params.biz_content ?? '')
    if (typeof biz === 'object' && biz !== null) return biz as Fields
  } catch {
    throw new GatewayError('40002', 'isv.invalid-parameter', 'biz_content 不是 JSON')
  }
  throw new GatewayError('40002', 'isv.invalid-parameter', 'biz_content 不是 JSON 对象')
}

function operate(
  room: Room,
  name: string,
  biz: Fields,
  params: Record<string, string>,
  request: SimRequest,
  control: Control,
): Fields {
  const { book } = room
  const now = control.now()
  if (name === 'precreate') return precreate(book, biz, params.notify_url || null, now)
  if (name === 'query') return queryTrade(book, biz, now)
  if (name === 'close') return closeTrade(book, biz, now)
  if (name === 'cancel') return cancelTrade(book, biz, now)
  if (name === 'refund') return refundTrade(book, biz, now)
  if (name === 'refund-query') return queryRefund(book, biz, now)
  return { bill_download_url: billUrl(room, biz, request, now) }
}

function signedAnswer(
  { keys, options }: Room,
  method: string,
  fields: Fields,
  control: Control,
  name: string,
): SimAnswer {
  // As Alipay's own JSON writer does: slashes escaped.
  const inner = JSON.stringify(fields).replaceAll('/', '\\/')
  const signed = control.take('wrong-signature', name) ? `${inner} ` : inner
  const sign = createSign('sha256').update(signed).sign(keys.alipayPrivateKey, 'base64')
  const certificate = options.certificates ? `"alipay_cert_sn":"${options.certificates.alipayCertSn}",` : ''
  return gatewayText(`{"${method.replaceAll('.', '_')}_response":${inner},${certificate}"sign":"${sign}"}`)
}

const gatewayText = (body: string): SimAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/html;charset=utf-8', trace_id: `21${randomBytes(13).toString('hex')}` },
  body,
})

function errorAnswer(
  room: Room | undefined,
  request: SimRequest,
  control: Control,
  { code, subCode, message, isSigned }: GatewayError,
): SimAnswer {
  const msg =
    code === '20000'
      ? 'Service Currently Unavailable'
      : code === '40004'
        ? 'Business Failed'
        : 'Invalid Arguments'
  const fields = { code, msg, sub_code: subCode, sub_msg: message }
  if (!isSigned || !room) return gatewayText(JSON.stringify({ error_response: fields }))
  return signedAnswer(room, paramsOf(request).method ?? '', fields, control, nameOf(request) ?? '')
}

function billUrl(room: Room, biz: Fields, { headers }: SimRequest, now: Date): string {
  const day = String(biz.bill_date)
  const today = wallClock(now).slice(0, 10)
  const isTooNew = day > today || (day === today && room.options.billOfToday === false)
  if (biz.bill_type !== 'trade' || !/^\d{4}-\d\d-\d\d$/.test(day) || isTooNew)
    throw new GatewayError('40004', 'isv.invalid_arguments', '入参不合法')
  const hasLines = makeBill(room.book.orders.values(), room.knobs, day, room.keys.sellerId) !== null
  if (!hasLines && day !== today) throw new GatewayError('40004', 'isp.bill_not_exist', '账单不存在')
  const token = randomBytes(16).toString('hex')
  room.downloads.set(token, { day, until: now.getTime() + DOWNLOAD_LIFE_MS })
  return `http://${headers.host}/downloadBillFile.resource?bizType=trade&bizDates=${day}&fileId=${token}`
}

function downloadBill(rooms: readonly Room[], { query }: SimRequest, control: Control): SimAnswer {
  const token = query.get('fileId') ?? ''
  const room = rooms.find(({ downloads }) => downloads.has(token))
  const download = room?.downloads.get(token)
  if (!room || !download || download.until < control.now().getTime())
    return { status: 403, body: '下载地址已失效' }
  const { sellerId } = room.keys
  const file =
    makeBill(room.book.orders.values(), room.knobs, download.day, sellerId) ??
    emptyBill(download.day, sellerId)
  return { status: 200, headers: { 'content-type': 'application/zip' }, body: file }
}

function pay(rooms: readonly Room[], payment: Payment, control: Control): PhoneResult {
  const code = 'code' in payment ? payment.code : null
  const isIt = (order: Order) =>
    'code' in payment ? hasCode(order, payment.code) : order.outTradeNo === payment.outTradeNo
  for (const { book } of rooms) {
    const order = [...book.orders.values()].find(isIt)
    if (order) return payByPhone(book, order, code, payment.outcome, payment.late === true, control.now())
  }
  return { ok: false, message: '没有这个二维码' }
}

const hasCode = ({ codes }: Order, code: string) => codes.some(({ url }) => url === code)

function answerControl(
  rooms: readonly Room[],
  path: string,
  request: SimRequest,
  control: Control,
): SimAnswer | null {
  const input: Fields = request.method === 'POST' ? JSON.parse(request.body.toString() || '{}') : {}
  if (path === 'phone') return phone(ordersOf(rooms), request.query.get('code'))
  if (path === 'orders') return json({ orders: ordersOf(rooms).reverse().map(shownOrder) })
  if (path === 'pay' && request.method === 'POST') return answerPay(rooms, input, control)
  if (path === 'notifies') {
    const isRepeated = () => rooms.some(({ notifier }) => notifier.repeat(String(input.notifyId)))
    if (request.method === 'POST' && !isRepeated()) return json({ message: '没有这个通知' }, 404)
    return json({ notifies: rooms.flatMap(({ notifier }) => notifier.sent) })
  }
  if (path === 'remember' && request.method === 'POST') {
    const { accounts, paid } = input as { accounts: string[]; paid: Remembered[] }
    const room = rooms.find(({ keys }) => accounts.includes(keys.appId))
    if (room) for (const one of paid) rememberTrade(room.book, one)
    return json({ remembered: room ? paid.length : 0 })
  }
  // Of the first app's bills alone.
  const knobs = rooms[0]?.knobs
  if (path === 'bill' && knobs) {
    if (input.reset === true) knobs.length = 0
    else if (request.method === 'POST') knobs.push(input as BillKnob)
    return json({ knobs })
  }
  return null
}

function phone(orders: readonly Order[], code: string | null): SimAnswer {
  const order = code === null ? undefined : orders.find(one => hasCode(one, code.trim()))
  if (order && code !== null) return paymentPage(order, code.trim())
  const unpaid = orders.toReversed().filter(({ trade }) => !trade || trade.status === 'WAIT_BUYER_PAY')
  return landingPage(unpaid.slice(0, SHOWN_MAX), code)
}

function answerPay(rooms: readonly Room[], input: Fields, control: Control): SimAnswer {
  const isGood = PHONE_OUTCOMES.includes(input.outcome as PhoneOutcome)
  if (!isGood || (typeof input.code !== 'string' && typeof input.outTradeNo !== 'string'))
    return json({ ok: false, message: '需要 code 或 outTradeNo，以及 outcome：paid、failed 或 scan' }, 400)
  const payment = input as Payment
  const result = pay(rooms, payment, control)
  const order = ordersOf(rooms).find(one =>
    'code' in payment ? hasCode(one, payment.code) : one.outTradeNo === payment.outTradeNo,
  )
  return json({ ...result, state: order ? stateOfOrder(order) : '' }, order ? 200 : 404)
}

function shownOrder(order: Order) {
  const { outTradeNo, subject, amountFen, createdAt, timeExpire, codes, trade } = order
  const codeUrl = codes.at(-1)?.url ?? null
  return { outTradeNo, subject, amountFen, createdAt, timeExpire, codeUrl, state: stateOfOrder(order), trade }
}
