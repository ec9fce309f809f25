import type { ReactNode } from 'react'
import styles from './ActionBar.module.css'

/** What can be done with a form or a dialog, at its foot: the way out first, what it is for last, at the right. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>
}
