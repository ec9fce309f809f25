// Owns what a second factor is, how long its proof holds, how often one may be wrong, and who must have one (reliability.md,
// S7 and "Rules that follow"). Must never read a clock.

/** A proof opens what asks for a fresh factor for so long. */
export const FRESH_MINUTES = 10
/** What was begun is finished within this time. */
export const CHALLENGE_MINUTES = 5
/** Wrong codes of an account within so many minutes; passkeys cannot be guessed and always work. */
export const WRONG_MAX = 5
export const WRONG_WINDOW_MINUTES = 15
/** What is guessed at: each has its own number of wrong tries, so that what blocks one leaves a way in by another. */
export type TriedKind = 'code' | 'recovery' | 'password'
export const PASSKEYS_MAX = 10
export const RECOVERY_CODES = 10
export const NAME_MAX = 20
export const GRACE_DAYS_MAX = 90

export type ChallengePurpose = 'signIn' | 'totp' | 'register' | 'assert'

/** Whom a rule is for: accounts of the vendor, owners of agents, their staff; an owner's rule is for its own staff. */
export const OPERATOR_KINDS = ['vendor', 'owners', 'staff'] as const
export const RULE_KINDS = [...OPERATOR_KINDS, 'ownStaff'] as const
export type RuleKind = (typeof RULE_KINDS)[number]
export const RULE_NAMES: Readonly<Record<RuleKind, string>> = {
  vendor: '厂商的所有账号',
  owners: '代理商主账号',
  staff: '代理商员工',
  ownStaff: '本公司员工',
}

/** What an account may set rules for. */
export function kindsOf(actor: { isOperator: boolean }): readonly RuleKind[] {
  return actor.isOperator ? OPERATOR_KINDS : ['ownStaff']
}

export const FACTOR_REFUSALS = {
  CODE_REQUIRED: '请输入验证码',
  CODE_WRONG: '验证码错误或已经用过，请核对后重试',
  FACTOR_THROTTLED: `验证码输错次数过多，请${WRONG_WINDOW_MINUTES}分钟后再试，或使用恢复码、通行密钥`,
  RECOVERY_THROTTLED: `恢复码输错次数过多，请${WRONG_WINDOW_MINUTES}分钟后再试，或使用验证码、通行密钥`,
  FACTOR_EXPIRED: '验证已过期，请重新开始',
  PASSWORD_REQUIRED: '请输入密码',
  PASSWORD_WRONG: '密码错误',
  PASSWORD_THROTTLED: `密码输错次数过多，请${WRONG_WINDOW_MINUTES}分钟后再试`,
  FACTOR_WANTED: '请用二次验证确认',
  PASSKEY_FAILED: '通行密钥验证失败，请重试',
  PASSKEY_KNOWN: '该通行密钥已经添加过',
  PASSKEYS_FULL: `最多添加 ${PASSKEYS_MAX} 个通行密钥`,
  PASSKEYS_ELSEWHERE: '通行密钥只能在本系统的域名下使用',
  NAME_REQUIRED: '请输入名称',
  NAME_TOO_LONG: `名称不得超过${NAME_MAX}字`,
  RULE_FOREIGN: '不能设置其他公司的要求',
  GRACE_FORMAT: `宽限天数须为 0 到 ${GRACE_DAYS_MAX} 的整数`,
  ACCOUNT_UNKNOWN: '账号不存在',
  NO_FACTOR: '该账号没有设置二次验证',
} as const
export type FactorRefusal = keyof typeof FACTOR_REFUSALS

export function refuseName(name: string): FactorRefusal | null {
  if (name.trim() === '') return 'NAME_REQUIRED'
  return name.trim().length > NAME_MAX ? 'NAME_TOO_LONG' : null
}

/** 32 letters, none taken for a digit; ten of them are 50 bits. */
const RECOVERY_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const RECOVERY_LENGTH = 10

/** A recovery code of random bytes, in two halves. */
export function recoveryCodeOf(bytes: Uint8Array): string {
  const letters = Array.from(bytes, byte => RECOVERY_LETTERS[byte % RECOVERY_LETTERS.length]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** As it is kept: without its dash, spaces and small letters. */
export function plainRecoveryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}

export function isTotpCode(typed: string): boolean {
  return /^\d{6}$/.test(typed.replaceAll(' ', ''))
}

export type GivenRule = { kind: RuleKind; required: boolean; graceDays: number }

/** The first rule that this account may not set, or that cannot be kept. */
export function refuseRules(
  rules: readonly GivenRule[],
  actor: { isOperator: boolean },
): { field: string; code: FactorRefusal } | null {
  for (const { kind, graceDays } of rules) {
    if (!kindsOf(actor).includes(kind)) return { field: kind, code: 'RULE_FOREIGN' }
    if (!Number.isInteger(graceDays) || graceDays < 0 || graceDays > GRACE_DAYS_MAX)
      return { field: kind, code: 'GRACE_FORMAT' }
  }
  return null
}
