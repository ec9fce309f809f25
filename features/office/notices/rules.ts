// Owns the topics that people are told of, how notices are delivered, and when people are warned (D1 §4, §7).
// Must never read a clock or a database.

import { setting } from '#kit/declare/settings.ts'
import { formatCents, formatCount } from '#kit/money.ts'

/** Topics by the names that the documents' clients listen for, and ours of the same form. */
export const TOPICS = {
  FeedBackUserSendMsg: '反馈回复',
  Refresh_Signature_Notify: '短信签名',
  Approval_Notify: '审批结果',
  PaymentStatus_Notify: '支付结果',
  Balance_Notify: '余额提醒',
  Expiring_Notify: '商户到期提醒',
  Consultation_Notify: '官网咨询',
  Campaign_Notify: '短信群发',
  PaymentTrouble_Notify: '支付异常',
  SmsTrouble_Notify: '短信通道异常',
  Undo_Notify: '撤销审批',
  Hardware_Notify: '硬件订单',
  ShopMoved_Notify: '商户转移',
  ShopChanged_Notify: '商户变更',
  Credit_Notify: '充值与划拨',
  OrderUndone_Notify: '订单被撤销',
  Resend_Notify: '短信重发',
  View_Notify: '账号被查看',
  Security_Notify: '账号安全',
  SignIn_Notify: '登录提醒',
  ApiKey_Notify: '接口密钥',
  Webhook_Notify: '回调通知',
  OnlineRenewal_Notify: '在线续费',
  Application_Notify: '合作申请',
  Partner_Notify: '合作事项',
  Document_Notify: '证件到期',
  Demand_Notify: '需求进展',
  Inbox_Notify: '待办指派',
  Import_Notify: '店铺导入',
  WorkOrder_Notify: '工单进展',
  Clearing_Notify: '数据清空',
  Erasure_Notify: '个人信息删除',
  OwnerPapers_Notify: '店主资料',
  ReleaseTrain_Notify: '小程序分批发布',
} as const
export type Topic = keyof typeof TOPICS
export const TOPIC_KEYS = Object.keys(TOPICS) as Topic[]

/** Others moved the agent's money, came in with the account, looked through it or changed how one signs in: nobody switches these off. */
const ALWAYS_TOLD: readonly Topic[] = [
  'Credit_Notify',
  'OrderUndone_Notify',
  'Resend_Notify',
  'View_Notify',
  'Security_Notify',
  'SignIn_Notify',
  'ApiKey_Notify',
]

export function isAlwaysTold(topic: Topic): boolean {
  return ALWAYS_TOLD.includes(topic)
}

/** D1 §7, real-time hub: what the server says, and what the page says. */
export const NOTICE_EVENT = 'NoticeAsync'
export const REGISTER_EVENT = 'Register'
export const CONFIRM_EVENT = 'OnClientReceivedNotice'

/** What a page is sent. */
export type NoticeMessage = {
  traceId: string
  topicName: Topic
  argsObj: Record<string, unknown>
  title: string
  body: string
  link: string
  createdAt: string
}

/** How long, and how many at once, a page that connects is sent what it missed. */
export const MISSED_DAYS = 7
export const MISSED_MAX = 50

/** A notice that nobody confirms goes out again after so long; each time it waits twice as long as before. */
export const REPEAT_AFTER_SECONDS = 20
export const REPEAT_AT_MOST_SECONDS = 3_600

/** D1 §2, §9. */
export const CARD_LASTS_MS = 60_000
export const RECONNECT_AFTER_MS = 2_000

/** When an account is warned; null: never. */
export type Thresholds = { tokenCents: number | null; sms: number | null; expiringDays: number | null }

const WARNING = { group: '默认提醒', hint: '账号没有自己设置时，机构主账号按此提醒' } as const
export const LOW_TOKENS = setting({
  ...{ ...WARNING, key: 'low-tokens', label: '代币余额低于', unit: '代币' },
  ...{ initial: 500, min: 1, max: 100_000 },
})
export const LOW_SMS = setting({
  ...{ ...WARNING, key: 'low-sms', label: '短信余额低于', unit: '条' },
  ...{ initial: 500, min: 1, max: 999_999 },
})
export const EXPIRING_DAYS = setting({
  ...{ ...WARNING, key: 'expiring-days', label: '商户到期前', unit: '天' },
  ...{ initial: 7, min: 1, max: 90 },
})
/** Of an owner who has chosen nothing. */
export function thresholdsOf(tokens: number, sms: number, expiringDays: number): Thresholds {
  return { tokenCents: tokens * 100, sms, expiringDays }
}

/** Hours of Shanghai in which the program by itself warns people: from the first on, before the second. */
export const WARN_FROM = setting({
  ...{ key: 'warn-from-hour', group: '提醒时间', label: '每天最早', unit: '点' },
  ...{ initial: 9, min: 6, max: 12 },
  hint: '余额和到期提醒在这段时间内发出，每小时检查一次',
})
export const WARN_UNTIL = setting({
  ...{ key: 'warn-until-hour', group: '提醒时间', label: '每天最晚', unit: '点' },
  ...{ initial: 20, min: 13, max: 23 },
})
export function isWarningHour(hour: number, from: number, until: number): boolean {
  return hour >= from && hour <= until
}

export const THRESHOLD_LIMITS = { tokenCents: 100_000_000_00, sms: 1_000_000_000, expiringDays: 90 } as const

export const REFUSALS = {
  THRESHOLD_INVALID: '请输入正确的数，须大于 0；不提醒请留空',
  EXPIRING_DAYS_TOO_MANY: `到期提醒最多提前 ${THRESHOLD_LIMITS.expiringDays} 天`,
  THRESHOLD_TOO_LARGE: '提醒数值过大',
  TOPIC_ALWAYS_TOLD: '涉及资金和账号安全的消息不能关闭',
} as const
export type Refusal = keyof typeof REFUSALS

/** The first threshold that cannot be kept, by its field. */
export function refuseThresholds(
  thresholds: Thresholds,
): { field: keyof Thresholds; refusal: Refusal } | null {
  for (const field of ['tokenCents', 'sms', 'expiringDays'] as const) {
    const value = thresholds[field]
    if (value === null) continue
    if (!Number.isInteger(value) || value < 1) return { field, refusal: 'THRESHOLD_INVALID' }
    if (value <= THRESHOLD_LIMITS[field]) continue
    return { field, refusal: field === 'expiringDays' ? 'EXPIRING_DAYS_TOO_MANY' : 'THRESHOLD_TOO_LARGE' }
  }
  return null
}

export function refuseTopics(topics: readonly { topic: Topic; enabled: boolean }[]): Refusal | null {
  return topics.some(({ topic, enabled }) => !enabled && isAlwaysTold(topic)) ? 'TOPIC_ALWAYS_TOLD' : null
}

type About = { topic: Topic; title: string; link: string }

/** What a notice is about: the thing that its link names, else what it says of a page; null: nothing more than itself. */
export function subjectOf({ topic, title, link }: About): string | null {
  if (link === '') return null
  return /\d/.test(link) ? link : `${topic} ${title} ${link}`
}

/** Of one page, the newest first. */
export type Folded = {
  /** The newer notice of the same thing that it is folded behind; null: none is newer. */
  behind: number | null
  /** How many are folded behind it. */
  others: number
  /** It, or one that is folded behind it, was not read. */
  unread: boolean
}

export function foldedOf<N extends About & { id: number; readAt: string | null }>(
  rows: readonly N[],
): (N & Folded)[] {
  const leads = new Map<string, N & Folded>()
  return rows.map(row => {
    const subject = subjectOf(row)
    const lead = subject === null ? undefined : leads.get(subject)
    const folded = { ...row, behind: lead?.id ?? null, others: 0, unread: row.readAt === null }
    if (lead) {
      lead.others++
      lead.unread ||= folded.unread
    } else if (subject !== null) leads.set(subject, folded)
    return folded
  })
}

/** The lines of a page: each thing once, those of an unfolded one below its newest. */
export function linesOf<N extends Folded & { id: number }>(
  rows: readonly N[],
  unfolded: ReadonlySet<number>,
): N[] {
  return rows
    .filter(({ behind }) => behind === null)
    .flatMap(lead =>
      unfolded.has(lead.id) ? [lead, ...rows.filter(({ behind }) => behind === lead.id)] : [lead],
    )
}

/** What a page may name as a notice's trace id. */
export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{8,64}$/.test(value)
}

/** Another page of the account read something. */
export const READ_EVENT = 'NoticesRead'

export type WarningKind = 'token' | 'sms' | 'expiring'
export type Warning = {
  text: 'token-low' | 'sms-low' | 'expiring'
  values: Record<string, string>
  topic: Topic
  link: `/admin/${string}`
  holding: string
}

/** What an account is told, and what it must be allowed to see for it. `value`: cents, pieces or shops. */
export function warningOf(kind: WarningKind, value: number, days: number): Warning {
  switch (kind) {
    case 'token':
      return {
        text: 'token-low',
        values: { balance: formatCents(value) },
        topic: 'Balance_Notify',
        link: '/admin/detail/personalDetails',
        holding: 'ledger.wallet',
      }
    case 'sms':
      return {
        text: 'sms-low',
        values: { balance: formatCount(value) },
        topic: 'Balance_Notify',
        link: '/admin/account/msgRecharge',
        holding: 'ledger.wallet',
      }
    case 'expiring':
      return {
        text: 'expiring',
        values: { days: String(days), count: formatCount(value) },
        topic: 'Expiring_Notify',
        link: '/admin/merchant/renewals',
        holding: 'renewals.desk',
      }
  }
}

/** A balance that stays low is told again after so many days; one that had risen above and fell, on the next day. */
export const LOW_AGAIN_DAYS = 7

/** Of an account that is not its agent's own and has chosen nothing. */
export const NEVER_WARNED: Thresholds = { tokenCents: null, sms: null, expiringDays: null }

/** Beyond, the badge says 99+. */
export const UNREAD_COUNTED = 100

export const KEPT_DAYS = setting({
  key: 'notice-kept-days',
  group: '保留期限',
  label: '站内消息',
  unit: '天',
  initial: 180,
  min: 30,
  max: 1_095,
})
