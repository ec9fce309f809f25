// What one delivery says. The same at every try: its id tells the receiver that it has had it.
import type { webhookDeliveries } from './tables.ts'

type Delivery = Pick<
  typeof webhookDeliveries.$inferSelect,
  'id' | 'seq' | 'topic' | 'at' | 'merchantId' | 'data'
>

export function messageIdOf({ id, seq }: Pick<Delivery, 'id' | 'seq'>): string {
  return seq === null ? `test_${id}` : `change_${seq}`
}

export function bodyOf({ seq, topic, at, merchantId, data }: Delivery): string {
  return JSON.stringify({ type: topic, timestamp: at, data: { seq, shopId: merchantId, ...data } })
}
