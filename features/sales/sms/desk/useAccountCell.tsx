import { shopCell } from '#features/sales/orders/orderCells.tsx'
import { useSession } from '#web/client/session.ts'

/** The shop of an order, or whose account it is where it is of none. */
export function useAccountCell() {
  const { isVendorStaff } = useSession()
  return shopCell(isVendorStaff ? '代理商账户' : '本账户')
}
