// Owns what is refused at the door, in which words and after how many tries, and what a password must be (D1 §5, §8; D3 §5).
// Must never read a clock or a database.
import { setting } from '#kit/declare/settings.ts'
import { cleanCode } from '#kit/words/cleaned.ts'
import { isPassword } from '#kit/words/password.ts'

/** Failures within this time count towards the limits. */
export const LOGIN_WINDOW_MINUTES = 15

export const LOGIN_REFUSALS = {
  LOGIN_FAILED: '账号或密码错误',
  LOGIN_THROTTLED: `尝试次数过多，请${LOGIN_WINDOW_MINUTES}分钟后再试`,
  LOGIN_TOO_SOON: '尝试过于频繁，请稍候再试',
  ACCOUNT_DISABLED: '账号已停用，请联系管理员',
  LOGIN_NAME_REQUIRED: '请输入账号',
  PASSWORD_REQUIRED: '请输入密码',
} as const
export type LoginRefusal = keyof typeof LOGIN_REFUSALS

/** From this share of the failures that are allowed on, each further try waits, and a stranger's asks for a puzzle: three of ten. */
const PATIENCE = 0.3
const DELAY_MAX_S = 30

/** First thing missing from the login form; both texts are trimmed (D1 §5). */
export function refuseLogin(form: { loginName: string; password: string }): LoginRefusal | null {
  if (form.loginName.trim() === '') return 'LOGIN_NAME_REQUIRED'
  return form.password.trim() === '' ? 'PASSWORD_REQUIRED' : null
}

/** Whether a login may lead on to this: a path of our own pages, never another site. */
export function isOwnPath(path: string): boolean {
  return /^\/admin(\/|\?|$)/.test(path)
}

/**
 * What failures are counted by: a device that is known for the account counts by itself alone, so that strangers who try the
 * account or share the network do not keep it out.
 */
export type Tries = {
  by: 'device' | 'account' | 'network'
  failures: number
  lastFailedMs: number | null
  /** The failure that must be forgotten before another try is allowed: of so many as are allowed, the oldest. */
  oldestMs: number | null
}

export type TryRefusal = {
  code: 'LOGIN_THROTTLED' | 'LOGIN_TOO_SOON' | 'CAPTCHA_REQUIRED'
  secondsLeft: number
}

/** Why no further try is allowed now, or null. `max`: failures that are allowed within the window. */
export function refuseTry(
  tries: readonly Tries[],
  { max, nowMs, solved }: { max: number; nowMs: number; solved: boolean },
): TryRefusal | null {
  const secondsUntil = (ms: number) => Math.max(1, Math.ceil((ms - nowMs) / 1_000))
  for (const { failures, oldestMs } of tries)
    if (failures >= max) {
      const freeMs = (oldestMs ?? nowMs) + LOGIN_WINDOW_MINUTES * 60_000
      return { code: 'LOGIN_THROTTLED', secondsLeft: secondsUntil(freeMs) }
    }
  for (const { by, failures, lastFailedMs } of tries) {
    // Whoever shares a network waits for none but themselves.
    if (by === 'network') continue
    const againMs = (lastFailedMs ?? 0) + delaySeconds(failures, max) * 1_000
    if (againMs > nowMs) return { code: 'LOGIN_TOO_SOON', secondsLeft: secondsUntil(againMs) }
  }
  const strange = tries.some(({ by, failures }) => by !== 'device' && failures >= patienceOf(max))
  return strange && !solved ? { code: 'CAPTCHA_REQUIRED', secondsLeft: 0 } : null
}

/** How long the next try waits after so many failures. */
export function delaySeconds(failures: number, max: number): number {
  const beyond = failures - patienceOf(max)
  return beyond < 0 ? 0 : Math.min(2 ** Math.min(beyond, 10), DELAY_MAX_S)
}

const patienceOf = (max: number) => Math.floor(max * PATIENCE)

/** What came of it at the door. */
export const OUTCOMES = {
  done: '登录成功',
  password: '密码错误',
  factor: '二次验证未通过',
  disabled: '账号已停用',
  changed: '修改密码',
  reset: '短信重设密码',
} as const
export type Outcome = keyof typeof OUTCOMES
export const OUTCOME_KEYS = Object.keys(OUTCOMES) as Outcome[]

export const PASSWORD_PATH = '/admin/account/changePassword'

/** The law asks for six months of what people did at a network (网络安全法, article 21). */
export const KEPT_DAYS = setting({
  key: 'sign-in-kept-days',
  group: '保留期限',
  label: '登录记录',
  unit: '天',
  initial: 180,
  min: 180,
  max: 1_095,
  hint: '法律要求至少六个月',
})
export const HISTORY_PAGE = 20

export const PASSWORD_HINT = '至少6位，字母、数字或常用符号'
/** In the order and sense of D3 §5. */
export const PASSWORD_REFUSALS = {
  OLD_PASSWORD_REQUIRED: '密码不能为空',
  NEW_PASSWORD_REQUIRED: '新密码不能为空',
  PASSWORD_FORMAT: '密码格式错误',
  PASSWORD_REPEATED: '新旧密码重复',
  CONFIRMATION_DIFFERS: '两次密码不一致',
  PASSWORD_WRONG: '原密码错误',
  PASSWORD_GUESSED: '该密码很容易被猜到，请换一个',
} as const
export type PasswordRefusal = keyof typeof PASSWORD_REFUSALS

export type PasswordChange = { oldPassword: string; newPassword: string; confirmation: string }
export type NewPassword = Omit<PasswordChange, 'oldPassword'>
export type PasswordBroken = { field: keyof PasswordChange; code: PasswordRefusal }

/** The first rule that a change of one's password breaks. */
export function refusePasswordChange(change: PasswordChange): PasswordBroken | null {
  const { oldPassword, newPassword } = change
  if (oldPassword.trim() === '') return { field: 'oldPassword', code: 'OLD_PASSWORD_REQUIRED' }
  if (newPassword.trim() === '') return { field: 'newPassword', code: 'NEW_PASSWORD_REQUIRED' }
  if (!isPassword(oldPassword)) return { field: 'oldPassword', code: 'PASSWORD_FORMAT' }
  if (!isPassword(newPassword)) return { field: 'newPassword', code: 'PASSWORD_FORMAT' }
  if (newPassword === oldPassword) return { field: 'newPassword', code: 'PASSWORD_REPEATED' }
  return refuseNewPassword(change)
}

/** The first rule that a new password breaks, whatever the old one was. */
export function refuseNewPassword({ newPassword, confirmation }: NewPassword): PasswordBroken | null {
  if (newPassword.trim() === '') return { field: 'newPassword', code: 'NEW_PASSWORD_REQUIRED' }
  if (!isPassword(newPassword)) return { field: 'newPassword', code: 'PASSWORD_FORMAT' }
  if (isCommonest(newPassword)) return { field: 'newPassword', code: 'PASSWORD_GUESSED' }
  return confirmation === newPassword ? null : { field: 'confirmation', code: 'CONFIRMATION_DIFFERS' }
}

/** What is tried first where people think in Chinese; the rest is in the list of the strength meter. */
const COMMONEST = new Set(
  `123456 1234567 12345678 123456789 1234567890 111111 000000 666666 888888 88888888 123123 112233 121212 654321 147258
  147258369 159357 789456 a123456 123456a a12345678 abc123 abc123456 abcd1234 aa123456 aa123456789 qq123456 q123456 wang123
  woaini woaini1314 woaini520 woaiwojia iloveyou 520520 5201314 1314520 13145201314 qwerty qwerty123 qwe123 1q2w3e4r
  1qaz2wsx zxcvbnm asdfgh asdfghjkl password passw0rd p@ssw0rd p@ssword admin admin123 admin888 root123 test123 demo123
  qazwsx caonima nihao123 mima123 changeme 110110 119119 101010 asd123 zxc123 zaq12wsx dearbook sunshine letmein`.split(
    /\s+/,
  ),
)

export function isCommonest(password: string): boolean {
  return COMMONEST.has(password.toLowerCase())
}

/** What this product and its people are called, in letters: no password is made of it and a year. */
export const CONTEXT_WORDS = [
  ...['partner', 'partneroffice', 'office', 'agent', 'merchant', 'operator', 'vendor', 'demo', 'owner'],
  ...['hezuo', 'hezuohuoban', 'huoban', 'daili', 'dailishang', 'shanghu', 'houtai', 'guanli', 'guanliyuan'],
  ...['dianzhang', 'xiaoshou', 'kefu', 'caiwu', 'yuangong', 'shoukuan', 'shouyin', 'dianpu', 'daibi'],
] as const

/** How strong a password is, from how many guesses find it (their power of ten). */
export const STRENGTHS = ['很弱', '较弱', '一般', '较强', '很强'] as const
/** Fewer guesses than ten to this power are made at once by whoever has the list. */
const GUESSED_BELOW = 5

export function isGuessed(guessesLog10: number): boolean {
  return guessesLog10 < GUESSED_BELOW
}

export function strengthOf(guessesLog10: number): 0 | 1 | 2 | 3 | 4 {
  if (isGuessed(guessesLog10)) return 0
  if (guessesLog10 < 6.5) return 1
  if (guessesLog10 < 8) return 2
  return guessesLog10 < 10 ? 3 : 4
}

/** Longer texts are judged by their beginning, so that judging costs no more than a moment. */
export const JUDGED_LENGTH = 24

/** What one may not make a password of: what everybody knows of the account. */
export function knownWords(person: {
  loginName: string
  name: string
  mobile?: string
  companyName: string
}): string[] {
  const { loginName, name, mobile = '', companyName } = person
  return [loginName, name, mobile, mobile.slice(-8), companyName].filter(word => word.length > 1)
}

export const RESET_REFUSALS = {
  LOGIN_NAME_REQUIRED: LOGIN_REFUSALS.LOGIN_NAME_REQUIRED,
  ACCOUNT_DISABLED: LOGIN_REFUSALS.ACCOUNT_DISABLED,
  CODE_REQUIRED: '请输入验证码',
  CODE_WRONG: '验证码错误或已过期',
  CODE_SPENT: '验证码错误次数过多，请重新获取',
  CODES_UNCONNECTED: '没有接入短信服务，收不到验证码，请联系为您开通账号的人重置密码',
} as const
export type ResetRefusal = keyof typeof RESET_REFUSALS

export type PasswordReset = NewPassword & { loginName: string; code: string }
export type ResetBroken =
  | { field: 'loginName' | 'code'; code: ResetRefusal }
  | (PasswordBroken & { field: keyof NewPassword })

/** The first thing wrong with what is typed to reset a password. */
export function refuseReset({ loginName, code, ...password }: PasswordReset): ResetBroken | null {
  if (loginName.trim() === '') return { field: 'loginName', code: 'LOGIN_NAME_REQUIRED' }
  if (code.trim() === '') return { field: 'code', code: 'CODE_REQUIRED' }
  if (!/^\d{6}$/.test(cleanCode(code))) return { field: 'code', code: 'CODE_WRONG' }
  return refuseNewPassword(password) as ResetBroken | null
}

export const RESET_MESSAGES = { ...RESET_REFUSALS, ...PASSWORD_REFUSALS } as const

const BROWSERS: [mark: string, name: string][] = [
  ['MicroMessenger', '微信'],
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const SYSTEMS: [mark: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
]

/** "Windows · Chrome" from what the browser calls itself. */
export function deviceOf(userAgent: string): string {
  const named = (names: [string, string][]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  const parts = [named(SYSTEMS), named(BROWSERS)].filter(part => part !== undefined)
  return parts.length > 0 ? parts.join(' · ') : '未知设备'
}

const INNER =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab])/

/** Where an address is, as far as it says so by itself. */
export function placeOf(ip: string): string {
  const plain = ip.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (plain === '') return '未知'
  if (plain === '::1' || plain.startsWith('127.')) return '本机'
  return INNER.test(plain) ? '内网' : '公网'
}
