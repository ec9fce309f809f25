// What one row of the board shows, and the board: applications for payments, acquirer onboardings and links of owners, by whose turn it is.
import { DOCUMENT_COLUMNS } from '#features/money/ledger/fields.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { MESSAGE_STATUSES } from '#features/shops/messages/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { PROGRESS_CHANNELS, PROGRESS_KINDS, STEP_WORDS, TURNS } from './rules.ts'

export const PROGRESS_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  kind: { kind: 'word', label: '类型', words: PROGRESS_KINDS, in: ['row'] },
  sourceId: { kind: 'id', label: '申请、进件或商户编号', in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  account: { kind: 'text', label: '软件账号', in: ['row'] },
  channel: { kind: 'word', label: '渠道', words: PROGRESS_CHANNELS, in: ['row'] },
  step: { kind: 'word', label: '状态', words: STEP_WORDS, in: ['row'] },
  turn: { kind: 'word', label: '等谁处理', words: TURNS, in: ['row'] },
  since: { kind: 'instant', label: '进入时间', in: ['row'] },
  reviewerName: { kind: 'text', label: '审核人', none: '', in: ['row'] },
  remindedAt: { kind: 'instant', label: '最近提醒', nullable: true, none: '', in: ['row'] },
  remindedByName: { kind: 'text', label: '提醒人', none: '', in: ['row'] },
  reminderStatus: {
    kind: 'word',
    label: '短信状态',
    words: MESSAGE_STATUSES,
    nullable: true,
    none: '',
    in: ['row'],
  },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { ...AGENT_FIELDS.companyName, in: ['row'] },
} as const satisfies Fields
const FIELDS = PROGRESS_FIELDS

/** What is open or put aside is shown where it is asked for by its turn alone. */
export const PROGRESS = list({
  key: 'acquiringProgress.list',
  title: '开通进度',
  fields: FIELDS,
  columns: {
    shopName: {
      title: '店铺 / 软件账号',
      width: 184,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['account'],
    },
    channel: { title: '渠道', width: 104, card: 'fact' },
    step: { title: '状态 / 等谁处理', width: 136, card: 'fact', below: ['turn'] },
    since: { title: '已停留 / 承诺', width: 176, card: 'fact' },
    remindedAt: {
      title: '最近提醒 / 短信状态',
      width: 136,
      card: 'fact',
      below: ['reminderStatus'],
    },
    reviewerName: { width: 88 },
    agentName: DOCUMENT_COLUMNS.agentName,
    kind: { width: 96, hidden: true },
    merchantId: { width: 96, hidden: true },
    sourceId: { width: 112, hidden: true },
    remindedByName: { width: 88, hidden: true },
  },
  search: '商户ID / 店铺名称 / 软件账号',
  filters: {
    turn: byWord(FIELDS.turn),
    channel: byWord(FIELDS.channel),
    overdue: { kind: 'flag', label: '超时', words: { true: '已超时' } },
    reviewerName: { kind: 'text', label: FIELDS.reviewerName.label },
    agentId: BY_AGENT,
  },
  sorts: ['since'],
  order: 'asc',
  file: {
    path: '/acquiring-progress.xlsx',
    permission: 'acquiringProgress.export',
    log: '导出开通进度',
    name: '开通进度',
  },
  empty: '没有正在开通收款的商户。提交支付资料、邀请店主填写或新建收单进件后会在这里显示',
})
