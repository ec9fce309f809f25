// WeChat Pay APIv3 as a server on loopback: it verifies every request and signs every answer and callback itself.
// Different from the real service: an unpaid order stays NOTPAY for ten minutes (`lateMs`) after its time_expire, in which
// the phone page can force a late payment; a failed payment shows as PAYERROR, which the real one shows for payment codes
// alone; a bill can be had for the running day; notify_url and OAuth return addresses may be plain http; the fund flow's
// balance begins at nothing each day; probes are sent with callbacks alone; no fees, coupons or profit sharing; it
// forgets its orders when it stops.
import { join } from 'node:path'
import type { PaySimulation, PaySimulator } from '#providers/simulated-room.ts'
import { type Control, json, type SimAnswer, type SimRequest, startSimulator } from '#providers/simulator.ts'
import type { BillChange } from './simulator-bill.ts'
import { handle, refusal, signatureHeaders, statusOf, type World } from './simulator-desk.ts'
import {
  makeCertificate,
  makeParty,
  makeWechatPayKeys,
  type Party,
  partiesOf,
  type WechatPayKeys,
} from './simulator-keys.ts'
import { makeOutbox } from './simulator-notices.ts'
import { listApplications } from './simulator-onboarding.ts'
import { makeOnboardingBook, type SimApplication } from './simulator-onboarding-book.ts'
import { controlOnboarding, ONBOARDING_ENDPOINTS, SIGN_ENDPOINTS } from './simulator-onboarding-desk.ts'
import {
  CODES,
  describeOrder,
  type Payment,
  payOrder,
  Refused,
  type Remembered,
  rememberOrder,
  type SimOrder,
  type SimRefund,
  stateOf,
} from './simulator-orders.ts'
import { phoneAnswer } from './simulator-phone.ts'

const CALLS_A_SECOND = 15
/** Of the demo, so that somebody who waits sees it pass. */
const REVIEW_MS = 5_000
const SIGNING_MS = 3_000

export { makeWechatPayKeys, type WechatPayKeys } from './simulator-keys.ts'

export type WechatPaySimulatorOptions = {
  keys: WechatPayKeys
  /** What answers and callbacks are signed with where the request does not name a public key. */
  mode?: 'certificate' | 'public-key'
  /** Real seconds per second of the callback schedule; at 0.01 the first retry comes after 150 ms. */
  callbackScale?: number
  /** One callback in so many is a signature probe; 0: none. */
  probeEvery?: number
  /** How long a refund is PROCESSING. */
  refundMs?: number
  lateMs?: number
  /** Calls of onboarding that are taken in a second. */
  callsASecond?: number
  /** How long an application is under review, what was signed is carried out, and a change of account is under review. */
  reviewMs?: number
  signingMs?: number
  changeMs?: number
  /** Keeps applications and merchants over restarts; absent: forgets them. */
  onboardingFile?: string | null
}
export type WechatPaySimulator = PaySimulator & {
  pay(payment: Payment): SimOrder
  orders(): SimOrder[]
  applications(): SimApplication[]
}

/** The client's settings for these keys: plain data. */
export function settingsFor(
  keys: WechatPayKeys,
  url: string,
  {
    merchant = 'direct',
    mode = 'certificate',
  }: { merchant?: 'direct' | 'partner'; mode?: 'certificate' | 'public-key' } = {},
) {
  const party = keys[merchant]
  const oauth = { authorizeBaseUrl: url, tokenBaseUrl: url, appSecret: keys.appSecret }
  return {
    baseUrl: url,
    merchant:
      merchant === 'direct'
        ? { kind: 'direct' as const, mchid: party.mchid, appid: party.appid }
        : {
            kind: 'partner' as const,
            spMchid: party.mchid,
            spAppid: party.appid,
            subMchid: party.subMchids[0] ?? '',
            subAppid: null,
          },
    merchantSerial: party.serial,
    merchantKeyPem: party.privateKeyPem,
    apiV3Key: party.apiV3Key,
    publicKey: mode === 'public-key' ? { id: keys.publicKey.id, pem: keys.publicKey.publicKeyPem } : null,
    acceptCertificates: mode === 'certificate',
    oauth,
  }
}

export type WechatPaySimulatorSettings = ReturnType<typeof settingsFor>

/** The vendor is a service provider, the agent a merchant; both have WeChat Pay's public key. */
export const WECHAT_PAY_SIMULATION = {
  codes: CODES,
  makeKeys: makeWechatPayKeys,
  makeOwnKeys: () => makeParty('演示代理商', '1900000003', []),
  start: (keys, own, { folder, ...pace }, port) =>
    startWechatPaySimulator(
      {
        keys: { ...keys, others: [own] },
        mode: 'public-key',
        onboardingFile: folder === undefined ? null : join(folder, 'simulator-onboarding.json'),
        ...pace,
      },
      port,
    ),
  settings: (keys, url) => settingsFor(keys, url, { merchant: 'partner', mode: 'public-key' }),
  environment({ baseUrl, merchant, merchantSerial, merchantKeyPem, apiV3Key, publicKey, oauth }) {
    const { mchid, appid, sub } =
      merchant.kind === 'direct'
        ? { mchid: merchant.mchid, appid: merchant.appid, sub: {} }
        : {
            mchid: merchant.spMchid,
            appid: merchant.spAppid,
            sub: { WECHAT_PAY_SUB_MCHID: merchant.subMchid },
          }
    return {
      WECHAT_PAY_BASE_URL: baseUrl,
      WECHAT_PAY_MCHID: mchid,
      WECHAT_PAY_APPID: appid,
      ...sub,
      WECHAT_PAY_SERIAL: merchantSerial,
      WECHAT_PAY_PRIVATE_KEY: merchantKeyPem,
      WECHAT_PAY_API_V3_KEY: apiV3Key,
      WECHAT_PAY_APP_SECRET: oauth.appSecret,
      WECHAT_PAY_AUTHORIZE_BASE_URL: oauth.authorizeBaseUrl,
      WECHAT_PAY_TOKEN_BASE_URL: oauth.tokenBaseUrl,
      ...(publicKey && { WECHAT_PAY_PUBLIC_KEY_ID: publicKey.id, WECHAT_PAY_PUBLIC_KEY: publicKey.pem }),
    }
  },
  ownValues: (keys, own) => ({
    appid: own.appid,
    mchid: own.mchid,
    serial: own.serial,
    privateKey: own.privateKeyPem,
    apiV3Key: own.apiV3Key,
    publicKeyId: keys.publicKey.id,
    publicKey: keys.publicKey.publicKeyPem,
    appSecret: keys.appSecret,
  }),
} satisfies PaySimulation<WechatPaySimulatorSettings, WechatPayKeys, Party, WechatPaySimulator>

const ENDPOINTS: [method: string, path: RegExp, name: string][] = [
  ['POST', /^\/v3\/pay\/(?:partner\/)?transactions\/native$/, 'native'],
  ['POST', /^\/v3\/pay\/(?:partner\/)?transactions\/jsapi$/, 'jsapi'],
  ['GET', /^\/v3\/pay\/(?:partner\/)?transactions\/out-trade-no\/[^/]+$/, 'query'],
  ['GET', /^\/v3\/pay\/(?:partner\/)?transactions\/id\/[^/]+$/, 'query'],
  ['POST', /^\/v3\/pay\/(?:partner\/)?transactions\/out-trade-no\/[^/]+\/close$/, 'close'],
  ['POST', /^\/v3\/refund\/domestic\/refunds$/, 'refund'],
  ['GET', /^\/v3\/refund\/domestic\/refunds\/[^/]+$/, 'query-refund'],
  ['POST', /^\/v3\/refund\/domestic\/refunds\/[^/]+\/apply-abnormal-refund$/, 'abnormal-refund'],
  ['GET', /^\/v3\/certificates$/, 'certificates'],
  ['GET', /^\/v3\/bill\/tradebill$/, 'tradebill'],
  ['GET', /^\/v3\/bill\/fundflowbill$/, 'fundflowbill'],
  ['GET', /^\/v3\/billdownload\/file$/, 'billdownload'],
  ['GET', /^\/connect\/oauth2\/authorize$/, 'oauth-authorize'],
  ['GET', /^\/sns\/oauth2\/access_token$/, 'oauth-token'],
  ...ONBOARDING_ENDPOINTS,
  ...SIGN_ENDPOINTS,
]

/** Starts on loopback. Fault rules name the endpoints above, and `notify` and `refund-notify` for callbacks. */
export async function startWechatPaySimulator(
  options: WechatPaySimulatorOptions,
  port = 0,
): Promise<WechatPaySimulator> {
  const { keys } = options
  const running: { control?: Control } = {}
  const controlOf = () => {
    if (!running.control) throw new Error('not started yet')
    return running.control
  }
  const world: World = {
    keys,
    mode: options.mode ?? 'certificate',
    certificates: [keys.platform],
    book: { orders: new Map(), codes: new Map(), lateMs: options.lateMs ?? 600_000 },
    onboarding: makeOnboardingBook({
      file: options.onboardingFile ?? null,
      callsASecond: options.callsASecond ?? CALLS_A_SECOND,
      reviewMs: options.reviewMs ?? REVIEW_MS,
      signingMs: options.signingMs ?? SIGNING_MS,
      changeMs: options.changeMs ?? REVIEW_MS,
      opened(mchid, subMchid) {
        const party = partiesOf(keys).find(one => one.mchid === mchid)
        if (party && !party.subMchids.includes(subMchid)) party.subMchids.push(subMchid)
      },
    }),
    outbox: makeOutbox({
      scale: options.callbackScale ?? 0.01,
      probeEvery: options.probeEvery ?? 0,
      control: controlOf,
      sign: (body, flaw) => signatureHeaders(world, body, controlOf().now(), flaw, null),
    }),
    refundMs: options.refundMs ?? 100,
    refundOutcomes: [],
    timers: new Set(),
    files: new Map(),
    authorizations: new Map(),
    billChanges: [],
  }
  const simulator = await startSimulator(
    {
      nameOf: ({ method, path }) =>
        ENDPOINTS.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2] ?? null,
      handle: (name, request, control) => handle(world, name, request, control),
      errorOf: (code, message, request, control) =>
        refusal(world, new Refused(statusOf(code), code, message), request, control, null),
      control: (path, request, control) => answerControl(world, path, request, control),
      stop() {
        world.outbox.stop()
        for (const timer of world.timers) clearTimeout(timer)
      },
    },
    port,
  )
  running.control = simulator.control
  return {
    ...simulator,
    pay: payment => pay(world, payment, simulator.control),
    payCode(code, { late = false } = {}) {
      pay(world, { code, payer: 'payer', outcome: 'paid', late }, simulator.control)
    },
    keptCallbacks: () => world.outbox.notices.filter(({ kept }) => kept).map(({ id }) => id),
    orders: () => [...world.book.orders.values()],
    applications: () => listApplications(world.onboarding, simulator.control.now()),
  }
}

/** A payer pays or fails; the merchant is told of a payment. */
function pay(world: World, payment: Payment, control: Control): SimOrder {
  const order = payOrder(world.book, payment, control.now())
  if (order.state === 'SUCCESS')
    world.outbox.send(
      'notify',
      'TRANSACTION.SUCCESS',
      order.notifyUrl,
      order.party,
      describeOrder(world.book, order, control.now()),
    )
  return order
}

function answerControl(world: World, path: string, request: SimRequest, control: Control): SimAnswer | null {
  const onboarding = controlOnboarding(world.onboarding, path, request, control.now())
  if (onboarding) return onboarding
  const isPost = request.method === 'POST'
  const read = <T>() => JSON.parse(request.body.toString() || '{}') as T
  if (path === 'phone') return phoneAnswer(world.book, request.query, control.now())
  if (path === 'orders')
    return json({ orders: [...world.book.orders.values()].map(one => summary(world, one, control.now())) })
  if (path === 'notices')
    return json({
      notices: world.outbox.notices.map(({ id, name, eventType, url, attempts, kept }) => ({
        id,
        name,
        eventType,
        url,
        attempts,
        kept,
      })),
    })
  if (path === 'pay' && isPost) {
    try {
      return json(summary(world, pay(world, read<Payment>(), control), control.now()))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return json({ code: error.code, message: error.message }, error.status)
    }
  }
  if (path === 'remember' && isPost) {
    const { accounts, paid } = read<{ accounts: string[]; paid: Remembered[] }>()
    const party = partiesOf(world.keys).find(one => accounts.includes(one.mchid))
    if (party) for (const one of paid) rememberOrder(world.book, party, one)
    return json({ remembered: party ? paid.length : 0 })
  }
  // How the next refunds end, in their order.
  if (path === 'refunds' && isPost) {
    world.refundOutcomes.push(...read<{ next: SimRefund['status'][] }>().next)
    return json({ next: world.refundOutcomes })
  }
  if (path === 'bill' && isPost) {
    world.billChanges.push(...[read<BillChange | BillChange[]>()].flat())
    return json({ changes: world.billChanges })
  }
  if (path === 'keys' && isPost) {
    const { mode, rotate } = read<{ mode?: World['mode']; rotate?: boolean }>()
    if (mode) world.mode = mode
    if (rotate) world.certificates.push(makeCertificate(control.now()))
    return json({ mode: world.mode, serials: world.certificates.map(({ serial }) => serial) })
  }
  return null
}

function summary({ book }: World, order: SimOrder, now: Date) {
  return {
    mchid: order.party.mchid,
    subMchid: order.subMchid,
    outTradeNo: order.outTradeNo,
    tradeType: order.tradeType,
    state: stateOf(book, order, now),
    description: order.description,
    amountFen: order.amountFen,
    code: order.code?.url ?? order.prepayId,
    payer: order.payer,
    transactionId: order.transactionId,
    expiresAt: order.expiresAt?.toISOString() ?? null,
    paidAt: order.paidAt?.toISOString() ?? null,
    refunds: order.refunds.map(({ refundNo, refundFen, status }) => ({ refundNo, refundFen, status })),
  }
}
