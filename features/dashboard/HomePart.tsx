import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useId } from 'react'
import { LoadFailure, LoadingLines } from '#features/merchants/LoadStates.tsx'
import { Permit } from '#web/Permit.tsx'

type Props = {
  /** Left out where the part has a heading of its own. */
  title?: string
  permission: string
  /** Names the room that is kept for it while it loads. */
  className: string
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
          getResetKey={() => className}
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
  if (title === undefined) return <div className={`home-part ${className}`}>{children}</div>
  return (
    <section className={`home-part ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id} className="section-title">
          {title}
        </h2>
        {more}
      </header>
      {children}
    </section>
  )
}
