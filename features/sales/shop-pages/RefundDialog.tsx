import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import type { RenewalRow, shopPages } from './contract.ts'
import { REFUND } from './fields.ts'

const shopPagesApi = api<typeof shopPages>('shopPages')

/** Gives a shop back what it paid, the way it came. */
export default function RefundDialog({ row, onClose }: { row: RenewalRow; onClose: () => void }) {
  return (
    <FormDialog
      title={`退款：${row.shopName}`}
      submitText="退款"
      danger
      of={REFUND}
      send={async ({ reason }) => {
        const { amountFen } = await shopPagesApi.refund({ orderNo: row.orderNo, reason })
        toast.success(`${formatCents(amountFen)} 元将原路退回`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            商户支付的 {formatCents(row.amountFen)} 元将从您的收款账户原路退回，不能撤销。
            {row.state === 'renewed' && '已续费的订单须先撤销对应的版本订单。'}
          </FormNote>
          <ReasonField form={form} name="reason" of="refund" />
        </>
      )}
    </FormDialog>
  )
}
