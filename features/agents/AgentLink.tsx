import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMayOpen } from '#web/session.ts'
import styles from './agents.module.css'

type Props = { id: number; tab?: string; children: ReactNode }

/** An agent by its name; leads to its page, where one may see that. */
export function AgentLink({ id, tab, children }: Props) {
  const path = `/admin/operations/agents/${id}`
  const mayOpen = useMayOpen(path)
  // 0: the program itself.
  if (!mayOpen || id === 0) return children
  return (
    <Link className={styles.agentLink} to={path as never} search={(tab ? { tab } : {}) as never}>
      {children}
    </Link>
  )
}
