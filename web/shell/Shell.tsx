import { useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { DemoNote } from '../DemoNote.tsx'
import { useSession } from '../session.ts'
import { usePhone } from '../usePhone.ts'
import { PageTabs } from './PageTabs.tsx'
import styles from './Shell.module.css'
import { ShellHeader } from './ShellHeader.tsx'
import { SideMenu } from './SideMenu.tsx'
import { Watermark } from './Watermark.tsx'

const CommandPalette = lazy(() => import('./CommandPalette.tsx'))

export type ShellPage = {
  path: string
  title: string
  words?: readonly string[]
  group?: string /** Path of the page it is reached from. */
  under?: string
}

/** What the palette searches besides pages. */
export type Finder = { name: string; hint: string; ask: (text: string) => Promise<FoundThing[]> }
export type FoundThing = { key: string; label: string; hint: string; href: string }

export type ShellProps = {
  pages: readonly ShellPage[]
  homePath: string
  /** By the menu entry's key. */
  menuIcons: Readonly<Record<string, ReactNode>>
  /** Right side of the header, before the theme and the account. */
  tools: ReactNode
  /** Null when the account may find nothing. */
  find: Finder | null
  onNear: (path: string) => void
  /** Pages that the account's menu leads to. */
  accountPages: readonly ShellPage[]
  onSignOut: () => void
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
  const current = props.pages.find(page => page.path === pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer.
  useEffect(() => setDrawer(false), [pathname])
  usePaletteKey(() => setPalette(open => !open))
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
      <a className={styles.skip} href="#main">
        跳到主要内容
      </a>
      {session.demo && <DemoNote />}
      <SideMenu
        items={session.menu}
        icons={props.menuIcons}
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
      <Watermark text={`${session.name} ${session.phoneLastFour}`} />
      {palette && (
        <Suspense>
          <CommandPalette
            menu={session.menu}
            pages={props.pages}
            find={props.find}
            onClose={() => setPalette(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      toggle()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [toggle])
}
