import type { Meant } from '#kit/declare/form.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import styles from './approvals.module.css'
import { REJECTION } from './fields.ts'

type Rejection = Meant<typeof REJECTION>
type Props = {
  title: string
  submitText: string
  danger?: boolean
  /** Those that staff keep, each with what the shop is told to do. */
  reasons: readonly { name: string; advice: string }[]
  onReject: (values: Rejection) => Promise<unknown>
  onClose: () => void
}

/** Why something of a shop is rejected: a reason of those that staff keep, with its advice, or typed. The shop's agent is told both. */
export function RejectForm({ title, submitText, danger, reasons, onReject, onClose }: Props) {
  return (
    <FormDialog
      title={title}
      submitText={submitText}
      danger={danger}
      of={REJECTION}
      send={onReject}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['reason']} told={{ reason: { 'data-autofocus': true } }} />
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
          <FormFields form={form} only={['advice']} />
        </>
      )}
    </FormDialog>
  )
}
