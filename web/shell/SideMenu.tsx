import { useEffect, useRef, useState } from 'react'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { type MenuItem, useSession } from '../client/session.ts'
import { IconSearch } from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { rovingDown } from '../keys/roving.ts'
import { AgentLogo } from './AgentBrand.tsx'
import { Brand } from './Brand.tsx'
import { type Initials, isMeant, useInitials } from './is-meant.ts'
import styles from './SideMenu.module.css'
import { MenuEntry, type MenuLook } from './SideMenuEntry.tsx'
import type { Favourites, ShellPage } from './shell-props.ts'

type Props = MenuLook & {
  items: readonly MenuItem[]
  pages: readonly ShellPage[]
  favourites: Favourites
  /** Paths, the last page first. */
  recent: readonly string[]
  shown: boolean
  onUnfold: () => void
  onClose: () => void
}

const FAVOURITES = '收藏'
const RECENT = '最近访问'

/** The menu from the account's role: one group open at a time, folds to icons, searches its entries, a drawer on a phone. */
export function SideMenu(props: Props) {
  const { items, favourites, folded } = props
  const current = entryOf(items, props.current)?.path ?? props.current
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const wanted = cleanSearch(text)
  const initialsOf = useInitials(wanted !== '')
  const holder = items.find(({ children }) => children.some(({ path }) => path === current))?.key
  const groups = useOpenGroups(holder)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, or its group opened, moves its entry into view.
  useEffect(() => {
    list.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current, props.shown, folded])
  const own = (key: string, children: MenuItem[]) =>
    children.length > 0 ? [{ key, name: key, path: '', children }] : []
  const [home, ...others] = items
  const all = [
    ...(home ? [home] : []),
    ...own(FAVOURITES, pagesAt(items, favourites.paths)),
    ...others,
    ...own(RECENT, pagesAt(items, props.recent)),
  ]
  const shown = wanted === '' ? all : items.flatMap(item => withMeant(item, wanted, props.pages, initialsOf))
  const entry = (item: MenuItem) => (
    <MenuEntry
      key={item.key}
      item={item}
      look={{ ...props, current: [FAVOURITES, RECENT].includes(item.key) ? '' : current }}
      open={wanted !== '' || (groups.opened[item.key] ?? [holder, FAVOURITES].includes(item.key))}
      onOpen={open => {
        if (folded) props.onUnfold()
        groups.open(item.key, folded || open)
      }}
      starred={favourites.paths}
      onStar={path => favourites.set(toggled(favourites.paths, path))}
    />
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes the drawer too, see the menu. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the dimmed page behind the drawer. */}
      <div className={styles.sideMask} onClick={props.onClose} />
      <nav
        className={styles.side}
        aria-label="主菜单"
        hidden={!props.shown}
        onKeyDown={event => {
          if (event.key === 'Escape') props.onClose()
        }}
      >
        <div className={styles.sideBrand}>
          <OwnBrand />
        </div>
        {folded ? (
          <button
            type="button"
            className={styles.sideEntry}
            aria-label="搜索菜单"
            data-tip="搜索菜单"
            data-tip-at="end"
            onClick={props.onUnfold}
          >
            <IconSearch />
          </button>
        ) : (
          <div className={styles.sideSearch}>
            <IconSearch />
            <input
              className={look.input}
              aria-label="搜索菜单"
              placeholder="搜索菜单"
              value={text}
              onChange={event => setText(event.target.value)}
              onKeyDown={event => {
                if (event.key === 'Escape') setText('')
              }}
            />
          </div>
        )}
        <ul
          {...rovingDown}
          className={styles.sideList}
          ref={element => {
            list.current = element
            return rovingDown.ref(element)
          }}
        >
          {shown.map(entry)}
          {shown.length === 0 && <li className={styles.sideNone}>没有匹配的菜单</li>}
        </ul>
      </nav>
    </>
  )
}

/** Whose office it is: the vendor's people see the program's name. */
function OwnBrand() {
  const { companyName, logoId, isVendorStaff } = useSession()
  const name = isVendorStaff ? '合作伙伴后台' : companyName
  return (
    <>
      <i className={styles.sideSign} data-beside={logoId !== null || undefined}>
        <Brand />
      </i>
      <span className={styles.sideName} title={name} data-logo={logoId !== null || undefined}>
        {logoId !== null && <AgentLogo logoId={logoId} className={styles.sideLogo} />}
        <b>{name}</b>
      </span>
    </>
  )
}

/** What was opened and folded by hand, until one goes to a page of another group. */
function useOpenGroups(holder: string | undefined) {
  const [by, setBy] = useState<{ holder: string | undefined; opened: Record<string, boolean> }>({
    holder,
    opened: {},
  })
  const opened = by.holder === holder ? by.opened : keptOpen(by.opened)
  return {
    opened,
    open: (key: string, isOpen: boolean) => setBy({ holder, opened: { ...opened, [key]: isOpen } }),
  }
}

function keptOpen(opened: Record<string, boolean>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(opened).filter(([key]) => [FAVOURITES, RECENT].includes(key)))
}

/** The menu's pages of these paths, in their order. */
export function pagesAt(items: readonly MenuItem[], paths: readonly string[]): MenuItem[] {
  const pages = leavesOf(items)
  return paths.flatMap(path => pages.find(page => page.path === path) ?? [])
}

const leavesOf = (items: readonly MenuItem[]): readonly MenuItem[] =>
  items.flatMap(item => (item.children.length > 0 ? leavesOf(item.children) : [item]))

/** The entry that the page at this path shares with others. */
export function entryOf(items: readonly MenuItem[], path: string): MenuItem | undefined {
  return items
    .flatMap(({ children }) => children)
    .find(({ children }) => children.some(page => page.path === path))
}

function toggled(paths: readonly string[], path: string): string[] {
  return paths.includes(path) ? paths.filter(other => other !== path) : [...paths, path]
}

/** The entry, or those in it, where it is meant by what is typed. */
function withMeant(
  item: MenuItem,
  wanted: string,
  pages: readonly ShellPage[],
  initialsOf: Initials,
): MenuItem[] {
  const meant = ({ name, path }: MenuItem) =>
    isMeant({ name, words: pages.find(page => page.path === path)?.words }, wanted, initialsOf)
  if (meant(item)) return [item]
  // A group's pages, and those behind an entry that is not meant itself.
  const children = item.children.flatMap(child => (meant(child) ? [child] : child.children.filter(meant)))
  return children.length > 0 ? [{ ...item, children }] : []
}
