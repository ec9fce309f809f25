// What the list of bulk renewals shows. Words stand in rules.ts.
import { DOCUMENT_COLUMNS, DOCUMENT_FIELDS, PAST_DAYS } from '#features/money/ledger/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, list } from '#kit/declare/list.ts'
import { BATCH_STATES } from './rules.ts'

export const BATCH_FIELDS = {
  batchNo: { kind: 'text', label: '批次号', in: ['row'] },
  agentId: DOCUMENT_FIELDS.agentId,
  agentName: DOCUMENT_FIELDS.agentName,
  orders: { kind: 'count', label: '商户', unit: '家', in: ['row'] },
  undoneOrders: { kind: 'count', label: '其中已撤销', unit: '家', in: ['row'] },
  totalCents: { kind: 'money', label: '结算', unit: '代币', in: ['row'] },
  backCents: { kind: 'money', label: '其中已退回', unit: '代币', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: BATCH_STATES,
    tones: { paid: 'done', partly: 'attention', undone: 'neutral' },
    in: ['row'],
  },
  createdByName: { ...DOCUMENT_FIELDS.actorName, in: ['row'] },
  paidAt: { kind: 'instant', label: '支付时间', in: ['row'] },
} as const satisfies Fields

/** Bulk renewals, the last paid first; each opens with its shops. */
export const BATCHES = list({
  key: 'orderDetails.batches',
  title: '批量续费',
  fields: BATCH_FIELDS,
  columns: {
    batchNo: { width: 112, fixed: 'start', opens: true, card: 'title' },
    paidAt: { card: 'fact' },
    orders: { width: 96, card: 'fact' },
    totalCents: { width: 128, card: 'fact' },
    state: { width: 104, card: 'fact' },
    undoneOrders: { width: 136 },
    backCents: { width: 144 },
    createdByName: { width: 96 },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  filters: {
    paid: { kind: 'days', label: '支付时间', presets: PAST_DAYS },
    agentId: BY_AGENT,
  },
  empty: '还没有批量续费。在续费工作台或我的商户中选择多家商户续费后会显示在这里',
})
