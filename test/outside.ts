// Outside services for tests: the simulators over HTTP, and the product's own clients of them.
import { NO_PROVIDERS, SURROUNDINGS, startDemoSimulators } from '#app/providers.ts'
import { simulatedDesks } from '#app/providers-signatures.ts'
import type { Providers, SettingsReader, SmsProviderName, Surroundings } from '#kit/providers.ts'
import { makeAlipay } from '#providers/alipay/client.ts'
import { ALIPAY } from '#providers/alipay/room.ts'
import { makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import { makePosService } from '#providers/pos/client.ts'
import type { Simulators } from '#providers/simulators.ts'
import { makeTencentOcr } from '#providers/tencent-ocr/client.ts'
import { makeTencentSms } from '#providers/tencent-sms/client.ts'
import { makeWechatPay } from '#providers/wechat-pay/client.ts'
import { WECHAT_PAY } from '#providers/wechat-pay/room.ts'
import type { Office } from './app.ts'
import { ANSWERED_WITHIN_MS } from './patience.ts'

const NOTHING: SettingsReader = { need: name => never(name), may: () => undefined }

function never(what = 'own'): never {
  throw new Error(`${what} is missing`)
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
  const simulators = await startDemoSimulators(null, signature, { smsLimits: false, callbackScale })
  const surroundings: Surroundings = { ...SURROUNDINGS, timeoutMs }
  const { settings } = simulators
  const providers: Providers = {
    ...NO_PROVIDERS,
    pay: {
      wechat: makeWechatPay(settings.wechat, surroundings),
      alipay: makeAlipay(settings.alipay, surroundings),
    },
    own: {
      wechat: values =>
        makeWechatPay(WECHAT_PAY.own?.(values, NOTHING, settings.wechat) ?? never(), surroundings),
      alipay: values => makeAlipay(ALIPAY.own?.(values, NOTHING, settings.alipay) ?? never(), surroundings),
    },
    sms:
      sms === 'aliyun'
        ? makeAliyunSms(settings.aliyun, surroundings)
        : makeTencentSms(settings.tencent, surroundings),
    signatureDesks: signatures ? simulatedDesks(settings, surroundings) : [],
    smsSignature: signature,
    receiptSecret: 'receipts-of-a-test',
    ocr: makeTencentOcr(settings.tencentOcr, surroundings),
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
