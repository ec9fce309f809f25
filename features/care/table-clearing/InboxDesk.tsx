import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import ClearingDrawer from './ClearingDrawer.tsx'

/** A request to empty a table over the inbox. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <ClearingDrawer id={id} onClose={onClose} />
}
