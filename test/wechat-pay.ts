// WeChat Pay's simulator for tests, with the client against it and orders and refunds as an office would place them.
import { randomUUID } from 'node:crypto'
import { type PayOrder, ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import type { Effect } from '#providers/simulator.ts'
import { makeWechatPay, type WechatPaySettings } from '#providers/wechat-pay/client.ts'
import { makeOnboarding } from '#providers/wechat-pay/onboarding.ts'
import {
  settingsFor,
  startWechatPaySimulator,
  type WechatPayKeys,
  type WechatPaySimulatorOptions,
} from '#providers/wechat-pay/simulator.ts'
import { ANSWERED_WITHIN_MS } from './patience.ts'

type Which = { merchant?: 'direct' | 'partner'; mode?: 'certificate' | 'public-key' }

let orders = 0

export async function openWechatPay(
  keys: WechatPayKeys,
  options: Omit<WechatPaySimulatorOptions, 'keys'> = {},
) {
  const simulator = await startWechatPaySimulator({ keys, refundMs: 0, ...options })
  const surroundings: Surroundings = {
    fetch,
    now: () => simulator.control.now(),
    nonce: () => randomUUID().replaceAll('-', ''),
    timeoutMs: ANSWERED_WITHIN_MS,
  }
  return {
    simulator,
    channel: (
      which: Which = {},
      changes: Partial<WechatPaySettings> = {},
      around: Partial<Surroundings> = {},
    ) =>
      makeWechatPay(
        { ...settingsFor(keys, simulator.url, which), ...changes },
        { ...surroundings, ...around },
      ),
    desk(
      mode: Which['mode'] = 'public-key',
      changes: Partial<WechatPaySettings> = {},
      around: Partial<Surroundings> = {},
    ) {
      const settings = { ...settingsFor(keys, simulator.url, { merchant: 'partner', mode }), ...changes }
      const desk = makeOnboarding(settings, { ...surroundings, ...around }, () => Promise.resolve())
      if (!desk) throw new Error('no desk is made for a service provider')
      return desk
    },
    anOrder: (changes: Partial<PayOrder> = {}): PayOrder => ({
      outTradeNo: `T${Date.now()}x${orders++}`,
      amountFen: 1999,
      subject: '短信套餐 1000 条',
      expiresAt: new Date(simulator.control.now().getTime() + 600_000).toISOString(),
      notifyUrl: 'http://127.0.0.1:9/callbacks',
      ...changes,
    }),
    orderOf: (outTradeNo: string) => simulator.orders().find(one => one.outTradeNo === outTradeNo),
    fault: (match: string, effect: Effect, times = 1) =>
      simulator.control.faults.push({ match, times, effect }),
    post: (path: string, body: unknown) =>
      fetch(`${simulator.url}/__sim/${path}`, { method: 'POST', body: JSON.stringify(body) }),
  }
}

export const aRefund = (order: PayOrder, changes: { refundNo?: string; refundFen?: number } = {}) => ({
  outTradeNo: order.outTradeNo,
  refundNo: `R${order.outTradeNo}`,
  refundFen: order.amountFen,
  totalFen: order.amountFen,
  reason: '重复支付',
  notifyUrl: order.notifyUrl,
  ...changes,
})

export const unknown = (error: unknown) => error instanceof ProviderUnknown
export const refused = (code: string, reference?: string) => (error: unknown) =>
  error instanceof ProviderRefused &&
  error.code === code &&
  (reference === undefined || error.reference === reference)
