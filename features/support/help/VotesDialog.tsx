import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { PageSteps } from '#web/list/PageSteps.tsx'
import styles from './help.module.css'
import { helpApi } from './helpApi.tsx'
import { HELP_LIMITS } from './rules.ts'

const SIZE = HELP_LIMITS.votes

/** Who found an article useful or not, the latest first. */
export default function VotesDialog(props: { id: number; title: string; onClose: () => void }) {
  const { id, title, onClose } = props
  const [page, setPage] = useState(1)
  const votes = useQuery({
    ...helpApi.votes.query({ id, page, size: SIZE }),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog title={`评价：${title}`} width={560} onClose={onClose}>
      <DialogText>
        {votes.isError ? (
          <LoadFailure error={votes.error} onRetry={() => void votes.refetch()} />
        ) : !votes.data ? (
          <LoadingLines lines={4} />
        ) : votes.data.total === 0 ? (
          <p className={look.quiet}>还没有人评价</p>
        ) : (
          <>
            <ul className={styles.votes}>
              {votes.data.rows.map(vote => (
                <li key={vote.accountId}>
                  <span>
                    <StatusTag tone={vote.useful ? 'done' : 'attention'}>
                      {vote.useful ? '有用' : '没用'}
                    </StatusTag>{' '}
                    {vote.companyName} · {vote.accountName} ·{' '}
                    <span className={look.quiet}>
                      <Instant at={vote.votedAt} />
                    </span>
                  </span>
                  {vote.comment !== '' && <p>{vote.comment}</p>}
                </li>
              ))}
            </ul>
            <PageSteps
              page={page}
              total={votes.data.total}
              size={SIZE}
              onPage={setPage}
              label="评价分页"
              className={styles.votePages}
            />
          </>
        )}
      </DialogText>
    </Dialog>
  )
}
