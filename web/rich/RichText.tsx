import { useEffect, useRef } from 'react'
import { cleanNodes } from './clean.ts'
import styles from './rich.module.css'

/** Rich text as somebody wrote it, cleaned once more. Load it lazily: what cleans it comes along. */
export default function RichText({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.replaceChildren(cleanNodes(html)), [html])
  return <div ref={box} className={styles.text} data-part="rich-text" />
}
