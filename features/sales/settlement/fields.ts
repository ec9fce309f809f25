// What bills, requests to undo and agents below show, and their lists (D3 §2, §3, §4). Words stand in rules.ts.
import { DOCUMENT_COLUMNS, DOCUMENT_FIELDS, PAST_DAYS } from '#features/money/ledger/fields.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import { UNDO_REASON_MAX } from '#features/sales/orders/rules.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { BILL_STATUSES, LIMITS, UNDO_KINDS, UNDO_REQUEST_STATES } from './rules.ts'

const LEVEL = { kind: 'text', label: '代理等级', fileWidth: 12, in: ['row'] } as const

export const BILL_FIELDS = {
  id: ORDER_FIELDS.id,
  orderNo: ORDER_FIELDS.orderNo,
  agentId: ORDER_FIELDS.agentId,
  agentName: ORDER_FIELDS.agentName,
  levelName: LEVEL,
  merchantId: ORDER_FIELDS.merchantId,
  /** None where the shop is with another agent now. */
  shopName: ORDER_FIELDS.shopName,
  account: ORDER_FIELDS.account,
  personName: { ...MERCHANT_FIELDS.personName, nullable: true, in: ['row'] },
  salesType: ORDER_FIELDS.salesType,
  content: { ...ORDER_FIELDS.content, label: '内容' },
  duration: ORDER_FIELDS.duration,
  /** Before discount. */
  originalCents: { ...ORDER_FIELDS.originalCents, label: '应收' },
  totalCents: ORDER_FIELDS.totalCents,
  status: {
    kind: 'word',
    label: '状态',
    words: BILL_STATUSES,
    tones: { paid: 'done', recycled: 'neutral' },
    fileWidth: 10,
    in: ['row'],
  },
  createdAt: { ...ORDER_FIELDS.createdAt, label: '创建时间' },
  paidAt: { kind: 'instant', label: '支付时间', in: ['row'] },
} as const satisfies Fields

/** D3 §3, billing order; what decides about an undo stands first. */
export const BILLS = list({
  key: 'settlement.bills',
  title: '账单明细',
  fields: BILL_FIELDS,
  columns: {
    shopName: { ...DOCUMENT_COLUMNS.shopName, below: ['merchantId', 'account'] },
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, below: ['salesType'] },
    content: { width: 192, card: 'fact', below: ['duration'] },
    totalCents: { title: '结算 / 应收（代币）', width: 112, card: 'amount', below: ['originalCents'] },
    status: { width: 96, card: 'fact' },
    paidAt: { card: 'fact' },
    createdAt: {},
    personName: { width: 80 },
    levelName: { width: 88, hidden: 'staff' },
    agentName: { ...DOCUMENT_COLUMNS.agentName, width: 136 },
  },
  search: '订单号 / 商户姓名 / 商户ID / 账号',
  filters: {
    salesType: byWord(BILL_FIELDS.salesType),
    status: byWord(BILL_FIELDS.status),
    paid: { kind: 'days', label: '支付时间', presets: PAST_DAYS },
    agentId: BY_AGENT,
  },
  sorts: ['paidAt'],
  file: {
    path: '/settlement/bills.xlsx',
    permission: 'settlement.export',
    log: '导出账单明细',
    name: '账单明细',
  },
  empty: '还没有账单，购买版本后会显示在这里',
})

export const REQUEST_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  agentId: DOCUMENT_FIELDS.agentId,
  agentName: DOCUMENT_FIELDS.agentName,
  orderNo: DOCUMENT_FIELDS.orderNo,
  kind: { kind: 'word', label: '类型', words: UNDO_KINDS, in: ['row'] },
  totalCents: { kind: 'money', label: '退回', unit: '代币', in: ['row'] },
  reason: { kind: 'text', label: '撤销原因', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: UNDO_REQUEST_STATES,
    tones: { pending: 'attention', approved: 'done', rejected: 'problem' },
    in: ['row'],
  },
  requestedByName: { kind: 'text', label: '申请人', in: ['row'] },
  requestedAt: { kind: 'instant', label: '申请时间', in: ['row'] },
  decidedByName: { kind: 'text', label: '审批人', in: ['row'] },
  decidedAt: { kind: 'instant', label: '审批时间', nullable: true, in: ['row'] },
  decision: { kind: 'text', label: '审批意见', in: ['row'] },
} as const satisfies Fields

export const UNDO_REQUESTS = list({
  key: 'settlement.undoRequests',
  title: '撤销申请',
  fields: REQUEST_FIELDS,
  columns: {
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, fixed: 'start', card: 'title', below: ['kind'] },
    totalCents: { width: 112, card: 'amount' },
    reason: { width: 192, card: 'fact' },
    state: { width: 80, card: 'fact' },
    requestedByName: { width: 96 },
    requestedAt: {},
    decidedByName: { width: 96 },
    decidedAt: {},
    decision: { width: 136, card: 'fact' },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  filters: { state: byWord(REQUEST_FIELDS.state) },
  empty: '没有撤销申请。退回金额超过审批限额的撤销会显示在这里',
})

export const SUB_AGENT_FIELDS = {
  id: { kind: 'id', label: 'ID', in: ['row'] },
  companyName: { kind: 'text', label: '代理商', in: ['row'] },
  levelName: LEVEL,
  tokenCents: { kind: 'money', label: '余额', unit: '代币', in: ['row'] },
  shops: { kind: 'count', label: '商户', unit: '家', in: ['row'] },
  contactName: { kind: 'text', label: '联系人', none: '', in: ['row'] },
  status: { ...AGENT_FIELDS.status, in: ['row'] },
  createdAt: { kind: 'instant', label: '创建时间', in: ['row'] },
  parentName: { kind: 'text', label: '上级', none: '', in: ['row'] },
} as const satisfies Fields

/** Agents below: level, balance, shops. */
export const SUB_AGENTS = list({
  key: 'settlement.subAgents',
  title: '下级代理',
  fields: SUB_AGENT_FIELDS,
  columns: {
    companyName: { width: 232, fixed: 'start', card: 'title', below: ['id'] },
    levelName: { width: 104, card: 'fact' },
    tokenCents: { width: 128, card: 'fact' },
    shops: { width: 104, card: 'fact' },
    contactName: { width: 112 },
    status: { width: 80, card: 'fact' },
    createdAt: {},
    parentName: { width: 200, card: 'fact', for: 'staff' },
  },
  search: '代理商ID / 名称',
  empty: '还没有下级代理，由运营开通后会显示在这里',
})

/** What an agent below is given; the amount as it is typed. */
export const ALLOCATION = {
  amount: { kind: 'text', label: '划拨数额', control: { as: 'text', inputMode: 'decimal' } },
  remark: { kind: 'text', label: '备注', max: LIMITS.remark, control: { as: 'lines', counted: true } },
} as const satisfies Fields

/** Above which amount an undo waits for a second person; as it is typed. */
export const UNDO_APPROVAL = {
  needed: {
    kind: 'word',
    label: '撤销订单',
    words: { never: '不需要审批', above: '退回金额超过限额时，由另一人审批' },
    control: { as: 'choice', look: 'lines' },
  },
  approval: {
    kind: 'text',
    label: '审批限额',
    control: { as: 'text', inputMode: 'decimal', hint: '等于限额时不需要审批' },
  },
} as const satisfies Fields

/** Why an order is taken back. */
export const UNDO = {
  reason: {
    ...REQUEST_FIELDS.reason,
    max: UNDO_REASON_MAX,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields

/** What the second person says of it. */
export const UNDO_DECISION = {
  decision: {
    ...REQUEST_FIELDS.decision,
    max: LIMITS.decision,
    control: { as: 'lines', counted: true, hint: '驳回时必填' },
  },
} as const satisfies Fields
