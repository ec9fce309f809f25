import { createContext, type ReactNode, useContext } from 'react'
import { AGENT_SUSPENDED } from '#kit/declare/suspended.ts'
import { SessionContext, useViewOnly } from '../client/session.ts'

const OwnContext = createContext(false)

/** Around what people of a suspended agency may change all the same: their own account, what they look at, what they say. */
export function OwnAffairs({ children }: { children: ReactNode }) {
  return <OwnContext value={true}>{children}</OwnContext>
}

/** Why nothing can be changed here: one looks through another's account, or the agency is suspended. Null where it can be. */
export function useReadOnly(): string | null {
  const viewOnly = useViewOnly()
  const session = useContext(SessionContext)
  const isOwn = useContext(OwnContext)
  const isSuspended = session !== null && session.suspendedFor !== null && !isOwn
  return viewOnly ?? (isSuspended ? AGENT_SUSPENDED : null)
}
