// Everything that can be put on a label, with the field of the data it shows (D3 §3 Price-tag print layout).
import type { LabelGroup, LabelItem, LabelKind } from './label.ts'

export type LabelEntry = { key: string; name: string; group: LabelGroup; kind: LabelKind }

export const LABEL_GROUPS = {
  basic: '基础字段',
  price: '价格字段',
  code: '条码/货号字段',
  washing: '洗涤方式',
  other: '其他信息',
} as const satisfies Record<LabelGroup, string>

export const LABEL_ITEMS: readonly LabelEntry[] = []

/** A new item of an entry, at 10, 10 millimetres; the page gives the uuid. */
export function defaultsOf(_entry: LabelEntry, _id: string): LabelItem {
  throw new Error('not yet')
}
