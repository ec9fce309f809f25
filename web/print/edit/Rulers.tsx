import { memo, useLayoutEffect, useRef } from 'react'
import styles from './canvas.module.css'
import type { Live } from './live.ts'
import { RULER_PX, type View } from './useView.ts'

type Range = { from: number; to: number }
type Handlers = Pick<
  React.DOMAttributes<HTMLElement>,
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
>
type Props = {
  view: View
  live: Live
  axis: 'x' | 'y'
  length: number
  selected: Range | null
  /** A guide is pulled out of it. */
  handlers: Handlers | null
}

/** Pixels between two ticks, at least. */
const TICK_PX = 4

/** Millimetres along an edge of the canvas, with where the selection stands. */
export function Ruler({ view, live, axis, length, selected, handlers }: Props) {
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
      {selected && <Strip {...{ view, live, axis, selected }} />}
      <Ticks {...{ axis, length }} zoom={view.zoom} origin={isX ? view.atX(0) : view.atY(0)} {...size} />
    </div>
  )
}

/** Goes along with what is pulled; put by hand, as the marks are. */
function Strip({ view, live, axis, selected }: Pick<Props, 'view' | 'live' | 'axis'> & { selected: Range }) {
  const strip = useRef<HTMLDivElement>(null)
  const isX = axis === 'x'
  useLayoutEffect(() => {
    const put = () => {
      const { by } = live.get()
      const from = isX ? view.atX(by?.dx ?? 0) : view.atY(by?.dy ?? 0)
      const px = Math.round(from + view.px(selected.from))
      strip.current?.style.setProperty('transform', isX ? `translateX(${px}px)` : `translateY(${px}px)`)
    }
    put()
    return live.watch(put)
  })
  const length = view.px(selected.to - selected.from)
  const size = isX ? { width: length, height: RULER_PX } : { width: RULER_PX, height: length }
  return <div ref={strip} className={styles.rulerSelected} style={size} />
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
