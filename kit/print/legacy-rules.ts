// How fields of the documents' payloads read and write ours (D3 §3, §9). What still means the same is given back as it was.
import type { LabelItem } from './label.ts'
import { LABEL_GROUPS, LABEL_ITEMS } from './label-items.ts'
import { type Um, umOfMm } from './units.ts'
import { WASHING, WASHING_KEYS, type WashingKey } from './washing.ts'

export type Raw = Record<string, unknown>

const withFirst = (raw: Raw, change: (letter: string) => string): Raw =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [change(name.charAt(0)) + name.slice(1), value]),
  )
/** Names as they are answered, and as they are sent. */
export const small = (raw: Raw): Raw => withFirst(raw, letter => letter.toLowerCase())
export const capital = (raw: Raw): Raw => withFirst(raw, letter => letter.toUpperCase())

/** One field of a payload, by its name with a small first letter. */
export type Rule<T> = {
  name: string
  /** What it means; `undefined` where the payload has none. */
  read(value: unknown, raw: Raw): Partial<T>
  write(thing: T): unknown
}

/** A field of ours that the documents call otherwise. */
export const rule = <T, K extends keyof T>(
  name: string,
  key: K,
  read: (value: unknown) => T[K],
  write: (value: T[K]) => unknown = value => value,
): Rule<T> => ({
  name,
  read: value => ({ [key]: read(value) }) as unknown as Partial<T>,
  write: thing => write(thing[key]),
})

export const readBy = <T>(rules: readonly Rule<T>[], raw: Raw): Partial<T> =>
  Object.assign({}, ...rules.map(each => each.read(raw[each.name], raw)))

/** `kept`: what was read once; null for what was made here. Names that no rule knows come back. */
export function writeBy<T extends object>(rules: readonly Rule<T>[], thing: T, kept: Raw | null): Raw {
  const written: Raw = { ...kept }
  for (const each of rules) {
    const before = kept?.[each.name]
    const meant = Object.entries(each.read(before, kept ?? {}))
    const isSame = meant.every(([key, value]) => same(value, (thing as Record<string, unknown>)[key]))
    if (!kept || !isSame) written[each.name] = each.write(thing)
  }
  return written
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

export const numberOr = (otherwise: number) => (value: unknown) => {
  const number = value === null || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : otherwise
}

/** One of a few numbers, the first where it is none of them. */
export const choice =
  <N extends number>(...of: readonly [N, ...N[]]) =>
  (value: unknown): N =>
    of.find(each => each === Number(value)) ?? of[0]

/** Points of the old designer's screen by the millimetre: 10.004. */
export const PX_BY_MM = (96 / 25.4) * 2.647

export const hundredths = (number: number): number => Math.round(number * 100) / 100
export const umOfPx = (px: number): Um => umOfMm(px / PX_BY_MM)
export const pxOfUm = (um: Um): number => hundredths((um / 1_000) * PX_BY_MM)

/** A side of a QR code that nobody has changed. */
export const QR_PX = 168
/** Where an item stands that nobody has moved. */
export const PLACE_PX = 10
const BAR_HEIGHT_PX = 100
const ICON_PX = 60

const px = (otherwise: number) => (value: unknown) => umOfPx(numberOr(otherwise)(value))

const byPx = (name: string, key: 'left' | 'top' | 'barHeight', otherwise: number) =>
  rule<LabelItem, typeof key>(name, key, px(otherwise), pxOfUm)

/** Of codes the side, of washing the icons' side; of others nothing of ours. */
const heightRule: Rule<LabelItem> = {
  name: 'height',
  read: (value, raw) => {
    const kind = Number(raw.itemType)
    if (kind === 7) return { qrSize: px(QR_PX)(value) }
    return kind === 12 ? { iconSize: px(ICON_PX)(value) } : {}
  },
  write: ({ kind, qrSize, iconSize }) => (kind === 7 ? pxOfUm(qrSize) : kind === 12 ? pxOfUm(iconSize) : 0),
}

/** An entry of ours is known by its name; what we do not know is kept under the name it has. */
const nameRule: Rule<LabelItem> = {
  name: 'name',
  read: value => {
    const name = text(value)
    return { name, key: LABEL_ITEMS.find(entry => entry.name === name)?.key ?? name }
  },
  write: ({ name }) => name,
}

const groupRule: Rule<LabelItem> = {
  name: 'group',
  read: (value, raw) => {
    const known = Object.entries(LABEL_GROUPS).find(([, words]) => words === text(value))
    const entry = LABEL_ITEMS.find(({ name }) => name === text(raw.name))
    return { group: (known?.[0] ?? entry?.group ?? 'other') as LabelItem['group'] }
  },
  write: ({ group }) => LABEL_GROUPS[group],
}

const iconName = (icon: unknown): WashingKey | undefined => {
  const { name, iconUrl } = (icon ?? {}) as Raw
  return WASHING_KEYS.find(
    key => WASHING[key] === text(name) || text(iconUrl).split('/').at(-1)?.split('.')[0] === key,
  )
}

const ICONS: Rule<LabelItem> = rule(
  'data',
  'washing',
  value => (Array.isArray(value) ? value : value ? [value] : []).flatMap(icon => iconName(icon) ?? []),
  keys => keys.map(key => ({ name: WASHING[key], iconUrl: `/washing/${key}.svg` })),
)

/** Fields that our model has nothing for: given as the documents' designer begins with. */
const constant = (name: string, value: (item: LabelItem) => unknown): Rule<LabelItem> => ({
  name,
  read: () => ({}),
  write: value,
})

export const ITEM_RULES: readonly Rule<LabelItem>[] = [
  rule('priceTagItemId', 'id', text),
  nameRule,
  rule('title', 'title', text),
  groupRule,
  byPx('left', 'left', PLACE_PX),
  byPx('top', 'top', PLACE_PX),
  rule('fontSize', 'fontSize', numberOr(9)),
  rule('fontStyle', 'fontStyle', choice<0 | 1 | 4 | 5>(0, 1, 4, 5)),
  rule('displayModel', 'displayModel', choice<1 | 2>(1, 2)),
  rule('dateTimeDisplayModel', 'dateTimeModel', choice<1 | 2 | 3>(1, 2, 3)),
  rule('dateDisplayModel', 'dateModel', choice<1 | 2 | 3>(1, 2, 3)),
  rule('itemType', 'kind', choice<LabelItem['kind']>(1, 2, 3, 4, 5, 6, 7, 9, 12)),
  constant('priceTagItemType', ({ kind }) => kind),
  rule('barCodeDisplayType', 'codeDisplay', choice<1 | 2 | 3>(1, 2, 3)),
  constant('displayType', () => 0),
  rule('barCodeWidth', 'barWidth', choice<1 | 2>(1, 2)),
  byPx('barCodeHeight', 'barHeight', BAR_HEIGHT_PX),
  rule('showUnit', 'showUnit', value => value === true || value === 1 || value === '1' || value === 'true'),
  constant('displayStyle', () => 0),
  constant('memberLevels', () => []),
  rule(
    'seletedMemberLevelId',
    'memberLevel',
    value => text(value) || null,
    level => level ?? '',
  ),
  rule('type', 'qrKind', choice<1 | 2 | 3>(1, 2, 3)),
  rule('qRCodeUrl', 'qrUrl', text),
  heightRule,
  rule('washingMethodDisplayType', 'washingDisplay', choice<1 | 2 | 3>(1, 2, 3)),
  ICONS,
]
