import { Link, useLocation } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { pageAt } from '#kit/declare/pages.ts'
import { type MenuItem, useSession } from '../client/session.ts'
import { DemoNote } from '../controls/DemoNote.tsx'
import { Suspense } from '../controls/Suspense.tsx'
import { SkipLinks } from '../keys/SkipLinks.tsx'
import { useShellKeys } from '../keys/useShellKeys.ts'
import { usePhone } from '../theme/usePhone.ts'
import { PageTabs } from './PageTabs.tsx'
import { PhoneBar } from './PhoneBar.tsx'
import { useRecent } from './recent.ts'
import styles from './Shell.module.css'
import { ShellHeader } from './ShellHeader.tsx'
import { entryOf, pagesAt, SideMenu } from './SideMenu.tsx'
import { SuspendedBanner } from './SuspendedBanner.tsx'
import type { ShellProps } from './shell-props.ts'
import { ViewBanner } from './ViewBanner.tsx'
import { ViewStrip } from './ViewStrip.tsx'
import { Watermark } from './Watermark.tsx'

const KeysDialog = lazy(() => import('../keys/KeysDialog.tsx'))
const CommandPalette = lazy(() => import('./CommandPalette.tsx'))

const FOLDED_KEY = 'menu-folded'

/** Menu, header, tabs and watermark around every page behind the login (D1 §2). */
export function Shell(props: ShellProps) {
  const session = useSession()
  const phone = usePhone()
  const { pathname } = useLocation()
  const [folded, setFolded] = useState(localStorage.getItem(FOLDED_KEY) === 'true')
  const [drawer, setDrawer] = useState(false)
  const [palette, setPalette] = useState(false)
  const [keys, setKeys] = useState(false)
  const current = pageAt(props.pages, pathname)
  const entry = entryOf(props.menu, pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer.
  useEffect(() => setDrawer(false), [pathname])
  const recent = useRecent(session.accountId, pathname)
  useShellKeys({
    togglePalette: () => setPalette(open => !open),
    showKeys: () => setKeys(true),
    under: current?.under,
  })
  const toggle = () => {
    if (phone) return setDrawer(!drawer)
    localStorage.setItem(FOLDED_KEY, String(!folded))
    setFolded(!folded)
  }
  return (
    <div
      className={styles.shell}
      data-folded={(folded && !phone) || undefined}
      data-drawer={drawer || undefined}
      data-entry={entry !== undefined || undefined}
    >
      <SkipLinks />
      <div className={styles.shellNotes}>
        {session.viewedUntil !== null ? (
          <ViewBanner until={session.viewedUntil} onEnd={props.onEndView} />
        ) : (
          session.demo && <DemoNote />
        )}
        {session.suspendedFor !== null && <SuspendedBanner reason={session.suspendedFor} />}
      </div>
      <SideMenu
        items={props.menu}
        favourites={props.favourites}
        recent={recent}
        pages={props.pages}
        icons={props.menuIcons}
        waiting={props.waiting}
        current={current?.under ?? pathname}
        folded={folded && !phone}
        shown={!phone || drawer}
        onUnfold={toggle}
        onClose={() => setDrawer(false)}
        onNear={props.onNear}
      />
      <ShellHeader
        {...props}
        current={current}
        folded={phone ? !drawer : folded}
        onToggle={toggle}
        onPalette={() => setPalette(true)}
      />
      <PageTabs pages={props.pages} homePath={props.homePath} />
      {props.notices}
      <EntryPages entry={entry} path={pathname} />
      <main id="main" className={styles.shellMain} tabIndex={-1}>
        {props.children}
      </main>
      {phone && (
        <PhoneBar
          places={props.places}
          current={current?.under ?? pathname}
          onNear={props.onNear}
          balance={props.balance}
          links={[
            { name: '收藏', pages: pagesAt(props.menu, props.favourites.paths) },
            { name: '账户', pages: props.accountPages.map(({ path, title }) => ({ path, name: title })) },
          ].filter(({ pages }) => pages.length > 0)}
          onSignOut={props.onSignOut}
        />
      )}
      <Watermark text={`${session.name} ${session.phoneLastFour}`} />
      {keys && (
        <Suspense>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
      {palette && (
        <Suspense>
          <CommandPalette
            menu={props.menu}
            pages={props.pages}
            load={props.loadPalette}
            onClose={() => setPalette(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The pages that share the menu's entry with the page that is shown. */
function EntryPages({ entry, path }: { entry: MenuItem | undefined; path: string }) {
  if (!entry) return null
  return (
    <div className={styles.shellEntry}>
      <ViewStrip label={entry.name} current={path}>
        {entry.children.map(page => (
          <Link
            key={page.key}
            to={page.path}
            activeOptions={{ exact: true }}
            aria-current={page.path === path ? 'page' : undefined}
          >
            {page.name}
          </Link>
        ))}
      </ViewStrip>
    </div>
  )
}
