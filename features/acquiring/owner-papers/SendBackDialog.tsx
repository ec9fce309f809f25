import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './owner-desk.module.css'
import { type OwnerPapersData, ownerPapersApi } from './ownerPapersApi.tsx'
import {
  LIMITS,
  LINK_DAYS,
  OWNER_PAPERS_REFUSALS,
  REASON_FIELDS,
  type ReasonField,
  reasonFieldsFor,
  refuseReasons,
} from './rules.ts'

type Props = { data: OwnerPapersData; onClose: () => void }
type Draft = Record<`reasons.${ReasonField}`, string>

/** Why it is sent back, field by field; the owner's page opens with each beside its field. */
export default function SendBackDialog({ data, onClose }: Props) {
  const { id, revision } = data
  const fields = reasonFieldsFor(data.given.payType)
  const reasonsOf = (draft: Draft) =>
    Object.fromEntries(fields.map(field => [field, draft[`reasons.${field}`]])) as Record<ReasonField, string>
  // No fields: it asks once for each that was handed in, which the kind of account says.
  const form = useForm<Draft>({
    initial: Object.fromEntries(fields.map(field => [`reasons.${field}`, ''])) as Draft,
    judge: draft => {
      const code = refuseReasons(reasonsOf(draft))
      const long = fields.find(field => [...draft[`reasons.${field}`]].length > LIMITS.reason)
      return code && { field: `reasons.${long ?? 'other'}`, message: OWNER_PAPERS_REFUSALS[code] }
    },
    send: draft => ownerPapersApi.sendBack({ id, revision, reasons: reasonsOf(draft) }),
    onRefused: () => {
      readAgain('ownerPapers')
      return false
    },
    onDone: async () => {
      toast.success('已退回，已短信通知店主')
      await reread()
      onClose()
    },
  })
  return (
    <Dialog
      title={`退回「${data.shopName}」的店主资料？`}
      width={640}
      busy={form.busy}
      dirty={form.dirty}
      onClose={onClose}
    >
      <FormElement className={styles.form} onSubmit={() => void form.submit()}>
        <p className={look.quiet}>
          在有问题的项目下写明原因，店主打开原链接即可逐项修改，链接重新有效 {LINK_DAYS} 天。
        </p>
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
            退回
          </Button>
        </ActionBar>
      </FormElement>
    </Dialog>
  )
}
