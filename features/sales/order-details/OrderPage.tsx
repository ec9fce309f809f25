import { useParams } from '@tanstack/react-router'
import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { look } from '#web/controls/look.ts'
import { useTabName } from '#web/shell/tab-name.ts'
import { OrderDetails } from './OrderDetails.tsx'
import styles from './order-details.module.css'

/** An order of any kind under an address of its own. */
export default function OrderPage() {
  const { orderNo = '' } = useParams({ strict: false }) as { orderNo?: string }
  const navigate = useNavigate()
  useTabName(orderNo.slice(-SHOWN_ORDER_CHARS))
  return (
    <div className={styles.page}>
      <h1 className={look.pageTitle}>订单详情</h1>
      <OrderDetails
        key={orderNo}
        orderNo={orderNo}
        onOrder={other => void navigate({ to: '/admin/order/$orderNo', params: { orderNo: other } })}
      />
    </div>
  )
}
