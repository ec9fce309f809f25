import { useQuery } from '@tanstack/react-query'
import { Link } from '#web/controls/Link.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { cappedText } from '#web/list/Counts.tsx'
import styles from './progress.module.css'
import { progressApi } from './progressApi.tsx'
import { TURNS, WAITING_TURNS } from './rules.ts'

/** How many wait for whom, and how many longer than promised; each leads to its rows. */
export default function ProgressFigures() {
  const counts = useQuery(progressApi.counts.query())
  if (counts.isError && !counts.data)
    return <LoadFailure error={counts.error} onRetry={() => void counts.refetch()} />
  if (!counts.data) return <LoadingLines lines={2} />
  const { overdue, ...turns } = counts.data
  return (
    <dl className={styles.figures}>
      {WAITING_TURNS.map(turn => (
        <Figure
          key={turn}
          label={TURNS[turn]}
          value={
            <Link to="/admin/merchant/progress" search={{ turn }}>
              {cappedText(turns[turn])}
            </Link>
          }
        />
      ))}
      <Figure
        label="已超时"
        tone={overdue > 0 ? 'problem' : undefined}
        value={
          <Link to="/admin/merchant/progress" search={{ overdue: true }}>
            {cappedText(overdue)}
          </Link>
        }
      />
    </dl>
  )
}
