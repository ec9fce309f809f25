import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Label } from '#kit/print/label.ts'
import { RULER_PX } from './afloat/messages.ts'

type Point = { x: number; y: number }
type OnScreen = { clientX: number; clientY: number }
type Pan = { kind: 'pan'; from: Point; left: number; top: number }

/** How the label is seen: pixels of a millimetre, and where it stands in what can be scrolled. */
export type View = {
  scroller: RefObject<HTMLDivElement | null>
  /** Pixels of a millimetre. */
  zoom: number
  /** Pixels of what can be scrolled. */
  width: number
  height: number
  /** From its corner to that of the label, in micrometres. */
  originX: number
  originY: number
  /** Pixels of a length, and from the sheet's corner to a place on the label. */
  px: (um: number) => number
  atX: (um: number) => number
  atY: (um: number) => number
  /** In micrometres of the label. */
  pointAt: (event: OnScreen) => Point
  /** The space bar is down: the pointer moves the paper. */
  grabs: RefObject<boolean>
  grab: (grabs: boolean) => void
  grabbed: (event: OnScreen) => Pan
  drag: (event: OnScreen, pan: Pan) => void
  /** Around a point of the screen, or the middle of what is seen. */
  zoomBy: (factor: number, around?: OnScreen) => void
  fit: () => void
}

const ZOOM = { least: 2, most: 40 }
/** Around the label, so that something can be put aside. */
const ASIDE_PX = 40

export function useView(label: Pick<Label, 'width' | 'height'>, svg: RefObject<SVGSVGElement | null>): View {
  const scroller = useRef<HTMLDivElement>(null)
  const grabs = useRef(false)
  const [size, setSize] = useState({ width: 640, height: 400 })
  const [chosen, choose] = useState<number | null>(null)
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const watch = new ResizeObserver(() =>
      setSize({ width: box.clientWidth - RULER_PX, height: box.clientHeight - RULER_PX }),
    )
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  const fitting = Math.min(
    (size.width - 2 * ASIDE_PX) / (label.width / 1_000),
    (size.height - 2 * ASIDE_PX) / (label.height / 1_000),
  )
  const limited = (zoom: number) => Math.min(Math.max(zoom, ZOOM.least), ZOOM.most)
  const zoom = limited(chosen ?? fitting)
  const px = (um: number) => (um / 1_000) * zoom
  // As it fits there is nothing to scroll; zoomed, any place of the label can be brought to any place of the screen.
  const aside = (pixels: number) => (chosen === null ? ASIDE_PX : pixels / 2)
  const width = Math.max(size.width, px(label.width) + 2 * aside(size.width))
  const height = Math.max(size.height, px(label.height) + 2 * aside(size.height))
  const um = (pixels: number) => (pixels / zoom) * 1_000
  const originX = Math.round((um(width) - label.width) / 2)
  const originY = Math.round((um(height) - label.height) / 2)
  const atX = (at: number) => px(originX + at)
  const atY = (at: number) => px(originY + at)
  const pointAt = ({ clientX, clientY }: OnScreen) => {
    const box = svg.current?.getBoundingClientRect()
    return { x: um(clientX - (box?.left ?? 0)) - originX, y: um(clientY - (box?.top ?? 0)) - originY }
  }
  /** What must stay where it is on the screen while the zoom changes. */
  const held = useRef<(OnScreen & { point: Point }) | null>(null)
  useLayoutEffect(() => {
    const box = svg.current?.getBoundingClientRect()
    if (!held.current || !box) return
    const { clientX, clientY, point } = held.current
    held.current = null
    scroller.current?.scrollBy(box.left + atX(point.x) - clientX, box.top + atY(point.y) - clientY)
  })
  const middle = (): OnScreen => {
    const box = scroller.current?.getBoundingClientRect()
    if (!box) return { clientX: 0, clientY: 0 }
    return { clientX: (box.left + RULER_PX + box.right) / 2, clientY: (box.top + RULER_PX + box.bottom) / 2 }
  }
  return {
    ...{ scroller, zoom, width, height, originX, originY, grabs, px, atX, atY, pointAt },
    grab: on => {
      grabs.current = on
      if (on) scroller.current?.setAttribute('data-grabs', '')
      else scroller.current?.removeAttribute('data-grabs')
    },
    grabbed: ({ clientX, clientY }) => ({
      ...{ kind: 'pan' as const, from: { x: clientX, y: clientY } },
      left: scroller.current?.scrollLeft ?? 0,
      top: scroller.current?.scrollTop ?? 0,
    }),
    drag: ({ clientX, clientY }, { from, left, top }) =>
      scroller.current?.scrollTo(left + from.x - clientX, top + from.y - clientY),
    zoomBy: (factor, at = middle()) => {
      held.current ??= { clientX: at.clientX, clientY: at.clientY, point: pointAt(at) }
      choose(now => limited((now ?? fitting) * factor))
    },
    fit: () => choose(null),
  }
}
