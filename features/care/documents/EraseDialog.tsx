import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { DOCUMENT_FIELDS } from './fields.ts'
import { DOCUMENT_KINDS, ERASE_REASON_MAX, ERASE_REFUSALS, refuseEraseReason } from './rules.ts'

/** Nobody brings it back: asked once, with a reason that the certificate tells. */
export default function EraseDialog({ row, onClose }: { row: DocumentRow; onClose: () => void }) {
  return (
    <FormDialog<{ reason: string }>
      title={`销毁${DOCUMENT_KINDS[row.kind]}？`}
      submitText="销毁资料"
      danger
      initial={{ reason: '' }}
      refuse={({ reason }) => {
        const code = refuseEraseReason(reason)
        return code && { field: 'reason', message: ERASE_REFUSALS[code] }
      }}
      onSubmit={async ({ reason }) => {
        await documentsApi.erase({ id: row.id, reason }).catch((error: unknown) => {
          readAgain('documents')
          throw error
        })
        toast.success('资料已销毁，可以下载销毁证明')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>图片和密钥会被永久删除，不能恢复。资料记录会保留，并可下载销毁证明。</FormNote>
          <TextField
            form={form}
            name="reason"
            label={DOCUMENT_FIELDS.eraseReason.label}
            hint="会写在销毁证明上"
            rows={3}
            required
            count={ERASE_REASON_MAX}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}
