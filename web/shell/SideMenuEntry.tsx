import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type MenuItem, useViewOnly } from '../client/session.ts'
import { countText } from '../controls/DotButton.tsx'
import { IconDown, IconGroup, IconStar } from '../controls/icons.tsx'
import styles from './SideMenu.module.css'
import { useFlyout } from './useFlyout.ts'

export type MenuLook = {
  /** By the entry's key. */
  icons: Readonly<Record<string, ReactNode>>
  /** How much waits behind an entry, by path; nothing is said of 0. */
  waiting: Readonly<Record<string, number>>
  /** Path of the marked entry. */
  current: string
  /** To icons. */
  folded: boolean
  onNear: (path: string) => void
}

type Props = {
  item: MenuItem
  look: MenuLook
  open: boolean
  onOpen: (open: boolean) => void
  /** Paths with a star. */
  starred: readonly string[]
  onStar: (path: string) => void
}

/** A page, or a group that folds. */
export function MenuEntry({ item, look, open, onOpen, ...stars }: Props) {
  const icon = look.icons[item.key] ?? <IconGroup />
  if (item.children.length === 0)
    return (
      <li>
        <EntryLink item={item} icon={icon} look={look} />
      </li>
    )
  return <MenuGroup item={item} icon={icon} look={look} open={open} onOpen={onOpen} {...stars} />
}

function MenuGroup({ item, icon, look, open, onOpen, ...stars }: Props & { icon: ReactNode }) {
  const { folded, current } = look
  const holdsCurrent = item.children.some(child => child.path === current)
  const shown = !folded && open
  const flyout = useFlyout()
  return (
    <li onPointerEnter={flyout.enter} onPointerLeave={flyout.leave}>
      <button
        type="button"
        className={styles.sideEntry}
        aria-expanded={shown}
        onPointerMove={flyout.near}
        aria-label={folded ? item.name : undefined}
        data-holds={(holdsCurrent && !shown) || undefined}
        onClick={() => {
          flyout.close()
          onOpen(!open)
        }}
      >
        {icon}
        <span>{item.name}</span>
        <IconDown className={styles.sideArrow} />
      </button>
      {!shown && flyout.at && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a link followed by its key is a click too.
        <ul
          ref={flyout.panel}
          className={styles.sideFlyout}
          style={flyout.at}
          aria-label={item.name}
          onClick={flyout.close}
        >
          {folded && (
            <li className={styles.sideFlyoutName} aria-hidden="true">
              {item.name}
            </li>
          )}
          {item.children.map(child => (
            <li key={child.key}>
              <EntryLink item={child} look={{ ...look, folded: false }} />
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <ul>
          {item.children.map(child => (
            <li key={child.key} className={styles.sideRow}>
              <EntryLink item={child} look={look} />
              <Star item={child} {...stars} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

type LinkProps = { item: MenuItem; icon?: ReactNode; look: MenuLook }

function EntryLink({ item, icon, look: { current, folded, waiting, onNear } }: LinkProps) {
  const count = waiting[item.path] ?? 0
  const label = count > 0 ? `${item.name}，${countText(count)} 项` : item.name
  return (
    <Link
      to={item.path}
      // By itself the router marks an entry for every address that begins with its own.
      activeOptions={{ exact: true }}
      className={styles.sideEntry}
      data-child={icon === undefined || undefined}
      // The router marks what stands twice, under a star too; seen is the one in its group.
      data-current={item.path === current || undefined}
      aria-current={item.path === current ? 'page' : undefined}
      aria-label={folded ? item.name : undefined}
      aria-description={count > 0 ? `${countText(count)} 项` : undefined}
      data-tip={folded ? label : undefined}
      data-tip-at="end"
      onPointerEnter={() => onNear(item.path)}
      onFocus={() => onNear(item.path)}
    >
      {icon}
      <span>{item.name}</span>
      {count > 0 && <b className={styles.sideCount} data-count={countText(count)} aria-hidden="true" />}
    </Link>
  )
}

type StarProps = Pick<Props, 'starred' | 'onStar'> & { item: MenuItem }

function Star({ item, starred, onStar }: StarProps) {
  const isStarred = starred.includes(item.path)
  const viewOnly = useViewOnly()
  const label = `${isStarred ? '取消收藏' : '收藏'} ${item.name}`
  return (
    <button
      type="button"
      className={styles.sideStar}
      aria-label={label}
      aria-disabled={viewOnly !== null || undefined}
      data-tip={viewOnly ?? (isStarred ? '取消收藏' : '收藏')}
      data-tip-at="end"
      data-starred={isStarred || undefined}
      tabIndex={-1}
      data-aside
      onClick={() => {
        if (viewOnly === null) onStar(item.path)
      }}
    >
      <IconStar className={styles.sideStarMark} />
    </button>
  )
}
