import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { reorder } from '#kit/print/edit/align.ts'
import { type Boxed, neighbourOf, selectedAfter } from '#kit/print/edit/boxes.ts'
import {
  changedItems,
  itemName,
  kept,
  mmText,
  moved,
  removed,
  spokenGroup,
  spokenPlace,
  withItems,
} from '#kit/print/edit/draft.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import {
  type Guide,
  type Lines,
  linesOf,
  type Marks,
  marksAt,
  NO_MARKS,
  nextLine,
  snapStep,
} from '#kit/print/edit/snap.ts'
import type { LabelItem } from '#kit/print/label.ts'
import { around } from '#kit/print/scene.ts'
import type { Editor } from './useEditor.ts'
import type { View } from './useView.ts'

/** Micrometres of a step: a tenth of a millimetre, a whole one, one dot of a printer of 203 dpi. */
const STEPS = { usual: 100, large: 1_000, dot: 125 } as const
const ARROWS: Readonly<Record<string, readonly ['x' | 'y', 1 | -1]>> = {
  ArrowLeft: ['x', -1],
  ArrowRight: ['x', 1],
  ArrowUp: ['y', -1],
  ArrowDown: ['y', 1],
}

type Props = {
  editor: Editor
  drawn: readonly Drawn[]
  view: View
  /** It stops on lines. */
  lines: boolean
  guides: readonly Guide[]
}

/** What keys do on the canvas, and what they show that a thing is lined up with. */
export function useCanvasKeys({ editor, drawn, view, lines: snaps, guides }: Props) {
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  useEscape(editor, view)
  const { draft, selected } = editor
  const label = draft.label
  const going = drawn.filter(one => selected.includes(one.id) && !one.item.locked)

  const nudge = (axis: 'x' | 'y', direction: 1 | -1, event: KeyboardEvent) => {
    const box = around(going.map(one => one.box))
    if (!box) return editor.say(selected.length > 0 ? '已锁定，不能移动' : '请先选择元素')
    const ids = going.map(({ id }) => id)
    const still = drawn.filter(one => !ids.includes(one.id)).map(one => one.box)
    const lines = snaps ? linesOf(label, still, guides) : linesOf(label, [])
    const by = stepOf(box, axis, direction, event, lines)
    const way = kept(box, axis === 'x' ? { dx: by, dy: 0 } : { dx: 0, dy: by }, label)
    editor.change(one => moved(one, new Map(ids.map(id => [id, way]))), `nudge:${ids.join()}`)
    const to = { ...box, left: box.left + way.dx, top: box.top + way.dy }
    const found = snaps ? marksAt(lines, to) : NO_MARKS
    setMarks(found)
    const place =
      going.length === 1 && going[0]
        ? spokenPlace(itemName(going[0].item), to)
        : spokenGroup(going.length, to)
    const aligned = found.guides.length > 0 ? '，已对齐' : ''
    const [gap] = found.gaps
    const even = gap ? `，间距相等 ${mmText(gap.to - gap.from)} 毫米` : ''
    editor.say(`${place}${aligned}${even}`)
  }

  const step = (by: 1 | -1, adds: boolean) => {
    const boxed: readonly Boxed[] = drawn
    const next = neighbourOf(boxed, selected.at(-1), by)
    if (next === null) return editor.say('标签上还没有元素')
    editor.select(selectedAfter(selected, [next], adds))
    const one = drawn.find(({ id }) => id === next)
    if (one) editor.say(`已选择${spokenPlace(itemName(one.item), one.box)}`)
  }

  const remove = () => {
    const gone = drawn.filter(one => selected.includes(one.id) && !one.item.locked)
    if (gone.length === 0) return
    editor.change(one => removed(one, selected))
    editor.say(`已删除 ${gone.length} 项`)
  }

  const order = (how: Parameters<typeof reorder>[2]) =>
    editor.change(one => withItems(one, reorder(one.label.items, selected, how) as LabelItem[]))

  const onKeyDown = (event: KeyboardEvent) => {
    setMarks(NO_MARKS)
    const arrow = ARROWS[event.key]
    if (arrow) {
      event.preventDefault()
      return nudge(...arrow, event)
    }
    const held = event.ctrlKey || event.metaKey
    const act = held ? withCtrl[event.key.toLowerCase()] : alone[event.key]
    if (!act || event.altKey) return
    event.preventDefault()
    act(event)
  }

  const alone: Record<string, (event: KeyboardEvent) => void> = {
    Delete: remove,
    Backspace: remove,
    PageDown: event => step(1, event.shiftKey),
    PageUp: event => step(-1, event.shiftKey),
    ' ': () => view.grab(true),
    ']': () => order('forward'),
    '[': () => order('backward'),
    '}': () => order('front'),
    '{': () => order('back'),
    '+': () => view.zoomBy(1.25),
    '=': () => view.zoomBy(1.25),
    '-': () => view.zoomBy(0.8),
    '0': view.fit,
  }
  const withCtrl: typeof alone = {
    a: () => {
      editor.select(drawn.map(({ id }) => id))
      editor.say(`已选择 ${drawn.length} 项`)
    },
    l: () => lock(editor, selected),
  }
  return { onKeyDown, marks, remove, order }
}

/** Locks what is selected, or unlocks it where all of it is locked. */
export function lock(editor: Editor, ids: readonly string[]): void {
  if (ids.length === 0) return
  const chosen = editor.draft.label.items.filter(({ id }) => ids.includes(id))
  const locked = !chosen.every(item => item.locked)
  editor.change(draft => changedItems(draft, ids, { locked }))
  editor.say(locked ? '已锁定' : '已解锁')
}

type Held = Pick<KeyboardEvent, 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

function stepOf(box: Drawn['box'], axis: 'x' | 'y', direction: 1 | -1, held: Held, lines: Lines): number {
  if (held.ctrlKey || held.metaKey) return nextLine(box, axis, direction, lines)
  // A dot is exact: whoever counts dots is not drawn to a line.
  if (held.altKey) return STEPS.dot * direction
  return snapStep(box, axis, (held.shiftKey ? STEPS.large : STEPS.usual) * direction, lines)
}

/** Esc takes the selection back, before the page hears it. */
function useEscape(editor: Editor, view: View): void {
  const latest = useRef(editor)
  latest.current = editor
  const { scroller } = view
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || latest.current.selected.length === 0) return
      if (!scroller.current?.contains(document.activeElement)) return
      event.preventDefault()
      latest.current.select([])
      latest.current.say('已取消选择')
    }
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [scroller])
}
