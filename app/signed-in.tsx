import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterContextProvider, RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { access } from '#features/office/access/contract.ts'
import { api, isLeaving, listenToForbidden, messageOf, refusalOf } from '#web/client/api.ts'
import { earlyArrived } from '#web/client/early.ts'
import { onceReady, watchQueries, watchRouter } from '#web/client/ready.ts'
import { readAgain, rereadAfterChanges } from '#web/client/reread.ts'
import { SESSION_KEY, SessionContext } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { ConfirmHost } from '#web/controls/ConfirmHost.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { TipHost } from '#web/controls/TipHost.tsx'
import { ToastHost } from '#web/controls/ToastHost.tsx'
import styles from './DeadEnd.module.css'
import { signOut } from './Frame.tsx'
import { makeRouter, preloadPage } from './routes.tsx'
import { fillSlots } from './slots.tsx'
import { useCalm } from './useCalm.tsx'

const Enrolment = lazy(() => import('#features/office/factors/Enrolment.tsx'))
const StepUpHost = lazy(() => import('./late.tsx').then(late => ({ default: late.StepUpHost })))
const FirstPassword = lazy(() => import('#features/agencies/sign-in/FirstPassword.tsx'))

const accessApi = api<typeof access>('access')

/** Once the page stands, so that nothing waits for it. */
function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Where it is refused, only its page without a network is missing.
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** Everything behind the login. */
export async function showSignedIn(root: HTMLElement): Promise<void> {
  fillSlots()
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A refusal stays a refusal; a lost answer is worth one more try.
        retry: (failures, error) => failures < 1 && refusalOf(error) === null,
        retryDelay: 600,
        networkMode: 'always',
      },
      // Asked for without a network, it fails at once and in words: nothing is sent by itself when the network is back.
      mutations: { networkMode: 'always' },
    },
  })
  watchQueries(queries)
  // Whatever is done may be what waited.
  rereadAfterChanges(queries, ['inbox'])
  listenToForbidden(() => readAgain(SESSION_KEY))
  const router = makeRouter()
  watchRouter(router)
  // Nothing can be drawn without the session; with the page's code there too, shell and page are drawn as one.
  await Promise.allSettled([earlyArrived('/api/session'), preloadPage(location.pathname)])
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        {/* Also for what is shown in place of all pages: its forms ask before they are left. */}
        <RouterContextProvider router={router}>
          <WithSession>
            <RouterProvider router={router} />
          </WithSession>
        </RouterContextProvider>
        <AskForFactors />
        <ConfirmHost />
        <ToastHost />
        <TipHost />
      </QueryClientProvider>
    </StrictMode>,
  )
  registerWorker()
  // A press that comes sooner asks for it too, and says in words where it fails.
  onceReady(() => void import('./page-loaders.tsx').catch(() => undefined))
}

/** A press that needs a factor sooner waits for who asks for it. */
function AskForFactors() {
  const calm = useCalm()
  return <Suspense>{calm && <StepUpHost />}</Suspense>
}

function WithSession({ children }: { children: React.ReactNode }) {
  const session = useQuery({ ...accessApi.current.query(), queryKey: [SESSION_KEY], staleTime: 60_000 })
  const { dueAt = null } = session.data?.factor ?? {}
  const isDue = dueAt !== null && dueAt <= Date.now()
  // It stays until the page is loaded anew, so that the recovery codes are seen, which are shown once.
  const [enrols, setEnrols] = useState(false)
  if (isDue && !enrols) setEnrols(true)
  if (session.data?.mustChangePassword && session.data.viewedUntil === null)
    return (
      <Suspense>
        <FirstPassword session={session.data} />
      </Suspense>
    )
  if (isDue || enrols)
    return (
      <Suspense>
        <Enrolment onSignOut={() => void signOut()} />
      </Suspense>
    )
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>
  if (!session.isError || isLeaving()) return null
  return (
    <div className={styles.startFailure} role="alert">
      <p>{messageOf(session.error)}</p>
      <Button onClick={() => void session.refetch()}>重试</Button>
    </div>
  )
}
