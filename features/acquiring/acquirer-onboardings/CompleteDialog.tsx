import { acquirerOf } from '#kit/ports/acquirers.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields, type Told } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { COMPLETION } from './fields.ts'
import { brokenCompletion, REFUSALS } from './rules.ts'

type Props = { data: AcquirerData; onClose: () => void }

/** What acquirers ask for beyond what is known of the shop; nothing need be whole before it is handed in. */
export default function CompleteDialog({ data, onClose }: Props) {
  const { id, revision, channel, accountNumberMasked } = data
  const categories = acquirerOf(channel).protocol?.categories
  const refused = refusedHints(data)
  return (
    <FormDialog
      title="填写进件资料"
      submitText="保存"
      width={640}
      of={COMPLETION}
      known={{ ...data, accountNumber: '' }}
      refuse={form => {
        const broken = brokenCompletion(form)
        return broken && { field: broken.field, message: REFUSALS[broken.code] }
      }}
      send={async values => {
        await acquirerApi.complete({ id, revision, ...values }).catch((error: unknown) => {
          readAgain('acquirerOnboardings')
          throw error
        })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <FormFields
          form={form}
          told={{
            ...refused,
            accountNumber: {
              ...refused.accountNumber,
              placeholder: accountNumberMasked === '' ? '' : `已保存 ${accountNumberMasked}，不修改请留空`,
            },
          }}
        >
          {{
            category: control =>
              categories ? (
                <Select
                  {...control}
                  value={form.draft.category || undefined}
                  onChange={picked => form.change({ category: picked ?? '' })}
                  placeholder="请选择"
                  what={COMPLETION.category.label}
                  options={categories.map(([, word]) => ({ value: word, label: word }))}
                />
              ) : (
                <TextInput
                  {...control}
                  value={form.draft.category}
                  onChange={category => form.change({ category })}
                  maxLength={COMPLETION.category.max}
                />
              ),
          }}
        </FormFields>
      )}
    </FormDialog>
  )
}

/** What was refused of a field stands below it. */
const refusedHints = ({ reasons }: AcquirerData): Readonly<Partial<Record<string, Told>>> =>
  Object.fromEntries(
    Object.entries(reasons).map(([field, reason]) => [
      field,
      { hint: <span className={styles.refused}>驳回原因：{reason}</span> },
    ]),
  )
