import type { ReactNode } from 'react'
import { Button } from '#web/controls/Button.tsx'
import styles from './catalogue.module.css'

type One = { id: number; name: string }
type Props = {
  label: string
  chosen: readonly One[]
  onChange: (chosen: readonly One[]) => void
  /** Their order means something. */
  ordered?: boolean
  empty: string
  /** By which more are added. */
  children: ReactNode
}

/** Several that were chosen, each to be taken out, and moved where their order means something. */
export function Chosen({ label, chosen, onChange, ordered = false, empty, children }: Props) {
  const moved = (at: number) => {
    const next = [...chosen]
    next.splice(at - 1, 0, ...next.splice(at, 1))
    onChange(next)
  }
  return (
    <div className={styles.chosen}>
      {children}
      {chosen.length === 0 ? (
        <p className={styles.none}>{empty}</p>
      ) : (
        <ul aria-label={label} className={styles.names}>
          {chosen.map((one, at) => (
            <li key={one.id}>
              <span>{one.name}</span>
              {ordered && (
                <Button
                  kind="link"
                  aria-label={`上移${one.name}`}
                  disabled={at === 0 && '已在最前'}
                  onClick={() => moved(at)}
                >
                  上移
                </Button>
              )}
              <Button
                kind="link"
                aria-label={`移除${one.name}`}
                onClick={() => onChange(chosen.filter(({ id }) => id !== one.id))}
              >
                移除
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
