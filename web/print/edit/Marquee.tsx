import type { CSSProperties } from 'react'
import type { Box } from '#kit/print/scene.ts'
import { type Live, useLive } from './live.ts'
import styles from './marks.module.css'
import type { View } from './useView.ts'

/** The rectangle that selects. */
export function Marquee({ live, view }: { live: Live; view: View }) {
  const box = useLive(live, now => now.marquee)
  return box && <div className={styles.marquee} style={boxStyle(box, view)} aria-hidden="true" />
}

const boxStyle = ({ left, top, width, height }: Box, view: View): CSSProperties => ({
  width: view.px(width),
  height: view.px(height),
  transform: `translate(${view.atX(left)}px, ${view.atY(top)}px)`,
})
