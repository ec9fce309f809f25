import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMayOpen } from '#web/session.ts'
import styles from './insights.module.css'

type Props = { path: string; search: Readonly<Record<string, unknown>>; children: ReactNode }

/** What leads to the list that it counts, where one may see that. */
export function Opens({ path, search, children }: Props) {
  const mayOpen = useMayOpen(path)
  if (!mayOpen) return children
  return (
    <Link className={styles.opens} to={path} search={search as never}>
      {children}
    </Link>
  )
}
