// What a version order's fields and its list are (D2 §3, §9, screen 12). Rules and words stand in rules.ts.
import { DOCUMENT_COLUMNS, DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { ORDER_STATUSES, REMARK_MAX, SALES_TYPES } from './rules.ts'

/** Of every order that an agent makes for a shop. */
export const SHOP_ORDER_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  orderNo: DOCUMENT_FIELDS.orderNo,
  agentId: DOCUMENT_FIELDS.agentId,
  agentName: DOCUMENT_FIELDS.agentName,
  /** None: no shop yet, or the agent's own credit. */
  merchantId: DOCUMENT_FIELDS.merchantId,
  /** None: no shop, or it belongs to another agent now. */
  shopName: { ...MERCHANT_FIELDS.shopName, nullable: true, in: ['row'] },
  totalCents: { kind: 'money', label: '结算', unit: '代币', in: ['row'] },
  payMethod: DOCUMENT_FIELDS.payMethod,
  remark: DOCUMENT_FIELDS.remark,
  createdAt: { kind: 'instant', label: '下单时间', in: ['row'] },
  paidAt: { kind: 'instant', label: '支付时间', nullable: true, in: ['row'] },
} as const satisfies Fields

export const ORDER_FIELDS = {
  ...SHOP_ORDER_FIELDS,
  account: { ...MERCHANT_FIELDS.account, nullable: true, in: ['row'] },
  managerName: { ...MERCHANT_FIELDS.managerName, none: '—', in: ['row'] },
  registeredAt: { ...MERCHANT_FIELDS.registeredAt, nullable: true, in: ['row'] },
  content: { kind: 'text', label: '订单内容', fileWidth: 36, in: ['row'] },
  versionName: { ...MERCHANT_FIELDS.versionName, in: ['row'] },
  /** How long was bought. */
  duration: { kind: 'text', label: '时限', fileWidth: 10, in: ['row'] },
  salesType: { kind: 'word', label: '销售类型', words: SALES_TYPES, fileWidth: 10, in: ['row'] },
  status: {
    kind: 'word',
    label: '订单状态',
    words: ORDER_STATUSES,
    tones: { quoted: 'attention', paid: 'done', recycled: 'neutral' },
    fileWidth: 12,
    in: ['row'],
  },
  originalCents: { kind: 'money', label: '原价', unit: '代币', in: ['row'] },
  /** Who made it. */
  actorName: { ...DOCUMENT_FIELDS.actorName, nullable: true },
} as const satisfies Fields

export const VERSION_ORDERS = list({
  key: 'orders.list',
  title: '版本订单',
  fields: ORDER_FIELDS,
  columns: {
    shopName: { ...DOCUMENT_COLUMNS.shopName, below: ['merchantId', 'account'] },
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, below: ['salesType'] },
    content: { width: 192, card: 'fact', below: ['duration'] },
    versionName: { fileOnly: true },
    totalCents: { title: '结算 / 原价（代币）', width: 112, card: 'amount', below: ['originalCents'] },
    status: { width: 88, card: 'fact', below: ['payMethod'] },
    paidAt: { card: 'fact' },
    actorName: { title: '操作人 / 客户经理', width: 120, below: ['managerName'] },
    remark: { width: 144, hidden: 'staff' },
    registeredAt: { hidden: true },
    createdAt: { fileOnly: true },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '订单号 / 商户ID / 账号 / 店铺名称',
  filters: {
    versionId: { kind: 'id', label: '版本' },
    payMethod: byWord(ORDER_FIELDS.payMethod),
    salesType: { ...byWord(ORDER_FIELDS.salesType), label: '订单类型' },
    status: byWord(ORDER_FIELDS.status),
    actorId: { kind: 'id', label: '操作人' },
    paid: {
      kind: 'days',
      label: '支付时间',
      presets: [
        [7, 'day'],
        [15, 'day'],
        [1, 'month'],
        [3, 'month'],
        [12, 'month'],
      ],
    },
    agentId: { ...BY_AGENT, clears: ['actorId'] },
  },
  sorts: ['createdAt', 'paidAt'],
  file: { path: '/orders/export.xlsx', permission: 'orders.export', log: '导出版本订单', name: '版本订单' },
  empty: '还没有版本订单，新增商户或购买版本后会显示在这里',
})

export const ORDER_REMARK = {
  remark: {
    ...ORDER_FIELDS.remark,
    max: REMARK_MAX,
    control: { as: 'lines', required: true, rows: 3, counted: true },
  },
} as const satisfies Fields
