import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import UndoDecisionDialog from './UndoDecisionDialog.tsx'

/** A request to undo over the inbox. */
export default function InboxDesk({ item: { id }, onClose }: InboxDeskProps) {
  return <UndoDecisionDialog id={id} onClose={onClose} />
}
