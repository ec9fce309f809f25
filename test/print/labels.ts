// Labels that tests print.
import type { Label, LabelItem } from '#kit/print/label.ts'
import { defaultsOf, entryOf, type LabelEntry } from '#kit/print/label-items.ts'
import { umOfMm } from '#kit/print/units.ts'

let made = 0

/** An item by its key, in millimetres from left and top. */
export function makeItem(
  key: string,
  at: [left: number, top: number],
  more: Partial<LabelItem> = {},
): LabelItem {
  const item = defaultsOf(entryOf(key) as LabelEntry, `item ${++made}`)
  return { ...item, left: umOfMm(at[0]), top: umOfMm(at[1]), ...more }
}

export const makeLabel = (items: readonly LabelItem[], [width, height] = [80, 40]): Label => ({
  width: umOfMm(width as number),
  height: umOfMm(height as number),
  background: 'a file',
  items,
})
