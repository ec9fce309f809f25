import { refuseUndoReason, UNDO_REASON_MAX, UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type ImportDetails, type ImportRow, importApi } from './importApi.tsx'
import { IMPORT_REFUSALS, LIMITS, refuseRemark } from './rules.ts'

export function RemarkDialog({ row, onClose }: { row: ImportRow; onClose: () => void }) {
  return (
    <FormDialog
      title={`备注「${row.fileName}」`}
      submitText="保存"
      initial={{ remark: row.remark }}
      refuse={({ remark }) => {
        const code = refuseRemark(remark)
        return code && { field: 'remark', message: IMPORT_REFUSALS[code] }
      }}
      onSubmit={async ({ remark }) => {
        await importApi.mark({ id: row.id, remark })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => <TextField form={form} name="remark" label="备注" count={LIMITS.remark} />}
    </FormDialog>
  )
}

/** Every shop of the import is taken back by the rules of an undo. */
export function RollBackDialog({ data, onClose }: { data: ImportDetails; onClose: () => void }) {
  return (
    <FormDialog
      title={`整批撤销「${data.fileName}」？`}
      submitText="整批撤销"
      danger
      initial={{ reason: '' }}
      refuse={({ reason }) => {
        const code = refuseUndoReason(reason)
        return code && { field: 'reason', message: UNDO_REFUSALS[code] }
      }}
      onSubmit={async ({ reason }) => {
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
          <TextField form={form} name="reason" label="撤销原因" required count={UNDO_REASON_MAX} />
        </>
      )}
    </FormDialog>
  )
}
