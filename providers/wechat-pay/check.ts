// Whether WeChat Pay knows the keys of a merchant: it is asked for its certificates, for an order that cannot exist, and, since
// it looks at the appid only then, to take an order that is closed at once and that nobody ever sees the code of.
// [K] to be confirmed with real credentials: the words by which a wrong serial is told from a wrong key.
import {
  type KeysCheck,
  type PayChannel,
  type PayOrder,
  ProviderBusy,
  ProviderRefused,
  ProviderUnverified,
} from '#kit/ports/providers.ts'
import { isCode } from './transport.ts'

type Asked = Pick<PayChannel, 'create' | 'query' | 'close'> & { certificates(): Promise<void> }

const WRONG: readonly { code: string; says?: RegExp; words: string }[] = [
  { code: 'SIGN_ERROR', says: /序列号/, words: '商户证书序列号不正确，或与商户号不符' },
  { code: 'SIGN_ERROR', says: /商户号/, words: '商户号不正确' },
  { code: 'SIGN_ERROR', words: '商户私钥不正确：与该序列号的商户证书不成对' },
  { code: 'RESOURCE_NOT_EXISTS', words: '该商户号没有平台证书，请填写微信支付公钥和公钥ID' },
  { code: 'MCH_NOT_EXISTS', words: '商户号不存在' },
  { code: 'MCHID_NOT_EXIST', words: '商户号不存在' },
  { code: 'APPID_NOT_EXIST', words: 'AppID 不存在' },
  { code: 'APPID_MCHID_NOT_MATCH', words: 'AppID 与商户号未绑定' },
  { code: 'NO_AUTH', words: '商户号没有此产品的权限，请先在商户平台开通 Native 支付' },
  { code: 'RULE_LIMIT', words: '商户号的支付权限受限，请登录商户平台处理' },
]

export async function checkKeys(asked: Asked, probe: PayOrder): Promise<KeysCheck> {
  try {
    // First: without them no other answer can be verified where platform certificates sign.
    await asked.certificates()
    const fact = await asked.query(probe.outTradeNo)
    if (fact.providerState !== 'ORDER_NOT_EXIST')
      return { result: 'unknown', words: '查询到了不应存在的订单，请重试' }
    await asked.create(probe)
    await asked.close(probe.outTradeNo)
    return { result: 'right', words: '商户号、证书、密钥与 AppID 均正确' }
  } catch (error) {
    return judge(error)
  }
}

function judge(error: unknown): KeysCheck {
  if (error instanceof ProviderUnverified)
    return error.what === 'certificates'
      ? { result: 'wrong', words: 'APIv3 密钥不正确：无法解密微信支付返回的证书' }
      : { result: 'wrong', words: '微信支付公钥或公钥ID不正确：无法验证微信支付的应答' }
  if (error instanceof ProviderRefused && !(error instanceof ProviderBusy)) {
    const { code, message } = error
    const known = WRONG.find(one => isCode(code, one.code) && (one.says?.test(message) ?? true))
    return { result: 'wrong', words: known?.words ?? `微信支付拒绝了请求：${message} (${code})` }
  }
  return { result: 'unknown', words: '微信支付没有给出可信的应答，暂时无法判断，请稍后再试' }
}
