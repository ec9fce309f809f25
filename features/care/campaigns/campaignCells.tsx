// How a campaign's cells are drawn where a cell is more than its field.
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { Count, Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusWord } from '#web/controls/StatusTag.tsx'
import { AudienceWords } from './AudienceWords.tsx'
import { CampaignProgress, type Row } from './CampaignProgress.tsx'
import { CAMPAIGN_FIELDS } from './fields.ts'
import { CAMPAIGN_STATUSES } from './rules.ts'

/** A few numbers that cannot be reached belong to every campaign; what ended it before its end asks for a look. */
export function CampaignState({ row }: { row: Pick<Row, 'status' | 'problem'> }) {
  const tone =
    row.status === 'done' && row.problem !== '' ? 'attention' : CAMPAIGN_FIELDS.status.tones[row.status]
  return (
    <StatusWord tone={tone} tip={row.problem || undefined}>
      {CAMPAIGN_STATUSES[row.status]}
    </StatusWord>
  )
}

const senderOf = (row: Row) => row.sentByName ?? row.createdByName

export const CAMPAIGN_CELLS = {
  agentName: AGENT_CELL,
  status: (row: Row) => <CampaignState row={row} />,
  template: {
    copy: (row: Row) => row.templateName,
    render: (row: Row) => row.templateName || <span className={look.quiet}>未选择</span>,
  },
  audience: { copy: undefined, render: (row: Row) => <AudienceWords audience={row.audience} /> },
  queued: {
    copy: (row: Row) => String(row.startedAt === null ? (row.expectedShops ?? '') : row.queued),
    render: (row: Row) => <Reached row={row} />,
  },
  progress: { copy: undefined, render: (row: Row) => <CampaignProgress row={row} /> },
  charged: (row: Row) => <Cost row={row} />,
  scheduledAt: {
    copy: (row: Row) => formatInstant(row.startedAt ?? row.scheduledAt ?? row.createdAt),
    render: (row: Row) => <When row={row} />,
  },
  createdByName: { copy: senderOf, render: senderOf },
}

function Reached({ row }: { row: Row }) {
  if (row.startedAt !== null)
    return (
      <span
        data-tip={row.skipped > 0 ? `另有 ${formatCount(row.skipped)} 家已禁用或账号不是手机号` : undefined}
      >
        <Count value={row.queued} />
      </span>
    )
  return row.expectedShops === null ? '—' : <Count value={row.expectedShops} />
}

/** Pieces that are charged, or would be where it has not begun. */
function Cost({ row }: { row: Row }) {
  if (row.startedAt !== null) return <Count value={row.charged} />
  if (row.expectedSegments === null) return '—'
  return <span className={`${look.quiet} ${look.number}`}>约 {formatCount(row.expectedSegments)}</span>
}

function When({ row }: { row: Row }) {
  if (row.startedAt !== null) return <Instant at={row.startedAt} />
  if (row.scheduledAt !== null)
    return (
      <span data-tip="定时发送">
        <Instant at={row.scheduledAt} />
      </span>
    )
  return <span className={look.quiet}>{row.status === 'draft' ? '未定' : '立即'}</span>
}
