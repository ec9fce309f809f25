// Outside services as the environment configures them; where it names none, simulators on loopback in the demo, else nothing.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SMS_TEMPLATES } from '#features/shops/messages/reference.ts'
import { PAY_CHANNELS, type PayChannelName, perChannel } from '#kit/ports/channels.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import type { PosService } from '#kit/ports/pos-service.ts'
import type {
  Ocr,
  OwnPay,
  PayChannel,
  Providers,
  SettingsReader,
  SmsSender,
  Surroundings,
} from '#kit/ports/providers.ts'
import { ADDRESSES } from '#providers/addresses.ts'
import { makeAliyunOcr } from '#providers/aliyun-ocr/client.ts'
import { makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import { makeGeetest } from '#providers/geetest/client.ts'
import { openLine } from '#providers/line.ts'
import { makePosService } from '#providers/pos/client.ts'
import { roomOf } from '#providers/rooms.ts'
import type { Simulators } from '#providers/simulators.ts'
import type { SharedSimulators } from '#providers/simulators-shared.ts'
import { makeTencentCaptcha } from '#providers/tencent-captcha/client.ts'
import { makeTencentOcr } from '#providers/tencent-ocr/client.ts'
import { makeTencentSms } from '#providers/tencent-sms/client.ts'
import { hasTesseract, makeTesseract } from '#providers/tesseract/client.ts'
import { makeTianque, readTianque, TIANQUE_PREFIX } from '#providers/tianque/client.ts'
import { makeTianqueOnboarding } from '#providers/tianque/onboarding.ts'
import { makeWechatOpen, readWechatOpen, WECHAT_OPEN_PREFIX } from '#providers/wechat-open/client.ts'
import { SYSTEM_CLOCK } from '#server/clock.ts'
import type { Env } from '#server/env.ts'
import { connectionsOf, NOT_CONNECTED } from './providers-connections.ts'
import { realDesks, simulatedDesks } from './providers-signatures.ts'

export const NO_PROVIDERS: Providers = {
  connections: NOT_CONNECTED,
  pay: {},
  own: {},
  acquirers: {},
  acquirerOnboarding: {},
  sms: null,
  signatureDesks: [],
  smsSignature: '',
  receiptSecret: '',
  captcha: null,
  captchaSite: {},
  ocr: null,
  onboarding: null,
  miniPrograms: null,
  pos: null,
  phoneUrl: null,
  inboxUrl: null,
}

const CALL_WITHIN_MS = 8_000
/** Of the demo: so that a backup is seen while it is made. */
const POS_PACE_MS = 1_500
const DEMO_SIGNATURE = '伙伴管家'

export const SURROUNDINGS: Surroundings = {
  fetch: (...call) => fetch(...call),
  now: SYSTEM_CLOCK.now,
  nonce: () => randomBytes(16).toString('hex'),
  timeoutMs: CALL_WITHIN_MS,
}

export type OpenedProviders = {
  providers: Providers
  simulators: SharedSimulators | null
  /** The program listens: receipts of simulators can come. */
  listening(baseUrl: string): void
  /** The program stops: calls under way are given a little time, and none is begun any more. */
  hangUp(): void
  stop(): Promise<void>
}

/** Throws an Error in words where a setting is missing or cannot be read. */
export async function openProviders(env: Env): Promise<OpenedProviders> {
  const { outside } = env
  const line = openLine()
  const surroundings = { ...SURROUNDINGS, fetch: line.fetch }
  const has = (prefix: string) => Object.keys(outside).some(name => name.startsWith(prefix))
  const isRealSms = has('ALIYUN_SMS_') || has('TENCENT_SMS_')
  const simulated = env.simulators ? await openSimulators(env) : null
  const settingsOf = (name: PayChannelName): unknown => {
    const room = roomOf(name)
    return has(room.prefix) ? room.read(readerOf(outside, room.prefix)) : simulated?.settings[name]
  }
  const connect = (name: PayChannelName): PayChannel | undefined => {
    const settings = settingsOf(name)
    return settings === undefined ? undefined : roomOf(name).make(settings, surroundings)
  }
  const own = (name: PayChannelName): OwnPay | undefined => {
    const { prefix, own: ownOf, make } = roomOf(name)
    if (!ownOf) return undefined
    const reader = readerOf(outside, prefix)
    const standIn = has(prefix) ? undefined : simulated?.settings[name]
    return values => make(ownOf(values, reader, standIn), surroundings)
  }
  const providers: Providers = {
    connections: connectionsOf(outside, simulated !== null),
    pay: connected(perChannel(connect)),
    own: connected(perChannel(own)),
    ...acquirersOf(outside, simulated, surroundings),
    sms: smsOf(outside, simulated, surroundings),
    signatureDesks:
      simulated && !isRealSms
        ? simulatedDesks(simulated.settings, surroundings)
        : realDesks(outside, name => needed(outside, name), surroundings),
    smsSignature: isRealSms
      ? needed(outside, 'SMS_SIGNATURE')
      : (outside.SMS_SIGNATURE ?? (simulated ? DEMO_SIGNATURE : '')),
    receiptSecret: receiptSecretOf(outside, isRealSms, simulated),
    ...captchaOf(outside, surroundings),
    ocr: await ocrOf(outside, simulated, surroundings),
    onboarding: onboardingOf(settingsOf, surroundings),
    miniPrograms: miniProgramsOf(outside, simulated, surroundings),
    pos: posOf(outside, simulated, surroundings),
    phoneUrl: simulated?.phoneUrl ?? null,
    inboxUrl: simulated?.phoneUrl.replace(/phone$/, `inbox?sms=${outside.SMS_PROVIDER ?? 'aliyun'}`) ?? null,
  }
  return {
    providers,
    simulators: simulated,
    listening(baseUrl) {
      simulated?.setReceiptsUrl(service => `${baseUrl}/callbacks/sms/${service}/${providers.receiptSecret}`)
      simulated?.setProgramEventsUrl(`${baseUrl}/callbacks/wechat-open`)
    },
    hangUp: () => line.hangUp(),
    stop: async () => simulated?.stop(),
  }
}

/** Loaded only where they run. */
async function openSimulators({ dataDir, outside }: Env): Promise<SharedSimulators> {
  const { shareSimulators } = await import('#providers/simulators-shared.ts')
  return shareSimulators({
    keysFile: join(dataDir, 'simulators.json'),
    signature: outside.SMS_SIGNATURE ?? DEMO_SIGNATURE,
    templates: approvedTemplates(),
    posPaceMs: POS_PACE_MS,
  })
}

type Outside = Env['outside']

/** The first channel whose account may open merchant accounts for shops. */
export function onboardingOf(
  settingsOf: (name: PayChannelName) => unknown,
  surroundings: Surroundings,
): OnboardingDesk | null {
  for (const name of PAY_CHANNELS) {
    const settings = settingsOf(name)
    const desk = settings === undefined ? null : roomOf(name).onboarding?.(settings, surroundings)
    if (desk) return desk
  }
  return null
}

/** A service that is real was told the address of its receipts: it must be the same after a restart and in all instances. */
function receiptSecretOf(outside: Outside, isReal: boolean, simulated: SharedSimulators | null): string {
  const secret = isReal ? needed(outside, 'SMS_RECEIPT_SECRET') : outside.SMS_RECEIPT_SECRET
  if (secret !== undefined && !/^[\w-]{16,100}$/.test(secret))
    throw new Error('Settings are wrong. SMS_RECEIPT_SECRET: must be 16 to 100 letters and digits')
  return secret ?? simulated?.receiptSecret ?? ''
}

/** A setting, or the content of the file that `NAME_FILE` names: keys are long and have lines. */
function given(outside: Outside, name: string): string | undefined {
  const file = outside[`${name}_FILE`]
  return (
    outside[name]?.replaceAll('\\n', '\n') ??
    (file === undefined ? undefined : readFileSync(file, 'utf8').trim())
  )
}

function needed(outside: Outside, name: string): string {
  const value = given(outside, name)
  if (value === undefined)
    throw new Error(`Settings are wrong. ${name}: is required with the others of its service`)
  return value
}

function readerOf(outside: Outside, prefix: string): SettingsReader {
  return { need: name => needed(outside, prefix + name), may: name => given(outside, prefix + name) }
}

export function connected<T>(all: Record<PayChannelName, T | undefined>): Partial<Record<PayChannelName, T>> {
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined))
}

function acquirersOf(
  outside: Outside,
  simulated: SharedSimulators | null,
  surroundings: Surroundings,
): Pick<Providers, 'acquirers' | 'acquirerOnboarding'> {
  const isNamed = Object.keys(outside).some(name => name.startsWith(TIANQUE_PREFIX))
  const tianque = isNamed ? readTianque(readerOf(outside, TIANQUE_PREFIX)) : simulated?.settings.tianque
  if (!tianque) return { acquirers: {}, acquirerOnboarding: {} }
  return {
    acquirers: { tianque: makeTianque(tianque, surroundings) },
    acquirerOnboarding: { tianque: makeTianqueOnboarding(tianque, surroundings) },
  }
}

function miniProgramsOf(
  outside: Outside,
  simulated: SharedSimulators | null,
  surroundings: Surroundings,
): Providers['miniPrograms'] {
  const isNamed = Object.keys(outside).some(name => name.startsWith(WECHAT_OPEN_PREFIX))
  const settings = isNamed
    ? readWechatOpen(readerOf(outside, WECHAT_OPEN_PREFIX))
    : simulated?.settings.wechatOpen
  return settings ? store => makeWechatOpen(settings, surroundings, store) : null
}

function smsOf(
  outside: Outside,
  simulated: SharedSimulators | null,
  surroundings: Surroundings,
): SmsSender | null {
  const wanted = outside.SMS_PROVIDER
  if (wanted !== undefined && wanted !== 'aliyun' && wanted !== 'tencent')
    throw new Error('Settings are wrong. SMS_PROVIDER: must be aliyun or tencent')
  const has = (prefix: string) => Object.keys(outside).some(name => name.startsWith(prefix))
  if (has('TENCENT_SMS_') && wanted !== 'aliyun')
    return makeTencentSms(
      {
        baseUrl: outside.TENCENT_SMS_BASE_URL ?? ADDRESSES.TENCENT_SMS_BASE_URL,
        secretId: needed(outside, 'TENCENT_SMS_SECRET_ID'),
        secretKey: needed(outside, 'TENCENT_SMS_SECRET_KEY'),
        region: outside.TENCENT_SMS_REGION ?? 'ap-guangzhou',
        sdkAppId: needed(outside, 'TENCENT_SMS_SDK_APP_ID'),
      },
      surroundings,
    )
  if (has('ALIYUN_SMS_'))
    return makeAliyunSms(
      {
        baseUrl: outside.ALIYUN_SMS_BASE_URL ?? ADDRESSES.ALIYUN_SMS_BASE_URL,
        accessKeyId: needed(outside, 'ALIYUN_SMS_ACCESS_KEY_ID'),
        accessKeySecret: needed(outside, 'ALIYUN_SMS_ACCESS_KEY_SECRET'),
      },
      surroundings,
    )
  if (!simulated) return null
  return wanted === 'tencent'
    ? makeTencentSms(simulated.settings.tencent, surroundings)
    : makeAliyunSms(simulated.settings.aliyun, surroundings)
}

async function ocrOf(
  outside: Outside,
  simulated: SharedSimulators | null,
  surroundings: Surroundings,
): Promise<Ocr | null> {
  const wanted = outside.OCR_PROVIDER
  if (wanted !== undefined && !['aliyun', 'tencent', 'tesseract'].includes(wanted))
    throw new Error('Settings are wrong. OCR_PROVIDER: must be aliyun, tencent or tesseract')
  if (wanted === 'tesseract') {
    const settings = { program: outside.TESSERACT_PROGRAM ?? 'tesseract', path: outside.PATH }
    if (!(await hasTesseract(settings)))
      throw new Error('Settings are wrong. OCR_PROVIDER: there is no tesseract with chi_sim on this machine')
    return makeTesseract(settings, surroundings.now)
  }
  const has = (prefix: string) => Object.keys(outside).some(name => name.startsWith(prefix))
  if (has('TENCENT_OCR_') && wanted !== 'aliyun')
    return makeTencentOcr(
      {
        baseUrl: outside.TENCENT_OCR_BASE_URL ?? ADDRESSES.TENCENT_OCR_BASE_URL,
        secretId: needed(outside, 'TENCENT_OCR_SECRET_ID'),
        secretKey: needed(outside, 'TENCENT_OCR_SECRET_KEY'),
        region: outside.TENCENT_OCR_REGION ?? 'ap-guangzhou',
      },
      surroundings,
    )
  if (has('ALIYUN_OCR_') && wanted !== 'tencent')
    return makeAliyunOcr(
      {
        baseUrl: outside.ALIYUN_OCR_BASE_URL ?? ADDRESSES.ALIYUN_OCR_BASE_URL,
        accessKeyId: needed(outside, 'ALIYUN_OCR_ACCESS_KEY_ID'),
        accessKeySecret: needed(outside, 'ALIYUN_OCR_ACCESS_KEY_SECRET'),
      },
      surroundings,
    )
  if (!simulated) return null
  return wanted === 'aliyun'
    ? makeAliyunOcr(simulated.settings.aliyunOcr, surroundings)
    : makeTencentOcr(simulated.settings.tencentOcr, surroundings)
}

function posOf(
  outside: Outside,
  simulated: SharedSimulators | null,
  surroundings: Surroundings,
): PosService | null {
  const baseUrl = outside.POS_SERVICE_URL?.replace(/\/+$/, '')
  if (baseUrl === undefined) return simulated && makePosService(simulated.settings.pos, surroundings)
  if (!/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(baseUrl))
    throw new Error('Settings are wrong. POS_SERVICE_URL: must begin with https:// (or lead to this machine)')
  const secret = needed(outside, 'POS_SERVICE_SECRET')
  if (!/^whsec_[A-Za-z\d+/]{32,}={0,2}$/.test(secret))
    throw new Error('Settings are wrong. POS_SERVICE_SECRET: must be whsec_ and at least 24 bytes in base64')
  return makePosService({ baseUrl, secret }, surroundings)
}

function captchaOf(outside: Outside, surroundings: Surroundings): Pick<Providers, 'captcha' | 'captchaSite'> {
  if (outside.GEETEST_CAPTCHA_ID !== undefined) {
    const captchaId = outside.GEETEST_CAPTCHA_ID
    const captchaKey = needed(outside, 'GEETEST_CAPTCHA_KEY')
    const baseUrl = outside.GEETEST_BASE_URL ?? ADDRESSES.GEETEST_BASE_URL
    return {
      captcha: makeGeetest({ baseUrl, captchaId, captchaKey }, surroundings),
      captchaSite: {
        captchaId,
        script: outside.GEETEST_SCRIPT_URL ?? 'https://static.geetest.com/v4/gt4.js',
        origins: outside.GEETEST_ORIGINS ?? 'https://static.geetest.com https://gcaptcha4.geetest.com',
      },
    }
  }
  if (outside.TENCENT_CAPTCHA_APP_ID === undefined) return { captcha: null, captchaSite: {} }
  const captchaAppId = Number(outside.TENCENT_CAPTCHA_APP_ID)
  const settings = {
    baseUrl: outside.TENCENT_CAPTCHA_BASE_URL ?? ADDRESSES.TENCENT_CAPTCHA_BASE_URL,
    secretId: needed(outside, 'TENCENT_CAPTCHA_SECRET_ID'),
    secretKey: needed(outside, 'TENCENT_CAPTCHA_SECRET_KEY'),
    captchaAppId,
    appSecretKey: needed(outside, 'TENCENT_CAPTCHA_APP_SECRET_KEY'),
  }
  return {
    captcha: makeTencentCaptcha(settings, surroundings),
    captchaSite: {
      captchaAppId: String(captchaAppId),
      script: outside.TENCENT_CAPTCHA_SCRIPT_URL ?? 'https://turing.captcha.qcloud.com/TJCaptcha.js',
      origins:
        outside.TENCENT_CAPTCHA_ORIGINS ?? 'https://turing.captcha.qcloud.com https://*.captcha.qcloud.com',
    },
  }
}

/** The simulators with our templates, as the providers would have approved them. */
export async function startDemoSimulators(
  keysFile: string | null,
  signature: string,
  pace: { smsLimits?: boolean; callbackScale?: number; signatureReviewMs?: number } = {},
): Promise<Simulators> {
  const { startSimulators } = await import('#providers/simulators.ts')
  return startSimulators({ keysFile, signature, ...pace, templates: approvedTemplates() })
}

function approvedTemplates() {
  const numbered = (text: string, variables: readonly { name: string }[]) =>
    variables.reduce((made, { name }, place) => made.replaceAll(`\${${name}}`, `{${place + 1}}`), text)
  return {
    aliyun: SMS_TEMPLATES.map(({ key, aliyunCode, text }) => ({
      code: aliyunCode,
      text,
      kind: kindOf(key),
    })),
    tencent: SMS_TEMPLATES.map(({ key, tencentId, text, variables }) => ({
      code: tencentId,
      text: numbered(text, variables),
      kind: kindOf(key),
    })),
  }
}

function kindOf(key: string): 'code' | 'notice' {
  return key.endsWith('-code') ? 'code' : 'notice'
}
