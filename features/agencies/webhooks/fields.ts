// What endpoints and deliveries of webhooks show, and the lists of them. Words stand in rules.ts.
import { TOPICS } from '#features/shops/pos-changes/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { fieldsNamed } from '#kit/declare/form.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { DELIVERY_STATES, ENDPOINT_STATES, LIMITS, TEST_TOPIC } from './rules.ts'

export const ENDPOINT_FIELDS = {
  id: { kind: 'id', label: '地址编号', in: ['row'] },
  url: {
    kind: 'text',
    label: '接收地址',
    max: LIMITS.url,
    in: ['row', 'log'],
    control: { as: 'text', required: true, placeholder: 'https://pos.example.com/hooks' },
  },
  state: {
    kind: 'word',
    label: '状态',
    words: ENDPOINT_STATES,
    tones: { active: 'done', failing: 'attention', off: 'neutral', gone: 'problem', dead: 'problem' },
    in: ['row'],
  },
  /** What it is told of, in a line. */
  topicText: { kind: 'text', label: '事件', in: ['row', 'log'] },
  /** The last letters of the secret, to know it by. */
  secretEnd: { kind: 'text', label: '密钥尾号', in: ['row', 'log'] },
  previousUntil: { kind: 'instant', label: '旧密钥有效至', nullable: true, none: '', in: ['row'] },
  waiting: { kind: 'count', label: '等待投递', unit: '条', in: ['row'] },
  lastDeliveredAt: { kind: 'instant', label: '最近送达', nullable: true, none: '从未送达', in: ['row'] },
  failingSince: { kind: 'instant', label: '失败开始于', nullable: true, none: '', in: ['row'] },
  offAt: { kind: 'instant', label: '停用时间', nullable: true, none: '', in: ['row'] },
  createdByName: { kind: 'text', label: '创建人', in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
} as const satisfies Fields

export const ENDPOINTS = list({
  key: 'webhooks.list',
  title: '回调通知',
  fields: ENDPOINT_FIELDS,
  columns: {
    url: { width: 296, fixed: 'start', card: 'title', opens: true },
    state: { width: 136, card: 'fact' },
    topicText: { width: 200, card: 'fact' },
    waiting: { width: 112, card: 'fact' },
    lastDeliveredAt: { width: 176, card: 'fact' },
    failingSince: { hidden: true },
    secretEnd: { hidden: true },
    previousUntil: { hidden: true },
    offAt: { hidden: true },
    createdByName: { hidden: true },
    createdAt: { hidden: true },
  },
  filters: { state: byWord(ENDPOINT_FIELDS.state) },
  empty: '还没有接收地址。新建一个，店铺有变更时会主动通知您的收银系统',
})

const TOPIC_WORDS = { ...TOPICS, [TEST_TOPIC]: '测试' } as const

export const DELIVERY_FIELDS = {
  id: { kind: 'id', label: '记录编号', in: ['row'] },
  url: { kind: 'text', label: '接收地址', in: ['row'] },
  topic: { kind: 'word', label: '事件', words: TOPIC_WORDS, in: ['row'] },
  seq: { kind: 'id', label: '变更序号', nullable: true, none: '', in: ['row'] },
  merchantId: { kind: 'id', label: '商户编号', nullable: true, none: '', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: DELIVERY_STATES,
    tones: { pending: 'attention', delivered: 'done', failed: 'problem' },
    in: ['row'],
  },
  attempts: { kind: 'count', label: '投递次数', unit: '次', in: ['row'] },
  httpCode: { kind: 'id', label: '应答', nullable: true, none: '', in: ['row'] },
  problem: { kind: 'text', label: '原因', in: ['row'] },
  tookMs: { kind: 'count', label: '用时', unit: '毫秒', nullable: true, none: '', in: ['row'] },
  at: { kind: 'instant', label: '变更时间', in: ['row'] },
  queuedAt: { kind: 'instant', label: '排队时间', in: ['row'] },
  triedAt: { kind: 'instant', label: '最近投递', nullable: true, none: '尚未投递', in: ['row'] },
  deliveredAt: { kind: 'instant', label: '送达时间', nullable: true, none: '', in: ['row'] },
  dueAt: { kind: 'instant', label: '下次投递', in: ['row'] },
} as const satisfies Fields

export const DELIVERIES = list({
  key: 'webhooks.deliveries',
  title: '投递记录',
  fields: DELIVERY_FIELDS,
  columns: {
    topic: {
      title: '事件 / 商户',
      width: 152,
      fixed: 'start',
      card: 'title',
      below: ['merchantId'],
      opens: true,
    },
    url: { width: 232, card: 'fact' },
    state: { title: '状态 / 投递次数', width: 136, card: 'fact', below: ['attempts'] },
    httpCode: { title: '应答 / 原因', width: 208, card: 'fact', also: ['problem'] },
    triedAt: { width: 176, card: 'fact' },
    at: { width: 176 },
    attempts: { hidden: true },
    seq: { hidden: true },
    queuedAt: { hidden: true },
    deliveredAt: { hidden: true },
    dueAt: { hidden: true },
  },
  search: '商户编号 / 变更序号 / 消息编号 / 接收地址',
  filters: {
    endpointId: { kind: 'id', label: '接收地址' },
    state: byWord(DELIVERY_FIELDS.state),
    topic: byWord(DELIVERY_FIELDS.topic),
  },
  empty: '还没有投递记录',
})

export const ENDPOINT = fieldsNamed(ENDPOINT_FIELDS, 'url')

/** From when on everything is told once more. */
export const REPLAY = {
  since: { kind: 'instant', label: '从何时起', control: { as: 'own', required: true } },
} as const satisfies Fields
