import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import './CountButton.css'

const SHOWN_MOST = 99

type Props = {
  /** What it opens, with the number in words: the badge is only to be looked at. */
  label: string
  icon: ReactNode
  /** Shown on the icon; nothing at 0. */
  count: number
  onClick: () => void
}

/** An icon of the top bar that opens a dialog and says how much waits in it. */
export function CountButton({ label, icon, count, onClick }: Props) {
  return (
    <Button
      kind="quiet"
      className="top-icon"
      aria-label={label}
      aria-haspopup="dialog"
      tip={label}
      icon={
        <>
          {icon}
          {count > 0 && (
            <span className="count-badge" aria-hidden="true">
              {count > SHOWN_MOST ? `${SHOWN_MOST}+` : count}
            </span>
          )}
        </>
      }
      onClick={onClick}
    />
  )
}
