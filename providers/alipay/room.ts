// How Alipay is connected: its settings in the environment, and the client that they make.
import type { PayRoom, SettingsReader } from '#kit/providers.ts'
import { type AlipaySettings, makeAlipay } from './client.ts'

export const ALIPAY: PayRoom<AlipaySettings> = { prefix: 'ALIPAY_', read, make: makeAlipay }

function read({ need, may }: SettingsReader): AlipaySettings {
  const appAuthToken = may('APP_AUTH_TOKEN')
  return {
    gatewayUrl: may('GATEWAY_URL') ?? 'https://openapi.alipay.com/gateway.do',
    billOrigin: may('BILL_ORIGIN') ?? 'https://dwbillcenter.alipay.com',
    appId: need('APP_ID'),
    sellerId: need('SELLER_ID'),
    privateKey: need('PRIVATE_KEY'),
    alipayPublicKey: need('PUBLIC_KEY'),
    ...(appAuthToken === undefined ? {} : { appAuthToken }),
  }
}
