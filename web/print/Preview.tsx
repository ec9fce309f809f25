// A scene on the screen, drawn from what is printed.
import { useMemo } from 'react'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { Scene } from '#kit/print/scene.ts'
import { svgParts } from '#kit/print/svg.ts'

export type PreviewProps = { scene: Scene; glyphs: Glyphs; label: string; className?: string | undefined }

/** Black on white whatever the theme. Fills the width it is given; `label` is what is read aloud. */
export function Preview({ scene, glyphs, label, className }: PreviewProps) {
  const parts = useMemo(() => svgParts(scene, glyphs), [scene, glyphs])
  const { width, height } = scene
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} className={className}>
      <path fill="#fff" d={`M0 0H${width}V${height}H0Z`} />
      {parts.map(({ item, path }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks have no name of their own, and no state
        <path key={at} data-item={item ?? undefined} fill="#000" d={path} />
      ))}
    </svg>
  )
}
