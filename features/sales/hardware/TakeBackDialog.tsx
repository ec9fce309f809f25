import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { hardware, OrderRow } from './contract.ts'
import { TAKE_BACK } from './fields.ts'
import styles from './hardware.module.css'

const hardwareApi = api<typeof hardware>('hardware')

type Props = {
  order: OrderRow
  what: 'cancel' | 'return'
  onClose: () => void
}

const WORDS = {
  cancel: { title: '取消订单', submit: '取消订单', reason: '取消原因', done: '订单已取消，代币已退回' },
  return: { title: '退货', submit: '确认退货', reason: '退货原因', done: '退货成功，代币已退回' },
} as const

/** Says what returns, asks how the goods are and why, and takes the order back. */
export default function TakeBackDialog({ order, what, onClose }: Props) {
  const words = WORDS[what]
  return (
    <FormDialog
      title={`${words.title}：订单 ${order.orderNo.slice(-SHOWN_ORDER_CHARS)}`}
      submitText={words.submit}
      cancelText="返回"
      danger
      of={TAKE_BACK}
      without={what === 'cancel' ? ['condition'] : []}
      send={async ({ condition, reason }, idempotencyKey) => {
        const asked = { orderNo: order.orderNo, reason }
        if (what === 'cancel') await hardwareApi.cancel(asked, { idempotencyKey })
        else await hardwareApi.returnOrder({ ...asked, condition }, { idempotencyKey })
        toast.success(words.done)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <p className={styles.orderNote}>
            {formatCents(order.totalCents)} 代币将退回 {order.agentName} 的余额，
            {order.lines.map(line => `${line.productName} × ${line.quantity}`).join('、')}
            {what === 'cancel' ? ' 将回到库存。' : ' 完好的才回到库存。'}不能撤销。
          </p>
          <FormFields form={form} only={['condition']} />
          <ReasonField
            form={form}
            name="reason"
            of={what === 'return' ? 'return' : null}
            label={words.reason}
          />
        </>
      )}
    </FormDialog>
  )
}
