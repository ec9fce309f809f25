// Outside services for tests: the simulators over HTTP, and the product's own clients of them.
import { connected, NO_PROVIDERS, onboardingOf, SURROUNDINGS, startDemoSimulators } from '#app/providers.ts'
import { simulatedDesks } from '#app/providers-signatures.ts'
import { perChannel } from '#kit/ports/channels.ts'
import type { Providers, SettingsReader, SmsProviderName, Surroundings } from '#kit/ports/providers.ts'
import { makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import { makePosService } from '#providers/pos/client.ts'
import { roomOf } from '#providers/rooms.ts'
import type { Simulators } from '#providers/simulators.ts'
import { makeTencentOcr } from '#providers/tencent-ocr/client.ts'
import { makeTencentSms } from '#providers/tencent-sms/client.ts'
import { makeTianque } from '#providers/tianque/client.ts'
import { makeTianqueOnboarding } from '#providers/tianque/onboarding.ts'
import { makeWechatOpen } from '#providers/wechat-open/client.ts'
import type { Office } from './app.ts'
import { ANSWERED_WITHIN_MS } from './patience.ts'

const NOTHING: SettingsReader = {
  need(name) {
    throw new Error(`${name} is missing`)
  },
  may: () => undefined,
}

export type Outside = {
  simulators: Simulators
  providers: Providers
  /** Receipts go to this office from now on. */
  receiptsTo(office: Office): void
  /** From now on the clients wait so long for an answer. */
  waitFor(timeoutMs: number): void
  stop(): Promise<void>
}

/** `timeoutMs`: how long the clients wait for an answer, two minutes where nothing is said. */
export async function startOutside({
  sms = 'aliyun',
  timeoutMs = ANSWERED_WITHIN_MS,
  callbackScale = 0.005,
  signatures = false,
}: {
  sms?: SmsProviderName
  timeoutMs?: number
  callbackScale?: number
  /** Whether both services review shops' own signatures. */
  signatures?: boolean
} = {}): Promise<Outside> {
  const signature = '测试签名'
  const simulators = await startDemoSimulators(null, signature, {
    ...{ smsLimits: false, callbackScale },
    // Reviewed by the test alone, however long it takes.
    signatureReviewMs: 24 * 60 * 60 * 1000,
  })
  const surroundings: Surroundings = { ...SURROUNDINGS, timeoutMs }
  const { settings } = simulators
  const providers: Providers = {
    ...NO_PROVIDERS,
    pay: connected(perChannel(name => settings[name] && roomOf(name).make(settings[name], surroundings))),
    own: connected(
      perChannel(name => {
        const { own, make } = roomOf(name)
        return own && (values => make(own(values, NOTHING, settings[name]), surroundings))
      }),
    ),
    acquirers: { tianque: makeTianque(settings.tianque, surroundings) },
    acquirerOnboarding: { tianque: makeTianqueOnboarding(settings.tianque, surroundings) },
    sms:
      sms === 'aliyun'
        ? makeAliyunSms(settings.aliyun, surroundings)
        : makeTencentSms(settings.tencent, surroundings),
    signatureDesks: signatures ? simulatedDesks(settings, surroundings) : [],
    smsSignature: signature,
    receiptSecret: 'receipts-of-a-test',
    ocr: makeTencentOcr(settings.tencentOcr, surroundings),
    onboarding: onboardingOf(name => settings[name], surroundings),
    miniPrograms: store => makeWechatOpen(settings.wechatOpen, surroundings, store),
    pos: makePosService(settings.pos, surroundings),
    phoneUrl: simulators.phoneUrl,
  }
  return {
    simulators,
    providers,
    receiptsTo: office =>
      simulators.setReceiptsUrl(
        service => `${office.url}/callbacks/sms/${service}/${providers.receiptSecret}`,
      ),
    waitFor(ms) {
      surroundings.timeoutMs = ms
    },
    stop: () => simulators.stop(),
  }
}
