// The documents' print layout of a label (D3 §3 Price-tag print layout, §9): written for printers that ask for it, and read back.
import type { Label, LabelItem } from './label.ts'
import { defaultsOf, entryOf } from './label-items.ts'
import {
  ITEM_RULES,
  numberOr,
  pxOfUm,
  QR_PX,
  type Raw,
  type Rule,
  readBy,
  rule,
  text,
  umOfPx,
  writeBy,
} from './legacy-rules.ts'
import { mmOfUm, umOfMm } from './units.ts'

/** The page is given this much for each millimetre, 1.6 % more than the 3.7795 it should be. */
const PAGE_BY_MM = 3.84
/** Millimetres of one point of the screen, across and, 3.2 % too long, down. */
const ACROSS = 25.4 / 96
const DOWN = 25.4 / 93
/** Width of the picture of a barcode. */
const BAR_PX = { 1: 230, 2: 345 } as const

const thousandths = (number: number): number => Math.round(number * 1_000) / 1_000

const placed = (name: 'left' | 'top', stretch: number): Rule<LabelItem> =>
  rule(
    name,
    name,
    value => umOfMm(numberOr(0)(value) / stretch),
    um => thousandths(mmOfUm(um) * stretch),
  )

const SHARED = [
  'name',
  'itemType',
  'displayModel',
  'title',
  'fontSize',
  'fontStyle',
  'barCodeWidth',
  'barCodeHeight',
]

const widthOf = ({ kind, barWidth, qrSize }: LabelItem): number =>
  kind === 4 ? BAR_PX[barWidth] : kind === 7 ? Math.round(pxOfUm(qrSize)) : 0

const LAYOUT_RULES: readonly Rule<LabelItem>[] = [
  ...ITEM_RULES.filter(({ name }) => SHARED.includes(name)),
  placed('left', 1),
  placed('top', DOWN / ACROSS),
  {
    name: 'Width',
    read: (value, raw) => {
      if (Number(raw.itemType) === 7) return { qrSize: umOfPx(numberOr(QR_PX)(value)) }
      return {}
    },
    write: widthOf,
  },
  {
    name: 'Height',
    read: () => ({}),
    write: item => (item.kind === 4 ? Math.round(pxOfUm(item.barHeight)) : widthOf(item)),
  },
  { name: 'displayStyle', read: () => ({}), write: () => 0 },
]

export type LegacyLayout = { width: number; height: number; pricesTagItems: Raw[] } & Raw

export function writeLegacyLayout(label: Label): LegacyLayout {
  return {
    width: thousandths(mmOfUm(label.width) * PAGE_BY_MM),
    height: thousandths(mmOfUm(label.height) * PAGE_BY_MM),
    pricesTagItems: label.items.map(({ kept, ...item }) =>
      writeBy(LAYOUT_RULES, item, (kept?.layout as Raw | undefined) ?? null),
    ),
  }
}

/** The items' ids are theirs by position: the layout has none. */
export function readLegacyLayout(layout: LegacyLayout): Label {
  const side = (value: number) => umOfMm(value / PAGE_BY_MM)
  return {
    width: side(layout.width),
    height: side(layout.height),
    background: null,
    items: layout.pricesTagItems.map((raw, at) => {
      const read = readBy(LAYOUT_RULES, raw) as LabelItem
      const group = entryOf(read.key)?.group ?? 'other'
      return { ...defaultsOf({ ...read, group }, text(at + 1)), ...read, kept: { layout: raw } }
    }),
  }
}
