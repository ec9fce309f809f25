// What an order of a value-added service shows, and its list (D2 §2, screen 14). Words stand in rules.ts.
import { BY_DAYS, DOCUMENT_COLUMNS, DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { SHOP_ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, INDEX, list } from '#kit/declare/list.ts'
import { SERVICE_ORDER_STATES } from './rules.ts'

export const SERVICE_ORDER_FIELDS = {
  ...SHOP_ORDER_FIELDS,
  index: INDEX,
  merchantId: { kind: 'id', label: '商户ID', fileWidth: 12, in: ['row'] },
  serviceName: { kind: 'text', label: '服务类型', fileWidth: 18, in: ['row'] },
  unitCents: { kind: 'money', label: '单价', unit: '代币', in: ['row'] },
  /** Years or pieces. */
  quantity: { kind: 'count', label: '数量', unit: '个或年', in: ['row'] },
  totalCents: { kind: 'money', label: '总价', unit: '代币', in: ['row'] },
  state: {
    kind: 'word',
    label: '支付状态',
    words: SERVICE_ORDER_STATES,
    tones: { unfinished: 'attention', completed: 'done', recalled: 'neutral' },
    fileWidth: 14,
    in: ['row'],
  },
  createdByName: { ...DOCUMENT_FIELDS.actorName, in: ['row'] },
} as const satisfies Fields

export const SERVICE_ORDERS = list({
  key: 'services.orders',
  title: '增值订单',
  fields: SERVICE_ORDER_FIELDS,
  columns: {
    shopName: { ...DOCUMENT_COLUMNS.shopName, width: 152 },
    orderNo: DOCUMENT_COLUMNS.orderNo,
    index: { width: 48, screenOnly: true },
    serviceName: { width: 112, card: 'fact' },
    unitCents: { width: 104 },
    quantity: { width: 96, card: 'fact' },
    totalCents: { width: 104, card: 'amount' },
    paidAt: { card: 'fact' },
    state: { title: '支付状态 / 方式', width: 120, card: 'fact', below: ['payMethod'] },
    createdByName: { width: 80 },
    remark: { width: 128, hidden: 'staff' },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '商户ID / 订单号 / 服务类型 / 店铺名称',
  filters: {
    state: byWord(SERVICE_ORDER_FIELDS.state),
    serviceId: { kind: 'id', label: '服务类型' },
    created: BY_DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: {
    path: '/services/orders.xlsx',
    permission: 'services.export',
    log: '导出增值订单',
    name: '增值订单',
  },
  empty: '还没有增值订单，在我的商户中为商户购买增值服务后会显示在这里',
})
