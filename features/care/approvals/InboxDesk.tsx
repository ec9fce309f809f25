import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import RequestDrawer from './RequestDrawer.tsx'
import { useDecisions } from './useDecisions.tsx'

/** A request over the inbox, decided there. */
export default function InboxDesk({ item: { id, merchantId }, onClose }: InboxDeskProps) {
  const decisions = useDecisions()
  return (
    <>
      {merchantId !== null && (
        <RequestDrawer id={id} merchantId={merchantId} decisions={decisions} onClose={onClose} />
      )}
      {decisions.dialogs}
    </>
  )
}
