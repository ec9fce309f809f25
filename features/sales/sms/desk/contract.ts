import { UndoOffer } from '#features/sales/orders/contract.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import {
  SMS_CHANGE_FIELDS,
  SMS_CHANGES,
  SMS_ENTRIES,
  SMS_ENTRY_FIELDS,
  SMS_ORDER_FIELDS,
  SMS_ORDERS,
} from './fields.ts'

const searchErrors = { SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }

export const SmsOrderRow = z.object({
  ...outputShape(SMS_ORDER_FIELDS, 'row'),
  undoneAt: z.string().nullable(),
  /** Null: orders of this kind are never undone. */
  undo: UndoOffer.nullable(),
})
export const SmsChangeRow = z.object(outputShape(SMS_CHANGE_FIELDS, 'row'))
export const SmsEntryRow = z.object(outputShape(SMS_ENTRY_FIELDS, 'row'))

export const smsDesk = {
  /** What was taken away again, by recall or by undoing an order; latest first. */
  changes: op(
    { permission: 'smsDesk.changes', mayLag: true },
    { method: 'GET', path: '/sms/changes', summary: 'SMS change orders' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object(listInput(SMS_CHANGES)))
    .output(pageOf(SmsChangeRow).extend({ totalPieces: z.number(), shopsCapped: z.boolean() })),
  /** Movements of SMS credit on one account: the agent's own, or a shop's; latest first. */
  merchantChanges: op(
    { permission: 'smsDesk.merchantChanges', mayLag: true },
    { method: 'GET', path: '/sms/merchant-changes', summary: 'Changes of SMS credit' },
  )
    .input(z.object(listInput(SMS_ENTRIES)))
    .output(pageOf(SmsEntryRow).extend({ income: z.number(), spent: z.number() })),
  /** Newest first. The sums cover what `total` counts; what was undone is in `recycledCents` and `recycledPieces`. */
  orders: op(
    { permission: 'smsDesk.orders', mayLag: true },
    { method: 'GET', path: '/sms/orders', summary: 'SMS orders of shops; all for vendor staff' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object(listInput(SMS_ORDERS)))
    .output(
      pageOf(SmsOrderRow).extend({
        /** Tokens. */
        totalCents: z.number(),
        /** Fen that agents paid from outside. */
        paidFen: z.number(),
        /** Of that, what was given back. */
        refundedFen: z.number(),
        /** Pieces that were given, for nothing. */
        giftPieces: z.number(),
        /** Pieces of packages and recharges that were paid. */
        totalPieces: z.number(),
        recycledCents: z.number(),
        recycledPieces: z.number(),
        /** Pieces taken back from shops. */
        recalledPieces: z.number(),
        shopsCapped: z.boolean(),
      }),
    ),
}

export const smsDeskDownloads = {
  changes: fileOf(SMS_CHANGES),
  merchantChanges: fileOf(SMS_ENTRIES),
  orders: fileOf(SMS_ORDERS),
}
