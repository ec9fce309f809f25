import { look } from '../../controls/look.ts'
import styles from './sheet.module.css'

/** What of a table was not as it seems: which sheet was read, what was hidden, what cells were merged. */
export function SheetNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <section className={styles.notes} aria-label="读取说明">
      <span className={look.quiet}>读取说明</span>
      <ul>
        {notes.map(note => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  )
}
