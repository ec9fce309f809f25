// Owns what point-of-sale software may ask of the office: sizes, the SMS that shops send to their members, what it is refused for.
// Must never read a clock or a database.
import { LOGIN_REFUSALS } from '#features/agencies/sign-in/rules.ts'
import { CAMPAIGN_LIMITS, CAMPAIGN_REFUSALS, LINK, refuseParam } from '#features/care/campaigns/rules.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'

export const PAGE = {
  /** Shops that are read at once for a copy. */
  most: 1_000,
} as const

export const SIGN_IN_REFUSALS = {
  LOGIN_FAILED: LOGIN_REFUSALS.LOGIN_FAILED,
  LOGIN_THROTTLED: LOGIN_REFUSALS.LOGIN_THROTTLED,
  LOGIN_TOO_SOON: LOGIN_REFUSALS.LOGIN_TOO_SOON,
} as const

/** Templates whose text is for the members of a shop begin so. */
const MEMBER_TEMPLATE = 'member-'
export const isForMembers = (templateKey: string) => templateKey.startsWith(MEMBER_TEMPLATE)

export const MEMBER_LIMITS = { messages: 200 } as const

/** In capitals and small letters, where an expression knows no flags. */
const anyCase = (source: string) =>
  source.replace(/\\.|\[[^\]]*\]|[a-z]/g, part => {
    if (part.startsWith('[')) return part.replace('a-z', 'a-zA-Z')
    return part.length > 1 ? part : `[${part}${part.toUpperCase()}]`
  })
/** What a value of a message may be, as `refuseParam` has it. */
export const PARAM = {
  most: CAMPAIGN_LIMITS.param,
  pattern: `^(?=[\\s\\S]*\\S)(?![\\s\\S]*(?::\\/\\/|${anyCase(LINK.source)}))[^【】\\r\\n\\u0000\\ud800-\\udfff]*$`,
  description: 'No link, line break or 【】',
} as const

export const MEMBER_REFUSALS = {
  TEMPLATE_UNKNOWN: '该短信模板不存在或已停用',
  PHONE_NOT_MOBILE: '会员手机号格式错误',
  PHONE_TWICE: '同一手机号在一次请求中出现两次',
  PARAM_REQUIRED: CAMPAIGN_REFUSALS.PARAM_REQUIRED,
  PARAM_TOO_LONG: CAMPAIGN_REFUSALS.PARAM_TOO_LONG,
  PARAM_FORBIDDEN: CAMPAIGN_REFUSALS.PARAM_FORBIDDEN,
  SMS_INSUFFICIENT: '店铺短信余额不足，短信未发送',
} as const
export type MemberRefusal = keyof typeof MEMBER_REFUSALS

export type MemberMessage = { phone: string; params: Readonly<Record<string, string>> }

/** The first thing wrong with what a shop wants to send, and where it stands. `written`: the variables that each message fills. */
export function brokenMessages(
  messages: readonly MemberMessage[],
  written: readonly string[],
): { field: string; code: MemberRefusal } | null {
  const seen = new Set<string>()
  for (const [at, { phone, params }] of messages.entries()) {
    if (!isMainlandMobile(phone)) return { field: `messages.${at}.phone`, code: 'PHONE_NOT_MOBILE' }
    if (seen.has(phone)) return { field: `messages.${at}.phone`, code: 'PHONE_TWICE' }
    seen.add(phone)
    // Also what the template does not ask for: the same value is the same in each.
    for (const name of new Set([...written, ...Object.keys(params)])) {
      const code = refuseParam(params[name] ?? '') as MemberRefusal | null
      if (code) return { field: `messages.${at}.params.${name}`, code }
    }
  }
  return null
}
