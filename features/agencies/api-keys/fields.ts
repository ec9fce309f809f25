// What an API key shows, and the list of them. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { LIMITS, OVERLAP_AT_FIRST, RATE_AT_FIRST, STATES } from './rules.ts'

export const KEY_FIELDS = {
  id: { kind: 'id', label: '密钥编号', in: ['row'] },
  name: {
    kind: 'text',
    label: '密钥名称',
    max: LIMITS.name,
    in: ['row', 'log'],
    control: { as: 'text', placeholder: '用在哪个程序，如：ERP 对接' },
  },
  /** The last letters of the token, to know it by. */
  tokenEnd: { kind: 'text', label: '密钥尾号', in: ['row'] },
  makerName: { kind: 'text', label: '创建人', in: ['row'] },
  verbs: { kind: 'count', label: '权限', unit: '项', in: ['row'] },
  /** Where it may be used from, in a line. */
  addressText: { kind: 'text', label: '允许的地址', in: ['row', 'log'] },
  perMinute: { kind: 'count', label: '调用上限', unit: '次/分钟', in: ['row', 'log'] },
  expiresOn: { kind: 'day', label: '到期日', in: ['row', 'log'] },
  state: {
    kind: 'word',
    label: '状态',
    words: STATES,
    tones: {
      active: 'done',
      expiring: 'attention',
      expired: 'problem',
      ended: 'neutral',
      orphaned: 'neutral',
      suspended: 'neutral',
    },
    in: ['row'],
  },
  lastUsedAt: { kind: 'instant', label: '最近使用', nullable: true, none: '从未使用', in: ['row'] },
  lastIp: { kind: 'text', label: '最近地址', nullable: true, none: '', in: ['row'] },
  calls: { kind: 'count', label: '累计调用', unit: '次', in: ['row'] },
  /** Until when the token before this one works, and when it last did. */
  previousUntil: { kind: 'instant', label: '旧密钥有效至', nullable: true, none: '', in: ['row'] },
  previousUsedAt: { kind: 'instant', label: '旧密钥最近使用', nullable: true, none: '从未使用', in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
} as const satisfies Fields

export const KEYS = list({
  key: 'apiKeys.list',
  title: '接口密钥',
  fields: KEY_FIELDS,
  columns: {
    name: {
      title: '名称 / 尾号',
      width: 184,
      fixed: 'start',
      card: 'title',
      below: ['tokenEnd'],
      opens: true,
    },
    state: { width: 112, card: 'fact' },
    verbs: { width: 88 },
    addressText: { width: 144 },
    expiresOn: { title: '到期日 / 旧密钥', width: 152, card: 'fact', also: ['previousUntil'] },
    lastUsedAt: { title: '最近使用 / 地址', width: 152, card: 'fact', also: ['lastIp'] },
    calls: { width: 112 },
    makerName: { width: 96 },
    perMinute: { hidden: true },
    previousUsedAt: { hidden: true },
    createdAt: { hidden: true },
  },
  search: '密钥名称、尾号、创建人',
  filters: { state: byWord(KEY_FIELDS.state) },
  empty: '还没有接口密钥。新建一个，您自己的程序就能读取商户、订单等数据',
})

/** How long the secret before this one still holds. */
export const ROTATION = {
  overlapHours: { kind: 'count', label: '旧密钥保留', control: { as: 'own', first: OVERLAP_AT_FIRST } },
} as const satisfies Fields

/** What a program may do, from where, until when and how often; its rule says what is missing, with the rights that the page asks for. */
export const KEY = {
  name: KEY_FIELDS.name,
  expiresOn: {
    ...KEY_FIELDS.expiresOn,
    control: { as: 'own', required: true, hint: '当天结束时失效，最长一年' },
  },
  perMinute: { ...KEY_FIELDS.perMinute, control: { as: 'own', required: true, first: RATE_AT_FIRST } },
  addresses: {
    kind: 'text',
    label: KEY_FIELDS.addressText.label,
    control: {
      as: 'lines',
      rows: 3,
      placeholder: '不填则不限，如：\n203.0.113.7\n203.0.113.0/24',
      hint: '程序所在服务器的公网 IP 或网段，每行一个',
    },
  },
} as const satisfies Fields
