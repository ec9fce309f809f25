import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { messages } from '#features/shops/messages/contract.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { CampaignEditor } from './CampaignEditor.tsx'
import { CampaignFacts } from './CampaignFacts.tsx'
import type { campaigns } from './contract.ts'
import { countOf, isMoving, OPEN_STATES } from './rules.ts'

const campaignsApi = api<typeof campaigns>('campaigns')
const messagesApi = api<typeof messages>('messages')
const REFRESH_MS = 2_000
/** While receipts may still come. */
const RECEIPTS_MS = 10_000

type Props = {
  id: number | 'new'
  /** The campaign that a new one begins with. */
  copyOf: number | undefined
  onOpen: (campaign: number | 'new', copy?: number) => void
  onClose: () => void
}

/** One campaign over the list: a draft to be written, or one that was sent and its figures. */
export default function CampaignDrawer({ id, copyOf, onOpen, onClose }: Props) {
  const dirty = useRef(false)
  useLeaveGuard(() => dirty.current)
  return (
    <Drawer title={id === 'new' ? '新建群发' : '群发详情'} wide onClose={onClose}>
      <Opened id={id} copyOf={copyOf} dirty={dirty} onOpen={onOpen} onClose={onClose} />
    </Drawer>
  )
}

function Opened({ id, copyOf, dirty, onOpen, onClose }: Props & { dirty: { current: boolean } }) {
  const session = useSession()
  const shown = id === 'new' ? copyOf : id
  // A draft that is being written is not replaced by what comes from the server.
  const [kept] = useState(() => ({ id }))
  const campaign = useQuery({
    ...campaignsApi.details.query({ id: shown as number }),
    enabled: shown !== undefined,
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false
      if (isMoving(data.status)) return REFRESH_MS
      return countOf(data, OPEN_STATES) > 0 && RECEIPTS_MS
    },
  })
  const templates = useQuery(messagesApi.templates.query())
  const failed = campaign.isError ? campaign : templates.isError ? templates : null
  if (failed)
    return (
      <DrawerBody>
        <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
      </DrawerBody>
    )
  if (!templates.data || (shown !== undefined && !campaign.data))
    return (
      <DrawerBody>
        <LoadingLines lines={10} />
      </DrawerBody>
    )
  const row = campaign.data
  const isDraft = id === 'new' || (row?.status === 'draft' && row.agentId === session.agentId)
  if (isDraft)
    return (
      <CampaignEditor
        key={String(kept.id)}
        row={id === 'new' ? null : (row ?? null)}
        copy={id === 'new' ? (row ?? null) : null}
        templates={templates.data}
        dirty={dirty}
        onOpen={onOpen}
        onClose={onClose}
      />
    )
  return row ? <CampaignFacts row={row} templates={templates.data} onOpen={onOpen} /> : null
}
