import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { Count, Instant } from '#web/format.tsx'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { look } from '#web/look.ts'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { AudienceWords } from './AudienceWords.tsx'
import { CampaignProgress, type Row } from './CampaignProgress.tsx'
import { CAMPAIGN_STATUSES, type CampaignStatus, countOf, FAILED_STATES } from './rules.ts'

const TONES: Record<CampaignStatus, Tone> = {
  draft: 'neutral',
  scheduled: 'attention',
  queueing: 'neutral',
  sending: 'neutral',
  done: 'done',
  cancelled: 'neutral',
  refused: 'problem',
}

export function CampaignTag({ row }: { row: Pick<Row, 'status' | 'problem' | 'messages'> }) {
  // Done, but not for all.
  const isPart = row.problem !== '' || countOf(row, FAILED_STATES) > 0
  const tone = row.status === 'done' && isPart ? 'attention' : TONES[row.status]
  return (
    <StatusTag tone={tone} tip={row.problem || undefined}>
      {CAMPAIGN_STATUSES[row.status]}
    </StatusTag>
  )
}

const WHAT: readonly ListColumn<Row>[] = [
  {
    key: 'name',
    title: '任务名称',
    width: 152,
    fixed: 'start',
    opens: true,
    copy: row => row.name,
    render: row => row.name,
    card: 'title',
  },
  { key: 'status', title: '状态', width: 80, render: row => <CampaignTag row={row} />, card: 'fact' },
  {
    key: 'template',
    title: '模板',
    width: 96,
    copy: row => row.templateName,
    render: row => row.templateName || <span className={look.quiet}>未选择</span>,
  },
]
const AUDIENCE: ListColumn<Row> = {
  key: 'audience',
  title: '商户范围',
  width: 220,
  render: row => <AudienceWords audience={row.audience} />,
}
const RESULT: readonly ListColumn<Row>[] = [
  {
    key: 'queued',
    title: '商户数',
    width: 64,
    align: 'right',
    copy: row => String(row.startedAt === null ? (row.expectedShops ?? '') : row.queued),
    render: row => <Reached row={row} />,
    card: 'fact',
  },
  {
    key: 'progress',
    title: '发送结果',
    width: 184,
    render: row => <CampaignProgress row={row} />,
    card: 'fact',
  },
  {
    key: 'charged',
    title: '计费（条）',
    width: 80,
    align: 'right',
    copy: row => String(row.charged),
    render: row => <Cost row={row} />,
    card: 'fact',
  },
  {
    key: 'scheduledAt',
    title: '发送时间',
    width: 156,
    copy: row => formatInstant(row.startedAt ?? row.scheduledAt ?? row.createdAt),
    render: row => <When row={row} />,
    card: 'fact',
  },
]
const AGENT: ListColumn<Row> = {
  key: 'agentName',
  title: '代理商',
  width: 160,
  copy: row => `${row.agentName}（${row.agentId}）`,
  render: row => `${row.agentName}（${row.agentId}）`,
}
const WRITTEN: readonly ListColumn<Row>[] = [
  {
    key: 'createdByName',
    title: '操作人',
    width: 88,
    copy: row => row.sentByName ?? row.createdByName,
    render: row => row.sentByName ?? row.createdByName,
  },
  {
    key: 'createdAt',
    title: '创建时间',
    width: 156,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
  },
]

/** What matters stands beside the actions at 1440 pixels: for staff down to the agent, for agents down to who sent it. */
export function columnsFor(isStaff: boolean): ListColumn<Row>[] {
  return isStaff
    ? [...WHAT, { ...AUDIENCE, width: 148 }, ...RESULT, AGENT, ...WRITTEN]
    : [...WHAT, AUDIENCE, ...RESULT, ...WRITTEN]
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
