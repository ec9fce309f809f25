// Owns what is copied from one template to another: items as text, so that other windows can take them.
import type { LabelItem } from '#kit/print/label.ts'
import { umOfMm } from '#kit/print/units.ts'

const FORMAT = 'label-items'
/** What is pasted where it came from stands aside by this. */
const ASIDE = umOfMm(2)

export const clipText = (items: readonly LabelItem[]): string => JSON.stringify({ format: FORMAT, items })

/** Items that a text holds; none where it is another's. `isItem` judges each. */
export function clipped(text: string, isItem: (value: unknown) => value is LabelItem): LabelItem[] {
  try {
    const told = JSON.parse(text) as { format?: unknown; items?: unknown }
    if (told?.format !== FORMAT || !Array.isArray(told.items)) return []
    return told.items.filter(isItem)
  } catch {
    return []
  }
}

/** Copies with ids of their own, beside those that already stand there. */
export function pasted(
  items: readonly LabelItem[],
  there: readonly LabelItem[],
  newId: () => string,
): LabelItem[] {
  let by = 0
  const isTaken = () =>
    items.some(item => there.some(one => one.left === item.left + by && one.top === item.top + by))
  while (isTaken()) by += ASIDE
  return items.map(item => ({
    ...item,
    id: newId(),
    left: item.left + by,
    top: item.top + by,
    locked: false,
  }))
}
