// Owns who may come in at the door of the documents' calls: how a request to sign in is proven and for how long (D1 §7, D3 §9), and what
// it is refused for. Must never read a clock or a database, and never see a password.
import { LOGIN_REFUSALS } from '#features/agencies/sign-in/rules.ts'

export const LIMITS = {
  nonce: 64,
  /** How far the clocks of both may be apart. */
  clockMinutes: 5,
  /** How long a token works. */
  tokenHours: 2,
  /** Calls a minute of an account. */
  perMinute: 600,
  /** How often the use of a call is written down. */
  usedEveryS: 60,
  /** What is sent twice within that time, without a key, is one act. */
  oneActS: 3,
} as const

/** The hub of notices among the calls, by which its use is shown and by which it is closed. */
export const HUB_CALL = 'NoticeHub'

export const TERMS = { d30: '30 天', d90: '90 天', d180: '180 天' } as const
export type Term = keyof typeof TERMS
export const TERM_KEYS = ['d30', 'd90', 'd180'] as const satisfies readonly Term[]
export const daysOf = (term: Term) => Number(term.slice(1))

/** Its warning: what is given up by it. */
export const WARNING =
  '旧接口用密码的 MD5 签名，安全性低于接口密钥，也不经过二次验证。请只在旧程序还不能改用接口密钥时开通，换好后立即关闭。'

export const COMPAT_REFUSALS = {
  COMPAT_OFF: '本系统未启用旧接口',
  PASSWORD_WRONG: '密码错误',
  ALREADY_OPEN: '旧接口已开通，请先关闭再重新开通',
  NOT_OPEN: '旧接口未开通',
  CALL_UNKNOWN: '该接口没有使用记录',
} as const

export const ENTER_REFUSALS = {
  LOGIN_FAILED: LOGIN_REFUSALS.LOGIN_FAILED,
  LOGIN_THROTTLED: LOGIN_REFUSALS.LOGIN_THROTTLED,
  LOGIN_TOO_SOON: LOGIN_REFUSALS.LOGIN_TOO_SOON,
  ACCOUNT_DISABLED: LOGIN_REFUSALS.ACCOUNT_DISABLED,
  COMPAT_OFF: COMPAT_REFUSALS.COMPAT_OFF,
  CLOCK_ASTRAY: `时间戳与服务器时间相差超过 ${LIMITS.clockMinutes} 分钟`,
  NONCE_FORMAT: `随机数须为 1 至 ${LIMITS.nonce} 位`,
  NONCE_USED: '随机数已使用，请换一个再试',
} as const
export type EnterRefusal = keyof typeof ENTER_REFUSALS

/** Milliseconds, or seconds where there are fewer digits; null for anything else. */
export function instantOf(timestamp: string): number | null {
  if (/^\d{13}$/.test(timestamp)) return Number(timestamp)
  return /^\d{10}$/.test(timestamp) ? Number(timestamp) * 1_000 : null
}

/** Why a request is refused before its account is looked at, or null. */
export function refuseEntering(
  { timestamp, nonce }: { timestamp: string; nonce: string },
  nowMs: number,
): EnterRefusal | null {
  const at = instantOf(timestamp)
  if (at === null || Math.abs(at - nowMs) > LIMITS.clockMinutes * 60_000) return 'CLOCK_ASTRAY'
  return nonce === '' || nonce.length > LIMITS.nonce ? 'NONCE_FORMAT' : null
}

type Signed = { timestamp: string; nonce: string }

/**
 * What may have been hashed, by both readings: D1 §7 hashes the sorted values and writes the hash in capitals, D3 §9 hashes the capitals
 * of the sorted values; either with the password's hash in small letters or in capitals.
 */
export function signedTexts(passwordMd5: string, { timestamp, nonce }: Signed): string[] {
  return [passwordMd5.toLowerCase(), passwordMd5.toUpperCase()].flatMap(hash => {
    const joined = [hash, timestamp, nonce].toSorted().join('')
    return [joined, joined.toUpperCase()]
  })
}

export const CALL_STATES = { open: '使用中', closed: '已停用' } as const
export type CallState = keyof typeof CALL_STATES
