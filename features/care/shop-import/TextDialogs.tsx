import { formatCents, formatCount } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { IMPORT_REMARK, ROLL_BACK } from './fields.ts'
import { type ImportDetails, type ImportRow, importApi } from './importApi.tsx'

export function RemarkDialog({ row, onClose }: { row: ImportRow; onClose: () => void }) {
  return (
    <FormDialog
      title={`备注「${row.fileName}」`}
      submitText="保存"
      of={IMPORT_REMARK}
      known={row}
      send={async ({ remark }) => {
        await importApi.mark({ id: row.id, remark })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    />
  )
}

/** Every shop of the import is taken back by the rules of an undo. */
export function RollBackDialog({ data, onClose }: { data: ImportDetails; onClose: () => void }) {
  return (
    <FormDialog
      title={`整批撤销「${data.fileName}」？`}
      submitText="整批撤销"
      danger
      of={ROLL_BACK}
      send={async ({ reason }) => {
        await importApi.rollBack({ id: data.id, reason }).catch((error: unknown) => {
          readAgain('shopImport')
          throw error
        })
        toast.success('已开始撤销')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {formatCount(data.created)} 家店铺将被禁用、期限即刻结束，
            {data.mode === 'charge' && `退回 ${formatCents(data.totalCents)} 代币，`}
            未用的短信退回。之后又有订单、已转走或改过版本的店铺不撤销，并逐家说明原因。
          </FormNote>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
