import { type ReactNode, use } from 'react'
import { useMayOpen } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { WithinPressed } from '#web/facts/plain.ts'
import styles from './agents.module.css'

type Props = { id: number; tab?: string; children: ReactNode }

/** An agent by its name; leads to its page, where one may see that. */
export function AgentLink({ id, tab, children }: Props) {
  const path = `/admin/operations/agents/${id}`
  const mayOpen = useMayOpen(path)
  const isPressed = use(WithinPressed)
  // 0: the program itself.
  if (!mayOpen || isPressed || id === 0) return children
  return (
    <Link
      className={styles.agentLink}
      to="/admin/operations/agents/$id"
      params={{ id: String(id) }}
      search={tab ? { tab } : {}}
    >
      {children}
    </Link>
  )
}
