import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { usePageSearch } from '#web/client/navigation.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { type ClearingRow, clearingApi } from './clearingApi.tsx'
import { CLEARINGS } from './fields.ts'

const ClearingDrawer = lazy(() => import('./ClearingDrawer.tsx'))

/** All clearings, the latest first. `?id=` in its address opens one over the list. */
export default function ClearingsPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/tool/clearings'>()
  const open = (id: number | undefined) => ask({ id })
  const opened = Number(asked)
  return (
    <>
      <List
        of={CLEARINGS}
        from={clearingApi.list}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        onOpen={(row: ClearingRow) => open(row.id)}
        rowActions={(row: ClearingRow) => [
          {
            key: 'open',
            label: row.state === 'waiting' ? '审批' : '查看',
            reads: true,
            onClick: () => open(row.id),
          },
        ]}
        actionsWidth={72}
      />
      {Number.isSafeInteger(opened) && opened > 0 && (
        <Suspense>
          <ClearingDrawer key={opened} id={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}
