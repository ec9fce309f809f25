// What a notice's fields and the list of notices are.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { LOW_AGAIN_DAYS, TOPICS } from './rules.ts'

export const NOTICE_FIELDS = {
  title: { kind: 'text', label: '标题' },
  body: { kind: 'text', label: '内容' },
  topic: { kind: 'word', label: '类型', words: TOPICS },
  createdAt: { kind: 'instant', label: '时间' },
} as const satisfies Fields

export const NOTICES = list({
  key: 'notices.list',
  title: '消息中心',
  fields: NOTICE_FIELDS,
  columns: {
    title: { width: 200, fixed: 'start', opens: true, card: 'title' },
    body: { width: 440, card: 'fact' },
    topic: { width: 128, card: 'fact' },
    createdAt: { card: 'fact' },
  },
  filters: {
    topic: byWord(NOTICE_FIELDS.topic),
    unread: { kind: 'flag', label: '状态', words: { true: '未读' } },
  },
  empty: '没有消息；支付结果、余额和商户到期等提醒会显示在这里',
})

const LOW_EXTRA = `留空则不提醒；一直不足时每 ${LOW_AGAIN_DAYS} 天提醒一次`

/** When an account is warned, as it is typed; empty: never. */
export const THRESHOLDS = {
  tokenCents: {
    kind: 'text',
    label: '代币余额低于',
    control: { as: 'text', inputMode: 'decimal', hint: LOW_EXTRA },
  },
  sms: {
    kind: 'text',
    label: '短信余额低于',
    control: { as: 'text', inputMode: 'numeric', hint: LOW_EXTRA },
  },
  expiringDays: {
    kind: 'text',
    label: '商户到期前',
    control: { as: 'text', inputMode: 'numeric', hint: '留空则不提醒，每天最多提醒一次' },
  },
} as const satisfies Fields
