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

/** Every shop of the import that nobody has used goes, by the rules of an undo; above what the agency may do alone it is asked for. */
export function RollBackDialog({ data, onClose }: { data: ImportDetails; onClose: () => void }) {
  return (
    <FormDialog
      title={`整批撤回「${data.fileName}」？`}
      submitText={data.back.approval === null ? '整批撤回' : '提交撤回申请'}
      danger
      of={ROLL_BACK}
      send={async ({ reason }) => {
        const { state } = await importApi.rollBack({ id: data.id, reason }).catch((error: unknown) => {
          readAgain('shopImport')
          throw error
        })
        toast.success(state === 'pending' ? '申请已提交，等待厂商审批' : '已开始撤回')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {formatCount(data.created)} 家店铺中没有人使用过的将不再存在：账号可以再次使用，
            {data.mode === 'charge' && `最多退回 ${formatCents(data.totalCents)} 代币，`}
            短信退回。已登录、又有订单、已转走或改过版本等已使用的店铺保留不变，并逐家说明原因。
            {data.back.approval !== null && `${data.back.approval}，提交后由厂商审批，通过后开始撤回。`}
          </FormNote>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
