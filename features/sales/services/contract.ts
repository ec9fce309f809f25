import { UndoOffer } from '#features/sales/orders/contract.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { Conditions } from '#features/shops/versions/contract.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { SERVICE_ORDER_FIELDS, SERVICE_ORDERS } from './fields.ts'
import { SERVICE_REFUSALS } from './rules.ts'

const refusal = z.object({ code: z.string(), message: z.string() }).nullable()
const unit = z.enum(['year', 'piece'])
const searchErrors = { SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }

const Offer = z.object({
  id: z.number(),
  code: z.string(),
  name: z.string(),
  remark: z.string(),
  unit,
  unitCents: z.number(),
  headOnly: z.boolean(),
  /** False: retired; who has a yearly one may renew it until then (null: without end), or `refusal` says that nobody may. */
  enabled: z.boolean(),
  renewUntil: z.string().nullable(),
  /** What beside the discount decides this buyer's price now. */
  conditions: Conditions,
  /** Pieces, or 1 where a yearly service was ever opened. */
  quantity: z.number(),
  /** Null: never opened, or without end. */
  expiresAt: z.string().nullable(),
  /** The day of the month that its years keep; null: that of its end. */
  termDay: z.number().nullable(),
  /** Why the shop cannot buy it now, or null. */
  refusal,
})

export const ServiceOrderRow = z.object({
  ...outputShape(SERVICE_ORDER_FIELDS, 'row'),
  unit,
  originalCents: z.number(),
  discountBasisPoints: z.number(),
  undoneAt: z.string().nullable(),
  undo: UndoOffer,
})

export const services = {
  /** The catalogue by group with what the shop has of it, the buyer's discount (1/10,000) and tokens (1/100). */
  ofMerchant: op(
    { permission: 'services.buy' },
    { method: 'GET', path: '/merchants/{merchantId}/services', summary: 'Value-added services of a shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        merchant: z.object({
          id: z.number(),
          shopName: z.string(),
          status: z.enum(['normal', 'disabled']),
          storeKind: z.enum(['head', 'branch']),
          /** Null: permanent. */
          expiresAt: z.string().nullable(),
        }),
        groups: z.array(
          z.object({
            id: z.number(),
            code: z.string(),
            name: z.string(),
            remark: z.string(),
            services: z.array(Offer),
          }),
        ),
        discountBasisPoints: z.number(),
        balanceCents: z.number(),
        /** Operator seats that the shop has bought. */
        buyOperatorNumber: z.number(),
        /** Why nothing can be bought for this shop now, or null. */
        refusal,
        now: z.string(),
      }),
    ),
  /**
   * Buys in one transaction, an order for each item. `totalCents` is what the page showed; another price is refused
   * (PRICE_CHANGED). INSUFFICIENT tells `missing` in 1/100 token.
   */
  buy: op(
    {
      permission: 'services.buy',
      log: '购买增值服务',
      idempotent: true,
      stale: ['services', 'ledger', 'settlement', 'renewals', 'dashboard'],
    },
    {
      method: 'POST',
      path: '/merchants/{merchantId}/services',
      summary: 'Buy value-added services for a shop',
    },
  )
    .errors(errorsOf(SERVICE_REFUSALS))
    .input(
      z.object({
        merchantId: whole(1),
        items: z
          .array(
            z.object({
              serviceId: z.number().int(),
              /** Pieces; 1 for a yearly service. */
              quantity: z.number().int(),
              /** Years of a yearly service; passed over for pieces. */
              years: z.number().int().default(1),
            }),
          )
          .max(200),
        remark: linesText.max(500).default(''),
        totalCents: z.number().int(),
      }),
    )
    .output(
      z.object({
        totalCents: z.number(),
        balanceAfterCents: z.number(),
        orders: z.array(
          z.object({
            orderNo: z.string(),
            serviceId: z.number(),
            serviceName: z.string(),
            quantity: z.number(),
            totalCents: z.number(),
            quantityAfter: z.number(),
            expiresAfter: z.string().nullable(),
          }),
        ),
      }),
    ),
  /** Newest first. The sums cover what `total` counts; `recalledCents` is the part of `totalCents` that was undone. */
  orders: op(
    { permission: 'services.orders', mayLag: true },
    { method: 'GET', path: '/services/orders', summary: 'Value-added service orders; all for vendor staff' },
  )
    .errors(errorsOf(searchErrors))
    .input(z.object(listInput(SERVICE_ORDERS)))
    .output(
      pageOf(ServiceOrderRow).extend({
        totalCents: z.number(),
        recalledCents: z.number(),
        shopsCapped: z.boolean(),
      }),
    ),
  /** For the filter by service: every service that orders can name. */
  options: op(
    { permission: 'services.orders' },
    { method: 'GET', path: '/services/options', summary: 'Value-added services for the filter' },
  ).output(
    z.object({ rows: z.array(z.object({ id: z.number(), name: z.string(), groupName: z.string() })) }),
  ),
}

export const servicesDownloads = { orders: fileOf(SERVICE_ORDERS) }
