import { Link } from '#web/controls/Link.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { OrderDetails } from './OrderDetails.tsx'
import styles from './order-details.module.css'

type Props = { orderNo: string; onOrder: (orderNo: string) => void; onClose: () => void }

/** An order over the list that it was opened from. */
export default function OrderDrawer({ orderNo, onOrder, onClose }: Props) {
  return (
    <Drawer title="订单详情" wide onClose={onClose}>
      <DrawerBody>
        <OrderDetails key={orderNo} orderNo={orderNo} onOrder={onOrder} />
        <p className={styles.whole}>
          <Link to="/admin/order/$orderNo" params={{ orderNo }}>
            在单独的页面打开
          </Link>
        </p>
      </DrawerBody>
    </Drawer>
  )
}
