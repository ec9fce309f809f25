import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { VERIFICATIONS } from './fields.ts'
import { type ReviewRow, verificationApi } from './verificationApi.tsx'

const ReviewDrawer = lazy(() => import('./ReviewDrawer.tsx'))

/** What shops have handed in, reviewed one by one with its papers beside. `?user_id=` in its address opens a shop's data over the list. */
export default function VerificationsPage() {
  const [{ user_id: asked }, ask] = usePageSearch<'/admin/merchant/verification'>()
  const open = (merchantId: number | undefined) => ask({ user_id: merchantId })
  const opened = idAsked(asked)
  return (
    <>
      <List
        of={VERIFICATIONS}
        from={verificationApi.reviews}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        onOpen={(row: ReviewRow) => open(row.merchantId)}
        rowActions={(row: ReviewRow) => [
          {
            key: 'review',
            label: row.state === 'reviewing' ? '审核' : '查看',
            reads: true,
            onClick: () => open(row.merchantId),
          },
        ]}
        actionsWidth={72}
      />
      {opened !== null && (
        <Suspense>
          <ReviewDrawer key={opened} merchantId={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}
