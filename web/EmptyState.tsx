import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

type Props = {
  title: string
  /** `alert` where something went wrong. */
  role?: 'alert'
  /** Why, and what to do next. */
  children?: ReactNode
}

/** Stands where there is nothing to show. */
export function EmptyState({ title, role, children }: Props) {
  return (
    <div className={styles.state} role={role}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}
