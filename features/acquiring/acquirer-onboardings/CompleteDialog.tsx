import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { COMPLETION } from './fields.ts'
import { brokenCompletion, REFUSALS } from './rules.ts'

type Props = { data: AcquirerData; onClose: () => void }

/** What acquirers ask for beyond what is known of the shop; nothing need be whole before it is handed in. */
export default function CompleteDialog({ data, onClose }: Props) {
  const { id, revision, accountNumberMasked } = data
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
            accountNumber: {
              placeholder: accountNumberMasked === '' ? '' : `已保存 ${accountNumberMasked}，不修改请留空`,
            },
          }}
        />
      )}
    </FormDialog>
  )
}
