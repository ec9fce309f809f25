// What orders of SMS, what took credit away and entries of SMS credit show, and their lists (D2 §2; D3 §2).
import { BY_DAYS, CHANGE_FIELDS, DOCUMENT_COLUMNS, DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { TRANSFER_KIND_KEYS, TRANSFER_KINDS } from '#features/money/ledger/rules.ts'
import { SHOP_ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import { SMS_CHANGE_KINDS, SMS_ORDER_KINDS, SMS_ORDER_STATUSES } from '#features/sales/sms/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, INDEX, list } from '#kit/declare/list.ts'

const ORDER = {
  id: SHOP_ORDER_FIELDS.id,
  index: INDEX,
  orderNo: SHOP_ORDER_FIELDS.orderNo,
  agentId: SHOP_ORDER_FIELDS.agentId,
  agentName: SHOP_ORDER_FIELDS.agentName,
  merchantId: SHOP_ORDER_FIELDS.merchantId,
  shopName: SHOP_ORDER_FIELDS.shopName,
  name: { kind: 'text', label: '套餐名称', fileWidth: 18, in: ['row'] },
  createdByName: { ...DOCUMENT_FIELDS.actorName, in: ['row'] },
} as const satisfies Fields

/** What was paid for it: tokens, or yuan of a recharge. */
const PAID = {
  totalCents: { kind: 'money', label: '金额', unit: '代币', nullable: true, in: ['row'] },
  rechargeFen: { kind: 'money', label: '充值金额', unit: '元', nullable: true, in: ['row'] },
} as const satisfies Fields

export const SMS_ORDER_FIELDS = {
  ...ORDER,
  kind: { kind: 'word', label: '类型', words: SMS_ORDER_KINDS, fileWidth: 12, in: ['row'] },
  smsBefore: { kind: 'count', label: '操作前条数', nullable: true, in: ['row'] },
  pieces: { kind: 'count', label: '短信条数', in: ['row'] },
  smsAfter: { kind: 'count', label: '操作后条数', nullable: true, in: ['row'] },
  ...PAID,
  payMethod: SHOP_ORDER_FIELDS.payMethod,
  status: {
    kind: 'word',
    label: '状态',
    words: SMS_ORDER_STATUSES,
    tones: {
      quoted: 'attention',
      ended: 'neutral',
      paid: 'done',
      given: 'done',
      recycled: 'neutral',
      refunded: 'neutral',
    },
    fileWidth: 12,
    in: ['row'],
  },
  remark: SHOP_ORDER_FIELDS.remark,
  createdAt: { ...SHOP_ORDER_FIELDS.createdAt, label: '时间' },
  paidAt: SHOP_ORDER_FIELDS.paidAt,
} as const satisfies Fields

/** D2 §2, screen 11: packages of shops and credit taken back. */
export const SMS_ORDERS = list({
  key: 'smsDesk.orders',
  title: '短信订单',
  fields: SMS_ORDER_FIELDS,
  columns: {
    shopName: { ...DOCUMENT_COLUMNS.shopName, width: 160 },
    orderNo: DOCUMENT_COLUMNS.orderNo,
    index: { width: 48, screenOnly: true },
    kind: { fileOnly: true },
    name: { width: 112, card: 'fact' },
    smsBefore: { width: 88, hidden: 'staff' },
    pieces: { width: 80, card: 'fact' },
    smsAfter: { width: 88, card: 'fact' },
    totalCents: { title: '金额', width: 112, card: 'fact', also: ['rechargeFen'] },
    createdAt: { card: 'fact' },
    status: { title: '状态 / 支付方式', width: 112, card: 'fact', below: ['payMethod'] },
    createdByName: { width: 72 },
    remark: { width: 80, hidden: 'staff' },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '订单号 / 商户ID / 店铺名称',
  filters: {
    kind: byWord(SMS_ORDER_FIELDS.kind),
    status: byWord(SMS_ORDER_FIELDS.status),
    /** Codes that were opened and left are folded away, but for whoever asks for them, by status or by their number. */
    unpaid: { kind: 'flag', label: '未支付的充值', chip: '未支付', words: { true: '含未支付' } },
    payMethod: byWord(SMS_ORDER_FIELDS.payMethod),
    created: BY_DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: { path: '/sms/orders.xlsx', permission: 'smsDesk.export', log: '导出短信订单', name: '短信订单' },
  empty: '还没有短信订单，为商户购买短信包后会显示在这里',
})

export const SMS_CHANGE_FIELDS = {
  ...ORDER,
  kind: { kind: 'word', label: '类型', words: SMS_CHANGE_KINDS, fileWidth: 12, in: ['row'] },
  /** The shop's credit before and after; none for orders from before it was kept. */
  changeBefore: { kind: 'count', label: '变动前', unit: '条', nullable: true, in: ['row'] },
  changeAfter: { kind: 'count', label: '变动后', unit: '条', nullable: true, in: ['row'] },
  pieces: { kind: 'count', label: '变动', unit: '条', in: ['row'] },
  /** What went back to the agent: tokens, or yuan of a refund. */
  totalCents: { kind: 'money', label: '总金额', unit: '代币', nullable: true, in: ['row'] },
  refundFen: { kind: 'money', label: '退款金额', unit: '元', nullable: true, in: ['row'] },
  changedAt: { kind: 'instant', label: '操作时间', in: ['row'] },
  remark: { ...SHOP_ORDER_FIELDS.remark, label: '操作说明' },
} as const satisfies Fields

/** D2 §2, screen 15: what took credit away from shops again. */
export const SMS_CHANGES = list({
  key: 'smsDesk.changes',
  title: '短信变动订单',
  fields: SMS_CHANGE_FIELDS,
  columns: {
    shopName: { ...DOCUMENT_COLUMNS.shopName, width: 160 },
    orderNo: DOCUMENT_COLUMNS.orderNo,
    index: { width: 48, screenOnly: true },
    kind: { title: '类型 / 套餐名称', width: 120, card: 'fact', below: ['name'] },
    changeBefore: { width: 96 },
    changeAfter: { width: 96, card: 'fact' },
    pieces: { width: 80, card: 'fact' },
    totalCents: { title: '金额', width: 120, also: ['refundFen'] },
    changedAt: { card: 'fact' },
    createdByName: { width: 80 },
    remark: { width: 160, hidden: 'staff' },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '订单号 / 商户ID / 店铺名称',
  filters: { kind: byWord(SMS_CHANGE_FIELDS.kind), changed: BY_DAYS, agentId: BY_AGENT },
  sorts: ['changedAt'],
  file: {
    path: '/sms/changes.xlsx',
    permission: 'smsDesk.changesExport',
    log: '导出短信变动订单',
    name: '短信变动订单',
  },
  empty: '还没有短信变动，撤销短信订单或回收短信后会显示在这里',
})

export const SMS_ENTRY_FIELDS = {
  id: CHANGE_FIELDS.id,
  orderNo: DOCUMENT_FIELDS.orderNo,
  createdAt: CHANGE_FIELDS.createdAt,
  kind: { kind: 'word', label: '类型', words: TRANSFER_KINDS, fileWidth: 12, in: ['row'] },
  description: CHANGE_FIELDS.description,
  merchantId: DOCUMENT_FIELDS.merchantId,
  before: { kind: 'count', label: '变动前', unit: '条', in: ['row'] },
  /** Positive into the account. */
  pieces: { kind: 'count', label: '变动', unit: '条', in: ['row'] },
  after: { kind: 'count', label: '变动后', unit: '条', in: ['row'] },
  /** Of the order that it came by; none where a shop was opened with it, or it was sent. */
  name: { ...ORDER.name, nullable: true },
  ...PAID,
  payMethod: DOCUMENT_FIELDS.payMethod,
  actorName: DOCUMENT_FIELDS.actorName,
  remark: DOCUMENT_FIELDS.remark,
} as const satisfies Fields

/** Kinds that move SMS credit. */
const SMS_KINDS = TRANSFER_KIND_KEYS.filter(
  kind => kind === 'credit' || kind === 'undo' || kind.startsWith('sms-'),
)

/** D3 §2: every change of SMS credit on the agent's own account, or on that of one shop. */
export const SMS_ENTRIES = list({
  key: 'smsDesk.merchantChanges',
  title: '商户短信变动',
  fields: SMS_ENTRY_FIELDS,
  columns: {
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, fixed: 'start' },
    createdAt: { card: 'fact' },
    kind: { title: '类型 / 名称', width: 112, below: ['name'] },
    description: { width: 184, card: 'title' },
    merchantId: DOCUMENT_COLUMNS.merchantId,
    before: { width: 88 },
    pieces: { width: 88, card: 'amount' },
    after: { width: 88, card: 'fact' },
    totalCents: { title: '金额', width: 112, also: ['rechargeFen'] },
    actorName: { title: '操作人 / 支付方式', width: 120, below: ['payMethod'] },
    remark: { width: 136 },
  },
  search: '订单号（或后8位） / 商户ID',
  filters: {
    /** The account of this shop instead of the agent's own. */
    merchantId: { kind: 'id', label: '商户账户' },
    kind: { ...byWord(SMS_ENTRY_FIELDS.kind), some: SMS_KINDS },
    created: BY_DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: {
    path: '/sms/merchant-changes.xlsx',
    permission: 'smsDesk.merchantChangesExport',
    log: '导出商户短信变动',
    name: '商户短信变动',
  },
  empty: '还没有短信变动，充值、赠送、回收或发送短信后会显示在这里',
})
