// Owns what programs at the point of sale are told of: topics, how long changes are kept, when SMS credit is low (issue "the shop's side").
// Must never read a clock or a database.
import { setting } from '#kit/declare/settings.ts'

/** By the name that programs know, in people's words. Triggers of the database write them, and verbs by `noteShopChange`. */
export const TOPICS = {
  'shop.created': '新开店铺',
  'shop.changed': '店铺资料变更',
  'shop.term.changed': '版本与期限变更',
  'shop.disabled': '店铺禁用',
  'shop.enabled': '店铺启用',
  'shop.service.changed': '增值服务变更',
  'shop.sms.changed': '短信余额变更',
  'shop.sms.low': '短信余额不足',
  'shop.payment.changed': '收款配置变更',
  'shop.moved': '店铺转移',
  'shop.removed': '店铺撤回',
  'agent.changed': '服务商信息变更',
  'version.changed': '版本内容变更',
  'approval.decided': '审核结果',
  'verification.decided': '实名认证结果',
  'feedback.replied': '反馈回复',
  'print.template.published': '打印模板发布',
  'print.template.withdrawn': '打印模板撤回',
} as const
export type ChangeTopic = keyof typeof TOPICS
export const TOPIC_KEYS = Object.keys(TOPICS) as [ChangeTopic, ...ChangeTopic[]]

export type ChangeData = Readonly<Record<string, unknown>>

export const CHANGES_KEPT_DAYS = setting({
  key: 'shop-changes-kept-days',
  group: '保留期限',
  label: '店铺变更与回调记录',
  unit: '天',
  initial: 30,
  min: 7,
  max: 365,
  hint: '超过期限未读取的收银系统须重新读取全部店铺',
})

/** Credit that falls below is told of, once until it has been above again. The database reads the same setting: `sms_low_at()`. */
export const SHOP_SMS_LOW = setting({
  key: 'shop-sms-low',
  group: '默认提醒',
  label: '店铺短信余额低于',
  unit: '条',
  initial: 100,
  min: 1,
  max: 999_999,
  hint: '店铺短信余额降到此数以下时通知收银系统',
})

/** Changes of one answer. */
export const PAGE_MOST = 1_000

export const CHANGE_REFUSALS = {
  CURSOR_GONE: '该位置之后的变更已不再保留，请重新读取全部店铺',
} as const

/** `after`: the last number that was read; `cleared`: the last that is kept no more; `last`: the last that was given. */
export function refuseCursor(
  after: number,
  { cleared, last }: { cleared: number; last: number },
): keyof typeof CHANGE_REFUSALS | null {
  // A number that was never given comes from before a backup was restored: what follows it is not what the reader has missed.
  return after < cleared || after > last ? 'CURSOR_GONE' : null
}
