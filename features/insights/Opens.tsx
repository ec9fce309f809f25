import type { ReactNode } from 'react'
import type { Target } from '#kit/pages.ts'
import { Link } from '#web/Link.tsx'
import { useMayOpen } from '#web/session.ts'
import styles from './insights.module.css'

type Props = Target & { label?: string; children: ReactNode }

/** What leads to the list that it counts, where one may see that. */
export function Opens({ path, search, label, children }: Props) {
  const mayOpen = useMayOpen(path)
  if (!mayOpen) return children
  return (
    <Link className={styles.opens} to={path} search={search} aria-label={label}>
      {children}
    </Link>
  )
}
