// What a channel of payment is, besides the protocol that its room in providers/ speaks: one record each.

export type PayChannelRecord = {
  /** As people call it. */
  label: string
  /** Ends our numbers of its attempts: one capital letter of its own, but R, which ends those of refunds. It never changes. */
  suffix: string
  /**
   * Its app's own browser, known by a word of its user agent, in which the cashier is paid in place. address: the code is an
   * address that opens the app, there and on the same phone. bridge: an object that the browser adds to the page, once its
   * event has come, takes the parameters of an order. Null: its code can only be scanned.
   */
  browser:
    | { agent: string; pays: 'address' }
    | { agent: string; pays: 'bridge'; object: string; readyEvent: string; method: string }
    | null
}

/** By the names that are stored, in the order in which people see them. */
export const CHANNELS = {
  wechat: {
    label: '微信',
    suffix: 'W',
    browser: {
      agent: 'MicroMessenger',
      pays: 'bridge',
      object: 'WeixinJSBridge',
      readyEvent: 'WeixinJSBridgeReady',
      method: 'getBrandWCPayRequest',
    },
  },
  alipay: { label: '支付宝', suffix: 'A', browser: { agent: 'AlipayClient', pays: 'address' } },
} as const satisfies Record<string, PayChannelRecord>

export type PayChannelName = keyof typeof CHANNELS
export const PAY_CHANNELS = Object.keys(CHANNELS) as [PayChannelName, ...PayChannelName[]]

export function channelOf(name: PayChannelName): PayChannelRecord {
  return CHANNELS[name]
}

/** Something of every channel. */
export function perChannel<T>(of: (name: PayChannelName) => T): Record<PayChannelName, T> {
  return Object.fromEntries(PAY_CHANNELS.map(name => [name, of(name)])) as Record<PayChannelName, T>
}

export const CHANNEL_NAMES = perChannel<string>(name => CHANNELS[name].label)
