import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './CountButton.module.css'
import { CountMark } from './CountMark.tsx'

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
