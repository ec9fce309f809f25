import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { readAgain } from '#web/reread.ts'
import styles from './approvals.module.css'
import { type ApprovalRow, approvalsApi, type Decided } from './approvalsApi.tsx'
import { APPROVAL_KINDS, APPROVAL_LIMITS, DECISION_REFUSALS, refuseAdvice, refuseReason } from './rules.ts'

type Values = { reason: string; advice: string }
type Props = {
  rows: readonly ApprovalRow[]
  onDecided: (decided: Decided) => void
  onClose: () => void
}

/** Why one or many are rejected: a reason of those that staff keep, with its advice, or typed. The shop's agent is told both. */
export default function RejectDialog({ rows, onDecided, onClose }: Props) {
  const [first] = rows
  const kept = useQuery(approvalsApi.reasons.query())
  const offered = (kept.data?.reasons ?? []).filter(({ kind }) => kind === first?.kind)
  const what = first && rows.length === 1 ? `「${first.content}」` : ` ${rows.length} 条申请`
  return (
    <FormDialog<Values>
      title={`驳回${first ? APPROVAL_KINDS[first.kind] : ''}${what}？`}
      submitText="驳回"
      danger
      initial={{ reason: '', advice: '' }}
      refuse={({ reason, advice }) => {
        const code = refuseReason(reason)
        if (code) return { field: 'reason', message: DECISION_REFUSALS[code] }
        const long = refuseAdvice(advice)
        return long && { field: 'advice', message: DECISION_REFUSALS[long] }
      }}
      onSubmit={async values => {
        const decided = await approvalsApi
          .reject({ ids: rows.map(({ id }) => id), ...values })
          .catch((error: unknown) => {
            readAgain('approvals')
            throw error
          })
        onDecided(decided)
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <TextField
            form={form}
            name="reason"
            label="驳回原因"
            required
            count={APPROVAL_LIMITS.reason}
            data-autofocus
          />
          {offered.length > 0 && (
            <ul className={styles.reasons} aria-label="常用驳回原因">
              {offered.map(({ name, advice }) => (
                <li key={name}>
                  <button
                    type="button"
                    aria-pressed={form.draft.reason === name}
                    onClick={() => form.change({ reason: name, advice })}
                  >
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          )}
          <TextField
            form={form}
            name="advice"
            label="给商户的建议"
            hint="选填，和原因一起告诉商户"
            rows={2}
            count={APPROVAL_LIMITS.advice}
          />
        </>
      )}
    </FormDialog>
  )
}
