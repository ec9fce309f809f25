import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { paymentDesk } from './contract.ts'
import { RESOLUTION } from './fields.ts'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Props = {
  id: number
  outTradeNo: string
  /** What was noted of it before. */
  seen?: string
  note?: string
  onClose: () => void
}

/** What a difference from the bill turned out to be. */
export default function ResolveDialog({ id, outTradeNo, seen = '', note, onClose }: Props) {
  return (
    <FormDialog
      title={`处理差异：${outTradeNo}`}
      submitText="标记已处理"
      of={RESOLUTION}
      send={async ({ note }) => {
        await paymentDeskApi.resolveDifference({ id, note, seen })
        toast.success('已处理')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {note !== undefined && <FormNote>{note}</FormNote>}
          <FormFields
            form={form}
            told={{ note: { label: `${RESOLUTION.note.label}（最多 ${RESOLUTION.note.max} 字）` } }}
          />
        </>
      )}
    </FormDialog>
  )
}
