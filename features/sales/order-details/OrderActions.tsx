import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import type { hardware } from '#features/sales/hardware/contract.ts'
import { useOrderSteps } from '#features/sales/hardware/OrderSteps.tsx'
import { api } from '#web/client/api.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { Order } from './contract.ts'
import styles from './order-details.module.css'

const hardwareApi = api<typeof hardware>('hardware')
const UndoDialog = lazy(() => import('#features/sales/settlement/UndoDialog.tsx'))
const OrderRemarkDialog = lazy(() => import('#features/sales/orders/OrderRemarkDialog.tsx'))

/** What can be done with the order now, by who looks at it; what would be refused says why. */
export function OrderActions({ order }: { order: Order }) {
  const session = useSession()
  const mayRemark = usePermission('orders.remark') && order.kind === 'version'
  const [asking, setAsking] = useState<'undo' | 'remark' | null>(null)
  const close = () => setAsking(null)
  const history = useHistory()
  const { undoKind, undo, orderNo } = order
  const isHardware = order.kind === 'hardware' && session.permissions.includes('hardware.orders')
  return (
    <div className={styles.actions}>
      <Button onClick={() => print()}>打印</Button>
      {history
        .actionsOf({ kind: 'order', id: order.orderNo, name: order.title })
        .map(({ key, label, onClick }) => (
          <Button key={key} onClick={onClick}>
            {label}
          </Button>
        ))}
      {mayRemark && (
        <Button changes onClick={() => setAsking('remark')}>
          修改备注
        </Button>
      )}
      {isHardware && <HardwareActions orderNo={orderNo} />}
      {undo && (
        <Button changes disabled={undo.refusal} onClick={() => setAsking('undo')}>
          撤销
        </Button>
      )}
      {history.drawer}
      <Suspense>
        {asking === 'undo' && undoKind && <UndoDialog kind={undoKind} orderNo={orderNo} onClose={close} />}
        {asking === 'remark' && (
          <OrderRemarkDialog order={{ ...order, content: order.title }} onClose={close} />
        )}
      </Suspense>
    </div>
  )
}

/** The steps of a delivery, as its list offers them. */
function HardwareActions({ orderNo }: { orderNo: string }) {
  const listed = useQuery(hardwareApi.orders.query({ search: orderNo }))
  const steps = useOrderSteps()
  const row = listed.data?.rows.find(found => found.orderNo === orderNo)
  const actions: RowAction[] = row ? steps.actionsOf(row).filter(({ disabled }) => !disabled) : []
  return (
    <>
      {actions.map(({ key, label, danger, onClick }, at) => (
        <Button key={key} kind={at === 0 && !danger ? 'primary' : 'plain'} changes onClick={onClick}>
          {label}
        </Button>
      ))}
      {steps.dialogs}
    </>
  )
}
