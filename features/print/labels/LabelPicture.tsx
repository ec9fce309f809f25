import { memo, useMemo } from 'react'
import type { Label, LabelData } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { Preview } from '#web/print/Preview.tsx'
import { useGlyphs } from '#web/print/useGlyphs.ts'
import styles from './labels.module.css'

/** How large its paper is drawn at most, in pixels. */
const MOST = { width: 240, height: 132 }

type Props = { label: Label; name: string; data?: LabelData }

/** A label with data as shops usually have, or with those that are given. */
export const LabelPicture = memo(function LabelPicture({ label, name, data = SAMPLES.typical }: Props) {
  const characters = useMemo(() => labelCharacters(label, data), [label, data])
  const glyphs = useGlyphs(characters)
  const scene = useMemo(() => glyphs && sceneOf(label, data, { dots: 12, glyphs }), [label, data, glyphs])
  const share = Math.min(MOST.width / label.width, MOST.height / label.height)
  return (
    <span
      className={styles.paper}
      style={{ width: label.width * share, aspectRatio: `${label.width} / ${label.height}` }}
    >
      {scene && glyphs && <Preview scene={scene} glyphs={glyphs} label={`${name}的样子`} />}
    </span>
  )
})
