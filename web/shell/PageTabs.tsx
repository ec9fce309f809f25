import { useLocation, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { pageAt } from '#kit/declare/pages.ts'
import { useNavigate } from '../client/navigation.ts'
import { useOpenable } from '../client/session.ts'
import { buttonLook } from '../controls/Button.tsx'
import { IconClose, IconDown } from '../controls/icons.tsx'
import { Menu } from '../controls/Menu.tsx'
import { roving } from '../keys/roving.ts'
import styles from './PageTabs.module.css'
import type { ShellPage } from './shell-props.ts'
import { useTabNames } from './tab-name.ts'

type Tab = { path: string; href: string }

const KEY = 'page-tabs'
/** Besides the start page, which stays. */
const MOST = 10

/**
 * The open pages. A tab keeps the page's address, which holds a list's whole state, so going back restores it. A page that the account
 * may not open has none.
 */
export function PageTabs({ pages, homePath }: { pages: readonly ShellPage[]; homePath: string }) {
  const { pathname, searchStr } = useLocation()
  const navigate = useNavigate()
  const router = useRouter()
  const names = useTabNames()
  const [stored, setStored] = useState(readTabs)
  const strip = useRef<HTMLUListElement>(null)
  const mayOpen = useOpenable()
  const kept = stored.filter(({ path }) => mayOpen(path))
  const tabs = withHome(
    mayOpen(pathname) ? withTab(kept, { path: pathname, href: pathname + searchStr }, homePath) : kept,
    homePath,
  )
  const isHiding = useOverflow(strip, tabs.length)
  useEffect(() => {
    if (JSON.stringify(tabs) === JSON.stringify(stored)) return
    setStored(tabs)
    sessionStorage.setItem(KEY, JSON.stringify(tabs))
  }, [tabs, stored])
  const titleOf = ({ path }: Tab) => {
    const title = pageAt(pages, path)?.title ?? path
    return names[path] ? `${title} · ${names[path]}` : title
  }
  const current = tabs.find(({ path }) => path === pathname)
  const currentTitle = current && titleOf(current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, or its longer name, moves its tab into view.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname, currentTitle])
  const open = (tab: Tab) => void navigate({ href: tab.href })
  const keep = (left: Tab[]) => {
    setStored(left)
    sessionStorage.setItem(KEY, JSON.stringify(left))
  }
  const close = async (closed: Tab) => {
    const at = tabs.indexOf(closed)
    const left = tabs.filter(tab => tab !== closed)
    const neighbour = left[Math.min(at, left.length - 1)]
    if (closed.path === pathname) {
      await navigate({ href: neighbour?.href ?? homePath })
      // A page with unsaved input may have kept the person there.
      if (router.state.location.pathname === closed.path) return
    }
    keep(left)
  }
  return (
    <nav {...roving} className={styles.tabs} aria-label="打开的页面">
      <ul ref={strip}>
        {tabs.map(tab => {
          const title = titleOf(tab)
          const isCurrent = tab === current
          const isHome = tab.path === homePath
          return (
            <li key={tab.path} data-current={isCurrent || undefined} data-home={isHome || undefined}>
              <a
                href={tab.href}
                title={title}
                aria-current={isCurrent ? 'page' : undefined}
                aria-keyshortcuts={isHome ? undefined : 'Delete'}
                onKeyDown={({ key, currentTarget }) => {
                  if (key !== 'Delete' || isHome) return
                  besideOf(currentTarget)?.focus()
                  void close(tab)
                }}
                onClick={event => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  event.preventDefault()
                  if (!isCurrent) open(tab)
                }}
                onAuxClick={event => {
                  if (event.button !== 1) return
                  event.preventDefault()
                  if (!isHome) void close(tab)
                }}
              >
                {title}
              </a>
              {!isHome && (
                <button
                  type="button"
                  tabIndex={-1}
                  data-aside
                  aria-label={`关闭 ${title}`}
                  onClick={() => void close(tab)}
                >
                  <IconClose />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {isHiding && (
        <Menu
          label="全部标签"
          className={`${buttonLook('quiet')} ${styles.more}`}
          button={<IconDown />}
          align="end"
          items={[
            ...tabs.map(tab => ({
              key: tab.path,
              label: titleOf(tab),
              checked: tab === current,
              onClick: () => open(tab),
            })),
            {
              key: 'close',
              label: '关闭其他标签',
              onClick: () => keep(tabs.filter(tab => tab === current || tab.path === homePath)),
            },
          ]}
        />
      )}
    </nav>
  )
}

/** The tab that is gone to when this one is closed. */
function besideOf(tab: Element): HTMLElement | null | undefined {
  const row = tab.closest('li')
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('a')
}

/** Whether tabs lie beyond the strip's edge. */
function useOverflow(strip: RefObject<HTMLElement | null>, count: number): boolean {
  const [isHiding, setHiding] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one tab more does not change the strip's own size.
  useEffect(() => {
    const element = strip.current
    if (!element) return
    const sizes = new ResizeObserver(() => setHiding(element.scrollWidth > element.clientWidth + 1))
    for (const tab of [element, ...element.children]) sizes.observe(tab)
    return () => sizes.disconnect()
  }, [strip, count])
  return isHiding
}

function withHome(tabs: readonly Tab[], homePath: string): Tab[] {
  const home = tabs.find(({ path }) => path === homePath) ?? { path: homePath, href: homePath }
  return [home, ...tabs.filter(({ path }) => path !== homePath)]
}

function withTab(tabs: readonly Tab[], opened: Tab, homePath: string): Tab[] {
  const known = tabs.find(tab => tab.path === opened.path)
  if (known) return tabs.map(tab => (tab === known && tab.href !== opened.href ? opened : tab))
  const others = tabs.filter(({ path }) => path !== homePath)
  return [...tabs.filter(({ path }) => path === homePath), ...[...others, opened].slice(-MOST)]
}

function readTabs(): Tab[] {
  const stored = sessionStorage.getItem(KEY)
  return stored === null ? [] : (JSON.parse(stored) as Tab[])
}
