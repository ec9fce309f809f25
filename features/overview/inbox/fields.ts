// What a thing that waits shows, and the one list of them.
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'
import { DECIDED_LATEST, DECIDED_WORD, INBOX_LIMITS, STAKES, WHOSE, WHOSE_AT_FIRST } from './rules.ts'

export const INBOX_FIELDS = {
  id: { kind: 'id', label: '事项编号', in: ['row'] },
  title: { kind: 'text', label: '待办事项', in: ['row'] },
  detail: { kind: 'text', label: '说明', none: '', in: ['row'] },
  kind: { kind: 'text', label: '事项类型', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, none: '', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, none: '', in: ['row'] },
  stake: { kind: 'word', label: '轻重', words: STAKES, in: ['row'] },
  since: { kind: 'instant', label: '等待', in: ['row'] },
  dueAt: { kind: 'instant', label: '承诺答复', nullable: true, none: '', in: ['row'] },
  assigneeName: { kind: 'text', label: '负责人', none: '无人负责', in: ['row'] },
  snoozedUntil: { kind: 'instant', label: '推迟到', nullable: true, none: '', in: ['row'] },
  snoozedByName: { kind: 'text', label: '推迟人', none: '', in: ['row'] },
  snoozeReason: { kind: 'text', label: '推迟原因', max: INBOX_LIMITS.reason, none: '', in: ['row'] },
} as const satisfies Fields

export const INBOX = list({
  key: 'inbox.list',
  title: '待办',
  fields: INBOX_FIELDS,
  columns: {
    title: {
      title: '待办事项 / 说明',
      width: 304,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['detail'],
    },
    kind: { width: 112, card: 'fact' },
    stake: { width: 88 },
    shopName: { title: '店铺 / 代理商', width: 168, card: 'fact', below: ['agentName'] },
    since: { width: 144, card: 'fact' },
    assigneeName: { width: 120, card: 'fact', below: ['snoozedUntil'] },
    snoozeReason: { width: 152, hidden: true },
    snoozedByName: { width: 88, hidden: true },
  },
  filters: {
    whose: { kind: 'word', label: '范围', words: WHOSE, initial: WHOSE_AT_FIRST },
    /** By its name: the kinds are the features' own. */
    kind: { kind: 'text', label: '事项类型', linked: true },
  },
  sorts: ['stake', 'since'],
  order: 'asc',
  empty: '没有等待处理的事项',
})

export const DECIDED_FIELDS = {
  id: INBOX_FIELDS.id,
  title: INBOX_FIELDS.title,
  detail: INBOX_FIELDS.detail,
  kind: INBOX_FIELDS.kind,
  shopName: INBOX_FIELDS.shopName,
  agentName: INBOX_FIELDS.agentName,
  decidedByName: { kind: 'text', label: '办理人', in: ['row'] },
  decidedAt: { kind: 'instant', label: '办理时间', in: ['row'] },
} as const satisfies Fields

export const DECIDED = list({
  key: 'inbox.decided',
  title: DECIDED_WORD,
  fields: DECIDED_FIELDS,
  columns: {
    title: INBOX.columns.title,
    kind: INBOX.columns.kind,
    shopName: INBOX.columns.shopName,
    decidedByName: { width: 120, card: 'fact' },
    decidedAt: { card: 'fact' },
  },
  filters: { kind: INBOX.filters.kind },
  empty: `还没有办理过的事项。每类事项显示最近提交的 ${DECIDED_LATEST} 项`,
})

/** Until when it is out of sight, and why. */
export const SNOOZE = {
  when: {
    kind: 'word',
    label: '推迟到',
    words: { tomorrow: '明天', week: '下周一', moment: '指定时间' },
    control: { as: 'own', first: 'tomorrow' },
  },
  until: { kind: 'instant', label: '时间', control: { as: 'own', required: true } },
  reason: {
    kind: 'text',
    label: '推迟原因',
    max: INBOX_LIMITS.reason,
    control: { as: 'text', counted: true, hint: '选填，同事可以看到；到时间自动回到待办' },
  },
} as const satisfies Fields

/** Who is to do it; 0 is nobody. */
export const ASSIGNMENT = {
  accountId: {
    kind: 'id',
    label: INBOX_FIELDS.assigneeName.label,
    control: { as: 'own', required: true, first: 0 },
  },
} as const satisfies Fields
