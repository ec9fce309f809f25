// Owns what is refused at the door, in which words and after how many tries (D1 §5, §8). Must never read a clock.

export const LOGIN_REFUSALS = {
  LOGIN_FAILED: '账号或密码错误',
  LOGIN_THROTTLED: '尝试次数过多，请15分钟后再试',
  ACCOUNT_DISABLED: '账号已停用，请联系管理员',
  LOGIN_NAME_REQUIRED: '请输入账号',
  PASSWORD_REQUIRED: '请输入密码',
} as const
export type LoginRefusal = keyof typeof LOGIN_REFUSALS

/** Failures within this time count towards the limit, by account and by address. */
export const LOGIN_WINDOW_MINUTES = 15

/** First thing missing from the login form; both texts are trimmed (D1 §5). */
export function refuseLogin(form: { loginName: string; password: string }): LoginRefusal | null {
  if (form.loginName.trim() === '') return 'LOGIN_NAME_REQUIRED'
  return form.password.trim() === '' ? 'PASSWORD_REQUIRED' : null
}

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
