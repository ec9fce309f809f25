import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import AcquirerDrawer from './AcquirerDrawer.tsx'

/** A shop at an acquirer over the inbox: decided, brought there, handed over, or mended. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <AcquirerDrawer id={id} onClose={onClose} />
}
