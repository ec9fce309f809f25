import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Drawn } from '#kit/print/edit/measure.ts'
import type { Marks } from '#kit/print/edit/snap.ts'
import { around } from '#kit/print/scene.ts'
import type { Live } from '../live.ts'
import type { View } from '../useView.ts'
import { type Afloat, floatOver } from './float.ts'
import { type Piece, RULER_PX } from './messages.ts'

type Props = {
  /** Over this, which the canvas does not scroll. */
  host: RefObject<HTMLElement | null>
  board: RefObject<SVGSVGElement | null>
  view: View
  live: Live
  label: { width: number; height: number }
  drawn: readonly Drawn[]
  faulty: ReadonlySet<string>
  /** Shown for keys, where the pointer has none. */
  marks: Marks
  /** Nothing is moved. */
  still: boolean
}

/** What is pulled and what it is lined up with, drawn over the canvas; follows the pointer without React. */
export function useAfloat({ host, board, view, live, label, drawn, faulty, marks, still }: Props) {
  const afloat = useRef<Afloat | null>(null)
  useEffect(() => {
    const scroller = view.scroller.current
    if (still || !host.current || !scroller) return
    const begun = floatOver(host.current, scroller)
    afloat.current = begun
    return () => {
      begun.end()
      afloat.current = null
    }
  }, [host, still, view.scroller])
  useLayoutEffect(() => {
    const scroller = view.scroller.current
    // Read once: to ask with every move would have the page laid out for the answer.
    let scrolled = { left: scroller?.scrollLeft ?? 0, top: scroller?.scrollTop ?? 0 }
    const show = () => {
      const { by, marks: pulling } = live.get()
      afloat.current?.show({
        sight: {
          left: RULER_PX + view.atX(0) - scrolled.left,
          top: RULER_PX + view.atY(0) - scrolled.top,
          scale: view.zoom / 1_000,
        },
        ...{ label: { width: label.width, height: label.height }, by, marks: by ? pulling : marks },
      })
    }
    const follow = () => {
      scrolled = { left: scroller?.scrollLeft ?? 0, top: scroller?.scrollTop ?? 0 }
      show()
    }
    show()
    scroller?.addEventListener('scroll', follow, { passive: true })
    const unwatch = live.watch(show)
    return () => {
      scroller?.removeEventListener('scroll', follow)
      unwatch()
    }
  })
  return {
    pull: (ids: ReadonlySet<string>) => {
      const going = drawn.filter(({ id }) => ids.has(id))
      const frame = around(going.map(({ box }) => box))
      if (!frame || !board.current) return
      const groups = groupsOf(board.current, ids)
      const paths = new Map(groups.map(group => [group.getAttribute('data-item'), pathsOf(group)]))
      const pieces = going.map(
        ({ id, item, box, empty }): Piece => ({
          ...{ box, paths: paths.get(id) ?? [] },
          ...{ faulty: faulty.has(id), name: empty ? item.name : null },
        }),
      )
      afloat.current?.pull({ pieces, frame }, groups)
    },
    drop: () => afloat.current?.drop(),
  }
}

const groupsOf = (board: SVGSVGElement, ids: ReadonlySet<string>) =>
  [...board.querySelectorAll<SVGGElement>('[data-item]')].filter(group =>
    ids.has(group.getAttribute('data-item') ?? ''),
  )

const pathsOf = (group: SVGGElement) =>
  [...group.querySelectorAll('path')].map(path => path.getAttribute('d') ?? '')
