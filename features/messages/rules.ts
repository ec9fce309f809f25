// Owns what is sent by SMS: its kinds and texts, codes and how often they are sent and tried, reminders (D1 §2, §4; D2 §5, §9).
// Must never read a clock or a database, and must never make up a code.
import { REFUSALS as MERCHANT_REFUSALS, type MerchantStatus } from '#features/merchants/rules.ts'
import { isMainlandMobile } from '#kit/phone.ts'
import { formatDay } from '#kit/time.ts'

export const MESSAGE_KINDS = {
  'phone-code': '手机验证码',
  'recovery-code': '短信回收验证码',
  'password-reset': '密码重置通知',
  'renewal-reminder': '续费提醒',
} as const
export type MessageKind = keyof typeof MESSAGE_KINDS

export const MESSAGE_STATUSES = { queued: '待发送' } as const
export type MessageStatus = keyof typeof MESSAGE_STATUSES

/** What a code is for: changing a shop's phone, recalling its SMS credit. */
export const CODE_PURPOSES = ['phone', 'recovery'] as const
export type CodePurpose = (typeof CODE_PURPOSES)[number]

export const CODE_KINDS = { phone: 'phone-code', recovery: 'recovery-code' } as const satisfies Record<
  CodePurpose,
  MessageKind
>
/** Who may have a code sent, and use it. */
export const CODE_PERMISSIONS = { phone: 'merchants.changePhone', recovery: 'sms.recall' } as const

export const CODE_LIMITS = {
  digits: 6,
  validMinutes: 10,
  wrongTries: 5,
  resendSeconds: 60,
  perPhoneAndDay: 10,
} as const

/** Refusals of a code that was typed; every operation that takes a code declares them. */
export const CODE_REFUSALS = {
  PHONE_CODE_REQUIRED: '请输入手机验证码',
  RECOVERY_CODE_REQUIRED: '请输入验证码',
  CODE_WRONG: '验证码错误或已过期',
  CODE_SPENT: '验证码错误次数过多，请重新获取',
} as const
export type CodeRefusal = keyof typeof CODE_REFUSALS

/** Refusals of sending; `secondsLeft` of CODE_TOO_SOON stands in its data. */
export const SEND_REFUSALS = {
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  PHONE_NOT_MOBILE: '该商户的账号不是手机号，无法接收短信',
  CODE_TOO_SOON: '验证码已发送，请稍后再获取',
  CODE_TOO_MANY: '该手机号今日获取验证码次数已达上限，请明天再试',
} as const
export type SendRefusal = keyof typeof SEND_REFUSALS

export const REMINDER_REFUSALS = {
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  NEVER_EXPIRES: '该商户为永久版本，无需续费',
  PHONE_NOT_MOBILE: SEND_REFUSALS.PHONE_NOT_MOBILE,
  REMINDED_ALREADY: '24小时内已发送过续费提醒',
} as const
export type ReminderRefusal = keyof typeof REMINDER_REFUSALS

export const REMINDER_LIMITS = { shops: 200, hoursBetween: 24 } as const

/** What is wrong with a typed code before it is compared, or null. */
export function refuseTypedCode(purpose: CodePurpose, code: string): CodeRefusal | null {
  if (code.trim() === '') return purpose === 'phone' ? 'PHONE_CODE_REQUIRED' : 'RECOVERY_CODE_REQUIRED'
  return /^\d{6}$/.test(code.trim()) ? null : 'CODE_WRONG'
}

type Receiver = { status: MerchantStatus; account: string }

/** Why no code can be sent to this shop at all, or null. */
export function refuseReceiver(shop: Receiver): SendRefusal | null {
  if (shop.status === 'disabled') return 'MERCHANT_DISABLED'
  return isMainlandMobile(shop.account) ? null : 'PHONE_NOT_MOBILE'
}

/** Seconds until another code may be sent; 0 when it may be now. */
export function secondsUntilResend(lastSentMs: number | null, nowMs: number): number {
  if (lastSentMs === null) return 0
  return Math.max(0, Math.ceil((lastSentMs + CODE_LIMITS.resendSeconds * 1_000 - nowMs) / 1_000))
}

export type Remindable = Receiver & { expiresAt: string | null }

/** Why this shop gets no reminder, or null. `remindedAt`: when it last got one, as far as is known. */
export function refuseReminder(
  shop: Remindable,
  remindedAt: string | null,
  now: Date,
): ReminderRefusal | null {
  if (shop.status === 'disabled') return 'MERCHANT_DISABLED'
  if (shop.expiresAt === null) return 'NEVER_EXPIRES'
  if (!isMainlandMobile(shop.account)) return 'PHONE_NOT_MOBILE'
  const againAfterMs = REMINDER_LIMITS.hoursBetween * 3_600_000
  if (remindedAt !== null && now.getTime() - Date.parse(remindedAt) < againAfterMs) return 'REMINDED_ALREADY'
  return null
}

/** What a code of each purpose opens, in words. */
export const CODE_USES: Record<CodePurpose, string> = { phone: '修改手机号', recovery: '回收短信' }

export function codeText(purpose: CodePurpose, shopName: string, code: string): string {
  return `您的验证码是 ${code}，${CODE_LIMITS.validMinutes}分钟内有效，用于商户「${shopName}」${CODE_USES[purpose]}。请勿告诉他人。`
}

/** Tells that the password was reset, and never the password. */
export function passwordResetText(shopName: string): string {
  return `商户「${shopName}」的登录密码已由服务商重置，请向服务商获取新密码并尽快登录。如非本人要求，请立即联系服务商。`
}

export function reminderText(
  shop: { shopName: string; versionName: string; expiresAt: string },
  now: Date,
): string {
  const word = Date.parse(shop.expiresAt) < now.getTime() ? '已于' : '将于'
  return `尊敬的商户「${shop.shopName}」，您使用的${shop.versionName}${word} ${formatDay(shop.expiresAt)} 到期，请及时联系服务商续费，以免影响使用。`
}
