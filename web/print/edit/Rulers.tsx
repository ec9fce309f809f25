import { memo } from 'react'
import { RULER_PX } from './afloat/messages.ts'
import styles from './canvas.module.css'
import type { View } from './useView.ts'

type Range = { from: number; to: number }
type Handlers = Pick<
  React.DOMAttributes<HTMLElement>,
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
>
type Props = {
  view: View
  axis: 'x' | 'y'
  length: number
  selected: Range | null
  /** A guide is pulled out of it. */
  handlers: Handlers | null
}

/** Pixels between two ticks, at least. */
const TICK_PX = 4

/** Millimetres along an edge of the canvas, with where the selection stands. */
export function Ruler({ view, axis, length, selected, handlers }: Props) {
  const isX = axis === 'x'
  const size = isX ? { width: view.width, height: RULER_PX } : { width: RULER_PX, height: view.height }
  return (
    <div
      className={styles.ruler}
      data-axis={axis}
      data-pulls={handlers ? '' : undefined}
      style={size}
      aria-hidden="true"
      {...handlers}
    >
      {selected && <Strip {...{ view, axis, selected }} />}
      <Ticks {...{ axis, length }} zoom={view.zoom} origin={isX ? view.atX(0) : view.atY(0)} {...size} />
    </div>
  )
}

function Strip({ view, axis, selected }: Pick<Props, 'view' | 'axis'> & { selected: Range }) {
  const [from, length] = [view.px(selected.from), view.px(selected.to - selected.from)]
  const style =
    axis === 'x'
      ? { left: Math.round(view.atX(0) + from), width: length, height: RULER_PX }
      : { top: Math.round(view.atY(0) + from), width: RULER_PX, height: length }
  return <div className={styles.rulerSelected} style={style} />
}

type TicksProps = {
  axis: 'x' | 'y'
  length: number
  zoom: number
  origin: number
  width: number
  height: number
}

const Ticks = memo(function Ticks({ axis, length, zoom, origin, ...size }: TicksProps) {
  const isX = axis === 'x'
  const step = [1, 2, 5, 10].find(one => one * zoom >= TICK_PX) ?? 10
  const named = [5, 10, 20, 50].find(one => one * zoom >= 28) ?? 100
  const ticks = Array.from({ length: Math.floor(length / 1_000 / step) + 1 }, (_, at) => at * step)
  const at = (mm: number) => origin + mm * zoom
  const tall = (mm: number) => (mm % named === 0 ? 9 : mm % 5 === 0 ? 6 : 3)
  return (
    <svg {...size} aria-hidden="true">
      <path
        className={styles.ticks}
        d={ticks
          .map(mm => (isX ? `M${at(mm)} ${RULER_PX}v${-tall(mm)}` : `M${RULER_PX} ${at(mm)}h${-tall(mm)}`))
          .join('')}
      />
      {ticks
        .filter(mm => mm % named === 0)
        .map(mm => (
          <text
            key={mm}
            {...(isX
              ? { x: at(mm) + 3, y: 9 }
              : { x: 9, y: at(mm) - 3, transform: `rotate(-90 9 ${at(mm) - 3})` })}
          >
            {mm}
          </text>
        ))}
    </svg>
  )
})
