import { useMemo, useRef, useState } from 'react'
import { type Draft, freeWay, itemName } from '#kit/print/edit/draft.ts'
import { draw, drawer, roomOf } from '#kit/print/edit/measure.ts'
import { NO_GLYPHS } from '#kit/print/glyphs.ts'
import type { LabelItem } from '#kit/print/label.ts'
import { defaultsOf, type LabelEntry } from '#kit/print/label-items.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { around } from '#kit/print/scene.ts'
import { useKeys } from '#web/keys/keys.ts'
import type { CanvasOptions } from '#web/print/edit/Canvas.tsx'
import { useCanvasKeys } from '#web/print/edit/useCanvasKeys.ts'
import { noRoom, useClipboard } from '#web/print/edit/useClipboard.ts'
import { useEditor } from '#web/print/edit/useEditor.ts'
import { useGuides } from '#web/print/edit/useGuides.ts'
import { useFaulty, useProof } from '#web/print/edit/useProof.ts'
import { useView } from '#web/print/edit/useView.ts'
import { useGlyphs } from '#web/print/useGlyphs.ts'
import { FIRST_SAMPLE, type Sample } from './SampleChoice.tsx'

const DOTS = 8

/** The designer's parts, joined: draft, canvas, keys, clipboard, proof. */
export function useDesigner(initial: Draft, template: string, revision: number) {
  const editor = useEditor(initial, `${template}:${revision}`)
  const [sample, setSample] = useState<Sample>(FIRST_SAMPLE)
  const [options, setOptions] = useState<CanvasOptions>({ grid: true, lines: true })
  const svg = useRef<SVGSVGElement>(null)
  const { label } = editor.draft
  const view = useView(label, svg)
  // Of every sample, so that choosing another one waits for nothing.
  const characters = useMemo(
    () => labelCharacters(label, sample.data, ...Object.values(SAMPLES)),
    [label, sample.data],
  )
  const glyphs = useGlyphs(characters)
  const press = useMemo(() => ({ dots: DOTS, glyphs: glyphs ?? NO_GLYPHS }) as const, [glyphs])
  const drawAll = useRef(drawer()).current
  const drawn = useMemo(() => drawAll(label, sample.data, press), [drawAll, label, sample.data, press])
  const drawOne = useMemo(
    () => (item: LabelItem) => draw(item, label, sample.data, press),
    [label, sample.data, press],
  )
  const proof = useProof(label, sample.data, glyphs)
  const faulty = useFaulty(proof)
  const guides = useGuides(template)
  const keys = useCanvasKeys({ editor, drawn, view, lines: options.lines, guides: guides.all })
  /** Where they cover nothing; null: there is no room. */
  const inFreeRoom = (items: readonly LabelItem[]): LabelItem[] | null => {
    const laid = items.map(drawOne)
    const box = around(laid.map(one => one.box))
    const room = around(laid.map(roomOf))
    const way = box && room && freeWay(label, box, drawn.map(roomOf), room)
    return way && items.map(item => ({ ...item, left: item.left + way.dx, top: item.top + way.dy }))
  }
  const clipboard = useClipboard(editor, inFreeRoom)
  useDesignerKeys(editor)

  /** At a point of the screen, or where new items stand. */
  const add = (entry: LabelEntry, at: { x: number; y: number } | null) => {
    const item = defaultsOf(entry, crypto.randomUUID())
    const point = at && view.pointAt({ clientX: at.x, clientY: at.y })
    const tenth = (um: number) => Math.max(Math.round(um / 100) * 100, 0)
    const stands = point ? [{ ...item, left: tenth(point.x), top: tenth(point.y) }] : inFreeRoom([item])
    const [placed = item] = stands ?? []
    editor.add([placed])
    editor.say(stands ? `已添加${itemName(placed)}，方向键移动位置` : noRoom(itemName(placed)))
    view.scroller.current?.focus()
  }
  return {
    ...{ editor, sample, setSample, options, setOptions, svg, view, glyphs: press.glyphs, drawn, drawOne },
    ...{ proof, faulty, guides, keys, clipboard, add, ready: glyphs !== null },
  }
}

export type Designer = ReturnType<typeof useDesigner>

/** Undo works everywhere on the page but in a text; the other keys are the canvas's own and only listed. */
function useDesignerKeys(editor: ReturnType<typeof useEditor>): void {
  const back = (event: KeyboardEvent) => {
    event.preventDefault()
    if (event.shiftKey) editor.redo()
    else editor.undo()
  }
  const forth = (event: KeyboardEvent) => {
    event.preventDefault()
    editor.redo()
  }
  useKeys('标签设计', [
    { press: 'Ctrl+z', does: '撤销；加 Shift 重做', act: back },
    { press: 'Ctrl+y', does: '重做', act: forth },
    { press: 'PageDown', does: '选择下一个元素；加 Shift 多选' },
    { press: 'PageUp', does: '选择上一个元素' },
    { press: 'ArrowUp', does: '方向键移动 0.1 毫米；Shift 1 毫米，Alt 一个点，Ctrl 到下一条对齐线或等间距' },
    { press: 'Delete', does: '删除元素' },
    { press: 'Ctrl+a', does: '全选' },
    { press: 'Ctrl+c', does: '复制' },
    { press: 'Ctrl+x', does: '剪切' },
    { press: 'Ctrl+v', does: '粘贴，可在模板之间' },
    { press: 'Ctrl+l', does: '锁定或解锁' },
    { press: ']', does: '上移一层；加 Shift 置于前面' },
    { press: '[', does: '下移一层；加 Shift 置于后面' },
    { press: '0', does: '适合窗口；+ 和 - 缩放，按住空格拖动画布' },
  ])
}
