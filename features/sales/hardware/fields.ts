// What hardware and orders of it show, and their lists (D2 §2 screen 13, §4, §9). Words stand in rules.ts.
import { DOCUMENT_COLUMNS, DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { fieldsIn, fieldsNamed } from '#kit/declare/form.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { DATE_PRESET_DAYS, DELIVERY_STATUSES, LIMITS, ONE_PICTURE, RETURN_CONDITIONS } from './rules.ts'

/** Suggestions only: any name may be typed. */
const CARRIERS = [
  '顺丰速运',
  '京东物流',
  '德邦快递',
  '中通快递',
  '圆通速递',
  '韵达快递',
  '申通快递',
  '邮政EMS',
]

export const HARDWARE_ORDER_FIELDS = {
  orderNo: DOCUMENT_FIELDS.orderNo,
  agentId: DOCUMENT_FIELDS.agentId,
  agentName: DOCUMENT_FIELDS.agentName,
  deliveryStatus: {
    kind: 'word',
    label: '发货状态',
    words: DELIVERY_STATUSES,
    tones: {
      awaitingPayment: 'attention',
      awaitingShipment: 'attention',
      shipped: 'neutral',
      received: 'neutral',
      returned: 'neutral',
      cancelled: 'neutral',
      complete: 'done',
    },
    fileWidth: 10,
    in: ['row'],
  },
  merchantId: DOCUMENT_FIELDS.merchantId,
  /** None where the shop is with another agent now. */
  shopName: ORDER_FIELDS.shopName,
  lines: { kind: 'text', label: '商品', fileWidth: 40 },
  totalCents: { kind: 'money', label: '合计', unit: '代币', in: ['row'] },
  contactName: {
    kind: 'text',
    label: '联系人',
    max: LIMITS.contactName,
    fileWidth: 12,
    in: ['row'],
    control: { as: 'text', required: true, half: true },
  },
  contactPhone: {
    kind: 'phone',
    label: '联系电话',
    fileWidth: 14,
    in: ['row'],
    control: { as: 'text', required: true, half: true },
  },
  /** Division names and address in one line. */
  fullAddress: { kind: 'text', label: '收货地址', fileWidth: 40, in: ['row'] },
  createdAt: { kind: 'instant', label: '下单时间', in: ['row'] },
  shippedAt: { kind: 'instant', label: '发货时间', nullable: true, in: ['row'] },
  finishedAt: { kind: 'instant', label: '完成时间', nullable: true, in: ['row'] },
  payMethod: { ...DOCUMENT_FIELDS.payMethod, in: [] },
  carrier: {
    kind: 'text',
    label: '物流公司',
    max: LIMITS.carrier,
    fileWidth: 14,
    in: ['row'],
    control: { as: 'text', required: true, suggestions: CARRIERS },
  },
  trackingNo: {
    kind: 'digits',
    label: '物流单号',
    max: LIMITS.trackingNo,
    fileWidth: 20,
    in: ['row'],
    control: { as: 'text', required: true, inputMode: 'text' },
  },
  returnCondition: {
    kind: 'word',
    label: '退回商品',
    words: RETURN_CONDITIONS,
    nullable: true,
    fileWidth: 10,
    in: ['row'],
  },
  returnReason: { kind: 'text', label: '退货或取消原因', max: LIMITS.reason, fileWidth: 24, in: ['row'] },
  remark: { ...DOCUMENT_FIELDS.remark, max: LIMITS.remark, control: { as: 'text' } },
} as const satisfies Fields

/** Where an order goes. */
export const DELIVERY = {
  ...fieldsNamed(HARDWARE_ORDER_FIELDS, 'contactName', 'contactPhone'),
  districtCode: {
    kind: 'text',
    label: '所在地区',
    control: { as: 'own', required: true, missing: '请选择省市区' },
  },
  address: { kind: 'text', label: '详细地址', max: LIMITS.address, control: { as: 'text', required: true } },
  merchantId: {
    kind: 'id',
    label: '商户',
    nullable: true,
    control: { as: 'own', hint: '选填，订单可按商户查找' },
  },
  ...fieldsNamed(HARDWARE_ORDER_FIELDS, 'remark'),
} as const satisfies Fields

/** Who carries it, and under which number. */
export const SHIPMENT = fieldsNamed(HARDWARE_ORDER_FIELDS, 'carrier', 'trackingNo')

/** How goods came back, and why the order is taken back. */
export const TAKE_BACK = {
  condition: {
    kind: 'word',
    label: '退回商品',
    words: {
      sound: `${RETURN_CONDITIONS.sound}，回到库存`,
      defective: `${RETURN_CONDITIONS.defective}，不回库存`,
    },
    control: { as: 'choice', look: 'lines', required: true, missing: '请选择退回的商品是否完好' },
  },
  reason: {
    kind: 'text',
    label: '原因',
    max: LIMITS.reason,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields

export const HARDWARE_ORDERS = list({
  key: 'hardware.orders',
  title: '硬件订单',
  fields: HARDWARE_ORDER_FIELDS,
  columns: {
    orderNo: { ...DOCUMENT_COLUMNS.orderNo, fixed: 'start', card: 'title' },
    agentName: DOCUMENT_COLUMNS.agentName,
    deliveryStatus: { title: '发货状态 / 支付', width: 104, card: 'fact', below: ['payMethod'] },
    shopName: { title: '店铺', width: 128, below: ['merchantId'] },
    lines: { width: 144, card: 'fact' },
    totalCents: { width: 104, card: 'amount' },
    contactName: { title: '联系人 / 电话', width: 112, card: 'fact', below: ['contactPhone'] },
    fullAddress: { width: 144, hidden: 'staff' },
    createdAt: { card: 'fact' },
    shippedAt: { hidden: true },
    finishedAt: { hidden: true },
    trackingNo: { width: 112, also: ['carrier'] },
    returnCondition: { fileOnly: true },
    returnReason: { fileOnly: true },
    remark: { fileOnly: true },
  },
  search: '订单号 / 商户ID / 店铺名称 / 联系人 / 电话',
  filters: {
    status: byWord(HARDWARE_ORDER_FIELDS.deliveryStatus),
    sold: { kind: 'flag', label: '成交', words: { true: '已成交', false: '未成交或已退' } },
    created: {
      kind: 'days',
      label: '下单时间',
      params: ['from', 'to'],
      presets: DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day']),
    },
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: {
    path: '/hardware/orders.xlsx',
    permission: 'hardware.export',
    log: '导出硬件订单',
    name: '硬件订单',
  },
  empty: '还没有硬件订单，在硬件商城下单后会显示在这里',
})

export const PRODUCT_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  picture: { kind: 'text', label: '图片' },
  pictureId: {
    kind: 'text',
    label: '商品图片',
    nullable: true,
    in: ['add', 'edit'],
    control: { as: 'picture', purpose: 'product', onlyOne: ONE_PICTURE },
  },
  name: {
    kind: 'text',
    label: '商品名称',
    max: LIMITS.productName,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  model: {
    kind: 'text',
    label: '型号',
    max: LIMITS.model,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', half: true },
  },
  unitCents: {
    kind: 'money',
    label: '价格',
    unit: '代币',
    min: 1,
    max: LIMITS.unitCentsMax,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'money', required: true, half: true },
  },
  /** Of a new product alone: orders change it afterwards. */
  stock: {
    kind: 'count',
    label: '库存',
    unit: '件',
    max: LIMITS.stockMax,
    in: ['row', 'add', 'log'],
    control: { as: 'number', required: true, half: true, first: 0 },
  },
  position: {
    kind: 'count',
    label: '排序',
    max: LIMITS.positionMax,
    in: ['details', 'add', 'edit', 'log'],
    control: { as: 'number', half: true, first: 0, hint: '小的排在前面' },
  },
  description: {
    kind: 'text',
    label: '商品说明',
    max: LIMITS.description,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'lines', counted: true },
  },
  enabled: {
    kind: 'flag',
    label: '状态',
    in: ['details', 'add', 'edit'],
    control: { as: 'switch', label: '上架销售', first: true },
  },
  createdAt: { kind: 'instant', label: '创建时间', in: ['details'] },
} as const satisfies Fields

export const NEW_PRODUCT = fieldsIn(PRODUCT_FIELDS, 'add')
/** Everything but the stock. */
export const PRODUCT = fieldsIn(PRODUCT_FIELDS, 'edit')

/** Pieces that came or went, and why. */
export const STOCK_TAKING = {
  change: {
    kind: 'count',
    label: '增加或减少',
    unit: '件',
    min: -LIMITS.stockMax,
    max: LIMITS.stockMax,
    control: {
      as: 'number',
      required: true,
      missing: '请输入要增加或减少的数量',
      placeholder: '到货 20，报损 -3',
    },
  },
  reason: {
    kind: 'text',
    label: '调整原因',
    max: LIMITS.reason,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields

const PRODUCT_SEARCH = '商品名称 / 型号'

/** The vendor's hardware, also what is not on sale. */
export const CATALOGUE = list({
  key: 'hardware.catalogue',
  title: '硬件商品',
  fields: PRODUCT_FIELDS,
  columns: {
    picture: { width: 72, fixed: 'start' },
    name: { width: 208, fixed: 'start', opens: true, card: 'title', below: ['model'] },
    unitCents: { width: 120, card: 'fact' },
    stock: { card: 'fact' },
    enabled: { width: 88, card: 'fact' },
    position: { width: 72 },
    description: { width: 264 },
    createdAt: {},
  },
  search: PRODUCT_SEARCH,
  empty: '还没有硬件商品，新增后代理商可以在硬件商城订购',
})

/** What agents order; shown as goods in a shop. */
export const SHOP = list({
  key: 'hardware.products',
  title: '硬件商城',
  fields: PRODUCT_FIELDS,
  columns: { name: { card: 'title' } },
  search: PRODUCT_SEARCH,
  empty: '还没有在售的硬件，请稍后再来',
})
