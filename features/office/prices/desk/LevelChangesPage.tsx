import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { priceDesk } from './contract.ts'
import { LEVEL_CHANGES } from './fields.ts'
import { useWithdraw, withdrawAction } from './useWithdraw.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')
const LevelChangeDialog = lazy(() => import('./LevelChangeDialog.tsx'))

type Row = Out<typeof priceDesk.levelChanges>['rows'][number]

/** Which levels agents had, have and will have. */
export default function LevelChangesPage() {
  const maySet = usePermission('priceDesk.setLevel')
  const [changing, setChanging] = useState(false)
  const withdraw = useWithdraw(priceDeskApi.withdrawLevel)
  const ask = (row: Row) => {
    const text = `${row.agentName} 自 ${formatInstant(row.startsAt)} 起不再变更为${row.levelName}。`
    void withdraw(row, { title: '撤回这次等级变更？', text })
  }
  const change = maySet && (
    <Button kind="primary" onClick={() => setChanging(true)}>
      变更等级
    </Button>
  )
  return (
    <>
      <List
        of={LEVEL_CHANGES}
        from={priceDeskApi.levelChanges}
        options={{ agentId: AGENT_OPTIONS }}
        main={change}
        emptyAction={change || undefined}
        rowActions={maySet ? row => [withdrawAction(row.levelState, () => ask(row))] : undefined}
        actionsWidth={80}
      />
      {changing && (
        <Suspense>
          <LevelChangeDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  )
}
