// The simulated WeChat Pay's counter: who asks, whether the signature is theirs, what they get, signed in return.
import { createHash } from 'node:crypto'
import { type Control, json, type SimAnswer, type SimRequest } from '#providers/simulator.ts'
import { type BillChange, fundFlowBill, tradeBill } from './simulator-bill.ts'
import {
  encryptFor,
  isSignedBy,
  type Party,
  type PlatformCertificate,
  partiesOf,
  randomText,
  signWith,
  type WechatPayKeys,
} from './simulator-keys.ts'
import type { Outbox } from './simulator-notices.ts'
import type { OnboardingBook } from './simulator-onboarding-book.ts'
import {
  answerSignPage,
  isOnboarding,
  performOnboarding,
  readUpload,
  type UploadForm,
} from './simulator-onboarding-desk.ts'
import {
  type Book,
  closeOrder,
  describeOrder,
  describeRefund,
  findOrder,
  findRefund,
  openidOf,
  placeOrder,
  placeRefund,
  Refused,
  type SimOrder,
  type SimRefund,
  shanghai,
} from './simulator-orders.ts'

const SKEW_MAX_SECONDS = 300
const FILE_LIFE_MS = 5 * 60_000
const AUTHORIZATION_LIFE_MS = 5 * 60_000

export type World = {
  keys: WechatPayKeys
  mode: 'certificate' | 'public-key'
  /** The newest signs. */
  certificates: PlatformCertificate[]
  book: Book
  onboarding: OnboardingBook
  outbox: Outbox
  refundMs: number
  refundOutcomes: SimRefund['status'][]
  timers: Set<NodeJS.Timeout>
  files: Map<string, { party: Party; body: string; madeAt: Date }>
  authorizations: Map<string, { appid: string; person: string; madeAt: Date; used: boolean }>
  billChanges: BillChange[]
}

export const statusOf = (code: string) =>
  ({
    SYSTEM_ERROR: 500,
    SIGN_ERROR: 401,
    MCH_NOT_EXISTS: 404,
    NO_AUTH: 403,
    OUT_TRADE_NO_USED: 403,
    NOT_ENOUGH: 403,
    ORDER_NOT_EXIST: 404,
    RESOURCE_NOT_EXISTS: 404,
    FREQUENCY_LIMITED: 429,
  })[code] ?? 400

export async function handle(
  world: World,
  name: string,
  request: SimRequest,
  control: Control,
): Promise<SimAnswer> {
  const flaw = control.take('wrong-signature', name)
    ? 'wrong-signature'
    : control.take('stale-timestamp', name)
      ? 'stale-timestamp'
      : null
  try {
    if (name === 'oauth-authorize') return authorize(world, request, control)
    if (name === 'oauth-token') return exchangeCode(world, request, control)
    if (name === 'sign-page') return answerSignPage(world.onboarding, request, control.now())
    if (control.take('quota-exhausted', name))
      throw new Refused(429, 'FREQUENCY_LIMITED', '频率超限', 268447840)
    if (control.take('token-revoked', name)) throw new Refused(403, 'NO_AUTH', '商户无权限')
    const upload = name === 'upload' ? await readUpload(request) : null
    const party = authenticate(world, request, upload?.meta ?? request.body.toString(), control.now())
    // The file is the one answer that carries no signature.
    if (name === 'billdownload') return downloadFile(world, party, request, control.now(), flaw)
    const answer = isOnboarding(name)
      ? onboard(world, name, party, request, upload, control)
      : perform(world, name, party, request, control)
    return signed(world, answer === null ? 204 : 200, answer, request, control, flaw)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return refusal(world, error, request, control, flaw)
  }
}

function onboard(
  { onboarding: book, keys, certificates }: World,
  name: string,
  party: Party,
  request: SimRequest,
  upload: UploadForm | null,
  control: Control,
): object {
  return performOnboarding(name, { book, keys, certificates, party, request, upload, control })
}

function perform(
  world: World,
  name: string,
  party: Party,
  request: SimRequest,
  control: Control,
): object | null {
  const now = control.now()
  if (name === 'certificates') return listCertificates(world, party)
  if (name === 'tradebill' || name === 'fundflowbill') return makeFile(world, name, party, request, now)
  const body = request.method === 'POST' ? readBody(request) : Object.fromEntries(request.query)
  const isPartner = request.path.startsWith('/v3/pay/partner/')
  const isPay = request.path.startsWith('/v3/pay/')
  const subMchid = merchantOf(party, body, isPay ? isPartner : party.subMchids.length > 0, isPay)
  const last = decodeURIComponent(
    request.path.split('/').at(name === 'close' || name === 'abnormal-refund' ? -2 : -1) ?? '',
  )
  if (name === 'native' || name === 'jsapi') {
    const appid = appOf(party, body, isPartner)
    const tradeType = name === 'native' ? 'NATIVE' : 'JSAPI'
    const order = placeOrder(world.book, { party, subMchid, appid, tradeType, body }, now)
    return order.code ? { code_url: order.code.url } : { prepay_id: order.prepayId }
  }
  if (name === 'query') {
    const number = request.path.includes('/id/') ? { transactionId: last } : { outTradeNo: last }
    return describeOrder(world.book, findOrder(world.book, party, subMchid, number), now)
  }
  if (name === 'close') {
    closeOrder(world.book, findOrder(world.book, party, subMchid, { outTradeNo: last }), now)
    return null
  }
  if (name === 'refund') return refundOrder(world, party, subMchid, body, control)
  const found = findRefund(world.book, party, subMchid, last)
  if (!found) throw new Refused(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
  if (name === 'abnormal-refund') {
    if (found.refund.status !== 'ABNORMAL') throw new Refused(400, 'INVALID_REQUEST', '退款单不是异常状态')
    found.refund.status = 'PROCESSING'
    endRefund(world, found.order, found.refund, 'SUCCESS', control)
  }
  return describeRefund(found.order, found.refund)
}

function readBody({ body }: SimRequest): Record<string, unknown> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    throw new Refused(400, 'PARAM_ERROR', '请求体不是JSON')
  }
}

/** The sub-merchant for whom a service provider acts, or null; refuses whoever is not who the request names. */
function merchantOf(
  party: Party,
  body: Record<string, unknown>,
  isPartner: boolean,
  mustName: boolean,
): string | null {
  if (!isPartner) {
    if (mustName && body.mchid !== party.mchid)
      throw new Refused(400, 'PARAM_ERROR', '商户号与签名的商户号不一致')
    return null
  }
  if (party.subMchids.length === 0) throw new Refused(403, 'NO_AUTH', '商户不是服务商', 268443701)
  if (mustName && body.sp_mchid !== party.mchid)
    throw new Refused(400, 'PARAM_ERROR', '服务商商户号与签名的商户号不一致')
  const subMchid = body.sub_mchid
  if (typeof subMchid !== 'string' || subMchid === '')
    throw new Refused(400, 'PARAM_ERROR', '缺少子商户号', 268443704)
  if (!party.subMchids.includes(subMchid))
    throw new Refused(403, 'NO_AUTH', '子商户与服务商没有受理关系', 268443701)
  return subMchid
}

function appOf(party: Party, body: Record<string, unknown>, isPartner: boolean): string {
  if ((isPartner ? body.sp_appid : body.appid) !== party.appid)
    throw new Refused(400, 'APPID_MCHID_NOT_MATCH', 'appid和mch_id不匹配', 268445527)
  return party.appid
}

/** `signed`: what of the body the signature is over. */
function authenticate({ keys }: World, request: SimRequest, signed: string, now: Date): Party {
  const fail = (message: string) => new Refused(401, 'SIGN_ERROR', message, 268443699)
  const header = request.headers.authorization ?? ''
  if (!header.startsWith('WECHATPAY2-SHA256-RSA2048 ')) throw fail('Authorization不合法')
  const fields = Object.fromEntries(
    [...header.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string | undefined>
  const party = partiesOf(keys).find(one => one.mchid === fields.mchid)
  if (!party) throw new Refused(404, 'MCH_NOT_EXISTS', '商户号不存在')
  if (party.serial !== fields.serial_no) throw fail('商户证书序列号有误。请使用签名私钥匹配的证书序列号')
  if (!(Math.abs(now.getTime() / 1000 - Number(fields.timestamp)) <= SKEW_MAX_SECONDS))
    throw fail('Http头Authorization中的timestamp与发起请求的时间不得超过5分钟')
  const text = `${request.method}\n${request.target}\n${fields.timestamp}\n${fields.nonce_str}\n${signed}\n`
  if (!isSignedBy(party.publicKeyPem, text, fields.signature ?? '')) throw fail('签名错误')
  return party
}

function refundOrder(
  world: World,
  party: Party,
  subMchid: string | null,
  body: Record<string, unknown>,
  control: Control,
): object {
  const number = { outTradeNo: text(body.out_trade_no), transactionId: text(body.transaction_id) }
  if (!number.outTradeNo && !number.transactionId) throw new Refused(400, 'PARAM_ERROR', '缺少原订单号')
  const order = findOrder(world.book, party, subMchid, number)
  const { refund, isNew } = placeRefund(world.book, order, body, control.now())
  if (isNew) endRefund(world, order, refund, world.refundOutcomes.shift() ?? 'SUCCESS', control)
  return describeRefund(order, refund)
}
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** A while later the money has moved, or not, and the merchant is told. */
function endRefund(
  world: World,
  order: SimOrder,
  refund: SimRefund,
  outcome: SimRefund['status'],
  control: Control,
): void {
  const timer = setTimeout(() => {
    world.timers.delete(timer)
    refund.status = outcome
    refund.endedAt = control.now()
    if (!refund.notifyUrl) return
    const { status, create_time, channel, ...contents } = describeRefund(order, refund)
    world.outbox.send('refund-notify', `REFUND.${outcome}`, refund.notifyUrl, order.party, {
      ...(order.subMchid
        ? { sp_mchid: order.party.mchid, sub_mchid: order.subMchid }
        : { mchid: order.party.mchid }),
      ...contents,
      refund_status: status,
    })
  }, world.refundMs)
  world.timers.add(timer.unref())
}

function listCertificates({ certificates }: World, party: Party): object {
  return {
    data: certificates.map(one => ({
      serial_no: one.serial,
      effective_time: shanghai(new Date(one.effectiveAt)),
      expire_time: shanghai(new Date(one.expiresAt)),
      encrypt_certificate: encryptFor(party.apiV3Key, 'certificate', one.certificatePem),
    })),
  }
}

function makeFile(world: World, name: string, party: Party, request: SimRequest, now: Date): object {
  const day = request.query.get('bill_date') ?? ''
  const subMchid = request.query.get('sub_mchid')
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new Refused(400, 'PARAM_ERROR', '账单日期格式有误')
  if (day > shanghai(now).slice(0, 10)) throw new Refused(400, 'INVALID_REQUEST', '账单日期有误')
  const owned = [...world.book.orders.values()].filter(
    order => order.party === party && (subMchid === null || order.subMchid === subMchid),
  )
  const body =
    name === 'tradebill'
      ? tradeBill(owned, party.mchid, day, world.billChanges)
      : fundFlowBill(owned, day, world.billChanges)
  const token = randomText(40)
  world.files.set(token, { party, body, madeAt: now })
  return {
    hash_type: 'SHA1',
    hash_value: createHash('sha1').update(body).digest('hex'),
    download_url: `http://${request.headers.host}/v3/billdownload/file?token=${token}`,
  }
}

function downloadFile(world: World, party: Party, request: SimRequest, now: Date, flaw: Flaw): SimAnswer {
  for (const [token, { madeAt }] of world.files)
    if (now.getTime() - madeAt.getTime() > FILE_LIFE_MS) world.files.delete(token)
  const file = world.files.get(request.query.get('token') ?? '')
  if (file?.party !== party) throw new Refused(403, 'NO_AUTH', '下载地址已失效')
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: flaw ? file.body.slice(0, -20) : file.body,
  }
}

/** The authorization page of a service account, which a visitor of snsapi_base never sees. */
function authorize(world: World, request: SimRequest, control: Control): SimAnswer {
  const { query } = request
  const returnUrl = query.get('redirect_uri') ?? ''
  const appid = query.get('appid') ?? ''
  const isKnown = partiesOf(world.keys).some(party => party.appid === appid)
  if (!isKnown || !URL.canParse(returnUrl) || query.get('scope') !== 'snsapi_base')
    return {
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'redirect_uri 参数错误',
    }
  const code = randomText(32)
  const person = query.get('person') ?? 'simulated'
  world.authorizations.set(code, { appid, person, madeAt: control.now(), used: false })
  const back = new URL(returnUrl)
  back.searchParams.set('code', code)
  back.searchParams.set('state', query.get('state') ?? '')
  return { status: 302, headers: { location: back.toString() } }
}

function exchangeCode(world: World, { query }: SimRequest, control: Control): SimAnswer {
  const fail = (errcode: number, errmsg: string) => json({ errcode, errmsg })
  const authorization = world.authorizations.get(query.get('code') ?? '')
  if (control.take('token-revoked', 'oauth-token')) return fail(40029, 'invalid code')
  if (control.take('quota-exhausted', 'oauth-token')) return fail(45009, 'reach max api daily quota limit')
  if (query.get('secret') !== world.keys.appSecret) return fail(40125, 'invalid appsecret')
  if (!authorization || authorization.appid !== query.get('appid')) return fail(40029, 'invalid code')
  if (authorization.used) return fail(40163, 'code been used')
  if (control.now().getTime() - authorization.madeAt.getTime() > AUTHORIZATION_LIFE_MS)
    return fail(42003, 'oauth_code expired')
  authorization.used = true
  return json({
    access_token: randomText(64),
    expires_in: 7200,
    refresh_token: randomText(64),
    openid: openidOf(authorization.appid, authorization.person),
    scope: 'snsapi_base',
  })
}

type Flaw = 'wrong-signature' | 'stale-timestamp' | 'probe' | null

/** `asked`: the key that the request named, which the answer is then signed with. */
export function signatureHeaders(
  world: World,
  body: string,
  now: Date,
  flaw: Flaw,
  asked: string | null,
): Record<string, string> {
  const { publicKey } = world.keys
  const isPublicKey = asked === publicKey.id || (asked === null && world.mode === 'public-key')
  const certificate = world.certificates.at(-1) ?? world.keys.platform
  const key = isPublicKey ? publicKey.privateKeyPem : certificate.privateKeyPem
  const seconds = Math.floor(now.getTime() / 1000) - (flaw === 'stale-timestamp' ? 2 * SKEW_MAX_SECONDS : 0)
  const nonce = randomText(32)
  const signature = signWith(key, `${seconds}\n${nonce}\n${flaw === 'wrong-signature' ? `${body} ` : body}\n`)
  return {
    'wechatpay-timestamp': String(seconds),
    'wechatpay-nonce': nonce,
    'wechatpay-serial': isPublicKey ? publicKey.id : certificate.serial,
    'wechatpay-signature': flaw === 'probe' ? `WECHATPAY/SIGNTEST/${signature}` : signature,
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  }
}

function signed(
  world: World,
  status: number,
  value: object | null,
  request: SimRequest,
  control: Control,
  flaw: Flaw,
  number = 0,
): SimAnswer {
  const body = value === null ? '' : JSON.stringify(value)
  const asked = request.headers['wechatpay-serial']
  const isOurs = asked === world.keys.publicKey.id
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'request-id': `08${randomText(40)}-${number}`,
      ...signatureHeaders(world, body, control.now(), flaw, isOurs ? world.keys.publicKey.id : null),
    },
    body,
  }
}

export function refusal(
  world: World,
  { status, code, message, number }: Refused,
  request: SimRequest,
  control: Control,
  flaw: Flaw,
): SimAnswer {
  return signed(world, status, { code, message }, request, control, flaw, number)
}
