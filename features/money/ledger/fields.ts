// What lists of what moved money and of the orders behind it are (D2 §9; D3 §2). Words stand in rules.ts.

import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { CREDITED_NAMES, LEDGER_REFUSALS, LIMITS, PAY_METHODS } from './rules.ts'

/** Of every document that money moved by. */
export const DOCUMENT_FIELDS = {
  orderNo: { kind: 'text', label: '订单号', fileWidth: 24, in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { kind: 'text', label: '代理商', fileWidth: 24, in: ['row'] },
  /** None: of the agent itself. */
  merchantId: { kind: 'id', label: '商户ID', nullable: true, fileWidth: 12, in: ['row'] },
  payMethod: { kind: 'word', label: '支付方式', words: PAY_METHODS, fileWidth: 12, in: ['row'] },
  actorName: { kind: 'text', label: '操作人', fileWidth: 12, in: ['row'] },
  remark: { kind: 'text', label: '备注', fileWidth: 28, in: ['row'] },
} as const satisfies Fields

/** How their columns stand in every list. */
export const DOCUMENT_COLUMNS = {
  /** The last eight digits, unless it is copied. */
  orderNo: { width: 96, opens: true },
  shopName: { title: '店铺', width: 168, fixed: 'start', card: 'title', below: ['merchantId'] },
  merchantId: { width: 80 },
  payMethod: { width: 72 },
  agentName: { width: 144, card: 'fact', for: 'staff' },
} as const

/** D1 §9; today is D2's, screen 15. */
export const PAST_DAYS = [1, 7, 15, 30, 90, 365].map((days): DayPreset => [days, 'day'])
export const BY_DAYS = { kind: 'days', label: '时间', params: ['from', 'to'], presets: PAST_DAYS } as const

export const CHANGE_FIELDS = {
  ...DOCUMENT_FIELDS,
  id: { kind: 'id', label: '编号', in: ['row'] },
  createdAt: { kind: 'instant', label: '时间', in: ['row'] },
  description: { kind: 'text', label: '说明', fileWidth: 32, in: ['row'] },
  /** Before discount; none where it was no order. */
  priceCents: { kind: 'money', label: '原价', unit: '代币', nullable: true, in: ['row'] },
  orderRemark: { kind: 'text', label: '订单备注', nullable: true, fileWidth: 28, in: ['row'] },
  remark: { ...DOCUMENT_FIELDS.remark, label: '费用备注' },
  /** Who ordered, or asked for the undo. */
  requestedByName: { kind: 'text', label: '申请人', nullable: true, fileWidth: 12, in: ['row'] },
  /** Positive into the account. */
  amountCents: { kind: 'money', label: '变动金额', unit: '代币', in: ['row'] },
  balanceBeforeCents: { kind: 'money', label: '变动前', unit: '代币', in: ['row'] },
  balanceAfterCents: { kind: 'money', label: '变动后', unit: '代币', in: ['row'] },
} as const satisfies Fields

/** D3 §2: what came in, what went out, before and after. */
export const BALANCE_CHANGES = list({
  key: 'ledger.changes',
  title: '余额变动',
  fields: CHANGE_FIELDS,
  columns: {
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, fixed: 'start' },
    createdAt: { card: 'fact' },
    description: { width: 224, card: 'title' },
    merchantId: DOCUMENT_COLUMNS.merchantId,
    payMethod: DOCUMENT_COLUMNS.payMethod,
    amountCents: { width: 120, card: 'amount' },
    balanceBeforeCents: { width: 112 },
    balanceAfterCents: { width: 112, card: 'fact' },
    actorName: { title: '操作人 / 申请人', width: 112, below: ['requestedByName'] },
    priceCents: { width: 112, hidden: true },
    remark: { title: '费用备注 / 订单备注', width: 144, below: ['orderRemark'], hidden: 'staff' },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '订单号 / 商户ID / 说明 / 备注',
  filters: {
    payMethod: byWord(CHANGE_FIELDS.payMethod),
    actorId: { kind: 'id', label: '操作人' },
    /** What an agent's balance is used up by. */
    spending: { kind: 'flag', label: '消耗', words: { true: '购买与划拨，及其撤销' } },
    created: BY_DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: { path: '/wallet/changes.xlsx', permission: 'ledger.export', log: '导出余额变动', name: '余额变动' },
  empty: '还没有余额变动，充值或购买后会显示在这里',
})

/** What the operator gives an agent, and why; the amount is in the asset's own unit. */
export const CREDIT = {
  asset: { kind: 'word', label: '充值内容', words: CREDITED_NAMES, control: { as: 'own', first: 'token' } },
  amount: {
    kind: 'text',
    label: '数额',
    control: { as: 'own', required: true, missing: LEDGER_REFUSALS.AMOUNT_REQUIRED },
  },
  reason: {
    kind: 'text',
    label: '充值原因',
    max: LIMITS.reasonMax,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields
