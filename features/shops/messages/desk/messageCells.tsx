// How a message's cells are drawn where a cell is more than its field.

import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import {
  MESSAGE_STATUSES,
  type MessageStatus,
  PAYERS,
  RESEND_REFUSALS,
  segmentsDue,
} from '#features/shops/messages/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { Copyable, Count } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag, StatusWord } from '#web/controls/StatusTag.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { messageDesk } from './contract.ts'
import { MESSAGE_FIELDS } from './fields.ts'
import styles from './message-desk.module.css'

export type SentRow = Out<typeof messageDesk.log>['rows'][number]

export function MessageStatusTag({ status }: { status: MessageStatus }) {
  return <StatusTag tone={MESSAGE_FIELDS.status.tones[status]}>{MESSAGE_STATUSES[status]}</StatusTag>
}

export const SENT_CELLS = {
  agentName: AGENT_CELL,
  text: (row: SentRow) => <Copyable text={row.text} />,
  segments: {
    copy: (row: SentRow) => String(segmentsDue(row)),
    render: (row: SentRow) => (
      <span data-tip={`超过70字的短信按多条折算；由${PAYERS[row.payer]}支付 ${formatCount(row.charged)} 条`}>
        <Count value={segmentsDue(row)} />
      </span>
    ),
  },
  status: (row: SentRow) => (
    <span className={styles.sentState}>
      <StatusWord tone={MESSAGE_FIELDS.status.tones[row.status]}>{MESSAGE_STATUSES[row.status]}</StatusWord>
      {row.resentAs !== null && <StatusTag tone="neutral">已重发</StatusTag>}
      {row.resendOf !== null && <span className={look.quiet}>重发</span>}
    </span>
  ),
  reason: {
    copy: (row: SentRow) => [row.reason, row.errorCode].filter(Boolean).join(' '),
    render: (row: SentRow) =>
      row.reason || row.errorCode ? (
        <span data-tip={row.errorCode || undefined}>{row.reason || row.errorCode}</span>
      ) : (
        '—'
      ),
  },
}

/** One message's way to be sent again; disabled with its reason. */
export function resendAction(row: SentRow, onClick: () => void): RowAction {
  return {
    key: 'resend',
    label: '重发',
    disabled: row.resendRefusal && RESEND_REFUSALS[row.resendRefusal],
    onClick,
  }
}
