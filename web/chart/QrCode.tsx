import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './QrCode.module.css'

/** Dark modules on white in both themes, since phones read nothing else; with the quiet zone that they need. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => pathOf(text), [text])
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={styles.qrBack} />
      <path d={path} className={styles.qrFront} />
    </svg>
  )
}

function pathOf(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const parts: string[] = []
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      let end = x + 1
      while (row[end]) end++
      parts.push(`M${x} ${y}h${end - x}v1h${x - end}z`)
      x = end
    }
  })
  return { path: parts.join(''), size }
}
