// What a row of the operation log is, and its list (D3 §2, §3).
import { BY_DAYS } from '#features/money/ledger/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { MODULES, OBJECT_KINDS, OUTCOMES } from './rules.ts'

export const LOG_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  createdAt: { kind: 'instant', label: '操作时间', in: ['row'] },
  accountName: { kind: 'text', label: '操作人', fileWidth: 12, in: ['row'] },
  module: { kind: 'word', label: '模块', words: MODULES, fileWidth: 12, in: ['row'] },
  title: { kind: 'text', label: '操作', fileWidth: 18, in: ['row'] },
  subject: { kind: 'text', label: '对象', fileWidth: 30, in: ['row'] },
  /** What was changed, before and after, in a line. */
  summary: { kind: 'text', label: '修改内容', fileWidth: 60, in: ['row'] },
  outcome: {
    kind: 'word',
    label: '结果',
    words: OUTCOMES,
    tones: { done: 'neutral', refused: 'problem', read: 'neutral' },
    in: ['row'],
  },
  device: { kind: 'text', label: '设备', fileWidth: 20, in: ['row'] },
  ip: { kind: 'text', label: '网络地址', fileWidth: 18, in: ['row'] },
  requestId: { kind: 'text', label: '请求编号', fileWidth: 38, in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { kind: 'text', label: '代理商', fileWidth: 24, in: ['row'] },
} as const satisfies Fields

export const OPERATION_LOG = list({
  key: 'operationLog.list',
  title: '操作日志',
  fields: LOG_FIELDS,
  columns: {
    createdAt: { width: 104, card: 'fact' },
    accountName: { width: 96, card: 'fact' },
    title: { title: '操作 / 对象', width: 232, opens: true, card: 'title', below: ['subject'] },
    summary: { width: 296, card: 'fact' },
    module: { width: 96 },
    outcome: { width: 80, card: 'fact' },
    device: { title: '设备 / 网络地址', width: 152, below: ['ip'] },
    agentName: { width: 144, for: 'staff' },
    requestId: { hidden: true },
  },
  search: '操作人 / 操作 / 对象',
  filters: {
    module: byWord(LOG_FIELDS.module),
    accountId: { kind: 'id', label: '操作人' },
    objectKind: { kind: 'word', label: '对象', words: OBJECT_KINDS },
    outcome: byWord(LOG_FIELDS.outcome),
    created: { ...BY_DAYS, label: '操作时间' },
    agentId: BY_AGENT,
  },
  file: {
    path: '/operation-log.xlsx',
    permission: 'operationLog.export',
    log: '导出操作日志',
    name: '操作日志',
  },
  empty: '还没有操作记录，新增、修改、删除等操作会显示在这里',
})
