import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from '#features/merchants/LeaveGuard.tsx'
import { LoadFailure, LoadingLines } from '#features/merchants/LoadStates.tsx'
import type { messages } from '#features/messages/contract.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { IconClose } from '#web/icons.tsx'
import { useSession } from '#web/session.ts'
import { CampaignEditor } from './CampaignEditor.tsx'
import { CampaignFacts } from './CampaignFacts.tsx'
import type { campaigns } from './contract.ts'
import { countOf, isMoving, OPEN_STATES } from './rules.ts'
import '#features/merchants/merchants.css'
import './campaigns.css'

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

/** One campaign over the list, on the browser's own <dialog>: a draft to be written, or one that was sent and its figures. */
export default function CampaignDrawer({ id, copyOf, onOpen, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const dirty = useRef(false)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useLeaveGuard(() => dirty.current)
  const title = id === 'new' ? '新建群发' : '群发详情'
  return (
    <dialog
      ref={dialog}
      className="merchant-drawer campaign-drawer"
      aria-label={title}
      onKeyDown={event => {
        const target = event.target as Element
        // Esc in an open choice closes that only.
        if (event.key === 'Escape' && target.getAttribute('aria-expanded') === 'true') event.preventDefault()
      }}
      onCancel={event => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={event => {
        if (event.target !== event.currentTarget) return
        // A second Esc closes it past `cancel`; whether it may close is for the address to decide.
        dialog.current?.showModal()
        onClose()
      }}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="merchant-drawer-box">
        <header>
          <div className="merchant-drawer-title">{title}</div>
          <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={onClose} />
        </header>
        <Opened id={id} copyOf={copyOf} dirty={dirty} onOpen={onOpen} onClose={onClose} />
      </div>
    </dialog>
  )
}

function Opened({ id, copyOf, dirty, onOpen, onClose }: Props & { dirty: { current: boolean } }) {
  const session = useSession()
  const shown = id === 'new' ? copyOf : id
  // A draft that is being written is not replaced by what comes from the server.
  const [kept] = useState(() => ({ id }))
  const campaign = useQuery({
    queryKey: ['campaigns', 'details', shown],
    queryFn: () => campaignsApi.details({ id: shown as number }),
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
      <div className="merchant-drawer-body">
        <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
      </div>
    )
  if (!templates.data || (shown !== undefined && !campaign.data))
    return (
      <div className="merchant-drawer-body">
        <LoadingLines lines={10} />
      </div>
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
