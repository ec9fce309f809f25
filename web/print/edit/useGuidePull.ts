import { type PointerEvent, useRef } from 'react'
import { mmText } from '#kit/print/edit/draft.ts'
import { type Guide, type Lines, snapEdge } from '#kit/print/edit/snap.ts'
import { RULER_PX } from './afloat/messages.ts'
import { type Live, NOTHING_LIVE } from './live.ts'
import { REACH_PX, useFrames } from './useCanvasPointer.ts'
import type { Editor } from './useEditor.ts'
import type { Guides } from './useGuides.ts'
import type { View } from './useView.ts'

export const guideName = ({ axis, at }: Guide) => `${axis === 'x' ? '竖' : '横'}参考线 ${mmText(at)} 毫米`

type Props = {
  view: View
  live: Live
  guides: Guides
  editor: Editor
  /** What a guide is drawn to. */
  lines: () => Lines
}

/** A guide is pulled out of a ruler, moved, and pulled back into it. */
export function useGuidePull({ view, live, guides, editor, lines }: Props) {
  const gesture = useRef<{ axis: Guide['axis']; old: Guide | null; lines: Lines } | null>(null)

  const step = (event: { clientX: number; clientY: number; altKey: boolean }) => {
    const now = gesture.current
    if (!now) return
    const { x, y } = view.pointAt(event)
    const reach = event.altKey ? 0 : (REACH_PX / view.zoom) * 1_000
    const at = snapEdge(now.axis === 'x' ? x : y, now.lines[now.axis], reach)
    live.set({ ...NOTHING_LIVE, guide: { axis: now.axis, at }, old: now.old })
  }
  const frames = useFrames(step)

  const isOnRuler = ({ clientX, clientY }: { clientX: number; clientY: number }, axis: Guide['axis']) => {
    const box = view.scroller.current?.getBoundingClientRect()
    return axis === 'x' ? clientX < (box?.left ?? 0) + RULER_PX : clientY < (box?.top ?? 0) + RULER_PX
  }

  const stop = () => {
    frames.drop()
    gesture.current = null
    live.set(NOTHING_LIVE)
  }

  /** `old` is one that is there. */
  return (axis: Guide['axis'], old: Guide | null) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || gesture.current) return
      event.currentTarget.setPointerCapture(event.pointerId)
      gesture.current = { axis, old, lines: lines() }
      frames.listen()
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      frames.flush()
      const { guide } = live.get()
      stop()
      if (!guide) return
      if (!isOnRuler(event, axis)) {
        guides.put(old, guide)
        editor.say(`${old ? '已移动' : '已添加'}${guideName(guide)}`)
      } else if (old) {
        guides.put(old, null)
        editor.say(`已移除${guideName(old)}`)
      }
    },
    onPointerCancel: stop,
  })
}
