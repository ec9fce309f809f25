import { look } from '#web/controls/look.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import styles from './approvals.module.css'
import type { Decided } from './approvalsApi.tsx'
import { APPROVAL_STATES } from './rules.ts'

type Props = { decided: Decided; onClose: () => void }

/** What became of each of many that were decided together. */
export default function ResultsDialog({ decided: { rows }, onClose }: Props) {
  const state = rows.find(({ refusal }) => refusal === null)?.state ?? 'approved'
  const done = rows.filter(({ refusal }) => refusal === null).length
  return (
    <Dialog title="处理结果" width={560} onClose={onClose}>
      <ul className={styles.results} aria-label="每条申请的结果">
        <li>
          <b>
            {done} 条{APPROVAL_STATES[state]}
          </b>
          <b>{rows.length - done} 条未处理</b>
        </li>
        {rows.map(({ id, shopName, content, refusal, state }) => (
          <li key={id}>
            <span>
              {content} <span className={look.quiet}>{shopName}</span>
            </span>
            <span className={refusal === null ? look.quiet : styles.warning}>
              {refusal ?? (state && APPROVAL_STATES[state])}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
