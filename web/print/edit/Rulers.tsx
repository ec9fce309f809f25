import styles from './canvas.module.css'
import { RULER_PX, type View } from './useView.ts'

type Range = { from: number; to: number } | null
type Props = { view: View; axis: 'x' | 'y'; length: number; selected: Range }

/** Pixels between two ticks, at least. */
const TICK_PX = 4

/** Millimetres along an edge of the canvas, with where the selection stands. */
export function Ruler({ view, axis, length, selected }: Props) {
  const isX = axis === 'x'
  const origin = ((isX ? view.originX : view.originY) / 1_000) * view.zoom
  const step = [1, 2, 5, 10].find(one => one * view.zoom >= TICK_PX) ?? 10
  const named = [5, 10, 20, 50].find(one => one * view.zoom >= 28) ?? 100
  const ticks = Array.from({ length: Math.floor(length / 1_000 / step) + 1 }, (_, at) => at * step)
  const at = (mm: number) => origin + mm * view.zoom
  const size = isX ? { width: view.width, height: RULER_PX } : { width: RULER_PX, height: view.height }
  const tall = (mm: number) => (mm % named === 0 ? 9 : mm % 5 === 0 ? 6 : 3)
  return (
    <svg {...size} className={styles.ruler} data-axis={axis} aria-hidden="true">
      {selected && (
        <rect
          className={styles.rulerSelected}
          {...(isX
            ? { x: at(selected.from / 1_000), y: 0, height: RULER_PX }
            : { y: at(selected.from / 1_000), x: 0, width: RULER_PX })}
          {...{ [isX ? 'width' : 'height']: ((selected.to - selected.from) / 1_000) * view.zoom }}
        />
      )}
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
}
