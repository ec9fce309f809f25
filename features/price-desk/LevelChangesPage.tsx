import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { AGENT_OPTIONS } from '#features/agents/AgentOptions.tsx'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { List } from '#web/list/List.tsx'
import { reread } from '#web/reread.ts'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { priceDesk } from './contract.ts'
import { LEVEL_CHANGES } from './fields.ts'
import { LEVEL_REFUSALS } from './rules.ts'

const priceDeskApi = api<typeof priceDesk>('priceDesk')
const LevelChangeDialog = lazy(() => import('./LevelChangeDialog.tsx'))

type Row = Out<typeof priceDesk.levelChanges>['rows'][number]

/** Which levels agents had, have and will have. */
export default function LevelChangesPage() {
  const maySet = usePermission('priceDesk.setLevel')
  const [changing, setChanging] = useState(false)
  const withdrawing = useMutation({
    mutationFn: ({ id }: Row) => priceDeskApi.withdrawLevel({ id }),
    onSuccess: () => toast.success('已撤回'),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const withdraw = async (row: Row) => {
    const text = `${row.agentName} 自 ${formatInstant(row.startsAt)} 起不再变更为${row.levelName}。`
    if (await confirm({ title: '撤回这次等级变更？', text, confirmText: '撤回', danger: true }))
      withdrawing.mutate(row)
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
        rowActions={
          maySet
            ? row => [
                {
                  key: 'withdraw',
                  label: '撤回',
                  danger: true,
                  disabled:
                    row.levelState === 'coming'
                      ? undefined
                      : row.levelState === 'withdrawn'
                        ? LEVEL_REFUSALS.IS_WITHDRAWN
                        : LEVEL_REFUSALS.HAS_BEGUN,
                  onClick: () => void withdraw(row),
                },
              ]
            : undefined
        }
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
