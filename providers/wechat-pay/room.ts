// How WeChat Pay is connected: its settings in the environment, and the client that they make.
import { KeyUnreadable, type SettingsReader } from '#kit/ports/providers.ts'
import { pemOf } from '#providers/pem.ts'
import type { SimulatedRoom } from '#providers/simulated-room.ts'
import { makeWechatPay, type WechatPaySettings } from './client.ts'
import { makeOnboarding } from './onboarding.ts'
import { WECHAT_PAY_SIMULATION } from './simulator.ts'

/** By the settings that name others. */
const ADDRESSES = {
  BASE_URL: 'https://api.mch.weixin.qq.com',
  AUTHORIZE_BASE_URL: 'https://open.weixin.qq.com',
  TOKEN_BASE_URL: 'https://api.weixin.qq.com',
} as const

export const WECHAT_PAY = {
  prefix: 'WECHAT_PAY_',
  addresses: ADDRESSES,
  needs: [
    { name: 'WECHAT_PAY_MCHID', meaning: '商户号', example: '1900000109' },
    { name: 'WECHAT_PAY_APPID', meaning: '绑定的公众号或小程序 AppID', example: 'wx8888888888888888' },
    {
      name: 'WECHAT_PAY_SERIAL',
      meaning: '商户 API 证书序列号',
      example: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
    },
    {
      name: 'WECHAT_PAY_PRIVATE_KEY_FILE',
      meaning: '商户 API 私钥文件',
      example: '/etc/partner-office/apiclient_key.pem',
    },
    {
      name: 'WECHAT_PAY_API_V3_KEY',
      meaning: 'APIv3 密钥，32 位',
      example: '0123456789abcdef0123456789abcdef',
    },
  ],
  read,
  make: makeWechatPay,
  own,
  onboarding: makeOnboarding,
  simulated: WECHAT_PAY_SIMULATION,
} satisfies SimulatedRoom<WechatPaySettings>

function read({ need, may }: SettingsReader): WechatPaySettings {
  const subMchid = may('SUB_MCHID')
  const publicKeyId = may('PUBLIC_KEY_ID')
  const appSecret = may('APP_SECRET')
  return {
    baseUrl: may('BASE_URL') ?? ADDRESSES.BASE_URL,
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
            authorizeBaseUrl: may('AUTHORIZE_BASE_URL') ?? ADDRESSES.AUTHORIZE_BASE_URL,
            tokenBaseUrl: may('TOKEN_BASE_URL') ?? ADDRESSES.TOKEN_BASE_URL,
            appSecret,
          },
  }
}

/** A merchant of its own, direct; where WeChat Pay is stands in the environment. */
function own(
  values: Readonly<Record<string, string>>,
  { may }: SettingsReader,
  known?: WechatPaySettings,
): WechatPaySettings {
  const { appid = '', mchid = '', serial = '', apiV3Key = '', appSecret, publicKeyId, publicKey } = values
  if (Buffer.byteLength(apiV3Key) !== 32) throw new KeyUnreadable('APIv3 密钥必须为 32 位')
  if ((publicKeyId === undefined) !== (publicKey === undefined))
    throw new KeyUnreadable('微信支付公钥与公钥ID须一同填写')
  return {
    baseUrl: known?.baseUrl ?? may('BASE_URL') ?? ADDRESSES.BASE_URL,
    merchant: { kind: 'direct', mchid, appid },
    merchantSerial: serial.toUpperCase(),
    merchantKeyPem: pemOf('PRIVATE', values.privateKey, '商户私钥'),
    apiV3Key,
    publicKey:
      publicKeyId === undefined ? null : { id: publicKeyId, pem: pemOf('PUBLIC', publicKey, '微信支付公钥') },
    acceptCertificates: publicKeyId === undefined,
    oauth:
      appSecret === undefined
        ? null
        : {
            authorizeBaseUrl:
              known?.oauth?.authorizeBaseUrl ?? may('AUTHORIZE_BASE_URL') ?? ADDRESSES.AUTHORIZE_BASE_URL,
            tokenBaseUrl: known?.oauth?.tokenBaseUrl ?? may('TOKEN_BASE_URL') ?? ADDRESSES.TOKEN_BASE_URL,
            appSecret,
          },
  }
}
