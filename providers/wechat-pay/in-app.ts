// Paying inside WeChat: who the payer is by the page's authorization (snsapi_base), then a JSAPI order in its name.
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import {
  type PayChannel,
  PayerRefused,
  type PayOrder,
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { call } from '#providers/call.ts'
import { parseAnswer } from '#providers/read.ts'
import { readShape } from './transport.ts'
import { payRequestOf } from './wire.ts'

/** A code that is wrong, was used, or is too old. */
const CODE_ERRORS = [40_029, 40_163, 42_003]
/** Too many calls. */
const BUSY_ERRORS = [45_009, 45_011]

export type OauthSettings = {
  /** https://open.weixin.qq.com */
  authorizeBaseUrl: string
  /** https://api.weixin.qq.com */
  tokenBaseUrl: string
  /** Of the service account. */
  appSecret: string
}

const Token = z.object({
  openid: z.string().optional(),
  errcode: z.number().optional(),
  errmsg: z.string().optional(),
})

/** `placeOrder` sends a JSAPI order for a payer and answers its prepay_id. */
export function makeInApp(
  appId: string,
  oauth: OauthSettings,
  surroundings: Surroundings,
  key: KeyObject,
  placeOrder: (order: PayOrder, openid: string) => Promise<string>,
): NonNullable<PayChannel['inApp']> {
  return {
    authorizeUrl(returnUrl, state) {
      const query = new URLSearchParams({
        appid: appId,
        redirect_uri: returnUrl,
        response_type: 'code',
        scope: 'snsapi_base',
        state,
      })
      return `${oauth.authorizeBaseUrl}/connect/oauth2/authorize?${query}#wechat_redirect`
    },
    async pay(order, code) {
      const prepayId = await placeOrder(order, await exchangeCode(surroundings, oauth, appId, code))
      return payRequestOf(appId, prepayId, key, surroundings.now(), surroundings.nonce())
    },
  }
}

/** The payer's openid. This answer is not signed; a code works once. */
async function exchangeCode(
  surroundings: Surroundings,
  oauth: OauthSettings,
  appid: string,
  code: string,
): Promise<string> {
  const query = new URLSearchParams({
    appid,
    secret: oauth.appSecret,
    code,
    grant_type: 'authorization_code',
  })
  const url = `${oauth.tokenBaseUrl}/sns/oauth2/access_token?${query}`
  const { status, body } = await call(surroundings, url, { method: 'GET' })
  if (status !== 200) throw new ProviderUnknown(`the authorization answered ${status}`)
  const token = readShape(Token, parseAnswer('the authorization', body))
  if (token.openid) return token.openid
  if (!token.errcode || token.errcode === -1) throw new ProviderUnknown('the authorization is busy')
  const { errcode, errmsg = '' } = token
  const isCode = CODE_ERRORS.includes(errcode)
  const Refused = isCode ? PayerRefused : BUSY_ERRORS.includes(errcode) ? ProviderBusy : ProviderRefused
  throw new Refused(String(errcode), errmsg)
}
