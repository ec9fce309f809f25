import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { settlement } from './contract.ts'
import { SUB_AGENTS } from './fields.ts'
import { refuseReceiver, SETTLEMENT_REFUSALS } from './rules.ts'

const settlementApi = api<typeof settlement>('settlement')
const AllocateDialog = lazy(() => import('./AllocateDialog.tsx'))

type Row = Out<typeof settlement.subAgents>['rows'][number]

/** Agents below: level, balance, shops; prepaid tokens are handed down here. */
export default function SubAgentsPage() {
  const mayAllocate = usePermission('settlement.allocate')
  const [receiver, setReceiver] = useState<Row | null>(null)
  return (
    <>
      <List
        of={SUB_AGENTS}
        from={settlementApi.subAgents}
        actionsWidth={80}
        rowActions={
          mayAllocate
            ? row => {
                const code = refuseReceiver(row)
                return [
                  {
                    key: 'allocate',
                    label: '划拨',
                    disabled: code && SETTLEMENT_REFUSALS[code],
                    onClick: () => setReceiver(row),
                  },
                ]
              }
            : undefined
        }
      />
      {receiver && (
        <Suspense>
          <AllocateDialog receiver={receiver} onClose={() => setReceiver(null)} />
        </Suspense>
      )}
    </>
  )
}
