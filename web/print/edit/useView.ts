import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Label } from '#kit/print/label.ts'

type Point = { x: number; y: number }
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
  /** In micrometres of the label. */
  pointAt: (event: { clientX: number; clientY: number }) => Point
  /** The space bar is down: the pointer moves the paper. */
  grabs: RefObject<boolean>
  grabbed: (event: { clientX: number; clientY: number }) => Pan
  drag: (event: { clientX: number; clientY: number }, pan: Pan) => void
  zoomBy: (factor: number) => void
  fit: () => void
}

const ZOOM = { least: 2, most: 40 }
/** Around the label, so that something can be put aside. */
const ASIDE_PX = 40
/** Of the rulers. */
export const RULER_PX = 20

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
  const width = Math.max(size.width, px(label.width) + 2 * ASIDE_PX)
  const height = Math.max(size.height, px(label.height) + 2 * ASIDE_PX)
  const um = (pixels: number) => (pixels / zoom) * 1_000
  const originX = Math.round((um(width) - label.width) / 2)
  const originY = Math.round((um(height) - label.height) / 2)
  return {
    ...{ scroller, zoom, width, height, originX, originY, grabs },
    pointAt: ({ clientX, clientY }) => {
      const box = svg.current?.getBoundingClientRect()
      return { x: um(clientX - (box?.left ?? 0)) - originX, y: um(clientY - (box?.top ?? 0)) - originY }
    },
    grabbed: ({ clientX, clientY }) => ({
      ...{ kind: 'pan' as const, from: { x: clientX, y: clientY } },
      left: scroller.current?.scrollLeft ?? 0,
      top: scroller.current?.scrollTop ?? 0,
    }),
    drag: ({ clientX, clientY }, { from, left, top }) =>
      scroller.current?.scrollTo(left + from.x - clientX, top + from.y - clientY),
    zoomBy: factor => choose(limited(zoom * factor)),
    fit: () => choose(null),
  }
}
