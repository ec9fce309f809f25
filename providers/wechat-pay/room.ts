// How WeChat Pay is connected: its settings in the environment, and the client that they make.
import type { PayRoom, SettingsReader } from '#kit/providers.ts'
import { makeWechatPay, type WechatPaySettings } from './client.ts'

export const WECHAT_PAY: PayRoom<WechatPaySettings> = { prefix: 'WECHAT_PAY_', read, make: makeWechatPay }

function read({ need, may }: SettingsReader): WechatPaySettings {
  const subMchid = may('SUB_MCHID')
  const publicKeyId = may('PUBLIC_KEY_ID')
  const appSecret = may('APP_SECRET')
  return {
    baseUrl: may('BASE_URL') ?? 'https://api.mch.weixin.qq.com',
    merchant:
      subMchid === undefined
        ? { kind: 'direct', mchid: need('MCHID'), appid: need('APPID') }
        : {
            kind: 'partner',
            spMchid: need('MCHID'),
            spAppid: need('APPID'),
            subMchid,
            subAppid: may('SUB_APPID') ?? null,
          },
    merchantSerial: need('SERIAL'),
    merchantKeyPem: need('PRIVATE_KEY'),
    apiV3Key: need('API_V3_KEY'),
    publicKey: publicKeyId === undefined ? null : { id: publicKeyId, pem: need('PUBLIC_KEY') },
    acceptCertificates: publicKeyId === undefined || may('ACCEPT_CERTIFICATES') === 'yes',
    oauth:
      appSecret === undefined
        ? null
        : {
            authorizeBaseUrl: may('AUTHORIZE_BASE_URL') ?? 'https://open.weixin.qq.com',
            tokenBaseUrl: may('TOKEN_BASE_URL') ?? 'https://api.weixin.qq.com',
            appSecret,
          },
  }
}
