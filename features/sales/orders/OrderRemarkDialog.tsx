import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { api } from '#web/client/api.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { orders } from './contract.ts'
import { ORDER_REMARK } from './fields.ts'
import { REMARK_LOCK_MS } from './rules.ts'

const ordersApi = api<typeof orders>('orders')

type Remarked = { orderNo: string; shopName: string | null; content: string; remark: string }

/** The remark of an order (D2 §5): required, and its button stays locked for three seconds once it was pressed. */
export default function OrderRemarkDialog({ order, onClose }: { order: Remarked; onClose: () => void }) {
  return (
    <FormDialog
      title="修改备注"
      submitText="保存备注"
      of={ORDER_REMARK}
      known={order}
      lockMs={REMARK_LOCK_MS}
      send={async ({ remark }) => {
        await ordersApi.setRemark({ orderNo: order.orderNo, remark: remark.trim() })
        toast.success('修改成功')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            订单 {order.orderNo.slice(-SHOWN_ORDER_CHARS)} · {order.shopName} {order.content}
          </FormNote>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
