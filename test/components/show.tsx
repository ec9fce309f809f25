// Shows a component where it stands in the page: at an address, for who is signed in, among what every page has around it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { parseSearch, stringifySearch } from '#app/search-params.ts'
import { rereadAfterChanges } from '#web/client/reread.ts'
import { PagesContext, type Session, SessionContext } from '#web/client/session.ts'
import { ConfirmHost } from '#web/controls/ConfirmHost.tsx'
import { TipHost } from '#web/controls/TipHost.tsx'
import { ToastHost } from '#web/controls/ToastHost.tsx'
import { toastStore } from '#web/controls/toast.ts'

/** An agent's own account, that may do nothing but what a test gives it. */
const AGENT: Session = {
  accountId: 1,
  agentId: 101,
  loginName: '20001',
  name: '周海燕',
  companyName: '海岸科技',
  logoId: null,
  phoneLastFour: '9876',
  userType: 0,
  isOperator: false,
  isVendorStaff: false,
  accountFormat: 'standard',
  discountBasisPoints: 10_000,
  levelName: '一级',
  factor: { has: false, dueAt: null },
  permissions: [],
  menu: [],
  viewedUntil: null,
  suspendedFor: null,
  examplePrices: false,
  mustChangePassword: false,
  demo: true,
}

export type Around = {
  /** The address. */
  at?: string
  /** Who is signed in, where that matters. */
  session?: Partial<Session>
  /** What the account may do, by the names of permissions. */
  may?: readonly string[]
}

/** Shows it, and answers the person before it. */
export function show(children: ReactNode, { at = '/admin/test', session, may }: Around = {}): UserEvent {
  history.replaceState(null, '', at)
  const queries = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  rereadAfterChanges(queries, ['inbox'])
  const root = createRootRoute()
  const here = createRoute({ getParentRoute: () => root, path: '$', component: () => children })
  const router = createRouter({ routeTree: root.addChildren([here]), parseSearch, stringifySearch })
  render(
    <QueryClientProvider client={queries}>
      <SessionContext value={{ ...AGENT, ...session, permissions: [...(may ?? [])] }}>
        <PagesContext value={ROUTE_PAGES}>
          <RouterProvider router={router as never} />
        </PagesContext>
      </SessionContext>
      <ConfirmHost />
      <ToastHost />
      <TipHost />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

/** Resolves once a short message of the program says this. */
export async function toasted(text: string): Promise<void> {
  await waitFor(() => expect(toastStore.read().map(toast => toast.text)).toContain(text))
}
