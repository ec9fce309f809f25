// Everything that can be put on a label, with the field of the data it shows (D3 §3 Price-tag print layout).
import { LABEL_GROUP_KEYS, type LabelGroup, type LabelItem, type LabelKind } from './label.ts'
import { umOfMm } from './units.ts'

export type LabelEntry = { key: string; name: string; group: LabelGroup; kind: LabelKind }

/** Which items stand together where they are chosen. */
export const LABEL_GROUPS = {
  basic: '基础字段',
  price: '价格字段',
  code: '条码/货号字段',
  washing: '洗涤方式',
  other: '其他信息',
} as const satisfies Record<LabelGroup, string>

type Row = readonly [key: string, name: string, kind: LabelKind]

const ROWS: Record<LabelGroup, readonly Row[]> = {
  basic: [
    ['productName', '商品名称', 1],
    ['brand', '品牌', 1],
    ['category', '分类', 1],
    ['origin', '产地', 1],
    ['spec', '规格', 1],
    ['unit', '单位', 1],
    ['size', '尺码', 1],
    ['colour', '颜色', 1],
    ['fabric', '面料', 1],
    ['material', '材质', 1],
    ['composition', '成分', 1],
    ['season', '季节', 1],
    ['grade', '等级', 1],
    ['safety', '安全类别', 1],
    ['standard', '执行标准', 1],
    ['netWeight', '净重', 1],
    ['supplier', '供应商', 1],
    ['producer', '生产厂家', 1],
    ['batch', '批号', 1],
    ['warrantyDays', '保质期', 1],
    ['productionDate', '生产日期', 2],
    ['expiryDate', '到期日期', 2],
  ],
  price: [
    ['retailPrice', '零售价', 5],
    ['unitPrice', '单价', 5],
    ['totalPrice', '总价', 5],
    ['wholesalePrice', '批发价', 5],
    ['promotionPrice', '促销价', 6],
    ['originalPrice', '原价', 6],
    ['memberPrice', '会员价', 9],
  ],
  code: [
    ['barcode', '条码', 4],
    ['itemNumber', '货号', 4],
    ['serialNumber', '序列号', 4],
    ['qrCode', '二维码', 7],
  ],
  washing: [['washing', '洗涤方式', 12]],
  other: [
    ['customText', '自定义文字', 9],
    ['shopName', '店铺名称', 1],
    ['address', '地址', 1],
    ['phone', '电话', 1],
    ['operator', '操作员', 1],
    ['orderNumber', '订单号', 1],
    ['queueNumber', '流水号', 1],
    ['orderTime', '下单时间', 3],
    ['date', '日期', 2],
    ['printTime', '打印时间', 3],
    ['remark', '备注', 1],
  ],
}

export const LABEL_ITEMS: readonly LabelEntry[] = LABEL_GROUP_KEYS.flatMap(group =>
  ROWS[group].map(([key, name, kind]) => ({ key, name, group, kind })),
)

export const entryOf = (key: string): LabelEntry | undefined => LABEL_ITEMS.find(entry => entry.key === key)

/** A new item (D3 §9: size 9, at 10, 10 points of the old designer, which is a millimetre each); the page gives the uuid. */
export function defaultsOf({ key, name, group, kind }: LabelEntry, id: string): LabelItem {
  const isCustom = key === 'customText'
  return {
    id,
    key,
    name,
    title: isCustom ? name : `${name}：`,
    group,
    kind,
    left: umOfMm(1),
    top: umOfMm(1),
    fontSize: 9,
    fontStyle: 0,
    displayModel: 1,
    dateModel: 1,
    dateTimeModel: 1,
    showUnit: false,
    codeDisplay: 1,
    barWidth: 1,
    barHeight: umOfMm(10),
    qrKind: 1,
    qrUrl: '',
    qrSize: umOfMm(16.8),
    memberLevel: null,
    washing: [],
    washingDisplay: 1,
    iconSize: umOfMm(6),
    width: null,
    fit: 'run',
    locked: false,
  }
}
