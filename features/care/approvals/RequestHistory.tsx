import { formatInstant } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './approvals.module.css'
import type { ApprovalRow } from './approvalsApi.tsx'
import { APPROVAL_FIELDS } from './fields.ts'
import { APPROVAL_KINDS } from './rules.ts'

export function StateTag({ state }: Pick<ApprovalRow, 'state'>) {
  return <StatusTag tone={APPROVAL_FIELDS.state.tones[state]}>{APPROVAL_FIELDS.state.words[state]}</StatusTag>
}

/** Ended by somebody, or at a moment, other than its approval: an SMS service, the shop, another of the staff. */
export function isEndedApart(row: ApprovalRow): row is ApprovalRow & { handledAt: string } {
  return row.handledAt !== null && row.handledAt !== row.approvedAt
}

/** What a shop asked for, the latest first, and what came of it. */
export function RequestHistory({ rows }: { rows: readonly ApprovalRow[] }) {
  return (
    <ul className={styles.history}>
      {rows.map(row => (
        <li key={row.id}>
          <p className={styles.historyHead}>
            <span className={look.quiet}>{APPROVAL_KINDS[row.kind]}</span>
            <span>{row.content}</span>
            <StateTag state={row.state} />
          </p>
          <p className={look.quiet}>
            {row.createdByName} {formatInstant(row.createdAt)} 提交
            {row.approvedAt && `；${row.approvedByName} ${formatInstant(row.approvedAt)} 审批通过`}
            {isEndedApart(row) && `；${row.handledByName} ${formatInstant(row.handledAt)} 处理`}
          </p>
          {row.serviceAnswer && <p className={look.quiet}>{row.serviceAnswer}</p>}
          {(row.reason || row.advice) && <p>{[row.reason, row.advice].filter(Boolean).join('。')}</p>}
        </li>
      ))}
    </ul>
  )
}
