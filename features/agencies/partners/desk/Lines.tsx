import type { ReactNode } from 'react'
import type { Target } from '#kit/declare/pages.ts'
import { useMayOpen } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './partner-desk.module.css'

export type Line = {
  key: string | number
  title: ReactNode
  note?: ReactNode
  value?: ReactNode
  aside?: ReactNode
}

type Whole = Target & { text: string }

type Props = {
  label: string
  /** The list that these are the first of. */
  whole?: Whole
  query: { isError: boolean; error: unknown; refetch: () => unknown }
  /** Absent while they are asked for. */
  lines: readonly Line[] | undefined
  empty: string
  /** What stands beside the heading. */
  action?: ReactNode
  more?: ReactNode
}

/** The first rows of something about a partner, a line each, and the way to all of them. */
export function Lines({ label, whole, query, lines, empty, action, more }: Props) {
  return (
    <section className={styles.section} aria-label={label}>
      <div className={styles.sectionHead}>
        <h2 className={look.sectionTitle}>{label}</h2>
        {action}
        {whole && <AllOf {...whole} />}
      </div>
      {query.isError ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : !lines ? (
        <LoadingLines lines={6} />
      ) : lines.length === 0 ? (
        <p className={look.quiet}>{empty}</p>
      ) : (
        <ul className={styles.lines}>
          {lines.map(line => (
            <li key={line.key}>
              <div className={styles.lineMain}>
                <div className={styles.lineTitle}>{line.title}</div>
                {line.note !== undefined && <div className={styles.lineNote}>{line.note}</div>}
              </div>
              {(line.value !== undefined || line.aside !== undefined) && (
                <div className={styles.lineSide}>
                  <div>{line.value}</div>
                  {line.aside !== undefined && <div className={styles.lineNote}>{line.aside}</div>}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {more}
    </section>
  )
}

/** Leads to the whole list, filtered; nothing for who may not see it. */
export function AllOf({ path, search, text }: Whole) {
  const mayOpen = useMayOpen(path)
  if (!mayOpen) return null
  return (
    <Link className={styles.all} to={path} search={search}>
      {text}
    </Link>
  )
}
