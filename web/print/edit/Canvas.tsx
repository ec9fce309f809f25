import { memo, type RefObject, useEffect, useMemo, useRef } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import { bottomOf, rightOf } from '#kit/print/edit/boxes.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import type { Guide } from '#kit/print/edit/snap.ts'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { LabelItem } from '#kit/print/label.ts'
import { around } from '#kit/print/scene.ts'
import { CanvasOverlay } from './CanvasOverlay.tsx'
import styles from './canvas.module.css'
import { LabelMarks } from './LabelMarks.tsx'
import { Ruler } from './Rulers.tsx'
import { useCanvasPointer } from './useCanvasPointer.ts'
import type { Editor } from './useEditor.ts'
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
  guides: readonly Guide[]
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
  const pointer = useCanvasPointer({
    ...{ svg, editor, drawn, view },
    snap: { lines: options.lines, grid: options.grid ? GRID_UM : 0 },
  })
  const { live } = pointer
  useWheelZoom(view)
  const resized = useMemo(() => live.resized && props.drawOne(live.resized), [live.resized, props.drawOne])
  const shown = useMemo(
    () => (resized ? drawn.map(one => (one.id === resized.id ? resized : one)) : drawn),
    [drawn, resized],
  )
  const selected = shown.filter(({ id }) => editor.selected.includes(id))
  const frame = around(selected.map(({ box }) => box))
  const by = live.by ?? { dx: 0, dy: 0 }
  const along = (from: number, to: number, off: number) => ({ from: from + off, to: to + off })
  const um = 1_000 / view.zoom
  return (
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
        if (event.key === ' ') view.grabs.current = false
      }}
      {...props.clipboard}
    >
      <div className={styles.corner} />
      <Ruler
        {...{ view, axis: 'x' as const, length: label.width }}
        selected={frame && along(frame.left, rightOf(frame), by.dx)}
      />
      <Ruler
        {...{ view, axis: 'y' as const, length: label.height }}
        selected={frame && along(frame.top, bottomOf(frame), by.dy)}
      />
      <svg
        ref={svg}
        className={styles.board}
        width={view.width}
        height={view.height}
        viewBox={`${-view.originX} ${-view.originY} ${view.width * um} ${view.height * um}`}
        aria-hidden="true"
        {...(still ? { onClick: event => editor.select(idsAt(event.target)) } : pointer.handlers)}
      >
        <Paper label={label} background={label.background} grid={options.grid} um={um} />
        <Items drawn={shown} glyphs={glyphs} faulty={faulty} />
        <CanvasOverlay {...{ selected, live, label, still }} guides={props.guides} px={um} />
      </svg>
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
      <rect className={styles.paper} width={width} height={height} rx={um * 3} />
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
function useWheelZoom(view: View): void {
  const latest = useRef(view)
  latest.current = view
  useEffect(() => {
    const box = latest.current.scroller.current
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      latest.current.zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1)
    }
    box?.addEventListener('wheel', turn, { passive: false })
    return () => box?.removeEventListener('wheel', turn)
  }, [])
}
