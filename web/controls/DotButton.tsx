import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './CountButton.module.css'

const SHOWN_MOST = 99

export function countText(count: number): string {
  return count > SHOWN_MOST ? `${SHOWN_MOST}+` : String(count)
}

type MarkProps = {
  count: number
  /** Red for what is overdue; the accent for what only happens. */
  tone?: 'danger' | 'accent'
}

/** How much waits behind an icon, at its corner; nothing at 0. Only to be looked at: what it marks says the number in words. */
export function CountMark({ count, tone = 'danger' }: MarkProps) {
  if (count === 0) return null
  return (
    <span className={styles.mark} data-tone={tone} aria-hidden="true">
      {countText(count)}
    </span>
  )
}

type Props = {
  /** What it opens, with the number in words. */
  label: string
  icon: ReactNode
  /** Shown on the icon; nothing at 0. */
  count: number
  tone?: 'danger' | 'accent'
  onClick: () => void
}

/** An icon of the top bar that says how much waits behind it. */
export function CountButton({ label, icon, count, tone, onClick }: Props) {
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
          <CountMark count={count} {...(tone && { tone })} />
        </>
      }
      onClick={onClick}
    />
  )
}
