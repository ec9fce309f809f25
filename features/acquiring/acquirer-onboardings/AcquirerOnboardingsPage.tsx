import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { AcquirerRow } from './acquirerApi.tsx'
import { acquirerApi } from './acquirerApi.tsx'
import { ACQUIRER_ONBOARDINGS } from './fields.ts'
import { APPROVAL_STATES, CHANNEL_STATES } from './rules.ts'

const AcquirerDrawer = lazy(() => import('./AcquirerDrawer.tsx'))
const BeginDialog = lazy(() => import('./BeginDialog.tsx'))

/** D3 §3, §7: shops that are brought in to acquirers. `?id=` in its address opens one. */
export default function AcquirerOnboardingsPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/merchant/acquiring'>()
  const [params, setParams] = useListParams(ACQUIRER_ONBOARDINGS)
  const [beginning, setBeginning] = useState(false)
  const open = (id: number | undefined) => ask({ id })
  const opened = idAsked(asked)
  const mayDecide = usePermission('acquirerOnboardings.decide')
  return (
    <>
      <List
        of={ACQUIRER_ONBOARDINGS}
        from={acquirerApi.list}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        main={
          <Permit permission="acquirerOnboardings.edit">
            <Button changes kind="primary" onClick={() => setBeginning(true)}>
              新建进件
            </Button>
          </Permit>
        }
        summary={({ counts: { draft, pending, approved, rejected, ...channel }, shopsCapped }) => (
          <CountsBar>
            <Counts
              label="各审核状态的进件"
              words={APPROVAL_STATES}
              counts={{ draft, pending, approved, rejected }}
              chosen={params.approvalState}
              onChoose={approvalState => setParams({ approvalState })}
            />
            <Counts
              label="各渠道状态的进件"
              words={CHANNEL_STATES}
              counts={channel}
              chosen={params.state}
              onChoose={state => setParams({ state })}
            />
            {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
          </CountsBar>
        )}
        openKey={opened}
        onOpen={(row: AcquirerRow) => open(row.id)}
        rowActions={(row: AcquirerRow) => [
          {
            key: 'open',
            label: mayDecide && row.approvalState === 'pending' ? '审核' : '查看',
            reads: true,
            onClick: () => open(row.id),
          },
        ]}
        actionsWidth={72}
      />
      <Suspense>
        {opened !== null && <AcquirerDrawer key={opened} id={opened} onClose={() => open(undefined)} />}
        {beginning && <BeginDialog onBegun={open} onClose={() => setBeginning(false)} />}
      </Suspense>
    </>
  )
}
