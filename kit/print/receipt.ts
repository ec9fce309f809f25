// Owns what a receipt is: papers, types, the catalogue of what can stand on it, groups of it, and what a template holds (D3 §3, §5, §9).
// Must never know how a line is laid out or printed.

export type Paper = 58 | 76 | 80 | 110 | 210
type PaperFacts = {
  /** What the head of the printer reaches, at 8 dots a millimetre. */
  dots: number
  /** What one buys: a roll's length, or a sheet's. */
  boughtMm: number
  cents: number
  /** How many short facts stand beside each other. */
  columns: number
}

/** Rolls by their width in millimetres; 210 is a sheet of A4. */
export const PAPERS: Readonly<Record<Paper, PaperFacts>> = {
  58: { dots: 384, boughtMm: 30_000, cents: 120, columns: 1 },
  76: { dots: 512, boughtMm: 40_000, cents: 220, columns: 1 },
  80: { dots: 576, boughtMm: 50_000, cents: 300, columns: 1 },
  110: { dots: 832, boughtMm: 50_000, cents: 480, columns: 2 },
  210: { dots: 1_520, boughtMm: 297, cents: 4, columns: 3 },
}
export const PAPER_KEYS: readonly Paper[] = [58, 76, 80, 110, 210]
export const SHEET_MM = 297

/** Dots of a half-width character: 9 points, and 12 points, which is 4/3 of it (18 and 24 pixels of the preview, D3 §5). */
export const CELL_DOTS = { normal: 12, large: 16 } as const

export const RECEIPT_TYPES = {
  sale: '销售小票',
  storedValue: '储值小票',
  cardSale: '售卡小票',
  topUpTimes: '充次小票',
  deductTimes: '扣次小票',
  picking: '提货小票',
  return: '退货小票',
} as const
export type ReceiptType = keyof typeof RECEIPT_TYPES
export const RECEIPT_TYPE_KEYS = Object.keys(RECEIPT_TYPES) as ReceiptType[]

/** The groups that the documents name. A group of one's own holds items of one of them. */
export const SECTIONS = {
  basic: '基本信息',
  goods: '商品信息',
  footer: '每页底部打印',
  payment: '支付信息',
  exchange: '换货信息',
  return: '退货信息',
  other: '其他信息',
  customer: '客户信息',
  signature: '签名信息',
} as const
export type Section = keyof typeof SECTIONS
export const SECTION_KEYS = Object.keys(SECTIONS) as Section[]

/** How an item is drawn: a title over all, a name with its value, an amount at the right edge, a line to sign on, a text alone. */
export type Drawn =
  | 'title'
  | 'pair'
  | 'amount'
  | 'barcode'
  | 'qr'
  | 'logo'
  | 'column'
  | 'sum'
  | 'sign'
  | 'text'
export type CatalogueItem = {
  id: number
  section: Section
  name: string
  field: string
  drawn: Drawn
  /** It must be shown (D3 §5). */
  mustShow?: true
}

type Told = readonly [id: number, name: string, field: string, drawn: Drawn, mustShow?: true]
const of = (section: Section, items: readonly Told[]): CatalogueItem[] =>
  items.map(([id, name, field, drawn, mustShow]) => ({
    ...{ id, section, name, field, drawn },
    ...(mustShow && { mustShow }),
  }))

/** All that can stand on a receipt. Their numbers are kept in templates: none may be given anew. */
export const RECEIPT_ITEMS: readonly CatalogueItem[] = [
  ...of('basic', [
    [101, 'LOGO', 'logo', 'logo'],
    [102, '商户', 'merchant', 'pair'],
    [103, '店铺名称', 'shopName', 'title'],
    [104, '单据类型', 'documentType', 'title'],
    [105, '单号条码', 'numberBarcode', 'barcode'],
    [106, '单号', 'number', 'pair', true],
    [107, '销售时间', 'saleTime', 'pair', true],
    [108, '操作员', 'operator', 'pair', true],
    [109, '流水号', 'serialNumber', 'pair'],
    [110, '车牌号', 'plateNumber', 'pair'],
  ]),
  ...of('goods', [
    [201, '商品', 'name', 'column', true],
    [202, '编码', 'code', 'column'],
    [203, '规格', 'spec', 'column'],
    [204, '单位', 'unit', 'column'],
    [205, '数量', 'quantity', 'column', true],
    [206, '折扣', 'discount', 'column'],
    [207, '单价', 'unitPrice', 'column', true],
    [208, '折后价', 'discountedPrice', 'column'],
    [209, '小计', 'subtotal', 'column'],
    [210, '总计', 'total', 'sum'],
  ]),
  ...of('footer', [
    [301, '底部文字', 'footerText', 'text'],
    [302, '客服电话', 'servicePhone', 'pair'],
    [303, '打印时间', 'printTime', 'pair'],
  ]),
  ...of('payment', [
    [401, '应收', 'receivable', 'amount'],
    [402, '实收', 'received', 'amount'],
    [403, '支付方式', 'paymentMethod', 'amount'],
    [404, '优惠', 'discountAmount', 'amount'],
    [405, '第三方支付单号', 'thirdPartyNumber', 'pair'],
    [406, '第三方支付条码', 'thirdPartyBarcode', 'barcode'],
    [407, '本次欠款', 'currentDebt', 'amount'],
    [408, '累计欠款', 'totalDebt', 'amount'],
  ]),
  ...of('exchange', [
    [501, '换货原单号', 'exchangedNumber', 'pair'],
    [502, '换出商品', 'exchangedOut', 'pair'],
    [503, '换入商品', 'exchangedIn', 'pair'],
    [504, '换货差价', 'exchangeDifference', 'amount'],
  ]),
  ...of('return', [
    [601, '退货原单号', 'returnedNumber', 'pair'],
    [602, '退货原因', 'returnReason', 'pair'],
    [603, '退款方式', 'refundMethod', 'pair'],
    [604, '退款金额', 'refundAmount', 'amount'],
  ]),
  ...of('other', [
    [701, '备注', 'remarks', 'pair'],
    [702, '店铺电话', 'shopPhone', 'pair'],
    [703, '店铺地址', 'shopAddress', 'pair'],
    [704, '二维码', 'qrCode', 'qr'],
    [705, '欢迎语', 'greeting', 'text'],
  ]),
  ...of('customer', [
    [801, '客户', 'customerName', 'pair'],
    [802, '客户电话', 'customerPhone', 'pair'],
    [803, '会员卡号', 'cardNumber', 'pair'],
    [804, '会员等级', 'memberLevel', 'pair'],
    [805, '储值余额', 'balance', 'amount'],
    [806, '可用积分', 'points', 'amount'],
    [807, '剩余次数', 'timesLeft', 'amount'],
    [808, '客户地址', 'customerAddress', 'pair'],
  ]),
  ...of('signature', [
    [901, '客户签名', 'customerSignature', 'sign'],
    [902, '店长签名', 'managerSignature', 'sign'],
  ]),
]

const BY_ID = new Map(RECEIPT_ITEMS.map(item => [item.id, item]))
export const catalogueItem = (id: number): CatalogueItem | undefined => BY_ID.get(id)
export const SHOP_NAME_ITEM = 103
export const LOGO_ITEM = 101
/** A logo is never larger, in dots: so it fits the narrowest roll, and is the same on all. */
export const LOGO_DOTS = { width: PAPERS[58].dots, height: 240 } as const

export const FONT_SIZES = [9, 12] as const
export type FontSize = 0 | 9 | 12
export type Alignment = 0 | 1 | 2
export const ALIGNMENTS: Readonly<Record<Alignment, string>> = { 0: '居左', 1: '居中', 2: '居右' }
export const ALIGNMENT_KEYS: readonly Alignment[] = [0, 1, 2]

/** An item as a group or a template holds it. */
export type ReceiptItem = {
  id: number
  /** Shown in every template that holds its group: it cannot be taken away there. */
  required: boolean
  checked: boolean
  fontSize: FontSize
  alignment: Alignment
  /** Pixels of the preview, of which a line has 18. */
  marginBottom: number
  /** In place of the catalogue's name; empty: that. */
  label: string
  /** A text of one's own, where the item is one. */
  text: string
  /** The upload that a template prints in place of the shop's own logo. */
  picture?: string | undefined
  /** What the documents' payload held, by kit/print/receipt-legacy.ts; given back as it was. */
  kept?: Record<string, unknown> | undefined
}

/** A group as a template holds it: what it was when it was put there, and the checks of this template. */
export type PlacedGroup = {
  groupId: number
  name: string
  section: Section
  items: ReceiptItem[]
  /** As of an item. */
  kept?: Record<string, unknown>
}

/** What a template of receipts is, beside its name and industries. */
export type ReceiptContent = {
  /** May be printed again, and then says so. */
  enableMakeUp: boolean
  ordinary: PlacedGroup[]
  /** For 210 mm. */
  wide: PlacedGroup[]
}

export const EMPTY_CONTENT: ReceiptContent = { enableMakeUp: false, ordinary: [], wide: [] }

export type Sheet = 'ordinary' | 'wide'
export const SHEETS: Readonly<Record<Sheet, string>> = { ordinary: '小票模板', wide: '210mm模板' }
export const sheetOf = (paper: Paper): Sheet => (paper === 210 ? 'wide' : 'ordinary')

/** An item as it comes out of the catalogue. */
export function itemOf({ id, mustShow }: CatalogueItem): ReceiptItem {
  const required = mustShow === true
  const isTitle = BY_ID.get(id)?.drawn === 'title'
  return {
    id,
    required,
    checked: required,
    fontSize: isTitle ? 12 : 9,
    alignment: isTitle ? 1 : 0,
    marginBottom: 0,
    label: '',
    text: '',
  }
}

export const itemsOf = (section: Section): ReceiptItem[] =>
  RECEIPT_ITEMS.filter(item => item.section === section).map(itemOf)

/** Pixels of the preview (D3 §5). */
export const previewPx = (fontSize: number): 18 | 24 => (fontSize === 9 || fontSize === 0 ? 18 : 24)

/** The store's name stands large and in the middle, whatever was chosen (D3 §5). */
export function withShopName(groups: readonly PlacedGroup[]): PlacedGroup[] {
  return groups.map(group => ({
    ...group,
    items: group.items.map(item =>
      item.id === SHOP_NAME_ITEM ? { ...item, fontSize: 12, alignment: 1 } : item,
    ),
  }))
}

/** The pictures that are printed on it, each once. */
export const picturesOn = ({ ordinary, wide }: ReceiptContent): string[] => [
  ...new Set(
    [...ordinary, ...wide].flatMap(({ items }) =>
      items.flatMap(({ id, picture }) => (id === LOGO_ITEM && picture ? [picture] : [])),
    ),
  ),
]

/** What a shop's program puts on a receipt. Several lines of a value are divided by line feeds. */
export type ReceiptData = {
  type: ReceiptType
  values: Readonly<Record<string, string>>
  goods: readonly Readonly<Record<string, string>>[]
  /** Printed once before. */
  isReprint?: boolean
}

/** Hundredths of a cent, so that small receipts do not cost nothing: of the paper for so many millimetres. */
export function paperCost(paper: Paper, lengthMm: number): number {
  const { boughtMm, cents } = PAPERS[paper]
  const bought = paper === 210 ? Math.ceil(lengthMm / SHEET_MM) * SHEET_MM : lengthMm
  return Math.round((bought / boughtMm) * cents * 100)
}
