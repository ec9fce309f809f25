// Speaks to WeChat's open platform as a third party (第三方平台): tickets, authorisation, registration and what an authorised mini program may be
// asked (program.ts). [D] paths, names of fields and numbers. [K] to be confirmed with real credentials: how long a pre-authorisation code
// lives; that the refresh token of before works for some minutes; whether a code of authorisation may be traded twice.
import { z } from 'zod'
import type { AuthorizerInfo, CredentialStore, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import { CallbackRejected, type SettingsReader, type Surroundings } from '#kit/ports/providers.ts'
import { makeCredentials } from './credentials.ts'
import { openMessage, readPlatformEvent, readProgramEvent } from './events.ts'
import { makeProgram } from './program.ts'
import { makeTransport, readShape } from './transport.ts'
import { troubleOf } from './troubles.ts'
import { aesKeyOf, textIn } from './wire.ts'

/** `token` and `encodingAesKey`: of the messages, as the platform's console has them. */
export type WechatOpenSettings = {
  baseUrl: string
  /** Where owners authorise on a screen, and on a phone. */
  screenUrl: string
  phoneUrl: string
  appid: string
  secret: string
  token: string
  encodingAesKey: string
}

/** Unless a setting names another. */
export const WECHAT_OPEN_ADDRESS = 'https://api.weixin.qq.com'
export const WECHAT_OPEN_PREFIX = 'WECHAT_OPEN_'

/** Throws in words where a setting is missing or cannot be one. */
export function readWechatOpen({ need, may }: SettingsReader): WechatOpenSettings {
  const encodingAesKey = need('AES_KEY')
  if (!aesKeyOf(encodingAesKey))
    throw new Error('Settings are wrong. WECHAT_OPEN_AES_KEY: must be 43 letters and digits')
  const urlOf = (name: string, usual: string) => (may(name) ?? usual).replace(/\/+$/, '')
  return {
    baseUrl: urlOf('BASE_URL', WECHAT_OPEN_ADDRESS),
    screenUrl: urlOf('SCREEN_URL', 'https://mp.weixin.qq.com'),
    phoneUrl: urlOf('PHONE_URL', 'https://open.weixin.qq.com'),
    appid: need('APPID'),
    secret: need('SECRET'),
    token: need('TOKEN'),
    encodingAesKey,
  }
}

/** Mini programs alone, and no official accounts. */
const OF_PROGRAMS = '2'
const seconds = z.number().positive()
const scopes = z
  .array(z.object({ funcscope_category: z.object({ id: z.number().int() }) }))
  .nullish()
  .transform(list => (list ?? []).map(({ funcscope_category: { id } }) => id))
const PreAuth = z.object({ pre_auth_code: z.string().min(1) })
const QueryAuth = z.object({
  authorization_info: z.object({
    authorizer_appid: z.string().min(1),
    authorizer_access_token: z.string().min(1),
    expires_in: seconds,
    authorizer_refresh_token: z.string().min(1),
    func_info: scopes,
  }),
})
const Info = z.object({
  authorizer_info: z.object({
    nick_name: z.string().nullish(),
    head_img: z.string().nullish(),
    user_name: z.string(),
    principal_name: z.string().nullish(),
    signature: z.string().nullish(),
    verify_type_info: z.object({ id: z.number().int() }).nullish(),
  }),
  authorization_info: z.object({ func_info: scopes }),
})
const Templates = z.object({
  template_list: z.array(
    z.object({
      template_id: z.number().int(),
      user_version: z.string(),
      user_desc: z.string(),
      create_time: z.number(),
    }),
  ),
})

/** As the platform names an owner who is a person. */
const PERSONAL = '个人'

export function makeWechatOpen(
  settings: WechatOpenSettings,
  surroundings: Surroundings,
  store: CredentialStore,
): MiniProgramPlatform {
  const { appid, secret } = settings
  const transport = makeTransport(settings.baseUrl, surroundings)
  const credentials = makeCredentials({ appid, secret }, surroundings, { transport, store })
  const ask = (path: string, body: object | undefined, query: Record<string, string> = {}) =>
    credentials.using('component', token =>
      transport.ask({ path, body, query: { ...query, component_access_token: token } }),
    )

  async function infoOf(authorizer: string): Promise<AuthorizerInfo> {
    const path = '/cgi-bin/component/api_get_authorizer_info'
    const answer = await ask(path, { component_appid: appid, authorizer_appid: authorizer })
    const { authorizer_info: info, authorization_info } = readShape(Info, path, answer)
    return {
      nickName: info.nick_name ?? '',
      userName: info.user_name,
      principalName: info.principal_name ?? '',
      isPersonal: (info.principal_name ?? '') === PERSONAL,
      headImage: info.head_img || null,
      signature: info.signature ?? '',
      isVerified: (info.verify_type_info?.id ?? -1) >= 0,
      scopes: authorization_info.func_info,
    }
  }

  /** Its messages bear it, so that those of one are not taken for another's. Rejects with CallbackRejected where it is not authorised. */
  async function userNameOf(authorizer: string): Promise<string> {
    const kept = await credentials.authorizer(authorizer)
    if (!kept) throw new CallbackRejected('a message for a mini program that is not authorised')
    if (kept.userName !== null) return kept.userName
    const { userName } = await infoOf(authorizer)
    await credentials.nameAuthorizer(authorizer, userName)
    return userName
  }

  return {
    async readCallback(query, body, authorizer) {
      const message = openMessage(settings, query, body)
      if (authorizer === null) return readPlatformEvent(message, appid)
      if (textIn(message.tree, 'ToUserName') !== (await userNameOf(authorizer)))
        throw new CallbackRejected('a message for another mini program')
      return readProgramEvent(message, authorizer)
    },
    keepTicket: (ticket, at) => credentials.keepTicket(ticket, Date.parse(at)),
    async authorizeUrl(returnUrl, on) {
      const path = '/cgi-bin/component/api_create_preauthcode'
      const { pre_auth_code: code } = readShape(PreAuth, path, await ask(path, { component_appid: appid }))
      const query = new URLSearchParams({
        ...(on === 'phone' ? { action: 'bindcomponent', no_scan: '1' } : {}),
        component_appid: appid,
        pre_auth_code: code,
        redirect_uri: returnUrl,
        auth_type: OF_PROGRAMS,
      })
      return on === 'phone'
        ? `${settings.phoneUrl}/wxaopen/safe/bindcomponent?${query}#wechat_redirect`
        : `${settings.screenUrl}/cgi-bin/componentloginpage?${query}`
    },
    async authorize(authCode) {
      const path = '/cgi-bin/component/api_query_auth'
      const askedAt = surroundings.now().getTime()
      const answer = await ask(path, { component_appid: appid, authorization_code: authCode })
      const { authorization_info: info } = readShape(QueryAuth, path, answer)
      await credentials.keepAuthorizer(info.authorizer_appid, {
        token: info.authorizer_access_token,
        until: askedAt + info.expires_in * 1_000,
        refreshToken: info.authorizer_refresh_token,
        scopes: info.func_info,
        userName: null,
      })
      return { appid: info.authorizer_appid, scopes: info.func_info }
    },
    forget: authorizer => credentials.forget(authorizer),
    authorizerInfo: infoOf,
    async register(registration) {
      await ask(
        '/cgi-bin/component/fastregisterweapp',
        {
          name: registration.companyName,
          code: registration.companyCode,
          code_type: registration.codeKind,
          legal_persona_wechat: registration.legalPersonWechat,
          legal_persona_name: registration.legalPersonName,
          component_phone: registration.servicePhone,
        },
        { action: 'create' },
      )
    },
    async registrationState(key) {
      await ask(
        '/cgi-bin/component/fastregisterweapp',
        {
          name: key.companyName,
          legal_persona_wechat: key.legalPersonWechat,
          legal_persona_name: key.legalPersonName,
        },
        { action: 'search' },
      )
    },
    async templates() {
      const path = '/wxa/gettemplatelist'
      // The current pages call the third party's token by the same name as a mini program's here.
      const answer = await credentials.using('component', token =>
        transport.ask({ path, query: { access_token: token } }),
      )
      return readShape(Templates, path, answer).template_list.map(one => ({
        templateId: one.template_id,
        version: one.user_version,
        description: one.user_desc,
        createdAt: new Date(one.create_time * 1_000).toISOString(),
      }))
    },
    of: authorizer => makeProgram(authorizer, credentials, transport),
    troubleOf,
  }
}
