import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import OwnerPapersDrawer from './OwnerPapersDrawer.tsx'

/** What an owner handed in, over the inbox: taken over or sent back. */
export default function InboxDesk({ item: { merchantId }, onClose }: InboxDeskProps) {
  return <OwnerPapersDrawer merchantId={merchantId ?? 0} onClose={onClose} />
}
