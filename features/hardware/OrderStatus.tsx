import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { DELIVERY_STATUSES, type DeliveryStatus } from './rules.ts'

const TONES: Record<DeliveryStatus, Tone> = {
  awaitingPayment: 'attention',
  awaitingShipment: 'attention',
  shipped: 'neutral',
  received: 'neutral',
  returned: 'neutral',
  complete: 'done',
}

export function OrderStatus({ status }: { status: DeliveryStatus }) {
  return <StatusTag tone={TONES[status]}>{DELIVERY_STATUSES[status]}</StatusTag>
}
