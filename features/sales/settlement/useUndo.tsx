import { lazy, useState } from 'react'
import type { Undo, Undoable } from '#features/sales/orders/slots.tsx'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { UndoKind } from './rules.ts'

const UndoDialog = lazy(() => import('./UndoDialog.tsx'))

/**
 * The undo of a list's orders as the server tells it of each row: disabled with its reason, and absent where there is none
 * for its kind or the account may not (D3 §9).
 */
export function useOrderUndo(kind: UndoKind): Undo {
  const mayUndo = usePermission('settlement.undo')
  const [orderNo, setOrderNo] = useState<string | null>(null)
  const actionsOf = ({ orderNo, undo }: Undoable): RowAction[] =>
    undo === null
      ? []
      : [
          {
            key: 'undo',
            label: '撤销',
            danger: true,
            disabled: undo.refusal,
            onClick: () => setOrderNo(orderNo),
          },
        ]
  return {
    rowActions: mayUndo ? actionsOf : undefined,
    dialog: orderNo !== null && (
      <Suspense>
        <UndoDialog kind={kind} orderNo={orderNo} onClose={() => setOrderNo(null)} />
      </Suspense>
    ),
  }
}
