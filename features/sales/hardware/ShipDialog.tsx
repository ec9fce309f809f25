import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { PhoneNumber } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { hardware } from './contract.ts'
import styles from './hardware.module.css'
import type { OrderRow } from './OrderSteps.tsx'
import { LIMITS, REFUSALS, refuseShipment } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Values = { carrier: string; trackingNo: string }
type Props = { order: OrderRow; onClose: () => void }

/** Suggestions only: any name may be typed. */
const CARRIERS = [
  '顺丰速运',
  '京东物流',
  '德邦快递',
  '中通快递',
  '圆通速递',
  '韵达快递',
  '申通快递',
  '邮政EMS',
]

/** Who carries it, and under which number. */
export default function ShipDialog({ order, onClose }: Props) {
  return (
    <FormDialog<Values>
      title={`发货：订单 ${order.orderNo.slice(-SHOWN_ORDER_CHARS)}`}
      submitText="发货"
      initial={{ carrier: '', trackingNo: '' }}
      refuse={values => {
        const broken = refuseShipment(values)
        return broken && { field: broken.field, message: REFUSALS[broken.code] }
      }}
      onSubmit={async ({ carrier, trackingNo }) => {
        try {
          await hardwareApi.ship({ orderNo: order.orderNo, carrier, trackingNo })
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
          <TextField
            form={form}
            name="carrier"
            label="物流公司"
            required
            maxLength={LIMITS.carrier}
            suggestions={CARRIERS}
          />
          <TextField form={form} name="trackingNo" label="物流单号" maxLength={LIMITS.trackingNo} required />
        </>
      )}
    </FormDialog>
  )
}
