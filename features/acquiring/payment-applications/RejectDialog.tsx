import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './applications.module.css'
import { type ApplicationData, applicationsApi } from './applicationsApi.tsx'
import {
  LIMITS,
  REASON_FIELDS,
  type ReasonField,
  reasonFieldsFor,
  refuseReasons,
  STEP_REFUSALS,
} from './rules.ts'

type Props = { id: number; data: ApplicationData; onClose: () => void }
type Draft = Record<`reasons.${ReasonField}`, string>

/** Why an application is rejected, field by field; the form opens with each beside its field. */
export default function RejectDialog({ id, data, onClose }: Props) {
  const fields = reasonFieldsFor(data.payType)
  const reasonsOf = (draft: Draft) =>
    Object.fromEntries(fields.map(field => [field, draft[`reasons.${field}`]])) as Record<ReasonField, string>
  // No fields: it asks once for each that was handed in, which the kind of account says.
  const form = useForm<Draft>({
    initial: Object.fromEntries(fields.map(field => [`reasons.${field}`, ''])) as Draft,
    judge: draft => {
      const code = refuseReasons(reasonsOf(draft))
      const long = fields.find(field => [...draft[`reasons.${field}`]].length > LIMITS.reason)
      return code && { field: `reasons.${long ?? 'other'}`, message: STEP_REFUSALS[code] }
    },
    send: draft => applicationsApi.reject({ id, revision: data.revision, reasons: reasonsOf(draft) }),
    onRefused: () => {
      readAgain('paymentApplications')
      return false
    },
    onDone: async () => {
      toast.success('已驳回')
      await reread()
      onClose()
    },
  })
  return (
    <Dialog
      title={`驳回「${data.shopName}」的支付申请？`}
      width={640}
      busy={form.busy}
      dirty={form.dirty}
      onClose={onClose}
    >
      <FormElement className={styles.form} onSubmit={() => void form.submit()}>
        <p className={styles.note}>在有问题的项目下写明原因，会逐项告诉代理商。</p>
        <div className={styles.pair}>
          {fields.map(field => (
            <TextField
              key={field}
              form={form}
              name={`reasons.${field}`}
              label={REASON_FIELDS[field]}
              maxLength={LIMITS.reason}
            />
          ))}
        </div>
        <p className={styles.message} role="alert">
          {form.message}
        </p>
        <ActionBar>
          <CloseButton />
          <Button kind="danger" type="submit" busy={form.busy}>
            驳回
          </Button>
        </ActionBar>
      </FormElement>
    </Dialog>
  )
}
