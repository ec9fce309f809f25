import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Broken } from '#web/form/useForm.ts'
import styles from './approvals.module.css'

type Rejection = { reason: string; advice: string }
type Props = {
  title: string
  submitText: string
  /** Those that staff keep, each with what the shop is told to do. */
  reasons: readonly { name: string; advice: string }[]
  limits: { reason: number; advice: number }
  refuse: (values: Rejection) => Broken | null
  onReject: (values: Rejection) => Promise<unknown>
  onClose: () => void
}

/** Why something of a shop is rejected: a reason of those that staff keep, with its advice, or typed. The shop's agent is told both. */
export function RejectForm({ title, submitText, reasons, limits, refuse, onReject, onClose }: Props) {
  return (
    <FormDialog<Rejection>
      title={title}
      submitText={submitText}
      danger
      initial={{ reason: '', advice: '' }}
      refuse={refuse}
      onSubmit={onReject}
      onClose={onClose}
    >
      {form => (
        <>
          <TextField
            form={form}
            name="reason"
            label="驳回原因"
            required
            count={limits.reason}
            data-autofocus
          />
          {reasons.length > 0 && (
            <ul className={styles.reasons} aria-label="常用驳回原因">
              {reasons.map(({ name, advice }) => (
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
            count={limits.advice}
          />
        </>
      )}
    </FormDialog>
  )
}
