import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { readAgain, reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import { VERIFICATION_FIELDS as FIELDS } from './fields.ts'
import { refuseAdvice, refuseReason, STEP_REFUSALS, VERIFICATION_LIMITS } from './rules.ts'
import styles from './verification.module.css'
import { type VerificationData, verificationApi } from './verificationApi.tsx'

type Values = { reason: string; advice: string }
type Props = { data: VerificationData; revokes: boolean; onClose: () => void }

/** Why: a reason of those that staff keep, with its advice, or typed. The shop's agent is told both. */
export default function RejectDialog({ data, revokes, onClose }: Props) {
  const kept = useQuery(verificationApi.reasons.query())
  const { merchantId, revision } = data
  return (
    <FormDialog<Values>
      title={revokes ? `撤销「${data.shopName}」的认证？` : `驳回「${data.shopName}」的实名资料？`}
      submitText={revokes ? '撤销认证' : '驳回'}
      danger
      initial={{ reason: '', advice: '' }}
      refuse={({ reason, advice }) => {
        const code = refuseReason(reason)
        if (code) return { field: 'reason', message: STEP_REFUSALS[code] }
        const long = refuseAdvice(advice)
        return long && { field: 'advice', message: STEP_REFUSALS[long] }
      }}
      onSubmit={async values => {
        await verificationApi.reject({ merchantId, revision, ...values }).catch((error: unknown) => {
          readAgain('verification')
          throw error
        })
        toast.success(revokes ? '已撤销认证' : '已驳回')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <TextField
            form={form}
            name="reason"
            label={FIELDS.reason.label}
            required
            count={VERIFICATION_LIMITS.reason}
            data-autofocus
          />
          <ul className={styles.reasons} aria-label="常用驳回原因">
            {(kept.data?.reasons ?? []).map(({ name, advice }) => (
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
          <TextField
            form={form}
            name="advice"
            label={FIELDS.advice.label}
            hint="选填，和原因一起告诉商户"
            rows={2}
            count={VERIFICATION_LIMITS.advice}
          />
        </>
      )}
    </FormDialog>
  )
}
