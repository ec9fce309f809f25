import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { formatInstant } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './inbox.module.css'
import type { InboxRow } from './inboxApi.tsx'
import { STAKES, waitedText } from './rules.ts'

type Looker = { accountId: number; isVendorStaff: boolean }

type Party = Pick<InboxRow, 'detail' | 'shopName' | 'agentId' | 'agentName'>

/** What it is and whose, for whoever looks. */
export function partyCells({ isVendorStaff }: Pick<Looker, 'isVendorStaff'>) {
  return {
    detail: (row: Party) => <span className={look.quiet}>{row.detail}</span>,
    shopName: (row: Party) =>
      row.shopName || (isVendorStaff && row.agentId !== null ? null : <span className={look.quiet}>—</span>),
    /** An agent's things are all its own. */
    agentName: (row: Party) =>
      isVendorStaff && row.agentId !== null && row.agentName !== '' ? (
        <AgentLink id={row.agentId}>{row.agentName}</AgentLink>
      ) : null,
  }
}

/** How the cells are drawn for whoever looks. */
export function inboxCells({ accountId, isVendorStaff }: Looker) {
  return {
    ...partyCells({ isVendorStaff }),
    /** Said where something is. */
    stake: (row: InboxRow) =>
      row.stake === 'rest' ? null : <span className={look.quiet}>{STAKES[row.stake]}</span>,
    since: {
      copy: (row: InboxRow) => formatInstant(row.since),
      render: (row: InboxRow) => <Waited row={row} />,
    },
    assigneeName: (row: InboxRow) =>
      row.assigneeId === null ? (
        <span className={look.quiet}>无人负责</span>
      ) : row.assigneeId === accountId ? (
        <b>我</b>
      ) : (
        row.assigneeName
      ),
    snoozedUntil: (row: InboxRow) =>
      row.snoozedUntil && Date.parse(row.snoozedUntil) > Date.now() ? (
        <span className={look.quiet} data-tip={row.snoozeReason || undefined}>
          推迟到 {formatInstant(row.snoozedUntil).slice(5, 16)}
        </span>
      ) : null,
  }
}

function Waited({ row: { since, dueAt } }: { row: InboxRow }) {
  const now = new Date()
  const isPast = dueAt !== null && Date.parse(dueAt) < now.getTime()
  return (
    <span className={styles.waited}>
      <span>
        {waitedText(since, now)}
        {isPast && <StatusTag tone="problem">已超过承诺</StatusTag>}
      </span>
      <time className={`${look.quiet} ${look.number}`} dateTime={since}>
        {formatInstant(since).slice(0, 16)}
      </time>
    </span>
  )
}
