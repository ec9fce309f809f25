import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './HomePage.module.css'

type Props = {
  /** Left out where the part has a heading of its own. */
  title?: string
  permission: string
  /** Names the room that is kept for it while it loads. */
  className?: string | undefined
  /** Beside the title: where the whole list is. */
  more?: ReactNode
  children: ReactNode
}

/** One part of the start page: only for whom it is meant, and failing alone. */
export function HomePart({ title, permission, className, more, children }: Props) {
  return (
    <Permit permission={permission}>
      <Framed title={title} className={className} more={more}>
        <CatchBoundary
          getResetKey={() => permission}
          errorComponent={({ error, reset }) => <LoadFailure error={error} onRetry={reset} />}
        >
          <Suspense fallback={<LoadingLines lines={3} />}>{children}</Suspense>
        </CatchBoundary>
      </Framed>
    </Permit>
  )
}

function Framed({ title, className, more, children }: Omit<Props, 'permission'>) {
  const id = useId()
  if (title === undefined) return <div className={`${styles.homePart} ${className ?? ''}`}>{children}</div>
  return (
    <section className={`${styles.homePart} ${className ?? ''}`} aria-labelledby={id}>
      <header>
        <h2 id={id} className={look.sectionTitle}>
          {title}
        </h2>
        {more}
      </header>
      {children}
    </section>
  )
}
