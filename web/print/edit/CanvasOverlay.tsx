import { bottomOf, rightOf } from '#kit/print/edit/boxes.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { handleOf } from '#kit/print/edit/resize.ts'
import type { Guide } from '#kit/print/edit/snap.ts'
import { around, type Box } from '#kit/print/scene.ts'
import styles from './canvas.module.css'
import type { Live } from './useCanvasPointer.ts'

type Props = {
  selected: readonly Drawn[]
  live: Live
  /** Shown for keys, where the pointer has none. */
  guides: readonly Guide[]
  label: { width: number; height: number }
  /** Micrometres of a pixel. */
  px: number
  still: boolean
}

/** Over the items: what is selected, what can be pulled, what it is lined up with. */
export function CanvasOverlay({ selected, live, guides, label, px, still }: Props) {
  const frame = around(selected.map(({ box }) => box))
  const [one] = selected.length === 1 ? selected : []
  const handle = one && !still ? handleOf(one.item) : null
  const shown = live.by ? live.guides : guides
  return (
    <g className={styles.overlay}>
      <g transform={live.by ? `translate(${live.by.dx} ${live.by.dy})` : undefined}>
        {selected.map(({ id, box, item }) => (
          <Frame key={id} box={box} kind={item.locked ? 'locked' : 'one'} />
        ))}
        {frame && selected.length > 1 && <Frame box={frame} kind="group" />}
        {one && handle && <Pull box={one.box} handle={handle} px={px} />}
      </g>
      {live.marquee && <Frame box={live.marquee} kind="marquee" />}
      {shown.map(({ axis, at }) => (
        <path
          key={`${axis}${at}`}
          className={styles.guide}
          d={
            axis === 'x'
              ? `M${at} ${-20 * px}V${label.height + 20 * px}`
              : `M${-20 * px} ${at}H${label.width + 20 * px}`
          }
        />
      ))}
    </g>
  )
}

function Frame({ box, kind }: { box: Box; kind: 'one' | 'group' | 'locked' | 'marquee' }) {
  const { left, top, width, height } = box
  return <rect className={styles.frame} data-kind={kind} x={left} y={top} width={width} height={height} />
}

const HANDLE_PX = 8

function Pull({ box, handle, px }: { box: Box; handle: 'e' | 's' | 'se'; px: number }) {
  const side = HANDLE_PX * px
  const x = handle === 's' ? box.left + box.width / 2 : rightOf(box)
  const y = handle === 'e' ? box.top + box.height / 2 : bottomOf(box)
  return (
    <rect
      className={styles.handle}
      data-handle={handle}
      {...{ x: x - side / 2, y: y - side / 2, width: side, height: side, rx: px }}
    />
  )
}
