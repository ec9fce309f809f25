import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { IconDown, IconGroup, IconSearch } from '../icons.tsx'
import { look } from '../look.ts'
import type { MenuItem } from '../session.ts'
import styles from './SideMenu.module.css'

type Props = {
  items: readonly MenuItem[]
  icons: Readonly<Record<string, ReactNode>>
  /** Path of the marked entry. */
  current: string
  folded: boolean
  shown: boolean
  onUnfold: () => void
  onClose: () => void
  onNear: (path: string) => void
}

/** The menu from the account's role: folds to icons, searches its entries, a drawer on a phone. */
export function SideMenu(props: Props) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const items = wanted === '' ? props.items : filterMenu(props.items, wanted)
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
          <Brand />
          <span>合作伙伴后台</span>
        </div>
        {props.folded ? (
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
        <ul className={styles.sideList}>
          {items.map(item => (
            <Entry key={item.key} item={item} {...props} unfoldAll={wanted !== ''} />
          ))}
          {items.length === 0 && <li className={styles.sideNone}>没有匹配的菜单</li>}
        </ul>
      </nav>
    </>
  )
}

function Entry({ item, unfoldAll, ...props }: Props & { item: MenuItem; unfoldAll: boolean }) {
  const [open, setOpen] = useState(true)
  const icon = props.icons[item.key] ?? <IconGroup />
  if (item.children.length === 0)
    return (
      <li>
        <EntryLink item={item} icon={icon} {...props} />
      </li>
    )
  const holdsCurrent = item.children.some(child => child.path === props.current)
  const shown = !props.folded && (open || unfoldAll)
  return (
    <li>
      <button
        type="button"
        className={styles.sideEntry}
        aria-expanded={shown}
        data-tip={props.folded ? item.name : undefined}
        data-tip-at="end"
        aria-label={props.folded ? item.name : undefined}
        data-holds={(holdsCurrent && !shown) || undefined}
        onClick={props.folded ? props.onUnfold : () => setOpen(!open)}
      >
        {icon}
        <span>{item.name}</span>
        <IconDown className={styles.sideArrow} />
      </button>
      {shown && (
        <ul>
          {item.children.map(child => (
            <li key={child.key}>
              <EntryLink item={child} {...props} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function EntryLink({ item, icon, current, folded, onNear }: Props & { item: MenuItem; icon?: ReactNode }) {
  return (
    <Link
      to={item.path}
      // By itself the router marks an entry for every address that begins with its own.
      activeOptions={{ exact: true }}
      className={styles.sideEntry}
      data-child={icon === undefined || undefined}
      aria-current={item.path === current ? 'page' : undefined}
      aria-label={folded ? item.name : undefined}
      data-tip={folded ? item.name : undefined}
      data-tip-at="end"
      onPointerEnter={() => onNear(item.path)}
      onFocus={() => onNear(item.path)}
    >
      {icon}
      <span>{item.name}</span>
    </Link>
  )
}

/** Entries whose name holds the text, with the groups that lead to them. */
function filterMenu(items: readonly MenuItem[], text: string): MenuItem[] {
  return items.flatMap(item => {
    if (item.name.toLowerCase().includes(text)) return [item]
    const children = filterMenu(item.children, text)
    return children.length > 0 ? [{ ...item, children }] : []
  })
}

export function Brand() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent-fill)" />
      <path
        d="M7 17V7h5.2a3.4 3.4 0 0 1 0 6.8H10"
        fill="none"
        stroke="var(--on-fill)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
