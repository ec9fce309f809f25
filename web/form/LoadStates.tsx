import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '../client/api.ts'
import { Button } from '../controls/Button.tsx'
import styles from './LoadStates.module.css'

const SKELETON_AFTER_MS = 200
const LINES = Array.from({ length: 12 }, (_, line) => line)

/** Why something could not be loaded, and a way to try again. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={styles.loadFailure} role="alert">
      <p>{messageOf(error)}</p>
      <Button onClick={onRetry}>重试</Button>
    </div>
  )
}

/** Grey lines where text will be, only when it takes longer than a blink. */
export function LoadingLines({ lines = 8 }: { lines?: number }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.loadingLines} role="status" aria-label="加载中">
      {shown && LINES.slice(0, lines).map(line => <span key={line} />)}
    </div>
  )
}

type EmptyProps = {
  title: string
  /** `alert` where something went wrong. */
  role?: 'alert'
  /** Why, and what to do next. */
  children?: ReactNode
}

/** Stands where there is nothing to show. */
export function EmptyState({ title, role, children }: EmptyProps) {
  return (
    <div className={styles.emptyState} role={role}>
      <p className={styles.emptyTitle}>{title}</p>
      {children}
    </div>
  )
}
