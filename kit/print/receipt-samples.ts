// Receipts of each type to look at: a typical one, and one whose names and amounts are as long as they get.
import { RECEIPT_TYPES, type ReceiptData, type ReceiptType } from './receipt.ts'

export const SAMPLE_LENGTHS = { typical: '一般', longest: '最长' } as const
export type SampleLength = keyof typeof SAMPLE_LENGTHS

const BASIC = {
  merchant: '10086123',
  shopName: '晨光便利店（人民路店）',
  number: 'XS2026112600187',
  numberBarcode: 'XS2026112600187',
  saleTime: '2026-11-26 14:32:08',
  operator: '王小丽',
  serialNumber: '0187',
  plateNumber: '粤B·12345',
}
const CLOSING = {
  footerText: '请保留小票，七日内凭小票退换',
  servicePhone: '400-000-0000',
  printTime: '2026-11-26 14:32:10',
  remarks: '少糖，打包',
  shopPhone: '0755-12345678',
  shopAddress: '深圳市福田区人民路 18 号',
  qrCode: 'https://example.com/r/XS2026112600187',
  greeting: '谢谢惠顾，欢迎再来',
}
const CUSTOMER = {
  customerName: '李女士',
  customerPhone: '138****5678',
  cardNumber: 'VIP00012345',
  memberLevel: '金卡会员',
  balance: '268.00',
  points: '1,356',
  timesLeft: '8',
  customerAddress: '深圳市南山区科技路 9 号',
}

type Goods = readonly Readonly<Record<string, string>>[]
const COLUMNS = [
  'name',
  'code',
  'spec',
  'unit',
  'quantity',
  'discount',
  'unitPrice',
  'discountedPrice',
  'subtotal',
]
const goods = (...rows: readonly (readonly string[])[]): Goods =>
  rows.map(row => Object.fromEntries(COLUMNS.map((field, at) => [field, row[at] ?? ''])))

const SOLD = goods(
  ['可口可乐', '6901', '330ml', '罐', '2', '100%', '3.50', '3.50', '7.00'],
  ['鲜牛奶', '6902', '1L', '盒', '1', '90%', '15.80', '14.22', '14.22'],
  ['全麦吐司面包', '6903', '400g', '袋', '1', '100%', '12.90', '12.90', '12.90'],
)

const paid = (total: string, method: string) => ({
  total,
  receivable: total,
  received: total,
  paymentMethod: method,
})

const TYPICAL: Readonly<Record<ReceiptType, { values: Record<string, string>; goods: Goods }>> = {
  sale: {
    values: {
      ...{ ...paid('34.12', '微信支付 34.12'), totalQuantity: '4', discountAmount: '1.58' },
      ...{ thirdPartyNumber: '4200002026112614320818745', thirdPartyBarcode: '4200002026112614320818745' },
      ...{ currentDebt: '0.00', totalDebt: '0.00' },
      ...{ exchangedNumber: 'XS2026112000031', exchangedOut: '苏打水 330ml × 1' },
      ...{ exchangedIn: '可口可乐 330ml × 1', exchangeDifference: '0.50' },
    },
    goods: SOLD,
  },
  storedValue: {
    values: { ...paid('500.00', '微信支付 500.00'), remarks: '充 500 送 50', balance: '818.00' },
    goods: goods(['储值 500 送 50', '', '', '次', '1', '100%', '500.00', '500.00', '500.00']),
  },
  cardSale: {
    values: { ...paid('198.00', '现金 198.00'), remarks: '有效期至 2027-11-26' },
    goods: goods(['金卡会员年卡', 'K001', '', '张', '1', '100%', '198.00', '198.00', '198.00']),
  },
  topUpTimes: {
    values: { ...paid('300.00', '支付宝 300.00'), timesLeft: '18', remarks: '洗车 10 次' },
    goods: goods(['洗车次卡', 'C010', '10 次', '次', '10', '100%', '30.00', '30.00', '300.00']),
  },
  deductTimes: {
    values: { total: '0.00', timesLeft: '17', remarks: '本次扣 1 次' },
    goods: goods(['洗车', 'C010', '', '次', '1', '100%', '0.00', '0.00', '0.00']),
  },
  picking: {
    values: { total: '58.00', totalQuantity: '2', remarks: '取件后请当面核对' },
    goods: goods(
      ['羊毛大衣（干洗）', 'Y01', '', '件', '1', '100%', '38.00', '38.00', '38.00'],
      [...['衬衫（水洗）', 'Y02', '', '件', '1', '100%', '20.00', '20.00', '20.00']],
    ),
  },
  return: {
    values: {
      ...{
        total: '-14.22',
        totalQuantity: '-1',
        returnedNumber: 'XS2026112600187',
        returnReason: '临近保质期',
      },
      ...{ refundMethod: '原路退回（微信支付）', refundAmount: '-14.22' },
    },
    goods: goods(['鲜牛奶', '6902', '1L', '盒', '-1', '90%', '15.80', '14.22', '-14.22']),
  },
}

const LONG_NAME = '有机冷榨初榨特级橄榄油礼盒装 Extra Virgin Olive Oil 750ml×2（赠品非卖品）'
const LONG_VALUES = {
  shopName: '晨光社区连锁生活超市有限公司深圳市福田区人民路旗舰店',
  operator: '阿卜杜热合曼·买买提',
  total: '-1,234,567,890.12',
  receivable: '1,234,567,890.12',
  received: '1,234,567,890.12',
  paymentMethod: '微信支付 1,000,000,000.00\n会员储值余额 234,567,890.12',
  remarks: '请在下午六点以前送到前台，联系不上时放在门口的货架上，谢谢您的配合',
  shopAddress: '广东省深圳市福田区人民路与建设路交汇处晨光商业广场负一层 B118-B120 号铺',
  customerAddress: '广东省深圳市南山区科技路 9 号创新大厦 A 座 2801 室',
  totalQuantity: '12,345.678',
}
const LONG_GOODS = goods(
  [
    LONG_NAME,
    '6901234567892',
    '750ml×2 瓶/礼盒',
    '礼盒',
    '12,345.678',
    '88.88%',
    '99,999.99',
    '88,888.88',
    '1,097,393,210.12',
  ],
  [
    `${LONG_NAME}（第二件半价）`,
    'SKU-2026-000187-XL',
    '红色/加大加长',
    '件',
    '-1',
    '100%',
    '0.01',
    '0.01',
    '-0.01',
  ],
)

export function sampleOf(type: ReceiptType, length: SampleLength = 'typical'): ReceiptData {
  const { values, goods: sold } = TYPICAL[type]
  const base = { ...BASIC, ...CLOSING, ...CUSTOMER, documentType: RECEIPT_TYPES[type], ...values }
  if (length === 'typical') return { type, values: base, goods: sold }
  return { type, values: { ...base, ...LONG_VALUES }, goods: [...LONG_GOODS, ...sold] }
}

/** Values for every item, so that whatever is put on a receipt is seen. */
export function sampleOfAll(): ReceiptData {
  const sale = sampleOf('sale')
  return { ...sale, values: { ...sampleOf('return').values, ...sale.values } }
}
