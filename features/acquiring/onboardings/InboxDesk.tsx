import ApplicationDrawer from '#features/acquiring/payment-applications/ApplicationDrawer.tsx'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'

/** Its application over the inbox, with the code that the shop scans. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <ApplicationDrawer id={id} onClose={onClose} />
}
