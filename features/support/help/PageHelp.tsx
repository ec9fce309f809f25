import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { IconHelp } from '#web/controls/icons.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { helpApi } from './helpApi.tsx'

const HelpDrawer = lazy(() => import('./HelpDrawer.tsx'))
const ASKED_AGAIN_MS = 600_000

/** Beside a page's name: opens the article that tells how things are done on it. Nothing where there is none. */
export function PageHelp({ path, enabled }: { path: string; enabled: boolean }) {
  const { pathname } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const pages = useQuery({ ...helpApi.pages.query(), enabled, staleTime: ASKED_AGAIN_MS })
  const article = pages.data?.rows.find(page => page.path === path)
  if (!article) return null
  return (
    <>
      <Button
        kind="quiet"
        icon={<IconHelp />}
        aria-label="本页帮助"
        aria-haspopup="dialog"
        tip={`本页帮助：${article.title}`}
        onClick={() => setOpenAt(pathname)}
      />
      {openAt === pathname && (
        <Suspense>
          <HelpDrawer id={article.id} onClose={() => setOpenAt(null)} />
        </Suspense>
      )}
    </>
  )
}
