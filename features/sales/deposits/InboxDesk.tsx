import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import DepositDrawer from './DepositDrawer.tsx'

/** The deposit of a request over the inbox: decided, or paid out by hand. */
export default function InboxDesk({ item: { about }, onClose }: InboxDeskProps) {
  return <DepositDrawer id={Number(about)} onClose={onClose} />
}
