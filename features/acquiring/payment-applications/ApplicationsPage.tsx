import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { type ApplicationRow, applicationsApi } from './applicationsApi.tsx'
import { APPLICATIONS } from './fields.ts'
import { APPLICATION_STATES } from './rules.ts'
import { useArchive } from './useArchive.tsx'

const ApplicationDrawer = lazy(() => import('./ApplicationDrawer.tsx'))

/** D2 §2 18: what was handed in, decided over the list. `?id=` in its address opens one. */
export default function ApplicationsPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/schedule/payApplication'>()
  const [params, setParams] = useListParams(APPLICATIONS)
  const archive = useArchive()
  const open = (id: number | undefined) => ask({ id })
  const opened = idAsked(asked)
  const mayDecide = usePermission('paymentApplications.decide')
  return (
    <>
      <List
        of={APPLICATIONS}
        from={applicationsApi.list}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        main={
          <Permit permission="paymentApplications.edit">
            <Link className={buttonLook('primary')} to="/admin/schedule/submitPayment">
              提交支付资料
            </Link>
          </Permit>
        }
        summary={({ counts, shopsCapped }) => (
          <CountsBar>
            <Counts
              label="各状态的申请"
              words={APPLICATION_STATES}
              counts={counts}
              chosen={params.state}
              onChoose={state => setParams({ state })}
            />
            {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
          </CountsBar>
        )}
        openKey={opened}
        onOpen={(row: ApplicationRow) => open(row.id)}
        rowActions={(row: ApplicationRow) => [
          {
            key: 'open',
            label: mayDecide && row.state === 'pending' ? '审核' : '查看',
            reads: true,
            onClick: () => open(row.id),
          },
          ...archive.actionsOf(row),
        ]}
        actionsWidth={136}
      />
      {opened !== null && (
        <Suspense>
          <ApplicationDrawer key={opened} id={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}
