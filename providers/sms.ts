// What senders of SMS share: the limits of a call, and receipts that come as a list.
import { CallbackRejected, type SmsBatch, type SmsReceipt, type SmsSender } from '#kit/ports/providers.ts'
import { type Members, membersOf } from './read.ts'

type Limits = Pick<SmsSender, 'batchMax' | 'ownParamsMax'>

/** Whether the messages have variables of their own. A batch that one call cannot send is a RangeError. */
export function hasOwnParams({ messages }: SmsBatch, { batchMax, ownParamsMax }: Limits): boolean {
  const own = messages.filter(({ params }) => params).length
  if (own > 0 && own < messages.length)
    throw new RangeError(`${own} of ${messages.length} messages have variables of their own, not all`)
  const max = own > 0 ? ownParamsMax : batchMax
  if (messages.length < 1 || messages.length > max)
    throw new RangeError(`such a batch has 1 to ${max} messages, not ${messages.length}`)
  return own > 0
}

/** Rejects with CallbackRejected where the body is no list of what `readOne` reads. */
export function readReceiptList(body: Buffer, readOne: (row: Members) => SmsReceipt): SmsReceipt[] {
  let rows: unknown
  try {
    rows = JSON.parse(body.toString())
  } catch {
    throw new CallbackRejected('receipts that are not JSON')
  }
  if (!Array.isArray(rows)) throw new CallbackRejected('receipts that are no list')
  return rows.map(row => readOne(membersOf(row)))
}
