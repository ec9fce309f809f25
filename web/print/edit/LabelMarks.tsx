import { memo, useMemo } from 'react'
import type { Drawn } from '#kit/print/edit/measure.ts'
import type { Glyphs } from '#kit/print/glyphs.ts'
import { svgParts } from '#kit/print/svg.ts'
import styles from './canvas.module.css'

type Props = { drawn: Drawn; glyphs: Glyphs; faulty: boolean }

/** One item on the canvas, in micrometres; drawn again only when it changed. */
export const LabelMarks = memo(function LabelMarks({ drawn, glyphs, faulty }: Props) {
  const { item, marks, box, empty } = drawn
  const parts = useMemo(() => svgParts({ width: 0, height: 0, marks }, glyphs), [marks, glyphs])
  return (
    <g data-item={item.id} data-locked={item.locked || undefined} className={styles.item}>
      <rect
        className={styles.hit}
        data-empty={empty || undefined}
        data-faulty={faulty || undefined}
        x={box.left}
        y={box.top}
        width={box.width}
        height={box.height}
      />
      {parts.map(({ path }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks of an item have no name but their order.
        <path key={at} d={path} />
      ))}
      {empty && (
        <text className={styles.emptyName} x={box.left} y={box.top + box.height} fontSize={box.height * 0.8}>
          {item.name}
        </text>
      )}
    </g>
  )
})
