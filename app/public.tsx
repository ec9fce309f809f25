import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchQueries } from '#web/client/ready.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { ToastHost } from '#web/controls/ToastHost.tsx'
import { PUBLIC_PAGES, publicPageAt } from './route-pages.ts'

const PAGES: Record<
  (typeof PUBLIC_PAGES)[number]['prefix'],
  React.LazyExoticComponent<() => React.ReactNode>
> = {
  '/c/': lazy(() => import('#features/sales/payments/CashierPage.tsx')),
  '/s/': lazy(() => import('#features/sales/shop-pages/ShopPage.tsx')),
  '/d/': lazy(() => import('#features/sales/deposits/PayPage.tsx')),
  '/o/': lazy(() => import('#features/acquiring/owner-papers/OwnerPage.tsx')),
  '/m/': lazy(() => import('#features/programs/program-flow/OwnerAuthorizePage.tsx')),
  '/partner/apply': lazy(() => import('#features/agencies/partner-applications/ApplyPage.tsx')),
  '/invite/': lazy(() => import('#features/agencies/partners/InvitePage.tsx')),
  '/consult': lazy(() => import('#features/support/consultations/ConsultPage.tsx')),
}

/** A page for people without an account: no shell, no router, no component library. */
export function showPublic(root: HTMLElement): void {
  const { prefix, title } = publicPageAt(location.pathname) ?? PUBLIC_PAGES[0]
  document.title = title
  const Page = PAGES[prefix]
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  watchQueries(queries)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Suspense>
          <Page />
        </Suspense>
        <ToastHost />
      </QueryClientProvider>
    </StrictMode>,
  )
}
