// What the undo of a later feature adds to the lists of orders.

import type { ReactNode } from 'react'
import type { RowAction } from '#web/list/list-props.ts'
import { slot } from '#web/slot.ts'

export type Undoable = { orderNo: string; undo: { refusal: string | null } | null }
export type Undo = { rowActions: ((row: Undoable) => RowAction[]) | undefined; dialog: ReactNode }

/** The undo of a list's orders. */
export const useUndo = slot(
  (_kind: 'version' | 'service' | 'sms'): Undo => ({ rowActions: undefined, dialog: null }),
)

type BatchUndo = { batchNo: string; onDone: () => void; onClose: () => void }

/** The undo of a whole bulk renewal, as a dialog. */
export const BatchUndoDialog = slot((_: BatchUndo): ReactNode => null)
