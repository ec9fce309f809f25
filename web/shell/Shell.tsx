import { useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { pageAt } from '#kit/declare/pages.ts'
import { type MenuItem, useSession } from '../client/session.ts'
import { DemoNote } from '../controls/DemoNote.tsx'
import { Suspense } from '../controls/Suspense.tsx'
import { SkipLinks } from '../keys/SkipLinks.tsx'
import { useShellKeys } from '../keys/useShellKeys.ts'
import { usePhone } from '../theme/usePhone.ts'
import { PageTabs } from './PageTabs.tsx'
import { PhoneBar, type PhonePlace } from './PhoneBar.tsx'
import { useRecent } from './recent.ts'
import styles from './Shell.module.css'
import { ShellHeader } from './ShellHeader.tsx'
import { pagesAt, SideMenu } from './SideMenu.tsx'
import { SuspendedBanner } from './SuspendedBanner.tsx'
import { ViewBanner } from './ViewBanner.tsx'
import { Watermark } from './Watermark.tsx'

const KeysDialog = lazy(() => import('../keys/KeysDialog.tsx'))
const CommandPalette = lazy(() => import('./CommandPalette.tsx'))

export type ShellPage = {
  path: string
  title: string
  words?: readonly string[]
  group?: string
  /** Path of the page it is reached from. */
  under?: string
}

/** Pages that the account marked with a star, by path. */
export type Favourites = { paths: readonly string[]; set: (paths: readonly string[]) => void }

/** What the palette searches besides pages. */
export type Finder = {
  name: string
  hint: string
  /** Texts that may name one of them; absent: all. */
  asks?: (text: string) => boolean
  ask: (text: string) => Promise<FoundThing[]>
}
export type FoundThing = { key: string; label: string; hint: string; href: string }
export type PaletteAction = {
  key: string
  label: string
  hint: string
  words: readonly string[]
  run: () => void
}
export type Palette = { finders: readonly Finder[]; actions: readonly PaletteAction[] }

export type ShellProps = {
  pages: readonly ShellPage[]
  homePath: string
  /** What of the pages the account's menu shows. */
  menu: readonly MenuItem[]
  favourites: Favourites
  /** By the menu entry's key. */
  menuIcons: Readonly<Record<string, ReactNode>>
  /** How much waits behind entries of the menu, by path. */
  waiting: Readonly<Record<string, number>>
  /** Beside the name of the page at this path. */
  helpOf: (path: string) => ReactNode
  /** Right side of the header, before the theme and the account. */
  tools: ReactNode
  loadPalette: () => Promise<Palette>
  onNear: (path: string) => void
  /** Pages that the account's menu leads to. */
  accountPages: readonly ShellPage[]
  /** What a phone's bar leads to. */
  places: readonly PhonePlace[]
  /** The balance, as one's own sheet shows it. */
  balance: ReactNode
  onSignOut: () => void
  /** Back from another's account to one's own. */
  onEndView: () => void
  /** What comes in while one works. */
  notices: ReactNode
  children: ReactNode
}

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
