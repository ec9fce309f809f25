import styles from './Watermark.module.css'

/** Who is looking, repeated faintly behind what the page says (D1 §2). The colour is the theme's; the text is only the mask. */
export function Watermark({ text }: { text: string }) {
  const safe = text.replace(/[<>&"']/g, '')
  const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="180"><text x="20" y="120" font-family="sans-serif" font-size="14" transform="rotate(-20 130 90)">${safe}</text></svg>`
  const image = `url("data:image/svg+xml,${encodeURIComponent(tile)}")`
  return <div className={styles.watermark} aria-hidden="true" data-text={text} style={{ maskImage: image }} />
}
