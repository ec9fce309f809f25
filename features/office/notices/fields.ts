// What a notice's fields and the list of notices are.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { TOPICS } from './rules.ts'

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
