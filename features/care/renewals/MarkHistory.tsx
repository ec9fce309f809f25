import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { renewals } from './contract.ts'
import { NextOn } from './deskCells.tsx'
import { MARK_TONES } from './fields.ts'
import styles from './renewals.module.css'
import { MARK_STATES } from './rules.ts'

const renewalsApi = api<typeof renewals>('renewals')

/** What was agreed with a shop so far, newest first. */
export function MarkHistory({ merchantId }: { merchantId: number }) {
  const marks = useQuery({
    ...renewalsApi.marks.query({ merchantId }),
  })
  if (marks.isError) return <LoadFailure error={marks.error} onRetry={() => void marks.refetch()} />
  if (!marks.data) return <LoadingLines lines={3} />
  if (marks.data.rows.length === 0) return <p className={look.quiet}>还没有跟进记录</p>
  return (
    <ol className={styles.markHistory}>
      {marks.data.rows.map(mark => (
        <li key={mark.id}>
          <div className={styles.markHistoryHead}>
            <StatusTag tone={MARK_TONES[mark.state]}>{MARK_STATES[mark.state]}</StatusTag>
            {mark.nextOn !== null && <NextOn day={mark.nextOn} />}
            <span className={styles.markHistoryWho}>
              {mark.createdByName} · <Instant at={mark.createdAt} />
            </span>
          </div>
          {mark.note !== '' && <p>{mark.note}</p>}
        </li>
      ))}
    </ol>
  )
}
