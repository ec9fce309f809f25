import { LIMITS, RECONCILE_REFUSALS } from '#features/sales/payments/rules.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { paymentDesk } from './contract.ts'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Props = { id: number; outTradeNo: string; note?: string; onClose: () => void }

/** What a difference from the bill turned out to be. */
export default function ResolveDialog({ id, outTradeNo, note, onClose }: Props) {
  return (
    <FormDialog<{ note: string }>
      title={`处理差异：${outTradeNo}`}
      submitText="标记已处理"
      initial={{ note: '' }}
      refuse={({ note }) => {
        const length = [...note.trim()].length
        if (length === 0) return { field: 'note', message: RECONCILE_REFUSALS.NOTE_REQUIRED }
        return length > LIMITS.noteMax ? { field: 'note', message: RECONCILE_REFUSALS.NOTE_TOO_LONG } : null
      }}
      onSubmit={async ({ note }) => {
        await paymentDeskApi.resolveDifference({ id, note })
        toast.success('已处理')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {note !== undefined && <FormNote>{note}</FormNote>}
          <TextField
            form={form}
            name="note"
            label={`处理说明（最多 ${LIMITS.noteMax} 字）`}
            rows={4}
            maxLength={LIMITS.noteMax}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
