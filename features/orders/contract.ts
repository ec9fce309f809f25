import { z } from 'zod'
import { PAY_METHOD_KEYS } from '#features/ledger/rules.ts'
import { REFUSALS } from '#features/merchants/rules.ts'
import { TERMS } from '#features/versions/rules.ts'
import { download, errorsOf, op } from '#kit/op.ts'
import { COUNT_CAP, day, pageInput, pageOf, searchText, whole } from '#kit/page.ts'
import { DISCARD_REFUSALS, ORDER_STATUS_KEYS, REMARK_REFUSALS, SALES_TYPE_KEYS } from './rules.ts'

export const OrderRow = z.object({
  id: z.number(),
  orderNo: z.string(),
  agentId: z.number(),
  agentName: z.string(),
  /** Null until a new shop's quote is confirmed. */
  merchantId: z.number().nullable(),
  /** Null where there is no shop yet, or where it belongs to another agent now. */
  shopName: z.string().nullable(),
  account: z.string().nullable(),
  managerName: z.string().nullable(),
  registeredAt: z.string().nullable(),
  content: z.string(),
  versionName: z.string(),
  term: z.enum(TERMS),
  salesType: z.enum(SALES_TYPE_KEYS),
  status: z.enum(ORDER_STATUS_KEYS),
  payMethod: z.enum(PAY_METHOD_KEYS),
  /** 1/100 token. */
  originalCents: z.number(),
  totalCents: z.number(),
  /** Who made it. */
  actorName: z.string().nullable(),
  remark: z.string(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
})

/** Whether a list's order can be undone, and else why not. */
export const UndoOffer = z.object({ refusal: z.string().nullable() })

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

/** What lists of services and SMS sold to shops show of each order. */
export const shopOrder = {
  id: z.number(),
  orderNo: z.string(),
  agentId: z.number(),
  agentName: z.string(),
  /** Null: the agent's own credit. */
  merchantId: z.number().nullable(),
  /** Null: the shop belongs to another agent now, or there is none. */
  shopName: z.string().nullable(),
  totalCents: z.number(),
  remark: z.string(),
  createdByName: z.string(),
}

export const shopOrderFilters = {
  /** Order number, whole or its last 8 characters; shop id, account or name. */
  search: searchText,
  agentId: whole(1).optional(),
  from: day.optional(),
  to: day.optional(),
}

export const orderFilters = {
  /** Order number, whole or its last 8 characters; shop id, account or name. */
  search: searchText,
  versionId: whole(1).optional(),
  payMethod: z.enum(PAY_METHOD_KEYS).optional(),
  salesType: z.enum(SALES_TYPE_KEYS).optional(),
  /** Without it, paid and recycled orders: no quotes. */
  status: z.enum(ORDER_STATUS_KEYS).optional(),
  actorId: whole(1).optional(),
  agentId: whole(1).optional(),
  paidFrom: day.optional(),
  paidTo: day.optional(),
}

const searchErrors = errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT })

export const orders = {
  /** Version orders of the acting agent, newest first; of all agents for vendor staff. */
  list: op(
    { permission: 'orders.list' },
    { method: 'GET', path: '/orders', summary: `Version orders; totals stop at ${COUNT_CAP} rows` },
  )
    .errors(searchErrors)
    .input(z.object({ ...pageInput, ...orderFilters }))
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
  /** What is filtered, for paper: at most PRINT_ROWS_MAX rows, and how many there are. */
  printable: op(
    { permission: 'orders.export' },
    { method: 'GET', path: '/orders/printable', summary: 'Version orders for printing' },
  )
    .errors(searchErrors)
    .input(z.object(orderFilters))
    .output(
      pageOf(OrderRow).extend({
        settledCents: z.number(),
        shopsCapped: z.boolean(),
        companyName: z.string(),
        printedBy: z.string(),
        printedAt: z.string(),
      }),
    ),
  setRemark: op(
    { permission: 'orders.remark', log: '修改订单备注' },
    { method: 'PATCH', path: '/orders/{orderNo}/remark', summary: 'Edit the remark of a version order' },
  )
    .errors(errorsOf(REMARK_REFUSALS))
    .input(z.object({ orderNo: z.string().max(40), remark: z.string().trim().max(500) }))
    .output(z.object({ orderNo: z.string(), remark: z.string() })),
  /** Takes one of the acting agent's own quotes away before it lapses by itself. */
  discard: op(
    { permission: 'orders.remark', log: '作废待支付订单' },
    { method: 'DELETE', path: '/orders/{orderNo}', summary: 'Discard a quote that was not paid' },
  )
    .errors(errorsOf(DISCARD_REFUSALS))
    .input(z.object({ orderNo: z.string().max(40) }))
    .output(z.object({ orderNo: z.string() })),
}

export const orderDownloads = {
  list: download({
    permission: 'orders.export',
    log: '导出版本订单',
    path: '/orders/export.xlsx',
    fileName: '版本订单',
    /** `columns`: comma-separated keys in their order; all when absent. */
    input: z.object({ ...orderFilters, columns: z.string().max(400).optional() }),
  }),
}
