import { lazy } from 'react'
import { BatchUndoDialog, useUndo } from '#features/sales/orders/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { useOrderUndo } from './useUndo.tsx'

const UndoDialog = lazy(() => import('./UndoDialog.tsx'))

export function fillSlots(): void {
  useUndo.fill(useOrderUndo)
  BatchUndoDialog.fill(({ batchNo, ...rest }) => (
    <Suspense>
      <UndoDialog kind="batch" orderNo={batchNo} {...rest} />
    </Suspense>
  ))
}
