// Outside services for tests: the simulators over HTTP, and the product's own clients of them.
import { NO_PROVIDERS, SURROUNDINGS, startDemoSimulators } from '#app/providers.ts'
import type { Providers, SmsProviderName } from '#kit/providers.ts'
import { makeAlipay } from '#providers/alipay/client.ts'
import { makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import type { Simulators } from '#providers/simulators.ts'
import { makeTencentSms } from '#providers/tencent-sms/client.ts'
import { makeWechatPay } from '#providers/wechat-pay/client.ts'
import type { Office } from './app.ts'

export type Outside = {
  simulators: Simulators
  providers: Providers
  /** Receipts go to this office from now on. */
  receiptsTo(office: Office): void
  stop(): Promise<void>
}

/** `timeoutMs`: how long the clients wait for an answer. */
export async function startOutside({
  sms = 'aliyun',
  timeoutMs = 3_000,
  callbackScale = 0.005,
}: {
  sms?: SmsProviderName
  timeoutMs?: number
  callbackScale?: number
} = {}): Promise<Outside> {
  const signature = '测试签名'
  const simulators = await startDemoSimulators(null, signature, { smsLimits: false, callbackScale })
  const surroundings = { ...SURROUNDINGS, timeoutMs }
  const { settings } = simulators
  const providers: Providers = {
    ...NO_PROVIDERS,
    pay: {
      wechat: makeWechatPay(settings.wechat, surroundings),
      alipay: makeAlipay(settings.alipay, surroundings),
    },
    sms:
      sms === 'aliyun'
        ? makeAliyunSms(settings.aliyun, surroundings)
        : makeTencentSms(settings.tencent, surroundings),
    smsSignature: signature,
    receiptSecret: 'receipts-of-a-test',
    phoneUrl: simulators.phoneUrl,
  }
  return {
    simulators,
    providers,
    receiptsTo: office =>
      simulators.setReceiptsUrl(
        service => `${office.url}/callbacks/sms/${service}/${providers.receiptSecret}`,
      ),
    stop: () => simulators.stop(),
  }
}
