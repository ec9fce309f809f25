import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { SETTLE_REFUSALS } from '#features/shops/messages/rules.ts'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { api } from '#web/client/api.ts'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { messageDesk } from './contract.ts'
import type { SentRow } from './messageCells.tsx'
import SettleDialog from './SettleDialog.tsx'

const messageDeskApi = api<typeof messageDesk>('messageDesk')

/** A message about which nobody could tell, over the inbox: what became of it is said there. */
export default function InboxDesk({ item: { id, title }, onClose }: InboxDeskProps) {
  const found = useQuery(messageDeskApi.abnormal.query({ messageId: String(id), status: 'unknown' }))
  // Once it is settled it is no longer found; the dialog ends by itself.
  const row = useRef<SentRow | undefined>(undefined)
  row.current ??= found.data?.rows[0]
  if (row.current) return <SettleDialog row={row.current} onClose={onClose} />
  return (
    <Dialog title={title} width={480} onClose={onClose} footer={<CloseButton>关闭</CloseButton>}>
      {found.isError ? (
        <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <DialogText>{SETTLE_REFUSALS.NOT_UNKNOWN}</DialogText>
      ) : (
        <LoadingLines lines={4} />
      )}
    </Dialog>
  )
}
