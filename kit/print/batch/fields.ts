// Which data a label needs, and what each is called at the head of a column. Pure.
import { plainHead } from '#kit/words/heads.ts'
import type { Label, LabelItem } from '../label.ts'
import { entryOf } from '../label-items.ts'
import { CUSTOM_TEXT } from '../label-text.ts'
import { MEMBER_LEVELS } from '../samples.ts'

export type BatchField = { key: string; label: string }

/** The head of the column that says how many of each. */
export const COPIES_HEAD = '份数'

const QR_FIELDS = {
  1: { key: 'mallUrl', label: '商城链接' },
  2: { key: 'appletUrl', label: '小程序链接' },
} as const

/** What an item takes from the data; null: nothing. */
export function fieldOfItem(item: LabelItem): BatchField | null {
  if (item.kind === 12 || item.key === CUSTOM_TEXT) return null
  if (item.kind === 7) return item.qrKind === 3 ? null : QR_FIELDS[item.qrKind]
  const label = entryOf(item.key)?.name ?? item.name
  if (item.memberLevel === null) return { key: item.key, label }
  const level = MEMBER_LEVELS.find(({ id }) => id === item.memberLevel)?.name ?? `级别 ${item.memberLevel}`
  return { key: `${item.key}.${item.memberLevel}`, label: `${label}（${level}）` }
}

/** Each once, in the order of the items. */
export function fieldsOf(label: Label): BatchField[] {
  const found = new Map<string, BatchField>()
  const add = (field: BatchField | null) => field && !found.has(field.key) && found.set(field.key, field)
  for (const item of label.items) {
    add(fieldOfItem(item))
    if ((item.kind === 5 || item.kind === 6) && item.showUnit) add({ key: 'unit', label: '单位' })
  }
  return [...found.values()]
}

/** As other programs call them. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  productName: ['品名', '名称', '商品', '商品名', '产品名称', '货品名称', 'name'],
  barcode: ['条形码', '商品条码', '国际条码', 'ean', 'ean13'],
  itemNumber: ['商品编码', '商品编号', '编码', '款号', 'sku'],
  retailPrice: ['售价', '价格', '销售价', '零售价格', 'price'],
  memberPrice: ['会员价格'],
  spec: ['规格型号', '商品规格'],
  unit: ['计量单位'],
  origin: ['原产地'],
  category: ['商品分类', '类别'],
  supplier: ['供货商'],
  producer: ['生产商', '厂家'],
  colour: ['颜色分类'],
  phone: ['联系电话'],
  copies: ['打印份数', '张数', '打印张数', '数量', '打印数量', 'qty'],
}

/** A field, or `copies`, by each name that a head may have. */
export function namesOf(fields: readonly BatchField[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { key, label } of [...fields, { key: 'copies', label: COPIES_HEAD }])
    for (const name of [label, key, ...(OTHERS[key] ?? [])])
      if (!names.has(plainHead(name))) names.set(plainHead(name), key)
  return names
}
