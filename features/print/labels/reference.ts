// Owns the label templates that an office begins with: drawn to scan at 203 dpi and to hold the longest that shops enter.
import { emptyLabel, type Label, type LabelItem } from '#kit/print/label.ts'
import { defaultsOf, entryOf } from '#kit/print/label-items.ts'
import { umOfMm } from '#kit/print/units.ts'

export type SystemLabel = { name: string; industries: readonly string[]; label: Label }

type Placed = readonly [key: string, left: number, top: number, more?: Partial<LabelItem>]

let made = 0

/** Ids are the same wherever and whenever they are made, so that a draft does not change by being made again. */
function itemOf([key, left, top, more]: Placed): LabelItem {
  const entry = entryOf(key)
  if (!entry) throw new Error(`no item ${key}`)
  made += 1
  const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
  return { ...defaultsOf(entry, id), left: umOfMm(left), top: umOfMm(top), ...more }
}

const labelOf = (width: number, height: number, items: readonly Placed[]): Label => ({
  ...emptyLabel(),
  ...{ width: umOfMm(width), height: umOfMm(height) },
  items: items.map(itemOf),
})

/** Text that keeps to its place: smaller where it is longer, or on more lines. */
const shrinks = (mm: number): Partial<LabelItem> => ({ width: umOfMm(mm), fit: 'shrink' })
const wraps = (mm: number): Partial<LabelItem> => ({ width: umOfMm(mm), fit: 'wrap' })
const ALONE = { displayModel: 2 } as const
const BOLD = { fontStyle: 1 } as const

const text = (title: string): Partial<LabelItem> => ({ title, name: title })
/** A price behind its sign. */
const price = (mm: number, fontSize: number): Partial<LabelItem> => ({
  ...{ title: '￥', fontSize, ...BOLD, ...shrinks(mm) },
})

export const SYSTEM_LABELS: readonly SystemLabel[] = [
  {
    name: '商品价签 80×40',
    industries: [],
    label: labelOf(80, 40, [
      ['productName', 3, 2.5, { ...ALONE, ...BOLD, fontSize: 12, ...wraps(74) }],
      ['spec', 3, 14, { fontSize: 8, ...shrinks(38) }],
      ['origin', 3, 18, { fontSize: 8, ...shrinks(38) }],
      ['barcode', 4.5, 24, { barHeight: umOfMm(9), fontSize: 8 }],
      ['customText', 43, 14, { ...text('零售价'), fontSize: 8 }],
      ['retailPrice', 43, 18, price(34, 24)],
      ['memberPrice', 43, 28.5, { fontSize: 9, ...shrinks(34) }],
      ['shopName', 43, 34, { ...ALONE, fontSize: 7, ...shrinks(34) }],
    ]),
  },
  {
    name: '商品价签 60×40',
    industries: [],
    label: labelOf(60, 40, [
      ['productName', 3, 2.5, { ...ALONE, ...BOLD, fontSize: 10.5, ...wraps(54) }],
      ['spec', 3, 12, { fontSize: 7.5, ...shrinks(26) }],
      ['unit', 31, 12, { fontSize: 7.5, ...shrinks(26) }],
      ['retailPrice', 3, 16.5, price(54, 20)],
      ['barcode', 4.5, 26, { barHeight: umOfMm(8.5), fontSize: 8 }],
      ['itemNumber', 34, 27, { codeDisplay: 3, fontSize: 7.5, title: '货号：', ...shrinks(23) }],
      ['printTime', 34, 32, { ...ALONE, dateTimeModel: 3, fontSize: 7.5 }],
    ]),
  },
  {
    name: '货架标签 70×35',
    industries: ['商超零售'],
    label: labelOf(70, 35, [
      ['productName', 3, 2, { ...ALONE, ...BOLD, fontSize: 11, ...wraps(64) }],
      ['retailPrice', 3, 12.5, price(40, 26)],
      ['unitPrice', 3, 23.5, { fontSize: 7.5, ...shrinks(30) }],
      ['spec', 3, 27, { fontSize: 7.5, ...shrinks(30) }],
      ['origin', 3, 30.5, { fontSize: 7.5, ...shrinks(30) }],
      ['barcode', 38, 23, { barHeight: umOfMm(7), fontSize: 7 }],
    ]),
  },
  {
    name: '服装吊牌 40×60',
    industries: ['服装鞋帽'],
    label: labelOf(40, 60, [
      ['brand', 3, 2.5, { ...ALONE, ...BOLD, fontSize: 12, ...shrinks(34) }],
      ['productName', 3, 8, { title: '品名：', fontSize: 7, ...wraps(34) }],
      ['itemNumber', 3, 14, { codeDisplay: 3, title: '货号：', fontSize: 7, ...shrinks(34) }],
      ['colour', 3, 17.5, { fontSize: 7, ...shrinks(34) }],
      ['size', 3, 21, { fontSize: 7, ...shrinks(34) }],
      ['composition', 3, 24.5, { fontSize: 7, ...wraps(34) }],
      [
        'washing',
        3,
        31.5,
        {
          washing: ['wash30', 'noBleach', 'dripDry', 'steamIron', 'dryClean'],
          washingDisplay: 2,
          iconSize: umOfMm(5.5),
        },
      ],
      ['retailPrice', 3, 38.5, price(34, 15)],
      ['barcode', 7.5, 46, { barHeight: umOfMm(8), fontSize: 7 }],
    ]),
  },
  {
    name: '条码小标签 40×30',
    industries: [],
    label: labelOf(40, 30, [
      ['productName', 2, 2, { ...ALONE, fontSize: 8, ...wraps(36) }],
      ['barcode', 7.5, 10, { barHeight: umOfMm(9), fontSize: 8 }],
      ['retailPrice', 2, 23, price(36, 12)],
    ]),
  },
  {
    name: '食品标签 60×40',
    industries: ['餐饮美食', '商超零售'],
    label: labelOf(60, 40, [
      ['productName', 3, 2, { ...ALONE, ...BOLD, fontSize: 10, ...wraps(54) }],
      ['productionDate', 3, 11, { dateModel: 2, fontSize: 8, ...shrinks(38) }],
      ['warrantyDays', 3, 15, { fontSize: 8, ...shrinks(38) }],
      ['netWeight', 3, 19, { fontSize: 8, ...shrinks(38) }],
      ['producer', 3, 22.5, { title: '生产厂家：', fontSize: 6, ...wraps(38) }],
      ['barcode', 4.5, 28.5, { barHeight: umOfMm(6.5), fontSize: 7 }],
      ['qrCode', 44, 14, { qrKind: 3, qrUrl: 'https://example.com/food', qrSize: umOfMm(13) }],
      ['retailPrice', 35, 30, price(22, 13)],
    ]),
  },
]
