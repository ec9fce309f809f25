import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import WorkOrderDrawer from './WorkOrderDrawer.tsx'

/** A work order over the inbox, taken, answered and finished there. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <WorkOrderDrawer id={id} onClose={onClose} />
}
