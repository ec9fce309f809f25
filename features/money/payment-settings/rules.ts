// Owns what may be saved as an agent's own account with a channel, and when it may be used (D3 §3 "Payment config", §5).
// Must never read a clock or a database.
import { OWN_SETTINGS, type OwnSetting, type PayChannelName } from '#kit/ports/channels.ts'

export const CHECK_RESULTS = { right: '正确', wrong: '有误', unknown: '未能判断' } as const
export type CheckResult = keyof typeof CHECK_RESULTS
export const CHECK_RESULT_KEYS = Object.keys(CHECK_RESULTS) as CheckResult[]

/** Orders made before it was switched off live 10 minutes, and are closed or settled in a few more. */
export const LIMITS = { settleMinutes: 30, signKeyMax: 64 } as const

export const REFUSALS = {
  PAY_DISABLED: '暂未开通在线收款，请联系厂商',
  CHANNEL_UNKNOWN: '该渠道不能收款到代理商账户',
  VALUE_INVALID: '请检查填写的内容',
  KEY_UNREADABLE: '密钥无法识别',
  NOT_SET: '请先保存支付设置',
  NOT_CHECKED: '请先检测，检测正确后才能启用',
  CHECK_WRONG: '检测未通过，请更正后重新检测',
  CHECK_STALE: '设置已修改，请重新检测',
  SWITCHED_ON: '请先停用再删除',
  STILL_SETTLING: `停用${LIMITS.settleMinutes}分钟后才能删除，以便未完成的订单结清`,
  SIGN_KEY_REQUIRED: '请输入签名密钥',
  SIGN_KEY_INVALID: `签名密钥为8至${LIMITS.signKeyMax}位字母或数字`,
} as const
export type PaymentSettingsRefusal = keyof typeof REFUSALS

export type Values = Readonly<Record<string, string>>
export type BrokenValue = { field: string; message: string }

export function settingsOf(channel: PayChannelName): Readonly<Record<string, OwnSetting>> {
  return OWN_SETTINGS[channel] ?? {}
}

/**
 * What is wrong with what is typed, in the order of the form. A secret that is left empty stays as it was, where it was
 * `kept`; of the pairs that belong together the channel itself speaks.
 */
export function brokenValues(
  channel: PayChannelName,
  given: Values,
  kept: ReadonlySet<string>,
): BrokenValue[] {
  return Object.entries(settingsOf(channel)).flatMap(([field, setting]) => {
    const message = flawOf(setting, (given[field] ?? '').trim(), kept.has(field))
    return message === null ? [] : [{ field, message }]
  })
}

function flawOf(setting: OwnSetting, text: string, isKept: boolean): string | null {
  const { label, kind, required, max, pattern, patternWords, words } = setting
  if (text === '') {
    const isThere = kind === 'secret' && isKept
    return required && !isThere ? `${kind === 'word' ? '请选择' : '请输入'}${label}` : null
  }
  if (text.length > max) return `${label}不得超过${max}个字符`
  if (words && !(text in words)) return `请选择${label}`
  return pattern !== undefined && !new RegExp(pattern).test(text)
    ? `${label}${patternWords ?? '格式不正确'}`
    : null
}

/** Where this differs, another merchant is meant. */
export function identityOf(channel: PayChannelName, values: Values): string {
  const names = Object.entries(settingsOf(channel)).filter(([, { isIdentity }]) => isIdentity)
  return names.map(([name]) => values[name] ?? '').join(' ')
}

export type Standing = {
  payEnabled: boolean
  /** Null: nothing is saved. */
  version: number | null
  checkedVersion: number | null
  checkResult: CheckResult | null
}

/** Why a channel cannot be switched on, or null: these very settings must have been found right. */
export function refuseSwitchOn(standing: Standing): PaymentSettingsRefusal | null {
  if (!standing.payEnabled) return 'PAY_DISABLED'
  if (standing.version === null) return 'NOT_SET'
  if (standing.checkedVersion === null) return 'NOT_CHECKED'
  if (standing.checkedVersion !== standing.version) return 'CHECK_STALE'
  return standing.checkResult === 'right' ? null : 'CHECK_WRONG'
}

export function refuseCheck({ payEnabled, version }: Standing): PaymentSettingsRefusal | null {
  if (!payEnabled) return 'PAY_DISABLED'
  return version === null ? 'NOT_SET' : null
}

/** `offSeconds`: since it was switched off; null: it never was on. */
export function refuseRemove(settings: {
  enabled: boolean
  offSeconds: number | null
}): PaymentSettingsRefusal | null {
  if (settings.enabled) return 'SWITCHED_ON'
  const isSettled = settings.offSeconds === null || settings.offSeconds >= LIMITS.settleMinutes * 60
  return isSettled ? null : 'STILL_SETTLING'
}

export function refuseSignKey(text: string): PaymentSettingsRefusal | null {
  if (text.trim() === '') return 'SIGN_KEY_REQUIRED'
  return /^[0-9A-Za-z]{8,64}$/.test(text.trim()) ? null : 'SIGN_KEY_INVALID'
}
