import { lazy, useState } from 'react'
import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { settlement } from './contract.ts'
import { UNDO_REQUESTS } from './fields.ts'
import { refuseDecider, SETTLEMENT_REFUSALS } from './rules.ts'
import styles from './settlement.module.css'

const settlementApi = api<typeof settlement>('settlement')
const UndoDecisionDialog = lazy(() => import('./UndoDecisionDialog.tsx'))
const UndoSettingsDialog = lazy(() => import('./UndoSettingsDialog.tsx'))

/** Requests to undo: an agent sees its own and what came of them, whoever may approve decides here. */
export function UndoRequests() {
  const session = useSession()
  const order = useOpenOrder()
  const mayApprove = usePermission('settlement.approve')
  const maySet = usePermission('settlement.settings')
  const navigate = useNavigate()
  const [decided, setDecided] = useState<number | null>(null)
  const [setting, setSetting] = useState(false)
  return (
    <>
      <List
        of={UNDO_REQUESTS}
        from={settlementApi.undoRequests}
        cells={DOCUMENT_CELLS}
        onOpen={row => order.open(row.orderNo)}
        main={
          <div className={styles.undoMain}>
            <Button onClick={() => void navigate({ to: '/admin/detail/billingDetails' })}>
              返回账单明细
            </Button>
            {maySet && (
              <Button changes onClick={() => setSetting(true)}>
                撤销审批设置
              </Button>
            )}
          </div>
        }
        actionsWidth={72}
        rowActions={
          mayApprove
            ? row => {
                const code = refuseDecider(row, session.accountId, new Date().toISOString())
                return [
                  {
                    key: 'decide',
                    label: '审批',
                    disabled: code && SETTLEMENT_REFUSALS[code],
                    onClick: () => setDecided(row.id),
                  },
                ]
              }
            : undefined
        }
      />
      <Suspense>
        {decided !== null && <UndoDecisionDialog id={decided} onClose={() => setDecided(null)} />}
        {setting && <UndoSettingsDialog onClose={() => setSetting(false)} />}
      </Suspense>
    </>
  )
}
