import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { type ApplicationRow, applicationsApi } from './applicationsApi.tsx'
import { REVIEWS } from './fields.ts'
import { REVIEW_STATES } from './rules.ts'
import { useArchive } from './useArchive.tsx'

const ApplicationDrawer = lazy(() => import('./ApplicationDrawer.tsx'))

/** D2 §2 20: what was approved, and how far it is with the payment service. `?id=` in its address opens one. */
export default function ReviewsPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/schedule/payInformation'>()
  const [params, setParams] = useListParams(REVIEWS)
  const archive = useArchive()
  const open = (id: number | undefined) => ask({ id })
  const opened = idAsked(asked)
  const mayReview = usePermission('paymentApplications.review')
  return (
    <>
      <List
        of={REVIEWS}
        from={applicationsApi.reviews}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        summary={({ counts, shopsCapped }) => (
          <CountsBar>
            <Counts
              label="各状态的申请"
              words={REVIEW_STATES}
              counts={counts}
              chosen={params.reviewState}
              onChoose={reviewState => setParams({ reviewState })}
            />
            {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
          </CountsBar>
        )}
        openKey={opened}
        onOpen={(row: ApplicationRow) => open(row.id)}
        rowActions={(row: ApplicationRow) => [
          { key: 'open', label: mayReview ? '受理' : '查看', reads: true, onClick: () => open(row.id) },
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
