import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { ERASURE } from './fields.ts'
import { DOCUMENT_KINDS } from './rules.ts'

/** Nobody brings it back: asked once, with a reason that the certificate tells. */
export default function EraseDialog({ row, onClose }: { row: DocumentRow; onClose: () => void }) {
  return (
    <FormDialog
      title={`销毁${DOCUMENT_KINDS[row.kind]}？`}
      submitText="销毁资料"
      danger
      of={ERASURE}
      send={async ({ reason }) => {
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
          <FormFields form={form} told={{ reason: { 'data-autofocus': true } }} />
        </>
      )}
    </FormDialog>
  )
}
