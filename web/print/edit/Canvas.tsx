import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import { bottomOf, rightOf } from '#kit/print/edit/boxes.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { linesOf, type Marks } from '#kit/print/edit/snap.ts'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { LabelItem } from '#kit/print/label.ts'
import { around } from '#kit/print/scene.ts'
import { useAfloat } from './afloat/useAfloat.ts'
import { CanvasOverlay } from './CanvasOverlay.tsx'
import styles from './canvas.module.css'
import { LabelMarks } from './LabelMarks.tsx'
import { type Live, makeLive, NOTHING_LIVE, useLive } from './live.ts'
import { Marquee } from './Marquee.tsx'
import { OwnGuides } from './OwnGuides.tsx'
import { Ruler } from './Rulers.tsx'
import { useCanvasPointer } from './useCanvasPointer.ts'
import type { Editor } from './useEditor.ts'
import { useGuidePull } from './useGuidePull.ts'
import type { Guides } from './useGuides.ts'
import type { View } from './useView.ts'

export type CanvasOptions = { grid: boolean; lines: boolean }

type Props = {
  editor: Editor
  drawn: readonly Drawn[]
  /** Lays out one item as it is being pulled. */
  drawOne: (item: LabelItem) => Drawn
  glyphs: Glyphs
  faulty: ReadonlySet<string>
  view: View
  svg: RefObject<SVGSVGElement | null>
  options: CanvasOptions
  guides: Guides
  /** Shown for keys. */
  marks: Marks
  onKeyDown: (event: React.KeyboardEvent) => void
  clipboard: Pick<React.DOMAttributes<HTMLElement>, 'onCopy' | 'onCut' | 'onPaste'>
  /** A screen for looking: nothing is moved. */
  still: boolean
}

/** Millimetres of the grid that things are put on. */
const GRID_UM = 1_000

/** The label in µm, with rulers; everything on it by pointer and by keys. */
export function Canvas(props: Props) {
  const { editor, drawn, glyphs, faulty, view, svg, options, still } = props
  const { label } = editor.draft
  const [live] = useState(makeLive)
  const host = useRef<HTMLDivElement>(null)
  const afloat = useAfloat({
    ...{ host, view, live, label, drawn, faulty, still },
    board: svg,
    marks: props.marks,
  })
  const handlers = useCanvasPointer({
    ...{ afloat, editor, drawn, view, live },
    snap: { lines: options.lines, grid: options.grid ? GRID_UM : 0, guides: props.guides.all },
  })
  const boxes = () => (options.lines ? drawn.map(({ box }) => box) : [])
  const pull = useGuidePull({
    ...{ view, live, editor, guides: props.guides },
    lines: () => linesOf(label, boxes()),
  })
  useWheelZoom(view, live)
  const pulled = useLive(live, now => now.resized)
  const resized = useMemo(() => pulled && props.drawOne(pulled), [pulled, props.drawOne])
  const shown = useMemo(
    () => (resized ? drawn.map(one => (one.id === resized.id ? resized : one)) : drawn),
    [drawn, resized],
  )
  const chosen = new Set(editor.selected)
  const selected = shown.filter(({ id }) => chosen.has(id))
  const frame = around(selected.map(({ box }) => box))
  const um = 1_000 / view.zoom
  return (
    <div className={styles.stage}>
      <div
        ref={view.scroller}
        role="application"
        aria-label="标签画布"
        aria-describedby="label-canvas-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as above.
        tabIndex={0}
        className={styles.canvas}
        data-still={still || undefined}
        onKeyDown={props.onKeyDown}
        onKeyUp={event => {
          if (event.key === ' ') view.grab(false)
        }}
        onBlur={() => view.grab(false)}
        {...props.clipboard}
      >
        <div className={styles.corner} />
        <Ruler
          {...{ view, axis: 'x' as const, length: label.width }}
          selected={frame && { from: frame.left, to: rightOf(frame) }}
          handlers={still ? null : pull('y', null)}
        />
        <Ruler
          {...{ view, axis: 'y' as const, length: label.height }}
          selected={frame && { from: frame.top, to: bottomOf(frame) }}
          handlers={still ? null : pull('x', null)}
        />
        <div className={styles.sheet} style={{ width: view.width, height: view.height }}>
          <div
            className={styles.paper}
            style={{
              ...{ left: view.atX(0), top: view.atY(0) },
              ...{ width: view.px(label.width), height: view.px(label.height) },
            }}
          />
          <svg
            ref={svg}
            className={styles.board}
            width={view.width}
            height={view.height}
            viewBox={`${-view.originX} ${-view.originY} ${view.width * um} ${view.height * um}`}
            aria-hidden="true"
            {...(still ? { onClick: event => editor.select(idsAt(event.target)) } : handlers)}
          >
            <Paper label={label} background={label.background} grid={options.grid} um={um} />
            <Items drawn={shown} glyphs={glyphs} faulty={faulty} />
            <CanvasOverlay {...{ selected, still }} px={um} />
          </svg>
          <div className={styles.shield} />
          {!still && <OwnGuides {...{ view, live, editor, pull }} guides={props.guides} />}
          {!still && <Marquee {...{ live, view }} />}
        </div>
      </div>
      <div ref={host} className={styles.afloat} aria-hidden="true" />
    </div>
  )
}

function idsAt(target: EventTarget): string[] {
  const id = (target as Element).closest('[data-item]')?.getAttribute('data-item')
  return id ? [id] : []
}

type ItemsProps = { drawn: readonly Drawn[]; glyphs: Glyphs; faulty: ReadonlySet<string> }

/** Not drawn again while something is dragged. */
const Items = memo(function Items({ drawn, glyphs, faulty }: ItemsProps) {
  return drawn.map(one => <LabelMarks key={one.id} drawn={one} glyphs={glyphs} faulty={faulty.has(one.id)} />)
})

type PaperProps = {
  label: { width: number; height: number }
  background: string | null
  grid: boolean
  um: number
}

const Paper = memo(function Paper({ label: { width, height }, background, grid, um }: PaperProps) {
  return (
    <>
      <defs>
        <pattern id="label-grid" width={GRID_UM} height={GRID_UM} patternUnits="userSpaceOnUse">
          <path className={styles.grid} d={`M${GRID_UM} 0H0V${GRID_UM}`} strokeWidth={um * 0.5} />
        </pattern>
        <pattern
          id="label-grid-wide"
          width={GRID_UM * 10}
          height={GRID_UM * 10}
          patternUnits="userSpaceOnUse"
        >
          <path className={styles.gridWide} d={`M${GRID_UM * 10} 0H0V${GRID_UM * 10}`} strokeWidth={um} />
        </pattern>
      </defs>
      {background !== null && (
        <image
          className={styles.background}
          href={pictureAddress(background)}
          width={width}
          height={height}
          preserveAspectRatio="none"
        />
      )}
      {grid && (
        <>
          <rect width={width} height={height} fill="url(#label-grid)" />
          <rect width={width} height={height} fill="url(#label-grid-wide)" />
        </>
      )}
      <rect className={styles.paperEdge} width={width} height={height} rx={um * 3} />
    </>
  )
})

/** With Ctrl the wheel zooms, as on a map; the browser must not zoom the page, which React's own handler cannot forbid. */
function useWheelZoom(view: View, live: Live): void {
  const latest = useRef(view)
  latest.current = view
  useEffect(() => {
    const box = latest.current.scroller.current
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      // What is being pulled stands on a layer of this size.
      if (live.get() === NOTHING_LIVE) latest.current.zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1, event)
    }
    box?.addEventListener('wheel', turn, { passive: false })
    return () => box?.removeEventListener('wheel', turn)
  }, [live])
}
