import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { COUNT_CAP, pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ORDER_FIELDS, VERSION_ORDERS } from './fields.ts'
import { DISCARD_REFUSALS, REMARK_REFUSALS } from './rules.ts'

/** Whether a list's order can be undone, and else why not. */
export const UndoOffer = z.object({ refusal: z.string().nullable() })

export const OrderRow = z.object({
  ...outputShape(ORDER_FIELDS, 'row'),
  /** Null: a quote, of which there is nothing to undo. */
  undo: UndoOffer.nullable(),
})

/** What undoing one order gives back, and why it cannot be undone; as `UndoPreview` of rules.ts. */
export const UndoPreview = z.object({
  orderNo: z.string(),
  agentId: z.number(),
  merchantId: z.number().nullable(),
  shopName: z.string(),
  content: z.string(),
  paidAt: z.string().nullable(),
  tokensBackCents: z.number(),
  smsBack: z.number(),
  smsSpent: z.number(),
  shops: z.array(
    z.object({
      merchantId: z.number(),
      shopName: z.string(),
      daysRemoved: z.number().nullable(),
      expiresNow: z.string().nullable(),
      expiresThen: z.string().nullable(),
      versionNow: z.string(),
      versionThen: z.string(),
    }),
  ),
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  notes: z.array(z.string()),
})

const searchErrors = errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT })

export const orders = {
  /** Version orders of the acting agent, newest first; of all agents for vendor staff. */
  list: op(
    { permission: 'orders.list', mayLag: true },
    { method: 'GET', path: '/orders', summary: `Version orders; totals stop at ${COUNT_CAP} rows` },
  )
    .errors(searchErrors)
    .input(z.object(listInput(VERSION_ORDERS)))
    .output(
      pageOf(OrderRow).extend({
        /** Settlement of the paid orders among the counted rows. */
        settledCents: z.number(),
        /** The search matched more shops than are looked at. */
        shopsCapped: z.boolean(),
      }),
    ),
  /** People who make orders, for the operator filter; of `agentId` where vendor staff ask. */
  actors: op(
    { permission: 'orders.list' },
    { method: 'GET', path: '/orders/actors', summary: 'Accounts for the operator filter of orders' },
  )
    .input(z.object({ agentId: whole(1).optional() }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  setRemark: op(
    { permission: 'orders.remark', log: '修改订单备注', stale: ['orders', 'orderDetails', 'settlement'] },
    { method: 'PATCH', path: '/orders/{orderNo}/remark', summary: 'Edit the remark of a version order' },
  )
    .errors(errorsOf(REMARK_REFUSALS))
    .input(z.object({ orderNo: codeText.max(40), remark: linesText.max(500) }))
    .output(z.object({ orderNo: z.string(), remark: z.string() })),
  /** Takes one of the acting agent's own quotes away before it lapses by itself. */
  discard: op(
    { permission: 'orders.remark', log: '作废待支付订单', stale: ['orders'] },
    { method: 'DELETE', path: '/orders/{orderNo}', summary: 'Discard a quote that was not paid' },
  )
    .errors(errorsOf(DISCARD_REFUSALS))
    .input(z.object({ orderNo: codeText.max(40) }))
    .output(z.object({ orderNo: z.string() })),
}

export const orderDownloads = { list: fileOf(VERSION_ORDERS) }
