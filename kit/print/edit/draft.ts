// Owns what is edited, a template's draft, and every change of it: placed, moved, changed, removed, locked, ordered.
import type { Label, LabelItem } from '#kit/print/label.ts'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { LABEL_ITEMS } from '#kit/print/label-items.ts'
import { isBelow, itemsKept } from '#kit/print/label-scene.ts'
import { CUSTOM_TEXT } from '#kit/print/label-text.ts'
import type { Box } from '#kit/print/scene.ts'
import { umOfMm } from '#kit/print/units.ts'
import type { Moves } from './align.ts'
import { bottomOf, meets, rightOf } from './boxes.ts'

export type Draft = { name: string; industryIds: readonly number[]; label: Label }

/** How far below the label something may be put aside while one works. */
const ASIDE = umOfMm(10)
/** A new item looks for its place in steps. */
const STEP = umOfMm(0.5)

export const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as Draft).industryIds) &&
  Array.isArray((value as Draft).label?.items)

/** Enough of one to be laid out: what is pasted may be anybody's text. */
export function isItem(value: unknown): value is LabelItem {
  if (typeof value !== 'object' || value === null) return false
  const item = value as Partial<LabelItem>
  const entry = LABEL_ITEMS.find(({ key }) => key === item.key)
  return (
    entry !== undefined &&
    item.kind === entry.kind &&
    [item.left, item.top, item.fontSize, item.barHeight, item.qrSize, item.iconSize].every(Number.isFinite) &&
    typeof item.name === 'string' &&
    typeof item.title === 'string' &&
    typeof item.qrUrl === 'string' &&
    Array.isArray(item.washing)
  )
}

export const withItems = (draft: Draft, items: readonly LabelItem[]): Draft => ({
  ...draft,
  label: { ...draft.label, items },
})

export const withLabel = (draft: Draft, label: Partial<Label>): Draft => ({
  ...draft,
  label: { ...draft.label, ...label },
})

/** New items in front of the others; as many as a label may have. */
export function added(draft: Draft, items: readonly LabelItem[]): Draft {
  const room = LABEL_LIMITS.items - draft.label.items.length
  return room <= 0 ? draft : withItems(draft, [...draft.label.items, ...items.slice(0, room)])
}

/**
 * How far what is new goes from its own place so that it covers nothing: down, and where a column is full to the right of it. Null: the
 * label has no room for it. `room`: what it keeps to itself, which is more than its box where it is a code.
 */
export function freeWay(
  { width, height }: Pick<Label, 'width' | 'height'>,
  box: Box,
  taken: readonly Box[],
  room = box,
): { dx: number; dy: number } | null {
  // What is wider than the label stands at its own left: its faults say so.
  const most = Math.max(0, width - rightOf(box))
  for (let dx = 0; dx <= most; dx += STEP)
    for (let dy = 0; bottomOf(box) + dy <= height; dy += STEP)
      if (!taken.some(one => meets(one, { ...room, left: room.left + dx, top: room.top + dy })))
        return { dx, dy }
  return null
}

export function changedItems(
  draft: Draft,
  ids: readonly string[],
  change: Partial<LabelItem> | ((item: LabelItem) => LabelItem),
): Draft {
  const make = typeof change === 'function' ? change : (item: LabelItem) => ({ ...item, ...change })
  return withItems(
    draft,
    draft.label.items.map(item => (ids.includes(item.id) ? make(item) : item)),
  )
}

export function removed(draft: Draft, ids: readonly string[]): Draft {
  const items = draft.label.items.filter(({ id, locked }) => locked || !ids.includes(id))
  return items.length === draft.label.items.length ? draft : withItems(draft, items)
}

/** Moves each by its own way; what is locked stays. */
export function moved(draft: Draft, moves: Moves): Draft {
  if ([...moves.values()].every(({ dx, dy }) => dx === 0 && dy === 0)) return draft
  return changedItems(draft, [...moves.keys()], item => {
    const move = moves.get(item.id)
    if (!move || item.locked) return item
    return { ...item, left: Math.max(item.left + move.dx, 0), top: Math.max(item.top + move.dy, 0) }
  })
}

/** The way a group can really go: not beyond the left and upper edge, and not out of reach at the others. */
export function kept(box: Box, by: { dx: number; dy: number }, label: Pick<Label, 'width' | 'height'>) {
  const dx = Math.min(Math.max(by.dx, -box.left), Math.max(label.width - box.left, 0))
  const dy = Math.min(Math.max(by.dy, -box.top), Math.max(label.height + ASIDE - box.top, 0))
  return { dx, dy }
}

/** What the documents drop on save: items whose top is not above the lower edge (D3 §5). */
export const droppedOnSave = (label: Label): LabelItem[] => label.items.filter(item => isBelow(item, label))

export const savedLabel = (label: Label): Label => ({ ...label, items: itemsKept(label) })

/** In millimetres, as people write it: 12.5. */
export const mmText = (um: number) => String(Math.round(um / 10) / 100)

/** Where something stands, as it is read aloud. */
export function spokenPlace(name: string, box: Box): string {
  return `${name}，左 ${mmText(box.left)} 毫米，上 ${mmText(box.top)} 毫米`
}

/** Several at once. */
export function spokenGroup(count: number, box: Box): string {
  return `${count} 项，左 ${mmText(box.left)}，上 ${mmText(box.top)}，右 ${mmText(rightOf(box))}，下 ${mmText(bottomOf(box))} 毫米`
}

/** What an item is called among the others. */
export function itemName(item: LabelItem): string {
  const own = item.key === CUSTOM_TEXT ? item.title.trim() : ''
  return own === '' ? item.name : own
}
