import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { IconClose } from '../icons.tsx'
import styles from './PageTabs.module.css'
import type { ShellPage } from './Shell.tsx'

type Tab = { path: string; href: string }

const KEY = 'page-tabs'
const MOST = 10

/** The open pages. A tab keeps the page's address, which holds a list's whole state, so going back restores it. */
export function PageTabs({ pages, homePath }: { pages: readonly ShellPage[]; homePath: string }) {
  const { pathname, searchStr } = useLocation()
  const navigate = useNavigate()
  const router = useRouter()
  const [stored, setStored] = useState(readTabs)
  const strip = useRef<HTMLUListElement>(null)
  const known = pages.some(page => page.path === pathname)
  const tabs = known ? withTab(stored, { path: pathname, href: pathname + searchStr }) : stored
  useEffect(() => {
    if (JSON.stringify(tabs) === JSON.stringify(stored)) return
    setStored(tabs)
    sessionStorage.setItem(KEY, JSON.stringify(tabs))
  }, [tabs, stored])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page moves its tab into view.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  const close = async (closed: Tab) => {
    const at = tabs.indexOf(closed)
    const left = tabs.filter(tab => tab !== closed)
    const neighbour = left[Math.min(at, left.length - 1)]
    if (closed.path === pathname) {
      await navigate({ href: neighbour?.href ?? homePath } as never)
      // A page with unsaved input may have kept the person there.
      if (router.state.location.pathname === closed.path) return
    }
    setStored(left)
    sessionStorage.setItem(KEY, JSON.stringify(left))
  }
  return (
    <nav className={styles.tabs} aria-label="打开的页面">
      <ul ref={strip}>
        {tabs.map(tab => {
          const title = pages.find(page => page.path === tab.path)?.title ?? tab.path
          const isCurrent = tab.path === pathname
          return (
            <li key={tab.path} data-current={isCurrent || undefined}>
              <a
                href={tab.href}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={event => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  event.preventDefault()
                  if (!isCurrent) void navigate({ href: tab.href } as never)
                }}
                onAuxClick={event => {
                  if (event.button !== 1) return
                  event.preventDefault()
                  void close(tab)
                }}
              >
                {title}
              </a>
              {(tabs.length > 1 || tab.path !== homePath) && (
                <button type="button" aria-label={`关闭 ${title}`} onClick={() => void close(tab)}>
                  <IconClose />
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function withTab(tabs: readonly Tab[], opened: Tab): Tab[] {
  const known = tabs.find(tab => tab.path === opened.path)
  if (known) return tabs.map(tab => (tab === known && tab.href !== opened.href ? opened : tab))
  return [...tabs, opened].slice(-MOST)
}

function readTabs(): Tab[] {
  const stored = sessionStorage.getItem(KEY)
  return stored === null ? [] : (JSON.parse(stored) as Tab[])
}
