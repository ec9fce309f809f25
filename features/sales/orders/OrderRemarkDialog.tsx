import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { api } from '#web/client/api.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { orders } from './contract.ts'
import { REMARK_LOCK_MS, REMARK_MAX, REMARK_REFUSALS, refuseOrderRemark } from './rules.ts'

const ordersApi = api<typeof orders>('orders')

type Remarked = { orderNo: string; content: string; remark: string }

/** The remark of an order (D2 §5): required, and its button stays locked for three seconds once it was pressed. */
export default function OrderRemarkDialog({ order, onClose }: { order: Remarked; onClose: () => void }) {
  return (
    <FormDialog<{ remark: string }>
      title="修改备注"
      submitText="保存备注"
      initial={{ remark: order.remark }}
      refuse={({ remark }) => {
        const code = refuseOrderRemark(remark)
        return code && { field: 'remark', message: REMARK_REFUSALS[code] }
      }}
      lockMs={REMARK_LOCK_MS}
      onSubmit={async ({ remark }) => {
        await ordersApi.setRemark({ orderNo: order.orderNo, remark: remark.trim() })
        toast.success('修改成功')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            订单 {order.orderNo.slice(-SHOWN_ORDER_CHARS)} · {order.content}
          </FormNote>
          <TextField
            form={form}
            name="remark"
            label="备注"
            required
            rows={3}
            maxLength={REMARK_MAX}
            count={REMARK_MAX}
          />
        </>
      )}
    </FormDialog>
  )
}
