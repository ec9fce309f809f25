import type { ReactNode } from 'react'
import { usePermission } from '../client/session.ts'

/** Shows its content only to accounts with the permission. */
export function Permit({ permission, children }: { permission: string; children: ReactNode }) {
  return usePermission(permission) ? children : null
}
