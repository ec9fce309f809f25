// What a channel of payment is, besides the protocol that its room in providers/ speaks: one record each.

export type PayChannelRecord = {
  /** As people call it. */
  label: string
  /** As people call paying by it, where that is more than its name. */
  method?: string
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
  /** What an agent gives to be paid on its own account; absent: this channel pays the vendor alone. */
  own?: Readonly<Record<string, OwnSetting>>
}

/** Told apart by what an agent types: `secret` goes in and never comes out again. */
export type OwnSetting = {
  label: string
  kind: 'text' | 'secret' | 'word'
  required: boolean
  max: number
  /** What it looks like; `pattern` is checked after white space around it is gone. */
  pattern?: string
  patternWords?: string
  /** Says whose account it is: with another one the settings are new ones, and what is under way stays with the old. */
  isIdentity?: true
  /** Has several lines. */
  isLong?: true
  words?: Readonly<Record<string, string>>
  hint?: string
}

/** By the names that are stored, in the order in which people see them. */
export const CHANNELS = {
  wechat: {
    label: '微信',
    method: '微信支付',
    suffix: 'W',
    browser: {
      agent: 'MicroMessenger',
      pays: 'bridge',
      object: 'WeixinJSBridge',
      readyEvent: 'WeixinJSBridgeReady',
      method: 'getBrandWCPayRequest',
    },
    own: {
      appid: {
        label: 'AppID',
        kind: 'text',
        required: true,
        max: 32,
        pattern: '^wx[0-9A-Za-z]{4,30}$',
        patternWords: '以 wx 开头',
        isIdentity: true,
        hint: '与商户号绑定的公众号或小程序的 AppID',
      },
      mchid: {
        label: '商户号',
        kind: 'text',
        required: true,
        max: 10,
        pattern: '^[0-9]{8,10}$',
        patternWords: '为 8 至 10 位数字',
        isIdentity: true,
      },
      serial: {
        label: '商户证书序列号',
        kind: 'text',
        required: true,
        max: 64,
        pattern: '^[0-9A-Fa-f]{8,64}$',
        patternWords: '由 0–9、A–F 组成',
        hint: '商户平台 › API安全 › 商户API证书',
      },
      privateKey: {
        label: '商户私钥',
        kind: 'secret',
        required: true,
        max: 8_000,
        isLong: true,
        hint: 'apiclient_key.pem 的全部内容',
      },
      apiV3Key: {
        label: 'APIv3 密钥',
        kind: 'secret',
        required: true,
        max: 32,
        pattern: '^[0-9A-Za-z]{32}$',
        patternWords: '为 32 位字母或数字',
      },
      publicKeyId: {
        label: '微信支付公钥ID',
        kind: 'text',
        required: false,
        max: 64,
        pattern: '^PUB_KEY_ID_[0-9A-Za-z]+$',
        patternWords: '以 PUB_KEY_ID_ 开头',
        hint: '仍使用平台证书的商户可不填',
      },
      publicKey: {
        label: '微信支付公钥',
        kind: 'text',
        required: false,
        max: 4_000,
        isLong: true,
        hint: 'pub_key.pem 的全部内容，与公钥ID一同填写',
      },
      appSecret: {
        label: 'AppSecret',
        kind: 'secret',
        required: false,
        max: 64,
        pattern: '^[0-9A-Za-z]{16,64}$',
        patternWords: '由字母和数字组成',
        hint: '填写后，门店可在微信内直接支付',
      },
      payKey: {
        label: '支付密钥',
        kind: 'secret',
        required: false,
        max: 32,
        pattern: '^[0-9A-Za-z]{32}$',
        patternWords: '为 32 位字母或数字',
        hint: 'APIv2 密钥；收款使用 APIv3，可不填',
      },
    },
  },
  alipay: {
    label: '支付宝',
    suffix: 'A',
    browser: { agent: 'AlipayClient', pays: 'address' },
    own: {
      appId: {
        label: '应用ID',
        kind: 'text',
        required: true,
        max: 32,
        pattern: '^[0-9]{16,32}$',
        patternWords: '为 16 位以上数字',
        isIdentity: true,
      },
      sellerId: {
        label: '商户PID',
        kind: 'text',
        required: false,
        max: 16,
        pattern: '^2088[0-9]{12}$',
        patternWords: '以 2088 开头，共 16 位数字',
        hint: '填写后，到账通知会核对收款方',
      },
      privateKey: {
        label: '应用私钥',
        kind: 'secret',
        required: true,
        max: 8_000,
        isLong: true,
        hint: '与上传到支付宝的应用公钥成对',
      },
      alipayPublicKey: {
        label: '支付宝公钥',
        kind: 'text',
        required: true,
        max: 4_000,
        isLong: true,
        hint: '不是应用公钥',
      },
      signType: {
        label: '签名类型',
        kind: 'word',
        required: true,
        max: 8,
        words: { RSA2: 'RSA2（SHA256）' },
      },
      serviceProviderId: {
        label: '系统商编号',
        kind: 'text',
        required: false,
        max: 32,
        pattern: '^[0-9]{1,32}$',
        patternWords: '为数字',
      },
    },
  },
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

/** As a payment method beside others: 微信支付, 支付宝. */
export const METHOD_NAMES = perChannel<string>(name => channelOf(name).method ?? channelOf(name).label)

/** What an agent gives of its own account, by channel. */
export const OWN_SETTINGS = perChannel<Readonly<Record<string, OwnSetting>> | undefined>(
  name => channelOf(name).own,
)

/** The channels that can be paid to an agent's own account. */
export const OWN_CHANNELS: readonly PayChannelName[] = PAY_CHANNELS.filter(name => OWN_SETTINGS[name])
