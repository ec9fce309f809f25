import { formatCount } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { type ClearingDetails, clearingApi } from './clearingApi.tsx'
import { CLEARING_REASONS } from './fields.ts'

type Props = { data: ClearingDetails; asks: 'restore' | 'reject'; onClose: () => void }

/** Why the rows come back, or why nothing is emptied. */
export default function ReasonDialog({ data, asks, onClose }: Props) {
  const { id, shopName, tableName, backupRows } = data
  const isBack = asks === 'restore'
  return (
    <FormDialog
      title={isBack ? `恢复「${shopName}」的${tableName}？` : `驳回清空「${shopName}」的${tableName}？`}
      submitText={isBack ? '恢复数据' : '驳回'}
      of={CLEARING_REASONS[asks]}
      send={async ({ reason }) => {
        const sent = isBack
          ? clearingApi.restore({ id, reason })
          : clearingApi.reject({ id, decision: reason })
        await sent.catch((error: unknown) => {
          readAgain('tableClearing')
          throw error
        })
        toast.success(isBack ? '已提交，正在恢复' : '已驳回')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {isBack && (
            <FormNote>
              备份中的 {formatCount(backupRows ?? 0)}{' '}
              行将回到收银系统；清空之后新增的数据保留在旁，不会被覆盖。
            </FormNote>
          )}
          <FormFields form={form} told={{ reason: { 'data-autofocus': true } }} />
        </>
      )}
    </FormDialog>
  )
}
