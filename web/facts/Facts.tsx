import type { ReactNode } from 'react'
import styles from './Facts.module.css'

/** What is known of one thing, a line each: in drawers and dialogs. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

type FactProps = {
  label: string
  /** Across all columns, where its list has several. */
  wide?: boolean
  /** An empty text or null is told as a dash. */
  children: ReactNode
}

/** One of them, also in a list that its page lays out in its own way. */
export function Fact({ label, wide, children }: FactProps) {
  const empty = children === null || children === ''
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd data-empty={empty || undefined}>{empty ? '—' : children}</dd>
    </div>
  )
}
