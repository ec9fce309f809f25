// Owns what each item of a label draws and how large it is. An item that did not change is not laid out again.
import type { Label, LabelData, LabelItem } from '#kit/print/label.ts'
import { layItem } from '#kit/print/label-scene.ts'
import { around, type Box, type Mark, markBox, quietZone } from '#kit/print/scene.ts'
import type { Press } from '#kit/print/text-marks.ts'
import { umOfMm, umOfPoints } from '#kit/print/units.ts'

export type Drawn = {
  id: string
  item: LabelItem
  marks: readonly Mark[]
  box: Box
  /** Nothing to print with these data. */
  empty: boolean
}

/** Of an item that shows nothing, so that it can still be taken hold of. */
const EMPTY_WIDTH = umOfMm(12)

export function draw(item: LabelItem, label: Label, data: LabelData, press: Press): Drawn {
  const { marks } = layItem(item, label, data, press)
  const own = around(marks.map(markBox))
  const nothing = {
    left: item.left,
    top: item.top,
    width: item.kind === 7 ? item.qrSize : (item.width ?? EMPTY_WIDTH),
    height: item.kind === 7 ? item.qrSize : item.kind === 4 ? item.barHeight : umOfPoints(item.fontSize),
  }
  return { id: item.id, item, marks, box: own ?? nothing, empty: own === null }
}

/** What an item keeps to itself: its box, and the white that its code needs. */
export function roomOf({ box, marks }: Pick<Drawn, 'box' | 'marks'>): Box {
  return around([box, ...marks.flatMap(mark => (mark.kind === 'bars' ? [quietZone(mark)] : []))]) ?? box
}

/** Lays out labels that follow each other. */
export function drawer(): (label: Label, data: LabelData, press: Press) => readonly Drawn[] {
  let known = new WeakMap<LabelItem, Drawn>()
  let last: readonly unknown[] = []
  return (label, data, press) => {
    const asked = [label.width, data, press.glyphs, press.dots]
    if (asked.some((one, at) => one !== last[at])) known = new WeakMap()
    last = asked
    return label.items.map(item => {
      const drawn = known.get(item) ?? draw(item, label, data, press)
      known.set(item, drawn)
      return drawn
    })
  }
}
