import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { FeedbackRow, feedback } from './contract.ts'
import styles from './feedback.module.css'
import { FEEDBACK_STATES } from './rules.ts'

const feedbackApi = api<typeof feedback>('feedback')
const AnswerDialog = lazy(() => import('./AnswerDialog.tsx'))

/** The five latest words of partners, for who may answer them (D1 §2). */
export default function FeedbackRecent() {
  const recent = useQuery(feedbackApi.recent.query())
  const [open, setOpen] = useState<FeedbackRow | null>(null)
  if (recent.isError)
    return (
      <div className={styles.feedbackNone} role="alert">
        <p>{messageOf(recent.error)}</p>
        <Button onClick={() => void recent.refetch()}>重试</Button>
      </div>
    )
  if (recent.isPending) return <div className={styles.feedbackWait} role="status" aria-label="加载中" />
  const { rows } = recent.data
  if (rows.length === 0) return <p className={styles.feedbackNone}>还没有代理商提交反馈</p>
  return (
    <>
      <ul className={styles.feedbackRows}>
        {rows.map(row => (
          <li key={row.id}>
            <p className={styles.feedbackWords}>{row.content}</p>
            <p className={styles.feedbackBy}>
              <span data-tip-cut>{row.agentName}</span>
              <span>{row.createdByName}</span>
              <time className={look.number} dateTime={row.createdAt}>
                {formatInstant(row.createdAt)}
              </time>
            </p>
            <div className={styles.feedbackState}>
              <StatusTag tone={row.state === 'open' ? 'attention' : 'done'}>
                {FEEDBACK_STATES[row.state]}
              </StatusTag>
              <Button
                kind="link"
                aria-label={`${row.state === 'open' ? '回复' : '查看'}反馈：${row.content.slice(0, 20)}`}
                onClick={() => setOpen(row)}
              >
                {row.state === 'open' ? '回复' : '查看'}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {open && (
        <Suspense>
          <AnswerDialog row={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
