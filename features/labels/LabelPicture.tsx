import { memo, useMemo } from 'react'
import type { Label } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { Preview } from '#web/print/Preview.tsx'
import { useGlyphs } from '#web/print/useGlyphs.ts'
import styles from './labels.module.css'

/** How large its paper is drawn at most, in pixels. */
const MOST = { width: 240, height: 132 }

type Props = { label: Label; name: string }

/** A label with data as shops usually have. */
export const LabelPicture = memo(function LabelPicture({ label, name }: Props) {
  const characters = useMemo(() => labelCharacters(label, SAMPLES.typical), [label])
  const glyphs = useGlyphs(characters)
  const scene = useMemo(
    () => glyphs && sceneOf(label, SAMPLES.typical, { dots: 12, glyphs }),
    [label, glyphs],
  )
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
