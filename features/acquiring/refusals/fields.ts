// What a cause of refusals shows, and the list of them.
import { DATE_PRESET_DAYS } from '#features/shops/merchants/rules.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { LIMITS, REFUSED_BY } from './rules.ts'

export const CAUSE_FIELDS = {
  id: { kind: 'id', label: '原因编号', in: ['row'] },
  field: { kind: 'text', label: '字段', in: ['row'] },
  label: { kind: 'text', label: '被驳回的内容', in: ['row'] },
  reason: { kind: 'text', label: '驳回原因', in: ['row'] },
  refusedBy: { kind: 'word', label: '驳回方', words: REFUSED_BY, in: ['row'] },
  waiting: { kind: 'count', label: '待更正', unit: '家', in: ['row'] },
  times: { kind: 'count', label: '累计驳回', unit: '次', in: ['row'] },
  firstAt: { kind: 'instant', label: '首次出现', in: ['row'] },
  lastAt: { kind: 'instant', label: '最近出现', in: ['row'] },
  advice: { kind: 'text', label: '更正建议', max: LIMITS.advice, none: '还没有', in: ['row'] },
  advisedByName: { kind: 'text', label: '建议人', none: '', in: ['row'] },
  advisedAt: { kind: 'instant', label: '建议时间', nullable: true, none: '', in: ['row'] },
} as const satisfies Fields

export const CAUSES = list({
  key: 'refusals.causes',
  title: '驳回分析',
  fields: CAUSE_FIELDS,
  columns: {
    reason: {
      title: '驳回原因 / 内容',
      width: 280,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['label'],
    },
    waiting: { width: 88, card: 'fact' },
    times: { width: 96, card: 'fact' },
    advice: { width: 248, card: 'fact' },
    refusedBy: { width: 96, card: 'fact' },
    lastAt: { width: 104, card: 'fact' },
    firstAt: { width: 104, hidden: true },
    advisedByName: { width: 88, hidden: true },
    advisedAt: { width: 104, hidden: true },
  },
  search: '驳回原因 / 内容',
  filters: {
    waits: { kind: 'flag', label: '更正', words: { true: '有待更正', false: '均已更正' } },
    advised: { kind: 'flag', label: '建议', words: { true: '已有建议', false: '没有建议' } },
    refusedBy: byWord(CAUSE_FIELDS.refusedBy),
    last: {
      kind: 'days',
      label: '最近出现',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
  },
  sorts: ['lastAt', 'times'],
  empty: '没有符合条件的驳回原因。支付申请被驳回后，相同的原因会归在一起显示',
})

/** What staff write on a cause. */
export const ADVICE = {
  advice: {
    ...CAUSE_FIELDS.advice,
    control: {
      as: 'lines',
      rows: 4,
      counted: true,
      hint: '代理商修改被驳回的申请时，会在该项下看到；留空则不再显示',
    },
  },
} as const satisfies Fields
