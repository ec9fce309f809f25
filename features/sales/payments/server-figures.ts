// What /metrics tells of payments: what became of callbacks, and how old the oldest is of what waits for this program.
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { SYSTEM } from '#server/db.ts'
import type { CountedFigure, ReadFigure } from '#server/metrics.ts'

/** failed: it could not be looked at just now, and is tried again. The others are final, one for each call. */
const CALLBACK_OUTCOMES = [
  'accepted',
  'duplicate',
  'rejected_signature',
  'rejected_stale',
  'rejected_content',
  'rejected_amount',
  'rejected_order',
  'failed',
] as const
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number]

export const PAY_CALLBACKS: CountedFigure = {
  name: 'payment_callbacks_total',
  help: 'Callbacks of the channels by what became of them',
  labels: { provider: PAY_CHANNELS, outcome: CALLBACK_OUTCOMES },
}

/** Each through an index, whose first row or few open ones it reads. */
const PENDING = {
  intent: `select min(created_at) as since from payment_intents where status = 'waiting'`,
  callback: `select min(received_at) as since from provider_events where id = (select min(id) from provider_events where status = 'kept')`,
  refund: 'select min(created_at) as since from payment_refunds where ask_at is not null',
}

export const OLDEST_PENDING: ReadFigure = {
  name: 'payment_oldest_pending_seconds',
  help: 'Age of the oldest order that waits for its payment, callback to be recorded and refund to end; 0 where none is',
  label: 'what',
  async read(database) {
    const ages = Object.entries(PENDING).map(
      ([what, since]) =>
        `(select greatest(0, coalesce(extract(epoch from now() - since), 0))::float from (${since}) p) as ${what}`,
    )
    const { rows } = await database.read(SYSTEM, ({ client }) =>
      client.query<Record<string, number>>(`select ${ages.join(', ')}`),
    )
    return rows[0] ?? {}
  },
}
