import { shownAs } from '#web/list/columns.tsx'
import { HARDWARE_ORDER_FIELDS } from './fields.ts'
import type { DeliveryStatus } from './rules.ts'

export function OrderStatus({ status }: { status: DeliveryStatus }) {
  return shownAs(HARDWARE_ORDER_FIELDS.deliveryStatus, status)
}
