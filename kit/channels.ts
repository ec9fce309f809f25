/** Channels of payment from outside, by the names that are stored. */
export const PAY_CHANNELS = ['wechat', 'alipay'] as const
export type PayChannelName = (typeof PAY_CHANNELS)[number]
