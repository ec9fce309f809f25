// Owns what is sent by SMS: its kinds and texts, codes and how often they are sent and tried, reminders (D1 §2, §4; D2 §5, §9).
// Must never read a clock or a database, and must never make up a code.
import { REFUSALS as MERCHANT_REFUSALS, type MerchantStatus } from '#features/shops/merchants/rules.ts'
import type { Machine, Step } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import type { Connection, SetupReading } from '#kit/ports/setup.ts'
import { formatDay } from '#kit/time.ts'
import { cleanCode } from '#kit/words/cleaned.ts'
import { isMainlandMobile, maskPhone } from '#kit/words/phone.ts'
import { filled } from '#kit/words/placeholders.ts'

export const MESSAGE_KINDS = {
  'phone-code': '手机验证码',
  'recovery-code': '短信回收验证码',
  'account-code': '账号验证码',
  'account-notice': '账号通知',
  invitation: '开户邀请',
  'shop-code': '门店登录验证码',
  'password-reset': '密码重置通知',
  'hand-over': '开店通知',
  'shop-notice': '商户通知',
  'owner-link': '店主资料链接',
  'renewal-reminder': '续费提醒',
  campaign: '短信群发',
  member: '会员通知',
} as const
export type MessageKind = keyof typeof MESSAGE_KINDS
export const MESSAGE_KIND_KEYS = Object.keys(MESSAGE_KINDS) as MessageKind[]

/**
 * sending: a sender has it in hand. submitted: the provider took it. unknown: the provider did not answer, so it is asked and
 * never sent again blindly. expired: it was too late to send. cancelled: taken back before it was sent.
 */
export const MESSAGE_STATUSES = {
  queued: '待发送',
  sending: '发送中',
  submitted: '已提交',
  delivered: '已送达',
  failed: '发送失败',
  unknown: '待确认',
  expired: '已失效',
  cancelled: '已取消',
} as const
export type MessageStatus = keyof typeof MESSAGE_STATUSES
export const MESSAGE_STATUS_KEYS = Object.keys(MESSAGE_STATUSES) as MessageStatus[]

/** Who pays for a message: the vendor (codes, notices of its own), an agent, a shop. */
export const PAYERS = { vendor: '厂商', agent: '代理商', merchant: '商户' } as const
export type Payer = keyof typeof PAYERS
export const PAYER_KEYS = Object.keys(PAYERS) as Payer[]

/** What went wrong or is not known. */
export const ABNORMAL_STATUSES = ['failed', 'unknown', 'expired'] as const satisfies MessageStatus[]
export type AbnormalStatus = (typeof ABNORMAL_STATUSES)[number]

/** Whose SMS credit a forecast is of. */
export const FORECAST_OF = ['merchant', 'agent'] as const

/** What people of an agent have a code sent for: changing a shop's phone, recalling its SMS credit, proving the phone of its data. */
export const CODE_PURPOSES = ['phone', 'recovery', 'identity'] as const
export type AskedPurpose = (typeof CODE_PURPOSES)[number]
/** `shop`: the shop itself signs in at its own page. `ownerEntry`, `ownerSignature`: its owner hands in papers by phone, and signs. */
export type CodePurpose = AskedPurpose | 'shop' | 'ownerEntry' | 'ownerSignature'

export const CODE_KINDS = {
  phone: 'phone-code',
  recovery: 'recovery-code',
  identity: 'phone-code',
  shop: 'shop-code',
  ownerEntry: 'shop-code',
  ownerSignature: 'shop-code',
} as const satisfies Record<CodePurpose, MessageKind>
/** Who may have a code sent, and use it. */
export const CODE_PERMISSIONS = {
  phone: 'shopAccess.changePhone',
  recovery: 'sms.recall',
  identity: 'verification.edit',
} as const

export const CODE_LIMITS = {
  digits: 6,
  validMinutes: 10,
  wrongTries: 5,
} as const

/** Messages that the vendor paid for. What somebody was charged for is a voucher, and stays with the books. */
export const MESSAGES_KEPT = setting({
  key: 'message-kept-months',
  group: '保留期限',
  label: '厂商付费的短信',
  unit: '个月',
  initial: 24,
  min: 6,
  max: 240,
  hint: '代理商或商户付费的短信随账目保留',
})

export const CODE_RESEND = setting({
  key: 'code-resend-seconds',
  group: '验证码',
  label: '重新发送间隔',
  unit: '秒',
  initial: 60,
  min: 30,
  max: 600,
})
export const CODES_PER_HOUR = setting({
  key: 'codes-per-hour',
  group: '验证码',
  label: '每个手机号每小时',
  unit: '次',
  initial: 5,
  min: 1,
  max: 30,
})
export const CODES_PER_DAY = setting({
  key: 'codes-per-day',
  group: '验证码',
  label: '每个手机号每天',
  unit: '次',
  initial: 10,
  min: 1,
  max: 50,
})

/** What the puzzle before a code is solved for. */
export function codeSubject(merchantId: number, purpose: CodePurpose): string {
  return `${merchantId}:${purpose}`
}

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
  CODES_UNCONNECTED: '没有接入短信服务，收不到验证码',
  CODE_TOO_SOON: '验证码已发送，请稍后再获取',
  CODE_TOO_MANY_NOW: '该手机号一小时内获取验证码次数已达上限，请稍后再试',
  CODE_TOO_MANY: '该手机号今日获取验证码次数已达上限，请明天再试',
} as const
export type SendRefusal = keyof typeof SEND_REFUSALS

export const REMINDER_REFUSALS = {
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
  NEVER_EXPIRES: '该商户为永久版本，无需续费',
  PHONE_NOT_MOBILE: SEND_REFUSALS.PHONE_NOT_MOBILE,
  REMINDED_ALREADY: '近期已发送过续费提醒',
  SHOP_UNKNOWN: '该商户不存在，或不由您服务',
} as const
export type ReminderRefusal = keyof typeof REMINDER_REFUSALS

/** The refusals with the hours that hold. */
export function reminderMessages(hours: number): Record<ReminderRefusal, string> {
  return { ...REMINDER_REFUSALS, REMINDED_ALREADY: `${hours}小时内已发送过续费提醒` }
}

export const REMINDER_LIMITS = { shops: 200 } as const
/** A shop is reminded once within this time. */
export const REMINDER_HOURS = setting({
  key: 'reminder-hours',
  group: '提醒时间',
  label: '续费提醒间隔',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 168,
  hint: '同一商户在这段时间内只发送一次续费提醒短信',
})

/** What is wrong with a typed code before it is compared, or null. */
export function refuseTypedCode(purpose: CodePurpose, code: string): CodeRefusal | null {
  const typed = cleanCode(code)
  if (typed === '') return purpose === 'recovery' ? 'RECOVERY_CODE_REQUIRED' : 'PHONE_CODE_REQUIRED'
  return /^\d{6}$/.test(typed) ? null : 'CODE_WRONG'
}

type Receiver = { status: MerchantStatus; account: string }

/** Why no code can be sent to this shop at all, or null. */
export function refuseReceiver(shop: Receiver): SendRefusal | null {
  if (shop.status === 'disabled') return 'MERCHANT_DISABLED'
  return isMainlandMobile(shop.account) ? null : 'PHONE_NOT_MOBILE'
}

/** Seconds until another code may be sent; 0 when it may be now. */
export function secondsUntilResend(lastSentMs: number | null, nowMs: number, resendSeconds: number): number {
  if (lastSentMs === null) return 0
  return Math.max(0, Math.ceil((lastSentMs + resendSeconds * 1_000 - nowMs) / 1_000))
}

export type Remindable = Receiver & { expiresAt: string | null }

/** Why this shop gets no reminder, or null. `remindedAt`: when it last got one, as far as is known. */
export function refuseReminder(
  shop: Remindable,
  remindedAt: string | null,
  now: Date,
  hours: number,
): ReminderRefusal | null {
  if (shop.status === 'disabled') return 'MERCHANT_DISABLED'
  if (shop.expiresAt === null) return 'NEVER_EXPIRES'
  if (!isMainlandMobile(shop.account)) return 'PHONE_NOT_MOBILE'
  const againAfterMs = hours * 3_600_000
  if (remindedAt !== null && now.getTime() - Date.parse(remindedAt) < againAfterMs) return 'REMINDED_ALREADY'
  return null
}

/** The template's text with each ${name} replaced by its value; a name without a value stays, which no caller may send. */
export function renderTemplate(text: string, params: Readonly<Record<string, string>>): string {
  return filled(text, params)
}

/** What a reminder says of a term that ends, or has ended. */
export function reminderParams(
  shop: { shopName: string; versionName: string; expiresAt: string },
  now: Date,
): Record<string, string> {
  const word = Date.parse(shop.expiresAt) < now.getTime() ? '已于' : '将于'
  return { shop: shop.shopName, version: shop.versionName, word, day: formatDay(shop.expiresAt) }
}

/** Codes go first, many shops' messages last. */
export const PRIORITIES: Record<MessageKind, number> = {
  'phone-code': 0,
  'recovery-code': 0,
  'account-code': 0,
  'account-notice': 1,
  invitation: 0,
  'shop-code': 0,
  'owner-link': 0,
  'password-reset': 1,
  'hand-over': 1,
  'shop-notice': 1,
  'renewal-reminder': 1,
  campaign: 2,
  member: 1,
}
export const PRIORITY_KEYS = [...new Set(Object.values(PRIORITIES))].sort()

/** The number as lists, files and the log show it: those of a shop's customers are nobody's to read. */
export function shownPhone({ kind, phone }: { kind: MessageKind; phone: string }): string {
  return kind === 'member' ? maskPhone(phone) : phone
}

/** Kinds whose text holds a code, the last of an address that somebody is let in by too. */
export const CODE_MESSAGES: readonly MessageKind[] = [
  ...Object.values(CODE_KINDS),
  'account-code',
  'invitation',
  'owner-link',
]
export const MASKED_CODE = '******'

export const SENDING_LIMITS = {
  /** Notices and campaigns to one number on one day of Asia/Shanghai. */
  perPhoneAndDay: 50,
  /** A message that is no code and could not be sent so long is not sent any more. */
  validHours: 72,
  /** A claim without an outcome so long is a sender that is gone. */
  claimSeconds: 60,
  /** The provider is asked about a message so long. */
  askHours: 72,
  /** When a message is first asked about: without an answer, without a receipt. */
  askUnknownSeconds: 30,
  askSubmittedSeconds: 600,
  /** How long a message waits that was not sent because the provider was busy or not there. */
  againSeconds: 10,
} as const

/** A receipt may come before the answer to the call. Delivered, failed, expired and cancelled are for good. */
export const MESSAGE_STEPS = {
  claim: { from: ['queued'], to: 'sending', by: ['program'] },
  putBack: { from: ['sending'], to: 'queued', by: ['program'] },
  submit: { from: ['sending', 'unknown'], to: 'submitted', by: ['provider'] },
  deliver: {
    from: ['sending', 'unknown', 'submitted'],
    to: 'delivered',
    by: ['provider', 'messageDesk.abnormal'],
  },
  fail: {
    from: ['queued', 'sending', 'unknown', 'submitted'],
    to: 'failed',
    by: ['program', 'provider', 'messageDesk.abnormal'],
  },
  lose: { from: ['sending'], to: 'unknown', by: ['program'] },
  expire: { from: ['queued'], to: 'expired', by: ['program'] },
  cancel: { from: ['queued'], to: 'cancelled', by: ['campaigns.send'] },
} as const satisfies Machine<MessageStatus>

export function mayBecome(from: MessageStatus, to: MessageStatus): boolean {
  const steps: readonly Step<MessageStatus>[] = Object.values(MESSAGE_STEPS)
  return steps.some(step => step.to === to && step.from.includes(from))
}

/** What was never sent, or came back, is charged nothing. */
export const UNCHARGED: readonly MessageStatus[] = ['failed', 'expired', 'cancelled']

/** Segments that a message is charged as: expected until the provider tells, nothing where it was not sent. */
export function segmentsDue(message: {
  status: MessageStatus
  segments: number
  fee: number | null
}): number {
  if (UNCHARGED.includes(message.status)) return 0
  return message.fee ?? message.segments
}

/** Whether its segments count as used. */
export function isUsed(status: MessageStatus): boolean {
  return status === 'submitted' || status === 'delivered'
}

/** The whole call was refused because there were too many: nothing was sent, and it may be sent later. */
export function isThrottling(code: string): boolean {
  return /^(Throttling|RequestLimitExceeded)(\.|$)/.test(code)
}

const ACCOUNT_CODES =
  /^(isv\.(AMOUNT_NOT_ENOUGH|OUT_OF_SERVICE|ACCOUNT_|PRODUCT_UN|SMS_SIGNATURE)|isp\.RAM_PERMISSION|SignatureDoesNotMatch|InvalidAccessKeyId|Forbidden|AuthFailure|UnauthorizedOperation|FailedOperation\.(Signature|InsufficientBalance))/

/** The vendor's own account, key or signature was refused, whatever is sent: nothing goes until somebody has mended it. */
export function isAccountRefused(code: string): boolean {
  return ACCOUNT_CODES.test(code)
}

/** Codes of our own beside those of providers and carriers, and what people read; the first that the code begins with. */
const REASONS: readonly [code: string, reason: string][] = [
  ['RATE_LIMITED', '超过该号码每日接收上限'],
  ['EXPIRED', '超过有效时间未发送'],
  ['NO_ANSWER', '短信服务商未应答，结果待确认'],
  ['SENDER_GONE', '发送中断，结果待确认'],
  ['NO_TEMPLATE', '短信模板已停用'],
  ['isv.BUSINESS_LIMIT_CONTROL', '触发号码频率限制'],
  ['isv.DAY_LIMIT_CONTROL', '触发日发送量限制'],
  ['isv.AMOUNT_NOT_ENOUGH', '短信通道余额不足'],
  ['isv.OUT_OF_SERVICE', '短信通道已停机'],
  ['isv.SMS_SIGNATURE', '短信签名未通过审核'],
  ['isv.SMS_TEMPLATE', '短信模板未通过审核'],
  ['isv.TEMPLATE', '短信模板变量有误'],
  ['isv.MOBILE_', '手机号码有误'],
  ['isv.BLACK_KEY', '内容含敏感词'],
  ['isp.RAM_PERMISSION_DENY', '短信通道未授权'],
  ['LimitExceeded.', '触发号码频率限制'],
  ['FailedOperation.Signature', '短信签名未通过审核'],
  ['FailedOperation.Template', '短信模板未通过审核'],
  ['FailedOperation.InsufficientBalance', '短信通道余额不足'],
  ['FailedOperation.PhoneNumberInBlacklist', '号码在黑名单中'],
  ['FailedOperation.ContainSensitiveWord', '内容含敏感词'],
  ['InvalidParameterValue.IncorrectPhoneNumber', '手机号码有误'],
]

/** Why a message was not sent or delivered, in words; `message`: the provider's own, where the code is not known. */
export function reasonOf(code: string, message = ''): string {
  const known = REASONS.find(([known]) => code.startsWith(known))
  return known?.[1] ?? (message || code)
}

export const RESEND_LIMITS = { messages: 200 } as const

/** NONE_RESENDABLE refuses the call; the others stand at a message. */
export const RESEND_REFUSALS = {
  NONE_RESENDABLE: '未选择可重发短信',
  NOT_FAILED: '该短信未发送失败，无需重发',
  CODE_NEVER_RESENT: '验证码不能重发，请重新获取',
  RESENT_ALREADY: '该短信已重发',
  REMINDER_FORBIDDEN: '续费提醒由运营发送，不能重发',
  TEMPLATE_GONE: '该短信的模板已停用，不能重发',
  SHOP_GONE: '该商户已不属于此代理商，不能重发',
  MESSAGE_UNKNOWN: '该短信不存在，或不由您发送',
} as const
export type ResendRefusal = Exclude<keyof typeof RESEND_REFUSALS, 'NONE_RESENDABLE'>
export const RESEND_REFUSAL_KEYS = [
  'NOT_FAILED',
  'CODE_NEVER_RESENT',
  'RESENT_ALREADY',
  'REMINDER_FORBIDDEN',
  'TEMPLATE_GONE',
  'SHOP_GONE',
  'MESSAGE_UNKNOWN',
] as const satisfies ResendRefusal[]

/** What staff may say of a message that nobody could tell about. */
export const SETTLE_OUTCOMES = ['delivered', 'failed'] as const
export const SETTLE_LIMITS = { noteMax: 100 } as const
export const SETTLE_REFUSALS = {
  NOT_UNKNOWN: '该短信已有结果，请刷新后查看',
  NOTE_REQUIRED: '请输入处理说明',
} as const

export type Resendable = {
  kind: MessageKind
  status: MessageStatus
  resentAs: number | null
  template: string | null
  merchantId: number | null
  /** Null: there is no shop, or it belongs to another agent now. */
  shopName: string | null
}

/** Why a message cannot be sent again, or null. `templates`: keys of those that can be sent. */
export function refuseResend(
  message: Resendable,
  { templates, mayRemind }: { templates: ReadonlySet<string>; mayRemind: boolean },
): ResendRefusal | null {
  if (CODE_MESSAGES.includes(message.kind)) return 'CODE_NEVER_RESENT'
  if (message.status !== 'failed' && message.status !== 'expired') return 'NOT_FAILED'
  if (message.resentAs !== null) return 'RESENT_ALREADY'
  if (message.kind === 'renewal-reminder' && !mayRemind) return 'REMINDER_FORBIDDEN'
  if (message.merchantId !== null && message.shopName === null) return 'SHOP_GONE'
  return message.template !== null && templates.has(message.template) ? null : 'TEMPLATE_GONE'
}

export function refuseSettling(status: MessageStatus, note: string): keyof typeof SETTLE_REFUSALS | null {
  if (status !== 'unknown') return 'NOT_UNKNOWN'
  return note.trim() === '' ? 'NOTE_REQUIRED' : null
}

/** Of the message that the operator sends to itself, to see that SMS arrive. */
export const TEST_TEMPLATE = 'service-test'

export type LastMessage = { status: MessageStatus; errorCode: string; errorText: string }

/** How far SMS are set up: connected, and a test arrived. */
export function smsStep({ by, needs }: Connection, last: LastMessage | undefined): SetupReading {
  if (by === 'none')
    return {
      state: 'open',
      words: '没有接入：邀请、验证码和提醒都发不出去。加上这些设置，重启后在这里发一条测试。',
      path: null,
      settings: needs,
    }
  if (by === 'simulator')
    return {
      state: 'open',
      words: '现在是模拟短信，手机收不到：加上设置后重启，并去掉 SIMULATORS=on。',
      path: null,
      settings: needs,
    }
  if (last === undefined)
    return { state: 'open', words: '已接入，还没有试过：在短信发件箱点「发送测试短信」，发到您自己的手机。' }
  const { status, errorCode, errorText } = last
  const reason = [errorText, errorCode].filter(Boolean).join('，')
  if (status === 'delivered') return { state: 'done', words: '测试短信已送达' }
  if (status === 'queued' || status === 'sending') return { state: 'open', words: '测试短信正在发送。' }
  if (status === 'submitted')
    return {
      state: 'open',
      words: '短信服务商已接收测试短信，还没有送达回执：没有收到请在服务商后台核对回执地址。',
    }
  if (status === 'unknown')
    return { state: 'broken', words: '短信服务商没有应答：请核对服务器能否访问外网，再发一次。' }
  return {
    state: 'broken',
    words: `测试短信没有发出${reason === '' ? '' : `：${reason}`}。请核对签名、模板和密钥，再发一次。`,
  }
}

export const TEST_REFUSALS = {
  SMS_NOT_CONNECTED: '没有接入短信服务，请先在服务器上加上短信设置',
  OWN_PHONE_WRONG: '您的账号没有手机号，请先在个人资料中填写',
  TEST_TOO_SOON: '测试短信刚刚发送，请1分钟后再试',
} as const
export type TestRefusal = keyof typeof TEST_REFUSALS
export const TEST_AGAIN_SECONDS = 60

/** Why no test is sent; `lastAt`: when the last one was, in ms. */
export function refuseTest(
  phone: string,
  { isConnected, lastAt, nowMs }: { isConnected: boolean; lastAt: number | null; nowMs: number },
): TestRefusal | null {
  if (!isConnected) return 'SMS_NOT_CONNECTED'
  if (!isMainlandMobile(phone)) return 'OWN_PHONE_WRONG'
  return lastAt !== null && nowMs - lastAt < TEST_AGAIN_SECONDS * 1_000 ? 'TEST_TOO_SOON' : null
}

export const SENDING_STATES = ['none', 'waiting', 'sent', 'failed'] as const
/** How a message stands for whoever had it sent: none, when it cannot leave; sent, only once the service took it. */
export type Sending = { state: (typeof SENDING_STATES)[number]; words: string }

/** Of the last message; `phone` masked. What is missing stands where nothing was sent. */
export function sendingOf(
  isConnected: boolean,
  last: LastMessage | undefined,
  { phone, isOperator }: { phone: string; isOperator: boolean },
): Sending {
  if (!isConnected) {
    const remedy = isOperator ? '；接入办法见首页「开始使用」的「短信」' : ''
    return { state: 'none', words: `短信没有发出：还没有接入短信服务，请复制链接或出示二维码${remedy}。` }
  }
  if (last === undefined) return { state: 'none', words: '没有发过短信。' }
  const { status, errorCode, errorText } = last
  const reason = [errorText, errorCode].filter(Boolean).join('，')
  if (status === 'submitted') return { state: 'sent', words: `短信已发送到 ${phone}，等待送达。` }
  if (status === 'delivered') return { state: 'sent', words: `短信已送达 ${phone}。` }
  if (status === 'queued' || status === 'sending')
    return { state: 'waiting', words: `短信正在发往 ${phone}。` }
  if (status === 'unknown')
    return { state: 'failed', words: `不确定短信是否发到 ${phone}：短信服务商没有应答，请复制链接发给对方。` }
  return {
    state: 'failed',
    words: `短信没有发到 ${phone}${reason === '' ? '' : `（${reason}）`}：请复制链接发给对方。`,
  }
}

/** Of what a shop is handed over with. */
export const HAND_OVER_REFUSALS = {
  ...SEND_REFUSALS,
  SMS_UNCONNECTED: '没有接入短信服务，短信发不出去：请复制资料发给店主',
} as const
