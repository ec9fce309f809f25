// How Alipay is connected: its settings in the environment, and the client that they make.
import type { SettingsReader } from '#kit/ports/providers.ts'
import { pemOf } from '#providers/pem.ts'
import type { SimulatedRoom } from '#providers/simulated-room.ts'
import { type AlipaySettings, makeAlipay } from './client.ts'
import { ALIPAY_SIMULATION } from './simulator.ts'

/** By the settings that name others. */
const ADDRESSES = {
  GATEWAY_URL: 'https://openapi.alipay.com/gateway.do',
  BILL_ORIGIN: 'https://dwbillcenter.alipay.com',
} as const

export const ALIPAY = {
  prefix: 'ALIPAY_',
  addresses: ADDRESSES,
  needs: [
    { name: 'ALIPAY_APP_ID', meaning: '应用 APPID', example: '2021000000000000' },
    { name: 'ALIPAY_SELLER_ID', meaning: '收款账号的用户 ID，2088 开头', example: '2088000000000000' },
    {
      name: 'ALIPAY_PRIVATE_KEY_FILE',
      meaning: '应用私钥文件',
      example: '/etc/partner-office/alipay_app_private.pem',
    },
    {
      name: 'ALIPAY_PUBLIC_KEY_FILE',
      meaning: '支付宝公钥文件',
      example: '/etc/partner-office/alipay_public.pem',
    },
  ],
  read,
  make: makeAlipay,
  own,
  simulated: ALIPAY_SIMULATION,
} satisfies SimulatedRoom<AlipaySettings>

function read({ need, may }: SettingsReader): AlipaySettings {
  const appAuthToken = may('APP_AUTH_TOKEN')
  return {
    gatewayUrl: may('GATEWAY_URL') ?? ADDRESSES.GATEWAY_URL,
    billOrigin: may('BILL_ORIGIN') ?? ADDRESSES.BILL_ORIGIN,
    appId: need('APP_ID'),
    sellerId: need('SELLER_ID'),
    privateKey: need('PRIVATE_KEY'),
    alipayPublicKey: need('PUBLIC_KEY'),
    ...(appAuthToken === undefined ? {} : { appAuthToken }),
  }
}

/** An app of the agent's own; where Alipay is stands in the environment. */
function own(
  values: Readonly<Record<string, string>>,
  { may }: SettingsReader,
  known?: AlipaySettings,
): AlipaySettings {
  const { appId = '', sellerId = null, serviceProviderId } = values
  return {
    gatewayUrl: known?.gatewayUrl ?? may('GATEWAY_URL') ?? ADDRESSES.GATEWAY_URL,
    billOrigin: known?.billOrigin ?? may('BILL_ORIGIN') ?? ADDRESSES.BILL_ORIGIN,
    appId,
    sellerId,
    privateKey: pemOf('PRIVATE', values.privateKey, '应用私钥'),
    alipayPublicKey: pemOf('PUBLIC', values.alipayPublicKey, '支付宝公钥'),
    ...(serviceProviderId === undefined ? {} : { serviceProviderId }),
  }
}
