import type { ReactNode } from 'react'
import type { Target } from '#kit/declare/pages.ts'
import { useMayOpen } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
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
