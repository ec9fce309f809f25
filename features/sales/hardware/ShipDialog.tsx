import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { PhoneNumber } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { hardware, OrderRow } from './contract.ts'
import { SHIPMENT } from './fields.ts'
import styles from './hardware.module.css'
import { REFUSALS, refuseTrackingNo } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Props = { order: OrderRow; onClose: () => void }

/** Who carries it, and under which number. */
export default function ShipDialog({ order, onClose }: Props) {
  return (
    <FormDialog
      title={`发货：订单 ${order.orderNo.slice(-SHOWN_ORDER_CHARS)}`}
      submitText="发货"
      of={SHIPMENT}
      refuse={({ trackingNo }) => {
        const code = refuseTrackingNo(trackingNo)
        return code && { field: 'trackingNo', message: REFUSALS[code] }
      }}
      send={async shipment => {
        try {
          await hardwareApi.ship({ orderNo: order.orderNo, ...shipment })
        } catch (error) {
          if (!refusalOf(error)) toast.error('操作失败')
          throw error
        }
        toast.success('发货成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <dl className={styles.orderBrief}>
            <div>
              <dt>收货</dt>
              <dd>
                {order.contactName} <PhoneNumber number={order.contactPhone} />
              </dd>
            </div>
            <div>
              <dt>地址</dt>
              <dd>{order.fullAddress}</dd>
            </div>
            <div>
              <dt>商品</dt>
              <dd>{order.lines.map(line => `${line.productName} × ${line.quantity}`).join('，')}</dd>
            </div>
          </dl>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
