import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { LIMITS, REASON_FIELDS, REFUSALS, type ReasonField, reasonFieldsFor, refuseReasons } from './rules.ts'

type Props = {
  /** Who says no: our staff, or the acquirer. */
  by: 'reject' | 'refuse'
  data: AcquirerData
  onClose: () => void
}
type Draft = Record<`reasons.${ReasonField}`, string>

/** Why it is sent back, field by field. */
export default function ReasonsDialog({ by, data, onClose }: Props) {
  const { id, revision } = data
  const fields = reasonFieldsFor(data.channel, data.payType)
  const reasonsOf = (draft: Draft) =>
    Object.fromEntries(fields.map(field => [field, draft[`reasons.${field}`]])) as Record<ReasonField, string>
  // No fields: it asks once for each that the acquirer's form asks.
  const form = useForm<Draft>({
    initial: Object.fromEntries(fields.map(field => [`reasons.${field}`, ''])) as Draft,
    judge: draft => {
      const code = refuseReasons(reasonsOf(draft))
      const long = fields.find(field => [...draft[`reasons.${field}`]].length > LIMITS.reason)
      return code && { field: `reasons.${long ?? 'other'}`, message: REFUSALS[code] }
    },
    send: draft => acquirerApi[by]({ id, revision, reasons: reasonsOf(draft) }),
    onRefused: () => {
      readAgain('acquirerOnboardings')
      return false
    },
    onDone: async () => {
      toast.success(by === 'reject' ? '已驳回' : '已登记')
      await reread()
      onClose()
    },
  })
  return (
    <Dialog
      title={by === 'reject' ? `驳回「${data.shopName}」的进件？` : `登记渠道驳回「${data.shopName}」`}
      width={640}
      busy={form.busy}
      dirty={form.dirty}
      onClose={onClose}
    >
      <FormElement className={styles.form} onSubmit={() => void form.submit()}>
        <p className={styles.note}>在有问题的项目下写明原因，会逐项告诉代理商，修改后须重新审核。</p>
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
            {by === 'reject' ? '驳回' : '登记驳回'}
          </Button>
        </ActionBar>
      </FormElement>
    </Dialog>
  )
}
