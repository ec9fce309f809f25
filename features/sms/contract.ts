import { z } from 'zod'
import { LEDGER_REFUSALS, PAY_METHOD_KEYS, TRANSFER_KIND_KEYS } from '#features/ledger/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/merchants/rules.ts'
import { shopOrder, shopOrderFilters, UndoOffer } from '#features/orders/contract.ts'
import { download, errorsOf, op } from '#kit/op.ts'
import { day, pageInput, pageOf, searchText, whole } from '#kit/page.ts'
import { SMS_CHANGE_KIND_KEYS, SMS_ORDER_KIND_KEYS, SMS_ORDER_STATUS_KEYS, SMS_REFUSALS } from './rules.ts'

const refusal = z.object({ code: z.string(), message: z.string() }).nullable()
const searchErrors = { SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }

export const SmsOrderRow = z.object({
  ...shopOrder,
  kind: z.enum(SMS_ORDER_KIND_KEYS),
  name: z.string(),
  pieces: z.number(),
  payMethod: z.enum(PAY_METHOD_KEYS),
  status: z.enum(SMS_ORDER_STATUS_KEYS),
  smsBefore: z.number().nullable(),
  smsAfter: z.number().nullable(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  undoneAt: z.string().nullable(),
  /** Null: orders of this kind are never undone. */
  undo: UndoOffer.nullable(),
})

const orderFilters = {
  ...shopOrderFilters,
  kind: z.enum(SMS_ORDER_KIND_KEYS).optional(),
  status: z.enum(SMS_ORDER_STATUS_KEYS).optional(),
  payMethod: z.enum(PAY_METHOD_KEYS).optional(),
}

export const SmsChangeRow = z.object({
  ...shopOrder,
  kind: z.enum(SMS_CHANGE_KIND_KEYS),
  name: z.string(),
  /** The shop's credit before and after; null for orders from before it was kept. */
  changeBefore: z.number().nullable(),
  changeAfter: z.number().nullable(),
  pieces: z.number(),
  /** Tokens that went back, 1/100; or fen that a refund gave back. */
  totalCents: z.number().nullable(),
  refundFen: z.number().nullable(),
  changedAt: z.string(),
})

const changeFilters = { ...shopOrderFilters, kind: z.enum(SMS_CHANGE_KIND_KEYS).optional() }

export const SmsEntryRow = z.object({
  id: z.number(),
  orderNo: z.string(),
  merchantId: z.number().nullable(),
  kind: z.enum(TRANSFER_KIND_KEYS),
  description: z.string(),
  before: z.number(),
  /** Signed: positive into the account. */
  pieces: z.number(),
  after: z.number(),
  payMethod: z.enum(PAY_METHOD_KEYS),
  actorName: z.string(),
  remark: z.string(),
  createdAt: z.string(),
})

const entryFilters = {
  /** An order number, its last eight characters, or a shop's id. */
  search: searchText,
  /** The account of this shop instead of the agent's own. */
  merchantId: whole(1).optional(),
  /** Vendor staff: of this agent. */
  agentId: whole(1).optional(),
  kind: z.enum(TRANSFER_KIND_KEYS).optional(),
  from: day.optional(),
  to: day.optional(),
}

export const sms = {
  /** Packages on offer at the buyer's price, and the shop's SMS credit; tokens in 1/100. */
  packages: op(
    { permission: 'sms.buy' },
    { method: 'GET', path: '/merchants/{merchantId}/sms-packages', summary: 'SMS packages for a shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        rows: z.array(
          z.object({
            id: z.number(),
            name: z.string(),
            pieces: z.number(),
            priceCents: z.number(),
            totalCents: z.number(),
          }),
        ),
        discountBasisPoints: z.number(),
        balanceCents: z.number(),
        /** Pieces that the shop holds. */
        credit: z.number(),
        /** Why nothing can be bought for this shop now, or null. */
        refusal,
      }),
    ),
  /** Pays a package with the agent's tokens. `totalCents` is what the page showed; another price is refused. */
  buy: op(
    { permission: 'sms.buy', log: '购买短信包', idempotent: true },
    {
      method: 'POST',
      path: '/merchants/{merchantId}/sms-packages',
      summary: 'Buy an SMS package for a shop',
    },
  )
    .errors(errorsOf({ ...LEDGER_REFUSALS, ...SMS_REFUSALS }))
    .input(
      z.object({
        merchantId: whole(1),
        packageId: z.number().int(),
        remark: z.string().trim().max(500).default(''),
        totalCents: z.number().int(),
      }),
    )
    .output(
      z.object({
        orderNo: z.string(),
        totalCents: z.number(),
        smsBefore: z.number(),
        smsAfter: z.number(),
        balanceAfterCents: z.number(),
      }),
    ),
  /** What can be recalled from a shop, and whether that needs a code sent to its phone. */
  recallable: op(
    { permission: 'sms.recall' },
    { method: 'GET', path: '/merchants/{merchantId}/sms-credit', summary: 'SMS credit of a shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        credit: z.number(),
        needsRecoveryCode: z.boolean(),
        /** Masked; where the code is sent. */
        phone: z.string(),
        /** SMS credit of the agent that it returns to. */
        agentSms: z.number(),
        refusal,
      }),
    ),
  /** Takes SMS credit back from a shop to its agent. */
  recall: op(
    { permission: 'sms.recall', log: '回收短信', idempotent: true },
    { method: 'POST', path: '/merchants/{merchantId}/sms-recalls', summary: 'Recall SMS credit of a shop' },
  )
    .errors(errorsOf({ ...LEDGER_REFUSALS, ...SMS_REFUSALS }))
    .input(
      z.object({
        merchantId: whole(1),
        pieces: z.number(),
        code: z.string().trim().max(12).default(''),
      }),
    )
    .output(
      z.object({ orderNo: z.string(), smsBefore: z.number(), smsAfter: z.number(), agentSms: z.number() }),
    ),
  /** Hands SMS credit of the agent to a shop for nothing (SmsHandle with type 0). */
  gift: op(
    { permission: 'sms.gift', log: '赠送短信', idempotent: true },
    { method: 'POST', path: '/merchants/{merchantId}/sms-gifts', summary: 'Give SMS credit to a shop' },
  )
    .errors(errorsOf({ ...LEDGER_REFUSALS, ...SMS_REFUSALS }))
    .input(
      z.object({ merchantId: whole(1), pieces: z.number(), remark: z.string().trim().max(500).default('') }),
    )
    .output(
      z.object({ orderNo: z.string(), smsBefore: z.number(), smsAfter: z.number(), agentSms: z.number() }),
    ),
  /** What was taken away again, by recall or by undoing an order; latest first. */
  changes: op(
    { permission: 'sms.changes' },
    { method: 'GET', path: '/sms/changes', summary: 'SMS change orders' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object({ ...pageInput, ...changeFilters }))
    .output(pageOf(SmsChangeRow).extend({ totalPieces: z.number(), shopsCapped: z.boolean() })),
  /** Movements of SMS credit on one account: the agent's own, or a shop's; latest first. */
  merchantChanges: op(
    { permission: 'sms.merchantChanges' },
    { method: 'GET', path: '/sms/merchant-changes', summary: 'Changes of SMS credit' },
  )
    .input(z.object({ ...pageInput, ...entryFilters }))
    .output(pageOf(SmsEntryRow).extend({ income: z.number(), spent: z.number() })),
  /** Newest first. The sums cover what `total` counts; what was undone is in `recycledCents` and `recycledPieces`. */
  orders: op(
    { permission: 'sms.orders' },
    { method: 'GET', path: '/sms/orders', summary: 'SMS orders of shops; all for vendor staff' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object({ ...pageInput, ...orderFilters }))
    .output(
      pageOf(SmsOrderRow).extend({
        /** Tokens. */
        totalCents: z.number(),
        /** Fen that agents paid from outside. */
        paidFen: z.number(),
        /** Of that, what was given back. */
        refundedFen: z.number(),
        /** Pieces of packages, gifts and recharges that were paid. */
        totalPieces: z.number(),
        recycledCents: z.number(),
        recycledPieces: z.number(),
        /** Pieces taken back from shops. */
        recalledPieces: z.number(),
        shopsCapped: z.boolean(),
      }),
    ),
}

export const ORDER_EXPORT_COLUMNS = [
  'orderNo',
  'merchantId',
  'shopName',
  'kind',
  'name',
  'smsBefore',
  'pieces',
  'smsAfter',
  'totalCents',
  'createdAt',
  'payMethod',
  'status',
  'createdByName',
  'remark',
  'agentName',
] as const

export const CHANGE_EXPORT_COLUMNS = [
  'orderNo',
  'merchantId',
  'shopName',
  'kind',
  'name',
  'changeBefore',
  'pieces',
  'changeAfter',
  'totalCents',
  'refundFen',
  'changedAt',
  'createdByName',
  'remark',
  'agentName',
] as const

export const ENTRY_EXPORT_COLUMNS = [
  'orderNo',
  'merchantId',
  'kind',
  'description',
  'before',
  'pieces',
  'after',
  'payMethod',
  'actorName',
  'remark',
  'createdAt',
] as const

export const smsDownloads = {
  changes: download({
    permission: 'sms.changesExport',
    log: '导出短信变动订单',
    path: '/sms/changes.xlsx',
    fileName: '短信变动订单',
    input: z.object({ ...changeFilters, columns: z.string().max(400).optional() }),
  }),
  merchantChanges: download({
    permission: 'sms.merchantChangesExport',
    log: '导出商户短信变动',
    path: '/sms/merchant-changes.xlsx',
    fileName: '商户短信变动',
    input: z.object({ ...entryFilters, columns: z.string().max(400).optional() }),
  }),
  orders: download({
    permission: 'sms.export',
    log: '导出短信订单',
    path: '/sms/orders.xlsx',
    fileName: '短信订单',
    /** `columns`: comma-separated keys in their order; all when absent. */
    input: z.object({ ...orderFilters, columns: z.string().max(400).optional() }),
  }),
}
