// The documents' payload of a label (D3 §3, §9) to our model and back: loaded with small first letters, saved with capitals.
import type { Label, LabelItem } from './label.ts'
import { defaultsOf } from './label-items.ts'
import {
  capital,
  hundredths,
  ITEM_RULES,
  numberOr,
  PX_BY_MM,
  type Raw,
  type Rule,
  readBy,
  rule,
  small,
  text,
  writeBy,
} from './legacy-rules.ts'
import { mmOfUm, umOfMm } from './units.ts'

export type LegacyLabel = {
  templateId: string
  templateName: string
  isCustom: boolean
  industryIds: readonly string[]
  label: Label
  /** What the payload held, to be given back as it was. */
  kept?: Raw
}

type Flat = Omit<LegacyLabel, 'label' | 'kept'> & Omit<Label, 'items'>

const SIZE = { width: 80, height: 40 } as const
const ids = (value: unknown): string[] => {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return list.map(text).filter(Boolean)
}

/** In the designer's points, made of the millimetres: what was there is right as long as they are the same. */
const inPx = (name: string, side: 'width' | 'height'): Rule<Flat> => ({
  name,
  read: (_value, raw) => ({ [side]: umOfMm(numberOr(SIZE[side])(raw[side])) }) as Partial<Flat>,
  write: flat => hundredths(mmOfUm(flat[side]) * PX_BY_MM),
})

const TEMPLATE_RULES: readonly Rule<Flat>[] = [
  rule('templateId', 'templateId', text),
  rule('templateName', 'templateName', text),
  rule('isCustom', 'isCustom', value => value === true || value === 'true' || value === 1),
  rule(
    'backgroundUrl',
    'background',
    value => text(value) || null,
    url => url ?? '',
  ),
  rule('industryIds', 'industryIds', ids),
  rule('width', 'width', value => umOfMm(numberOr(SIZE.width)(value)), mmOfUm),
  rule('height', 'height', value => umOfMm(numberOr(SIZE.height)(value)), mmOfUm),
]

/** Points of the old designer, which what is saved names beside the millimetres. */
const PX_RULES = [inPx('widthPx', 'width'), inPx('heightPx', 'height')]

const ITEMS = 'pricesTagItems'

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null

/** Of either kind of payload. */
export function readLegacyLabel(payload: unknown): LegacyLabel {
  if (!isRaw(payload)) throw new TypeError('a label is an object')
  const { [ITEMS]: items, ...kept } = small(payload)
  const { width, height, background, ...template } = readBy(TEMPLATE_RULES, kept) as Flat
  const list = Array.isArray(items) ? items.filter(isRaw) : []
  return { ...template, label: { width, height, background, items: list.map(readItem) }, kept }
}

function readItem(payload: Raw): LabelItem {
  const kept = small(payload)
  const read = readBy(ITEM_RULES, kept) as LabelItem
  return { ...defaultsOf(read, read.id), ...read, kept: { template: kept } }
}

/** As the documents save it: with capitals, and the size in points of the screen. */
export const writeLegacyLabel = (legacy: LegacyLabel): Raw =>
  capital({ ...written(legacy, [...TEMPLATE_RULES, ...PX_RULES]), [ITEMS]: itemsOf(legacy).map(capital) })

/** As the documents' server answers it. */
export const writeLoadedLabel = (legacy: LegacyLabel): Raw => ({
  ...written(legacy, TEMPLATE_RULES),
  [ITEMS]: itemsOf(legacy),
})

function written({ label, kept, ...template }: LegacyLabel, rules: readonly Rule<Flat>[]): Raw {
  const { items: _items, ...size } = label
  const flat: Flat = { ...template, ...size }
  if (!kept) return writeBy(rules, flat, null)
  const before = writeBy(rules, flat, kept)
  // A loaded payload has no points yet.
  for (const each of rules) if (/Px$/.test(each.name)) before[each.name] ??= each.write(flat)
  return before
}

const itemsOf = ({ label }: LegacyLabel): Raw[] =>
  label.items.map(({ kept, ...item }) =>
    writeBy(ITEM_RULES, item, (kept?.template as Raw | undefined) ?? null),
  )
