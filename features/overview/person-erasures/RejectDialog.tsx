import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { erasuresApi } from './erasuresApi.tsx'
import { REJECTION } from './fields.ts'

/** Why a request goes back to who made it. */
export default function RejectDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <FormDialog
      title="退回申请"
      submitText="退回"
      of={REJECTION}
      send={async ({ reason }) => {
        await erasuresApi.reject({ id, reason }).catch((error: unknown) => {
          readAgain('personErasures')
          throw error
        })
        toast.success('已退回')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
