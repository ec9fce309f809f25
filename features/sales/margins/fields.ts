// What an agent's own prices and what is left of its orders show, and their lists. Words stand in rules.ts.
import { DOCUMENT_COLUMNS, PAST_DAYS } from '#features/money/ledger/fields.ts'
import { ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'

const PRICE = { kind: 'money', unit: '元', nullable: true, in: ['row'] } as const

export const PRICE_FIELDS = {
  id: ORDER_FIELDS.id,
  versionId: { kind: 'id', label: '版本编号', in: ['row'] },
  versionName: ORDER_FIELDS.versionName,
  /** None: for all shops without a price of their own. */
  merchantId: ORDER_FIELDS.merchantId,
  shopName: ORDER_FIELDS.shopName,
  yearFen: { ...PRICE, label: '每年售价' },
  monthFen: { ...PRICE, label: '每月售价' },
  lifetimeFen: { ...PRICE, label: '永久售价' },
  createdByName: { kind: 'text', label: '操作人', in: ['row'] },
  createdAt: { kind: 'instant', label: '生效时间', in: ['row'] },
} as const satisfies Fields

export const SELLING_PRICES = list({
  key: 'margins.prices',
  title: '我的售价',
  fields: PRICE_FIELDS,
  columns: {
    versionName: { width: 152, fixed: 'start', card: 'title' },
    shopName: { title: '适用商户', width: 200, card: 'fact', below: ['merchantId'] },
    yearFen: { width: 128, card: 'fact' },
    monthFen: { width: 128, card: 'fact' },
    lifetimeFen: { width: 128 },
    createdAt: {},
    createdByName: { width: 96 },
  },
  empty: '还没有设置售价。设置后，之后的订单会算出毛利',
})

export const MARGIN_FIELDS = {
  id: ORDER_FIELDS.id,
  orderNo: ORDER_FIELDS.orderNo,
  merchantId: ORDER_FIELDS.merchantId,
  shopName: ORDER_FIELDS.shopName,
  salesType: ORDER_FIELDS.salesType,
  content: ORDER_FIELDS.content,
  versionId: PRICE_FIELDS.versionId,
  sellingFen: { ...PRICE, label: '售价' },
  totalCents: ORDER_FIELDS.totalCents,
  profitFen: { ...PRICE, label: '毛利' },
  paidAt: ORDER_FIELDS.paidAt,
} as const satisfies Fields

export const MARGINS = list({
  key: 'margins.orders',
  title: '毛利明细',
  fields: MARGIN_FIELDS,
  columns: {
    shopName: DOCUMENT_COLUMNS.shopName,
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, below: ['salesType'] },
    content: { width: 192, card: 'fact' },
    sellingFen: { width: 128 },
    totalCents: { width: 128 },
    profitFen: { width: 128, card: 'amount' },
    paidAt: { card: 'fact' },
  },
  filters: {
    priced: { kind: 'flag', label: '售价', words: { true: '已设售价', false: '未设售价' } },
    paid: { kind: 'days', label: '支付时间', presets: PAST_DAYS },
  },
  file: { path: '/margins/orders.xlsx', permission: 'margins.orders', log: '导出毛利明细', name: '毛利明细' },
  empty: '还没有已支付的版本订单',
})

const typedPrice = { kind: 'text', control: { as: 'text', inputMode: 'decimal' } } as const

/** What a version costs a shop, or all; amounts as they are typed, empty: none. */
export const SELLING = {
  versionId: {
    kind: 'id',
    label: PRICE_FIELDS.versionName.label,
    nullable: true,
    control: { as: 'own' },
  },
  merchantId: {
    kind: 'text',
    label: PRICE_FIELDS.merchantId.label,
    control: { as: 'text', inputMode: 'numeric', hint: '留空为所有商户；单独设置的商户以单独的售价为准' },
  },
  yearFen: { ...typedPrice, label: PRICE_FIELDS.yearFen.label },
  monthFen: { ...typedPrice, label: PRICE_FIELDS.monthFen.label },
  lifetimeFen: { ...typedPrice, label: PRICE_FIELDS.lifetimeFen.label },
} as const satisfies Fields
