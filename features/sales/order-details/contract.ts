import { DetailTable, DocumentDetails } from '#features/money/ledger/contract-details.ts'
import { UndoOffer } from '#features/sales/orders/contract.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf } from '#kit/declare/page.ts'
import { codeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { BATCH_FIELDS, BATCHES } from './fields.ts'
import { ORDER_DETAILS_REFUSALS } from './rules.ts'

const BatchRow = z.object({ ...outputShape(BATCH_FIELDS, 'row'), undo: UndoOffer })

export const orderDetails = {
  /** An order of any kind by its number or its last 8 characters; whose kind the account may not see is not there for it. */
  find: op(
    { permission: 'session' },
    { method: 'GET', path: '/orders/{orderNo}/details', summary: 'An order of any kind by its number' },
  )
    .errors(errorsOf(ORDER_DETAILS_REFUSALS))
    .input(z.object({ orderNo: codeText.min(1).max(40) }))
    .output(
      DocumentDetails.extend({
        agentName: z.string(),
        /** None: no shop, or another agent's by now. */
        shopName: z.string().nullable(),
        /** How it was paid from outside. */
        payment: z.array(DetailTable),
        /** What it moved; none for who may not see balances. */
        movements: z.array(DetailTable),
        /** Requests to undo it, and what came of them. */
        requests: z.array(DetailTable),
        /** Why it cannot be undone now, or null; no undo for who may not or where there is none. */
        undo: z.object({ refusal: z.string().nullable() }).nullable(),
      }),
    ),
  /** Bulk renewals of the acting agent; of all agents for vendor staff. */
  batches: op(
    { permission: 'orders.list' },
    { method: 'GET', path: '/orders/batches', summary: 'Bulk renewals' },
  )
    .input(z.object(listInput(BATCHES)))
    .output(pageOf(BatchRow)),
}

export type Order = Out<typeof orderDetails.find>
