import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import ReviewDrawer from './ReviewDrawer.tsx'

/** A shop's data over the inbox, decided there. */
export default function InboxDesk({ item: { merchantId }, onClose }: InboxDeskProps) {
  return merchantId === null ? null : <ReviewDrawer merchantId={merchantId} onClose={onClose} />
}
