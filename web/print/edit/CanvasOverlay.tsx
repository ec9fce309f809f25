import { bottomOf, rightOf } from '#kit/print/edit/boxes.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { handleOf } from '#kit/print/edit/resize.ts'
import { around, type Box } from '#kit/print/scene.ts'
import styles from './canvas.module.css'

type Props = {
  selected: readonly Drawn[]
  /** Micrometres of a pixel. */
  px: number
  still: boolean
}

/** Over the items: what is selected, and what of it can be pulled. */
export function CanvasOverlay({ selected, px, still }: Props) {
  const frame = around(selected.map(({ box }) => box))
  const [one] = selected.length === 1 ? selected : []
  const handle = one && !still ? handleOf(one.item) : null
  return (
    <g className={styles.overlay} data-frames="">
      {selected.map(({ id, box, item }) => (
        <Frame key={id} box={box} kind={item.locked ? 'locked' : 'one'} />
      ))}
      {frame && selected.length > 1 && <Frame box={frame} kind="group" />}
      {one && handle && <Pull box={one.box} handle={handle} px={px} />}
    </g>
  )
}

function Frame({ box, kind }: { box: Box; kind: 'one' | 'group' | 'locked' }) {
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
