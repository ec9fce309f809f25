import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { api } from '#web/client/api.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import AnswerDialog from './AnswerDialog.tsx'
import type { FeedbackRow, feedback } from './contract.ts'

const feedbackApi = api<typeof feedback>('feedback')

/** A feedback over the inbox, answered there. */
export default function InboxDesk({ item: { id, title }, onClose }: InboxDeskProps) {
  const asked = useQuery(feedbackApi.details.query({ id }))
  // As it was opened: what is typed stays while it is read again.
  const row = useRef<FeedbackRow | undefined>(undefined)
  row.current ??= asked.data
  if (row.current) return <AnswerDialog row={row.current} onClose={onClose} />
  return (
    <Dialog title={title} width={480} onClose={onClose} footer={<CloseButton>关闭</CloseButton>}>
      {asked.isError ? (
        <LoadFailure error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <LoadingLines lines={4} />
      )}
    </Dialog>
  )
}
