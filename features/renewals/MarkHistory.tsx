import { useQuery } from '@tanstack/react-query'
import { LoadFailure, LoadingLines } from '#features/merchants/LoadStates.tsx'
import { api } from '#web/api.ts'
import { Instant } from '#web/format.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import type { renewals } from './contract.ts'
import { MARK_TONES, NextOn } from './deskColumns.tsx'
import { MARK_STATES } from './rules.ts'
import './renewals.css'

const renewalsApi = api<typeof renewals>('renewals')

/** What was agreed with a shop so far, newest first. */
export function MarkHistory({ merchantId }: { merchantId: number }) {
  const marks = useQuery({
    queryKey: ['renewals', 'marks', merchantId],
    queryFn: () => renewalsApi.marks({ merchantId }),
  })
  if (marks.isError) return <LoadFailure error={marks.error} onRetry={() => void marks.refetch()} />
  if (!marks.data) return <LoadingLines lines={3} />
  if (marks.data.rows.length === 0) return <p className="quiet-text">还没有跟进记录</p>
  return (
    <ol className="mark-history">
      {marks.data.rows.map(mark => (
        <li key={mark.id}>
          <div className="mark-history-head">
            <StatusTag tone={MARK_TONES[mark.state]}>{MARK_STATES[mark.state]}</StatusTag>
            {mark.nextOn !== null && <NextOn day={mark.nextOn} />}
            <span className="mark-history-who">
              {mark.createdByName} · <Instant at={mark.createdAt} />
            </span>
          </div>
          {mark.note !== '' && <p>{mark.note}</p>}
        </li>
      ))}
    </ol>
  )
}
