// Whether Alipay knows the keys of an app: it is asked for a trade that cannot exist.
import {
  type KeysCheck,
  type PayChannel,
  type PayOrder,
  ProviderBusy,
  ProviderRefused,
  ProviderUnverified,
} from '#kit/ports/providers.ts'

/** By the code of the answer, also of one that Alipay could not sign since it does not know whom for. */
const WRONG: readonly [code: RegExp, words: string][] = [
  [/^isv\.invalid-app-id$/, '应用ID不正确'],
  [/^isv\.(invalid|missing)-signature$/, '应用私钥不正确：与上传到支付宝的应用公钥不成对'],
  [/^isv\.invalid-signature-type$/, '签名类型不正确'],
  [
    /^(isv\.insufficient-isv-permissions|isv\.insufficient-user-permissions|ACQ\.ACCESS_FORBIDDEN)$/,
    '应用没有当面付的权限，请先在支付宝开放平台签约',
  ],
  [/^isv\.app-unauthorized|^isv\.invalid-app-status/, '应用未上线或已停用'],
]

export async function checkKeys(asked: Pick<PayChannel, 'query'>, probe: PayOrder): Promise<KeysCheck> {
  try {
    const fact = await asked.query(probe.outTradeNo)
    return fact.providerState === 'TRADE_NOT_EXIST'
      ? { result: 'right', words: '应用ID、应用私钥与支付宝公钥均正确' }
      : { result: 'unknown', words: '查询到了不应存在的订单，请重试' }
  } catch (error) {
    return judge(error)
  }
}

function judge(error: unknown): KeysCheck {
  const isUnverified = error instanceof ProviderUnverified
  if (isUnverified || (error instanceof ProviderRefused && !(error instanceof ProviderBusy))) {
    const { code, message } = error
    const known = WRONG.find(([pattern]) => pattern.test(code))?.[1]
    if (known) return { result: 'wrong', words: known }
    if (isUnverified) return { result: 'wrong', words: '支付宝公钥不正确：无法验证支付宝的应答' }
    return { result: 'wrong', words: `支付宝拒绝了请求：${message} (${code})` }
  }
  return { result: 'unknown', words: '支付宝没有给出可信的应答，暂时无法判断，请稍后再试' }
}
