import { type CSSProperties, useLayoutEffect, useRef } from 'react'
import { mmText } from '#kit/print/edit/draft.ts'
import type { Gap } from '#kit/print/edit/gaps.ts'
import type { Guide, Marks } from '#kit/print/edit/snap.ts'
import type { Box } from '#kit/print/scene.ts'
import { type Live, useLive } from './live.ts'
import styles from './marks.module.css'
import type { View } from './useView.ts'

type Props = {
  live: Live
  view: View
  label: { width: number; height: number }
  /** Shown for keys, where the pointer has none. */
  marks: Marks
}

const AXES = ['x', 'y'] as const
type Axis = (typeof AXES)[number]
/** Three edges of a box can touch lines, and two gaps can be equal. */
const LINES = [0, 1, 2]
const GAPS = [0, 1]
const BEYOND_PX = 20
/** Out of sight, and near enough that it need not be drawn again when it comes back. */
const AWAY = { line: 'translate(-50px, -50px)', gap: 'translate(-400px, -400px)' } as const

/**
 * What a thing that is moved is lined up with. Each mark stands on a layer of its own, always the same ones: a move of the pointer
 * moves them and draws nothing, which is why they are put by hand and not by React.
 */
export function LiveMarks({ live, view, label, marks }: Props) {
  const root = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const show = () => {
      const now = live.get()
      if (root.current) put(root.current, now.by ? now.marks : marks, view, label)
    }
    show()
    return live.watch(show)
  })
  return (
    <div ref={root} className={styles.marks} aria-hidden="true">
      {AXES.map(axis => LINES.map(nth => <div key={axis + nth} className={styles.line} data-axis={axis} />))}
      {AXES.map(axis =>
        GAPS.map(nth => (
          <div key={axis + nth} className={styles.gap} data-axis={axis}>
            <span />
          </div>
        )),
      )}
    </div>
  )
}

function put(root: HTMLElement, { guides, gaps }: Marks, view: View, label: Props['label']): void {
  const nodes = root.children
  AXES.forEach((axis, at) => {
    const [lines, evens] = [guides.filter(one => one.axis === axis), gaps.filter(one => one.axis === axis)]
    for (const nth of LINES)
      putLine(nodes[at * LINES.length + nth] as HTMLElement, axis, lines[nth], view, label)
    for (const nth of GAPS)
      putGap(nodes[2 * LINES.length + at * GAPS.length + nth] as HTMLElement, axis, evens[nth], view)
  })
}

/** Writes what is not there already: the rest costs a frame nothing. */
function write(node: HTMLElement, style: { transform: string; width?: string; height?: string }): void {
  for (const [name, value] of Object.entries(style))
    if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value)
}

const at = (x: number, y: number) => `translate(${Math.round(x)}px, ${Math.round(y)}px)`

function putLine(node: HTMLElement, axis: Axis, guide: Guide | undefined, view: View, label: Props['label']) {
  if (!guide) return write(node, { transform: AWAY.line })
  if (axis === 'x') {
    const height = `${view.px(label.height) + 2 * BEYOND_PX}px`
    return write(node, { height, transform: at(view.atX(guide.at), view.atY(0) - BEYOND_PX) })
  }
  const width = `${view.px(label.width) + 2 * BEYOND_PX}px`
  return write(node, { width, transform: at(view.atX(0) - BEYOND_PX, view.atY(guide.at)) })
}

/** From neighbour to neighbour, with how much is free between them. */
function putGap(node: HTMLElement, axis: Axis, gap: Gap | undefined, view: View) {
  node.toggleAttribute('data-gap', gap !== undefined)
  if (!gap) return write(node, { transform: AWAY.gap })
  const words = mmText(gap.to - gap.from)
  if (node.firstChild && node.firstChild.textContent !== words) node.firstChild.textContent = words
  const length = `${view.px(gap.to - gap.from)}px`
  if (axis === 'x')
    return write(node, { width: length, transform: at(view.atX(gap.from), view.atY(gap.across)) })
  return write(node, { height: length, transform: at(view.atX(gap.across), view.atY(gap.from)) })
}

/** The rectangle that selects. */
export function Marquee({ live, view }: Pick<Props, 'live' | 'view'>) {
  const box = useLive(live, now => now.marquee)
  return box && <div className={styles.marquee} style={boxStyle(box, view)} aria-hidden="true" />
}

const boxStyle = ({ left, top, width, height }: Box, view: View): CSSProperties => ({
  width: view.px(width),
  height: view.px(height),
  transform: `translate(${view.atX(left)}px, ${view.atY(top)}px)`,
})
