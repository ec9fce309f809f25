import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './CountButton.module.css'

const SHOWN_MOST = 99

type Props = {
  /** What it opens, with the number in words: the badge is only to be looked at. */
  label: string
  icon: ReactNode
  /** Shown on the icon; nothing at 0. */
  count: number
  /** Red for what is overdue; the accent for what only happens. */
  tone?: 'danger' | 'accent'
  onClick: () => void
}

/** An icon of the top bar that says how much waits behind it. */
export function CountButton({ label, icon, count, tone = 'danger', onClick }: Props) {
  return (
    <Button
      kind="quiet"
      className={styles.button}
      aria-label={label}
      aria-haspopup="dialog"
      tip={label}
      icon={
        <>
          {icon}
          {count > 0 && (
            <span className={styles.badge} data-tone={tone} aria-hidden="true">
              {count > SHOWN_MOST ? `${SHOWN_MOST}+` : count}
            </span>
          )}
        </>
      }
      onClick={onClick}
    />
  )
}
