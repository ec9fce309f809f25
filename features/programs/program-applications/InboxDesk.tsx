import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import ApplicationDrawer from './ApplicationDrawer.tsx'

/** An application over the inbox: decided, or read before it is mended. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <ApplicationDrawer id={id} onClose={onClose} />
}
