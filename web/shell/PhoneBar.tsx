import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, useState } from 'react'
import { countText, Dot } from '../controls/DotButton.tsx'
import { IconUser } from '../controls/icons.tsx'
import { Suspense } from '../controls/Suspense.tsx'
import type { OwnProps } from './OwnSheet.tsx'
import styles from './PhoneBar.module.css'

const OwnSheet = lazy(() => import('./OwnSheet.tsx'))

export type PhonePlace = {
  path: string
  name: string
  icon: ReactNode
  count?: number
  /** What is counted: 条未读. */
  counted?: string
  /** The number stands at it; elsewhere a dot says that there is something. */
  showsCount?: true
}

type Props = Omit<OwnProps, 'onClose'> & {
  places: readonly PhonePlace[]
  /** Path of the marked place. */
  current: string
  onNear: (path: string) => void
}

/** What one goes to most on a phone, at the thumb; the last is what is one's own. */
export function PhoneBar({ places, current, onNear, ...own }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <nav className={styles.bar} aria-label="常用">
      {places.map(({ path, name, icon, count = 0, counted = '', showsCount }) => (
        <Link
          key={path}
          to={path}
          activeOptions={{ exact: true }}
          className={styles.place}
          aria-current={path === current ? 'page' : undefined}
          aria-label={count > 0 ? `${name}，${countText(count)} ${counted}` : undefined}
          onPointerDown={() => onNear(path)}
        >
          {icon}
          <span>{name}</span>
          {count > 0 && (showsCount ? <Count of={count} /> : <Dot />)}
        </Link>
      ))}
      <button
        type="button"
        className={styles.place}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <IconUser size={20} />
        <span>我的</span>
      </button>
      {open && (
        <Suspense>
          <OwnSheet {...own} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </nav>
  )
}

const Count = ({ of }: { of: number }) => (
  <b className={styles.count} aria-hidden="true">
    {countText(of)}
  </b>
)
