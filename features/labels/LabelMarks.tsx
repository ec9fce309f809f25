import { memo } from 'react'
import type { Glyphs } from '#kit/print/glyphs.ts'
import { glyphOf } from '#kit/print/glyphs.ts'
import type { Mark, TextMark } from '#kit/print/scene.ts'
import styles from './designer.module.css'
import type { Drawn } from './edit-measure.ts'

type Props = { drawn: Drawn; glyphs: Glyphs; faulty: boolean }

/** One item on the canvas, in micrometres; drawn again only when it changed. */
export const LabelMarks = memo(function LabelMarks({ drawn, glyphs, faulty }: Props) {
  const { item, marks, box, empty } = drawn
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
      {marks.map((mark, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks of an item have no name but their order.
        <MarkShape key={at} mark={mark} glyphs={glyphs} />
      ))}
      {empty && (
        <text className={styles.emptyName} x={box.left} y={box.top + box.height} fontSize={box.height * 0.8}>
          {item.name}
        </text>
      )}
    </g>
  )
})

function MarkShape({ mark, glyphs }: { mark: Mark; glyphs: Glyphs }) {
  if (mark.kind === 'text') return <TextShape mark={mark} glyphs={glyphs} />
  if (mark.kind === 'bars')
    return (
      <path
        d={mark.rects
          .map(({ left, top, width, height }) => `M${left} ${top}h${width}v${height}h${-width}Z`)
          .join('')}
      />
    )
  if (mark.kind === 'shape')
    return (
      <path d={mark.path} transform={`translate(${mark.box.left} ${mark.box.top}) scale(${mark.unit})`} />
    )
  return null
}

function TextShape({ mark, glyphs }: { mark: TextMark; glyphs: Glyphs }) {
  let advance = 0
  const letters = [...mark.text].map((character, at) => {
    const glyph = glyphOf(glyphs, character, mark.bold)
    const x = advance
    advance += glyph.advance
    // biome-ignore lint/suspicious/noArrayIndexKey: letters are told apart by their place.
    return <path key={at} d={glyph.outline} transform={`translate(${x} 0)`} />
  })
  const line = mark.underline
  return (
    <>
      <g transform={`translate(${mark.left} ${mark.baseline}) scale(${mark.size / 1_000})`}>{letters}</g>
      {line && <rect x={line.left} y={line.top} width={line.width} height={line.height} />}
    </>
  )
}
