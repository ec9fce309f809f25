import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import ThreadDrawer from './ThreadDrawer.tsx'

/** A thread over the inbox, answered there. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <ThreadDrawer id={id} onClose={onClose} />
}
