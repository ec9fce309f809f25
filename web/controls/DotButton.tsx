import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './DotButton.module.css'

const SHOWN_MOST = 99

export function countText(count: number): string {
  return count > SHOWN_MOST ? `${SHOWN_MOST}+` : String(count)
}

/** At an icon's corner: something waits behind it. Only to be looked at: what it marks says in words how much. */
export function Dot() {
  return <span className={styles.dot} aria-hidden="true" />
}

type Props = {
  /** What it opens, with how much waits in words. */
  label: string
  icon: ReactNode
  /** Whether anything waits. */
  marked: boolean
  onClick: () => void
}

/** An icon of the top bar that has a dot while something waits behind it; what is counted stands in the menu alone (待办). */
export function DotButton({ label, icon, marked, onClick }: Props) {
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
          {marked && <Dot />}
        </>
      }
      onClick={onClick}
    />
  )
}
