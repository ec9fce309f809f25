// The signed-in account as the page needs it. app/ loads it; everything below reads it here.
import { createContext, useContext } from 'react'
import { pageAt } from '#kit/declare/pages.ts'
import { VIEW_ONLY } from '#kit/declare/view-only.ts'

/** A group, whose `path` is empty; a page; or an entry that pages share, which leads to the first of its `children`. */
export type MenuItem = { key: string; name: string; path: string; children: MenuItem[] }

export type Session = {
  accountId: number
  agentId: number
  loginName: string
  name: string
  companyName: string
  logoId: string | null
  phoneLastFour: string
  /** 0 the agent's own account, 1 a sub-user. */
  userType: 0 | 1
  isOperator: boolean
  isVendorStaff: boolean
  accountFormat: 'standard' | 'long' | 'any'
  discountBasisPoints: number
  levelName: string
  factor: { has: boolean; dueAt: number | null }
  permissions: string[]
  menu: MenuItem[]
  /** One looks through this account, until then; null: it is one's own. */
  viewedUntil: string | null
  /** Why the agency is suspended: everything is seen, nothing changed; null: it is not. */
  suspendedFor: string | null
  /** Nobody of the vendor has looked prices through yet. */
  examplePrices: boolean
  /** Nothing else may be done before. */
  mustChangePassword: boolean
  demo: boolean
}

/** Under which the page keeps who is signed in: read again, the menu and what may be done renew. */
export const SESSION_KEY = 'session'

export const SessionContext = createContext<Session | null>(null)

/** The signed-in account; only used on pages behind the login. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('used outside of the signed-in page')
  return session
}

/** Why nothing can be changed here: one looks through another's account. Null where one is oneself, or nobody yet. */
export function useViewOnly(): string | null {
  const session = useContext(SessionContext)
  return session && session.viewedUntil !== null ? VIEW_ONLY : null
}

/** Whether the account holds the permission; `session` is held by every account. */
export function usePermission(permission: string): boolean {
  return allows(useSession(), permission)
}

/** The pages that an address may lead to; app/ knows them. */
export const PagesContext = createContext<readonly { path: string; title: string; permission: string }[]>([])

/** Whether an address that somebody else wrote leads to a page that the account may open. */
export function useMayOpen(href: string): boolean {
  return useOpenable()(href)
}

/** The same, asked for many addresses. */
export function useOpenable(): (href: string) => boolean {
  const session = useSession()
  const pages = useContext(PagesContext)
  return href => {
    const page = pageAt(pages, href.split(/[?#]/)[0] ?? '')
    return page !== undefined && allows(session, page.permission)
  }
}

/** What the page is called that an address leads to; undefined where it is none of ours. */
export function usePageTitle(href: string): string | undefined {
  return pageAt(useContext(PagesContext), href.split(/[?#]/)[0] ?? '')?.title
}

export function allows(session: Session, permission: string): boolean {
  return permission === 'session' || session.permissions.includes(permission)
}
