import { lazy, useEffect, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import type { SearchOf } from '#kit/declare/pages.ts'
import { api } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { useListParams } from '#web/list/useListParams.ts'
import type { Row } from './CampaignProgress.tsx'
import { CAMPAIGN_CELLS } from './campaignCells.tsx'
import type { campaigns } from './contract.ts'
import { CAMPAIGNS } from './fields.ts'
import { isMoving, refuseCancelling } from './rules.ts'
import { useCampaignSteps } from './useCampaignSteps.tsx'

const campaignsApi = api<typeof campaigns>('campaigns')
const CampaignDrawer = lazy(() => import('./CampaignDrawer.tsx'))

/** How often figures that move are read anew. */
const REFRESH_MS = 3_000

/** What is open over the list: a campaign, or a new one, which may copy another. */
type Opened = SearchOf<'/admin/merchant/messageEditing'>

/** Messages to many shops: written, previewed, sent and watched (messageEditing, D3 §2). */
export default function MessageEditingPage() {
  const session = useSession()
  const [params, setParams] = useListParams<Opened>()
  const [moving, setMoving] = useState(false)
  const steps = useCampaignSteps()
  useRefresh(moving)
  const open = (campaign: Opened['campaign'], copy?: number) =>
    setParams({ campaign, copy }, { keepPage: true })
  const close = () => open(undefined)
  const add = (
    <Button kind="primary" onClick={() => open('new')}>
      新建群发
    </Button>
  )
  return (
    <>
      <List
        of={CAMPAIGNS}
        from={async asked => {
          const answer = await campaignsApi.list(asked)
          setMoving(answer.rows.some(({ status }) => isMoving(status)))
          return answer
        }}
        cells={CAMPAIGN_CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        main={add}
        emptyAction={add}
        onOpen={row => open(row.id)}
        openKey={params.campaign}
        rowActions={row => actionsOf(row, { session, open, ...steps })}
        actionsWidth={104}
      />
      <Suspense>
        {params.campaign !== undefined && (
          <CampaignDrawer
            key={`${params.campaign} ${params.copy}`}
            id={params.campaign}
            copyOf={params.copy}
            onOpen={open}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

type ActionsContext = {
  session: Session
  open: (campaign: number | 'new', copy?: number) => void
} & ReturnType<typeof useCampaignSteps>

function actionsOf(row: Row, { session, open, cancel, discard }: ActionsContext): RowAction[] {
  const code = refuseCancelling(row.status)
  const isOwn = row.agentId === session.agentId
  if (row.status === 'draft')
    return [
      { key: 'edit', label: isOwn ? '编辑' : '查看', onClick: () => open(row.id) },
      ...(isOwn ? [{ key: 'discard', label: '删除', danger: true, onClick: () => void discard(row) }] : []),
    ]
  return [
    { key: 'details', label: '查看', reads: true, onClick: () => open(row.id) },
    ...(session.permissions.includes('campaigns.send') && code === null
      ? [{ key: 'cancel', label: '取消', danger: true, onClick: () => void cancel(row) }]
      : [{ key: 'copy', label: '复制', onClick: () => open('new', row.id) }]),
  ]
}

function useRefresh(moving: boolean): void {
  useEffect(() => {
    if (!moving) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') readAgain('campaigns.list')
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [moving])
}
