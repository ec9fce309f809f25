import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { MARGIN_FIELDS, MARGINS, PRICE_FIELDS, SELLING_PRICES } from './fields.ts'
import { MARGIN_REFUSALS } from './rules.ts'

const price = z.number().nullable()

export const margins = {
  /** Paid version orders of the acting agent itself that stand, the last paid first, and what is left of each. */
  orders: op(
    { permission: 'margins.orders', mayLag: true },
    { method: 'GET', path: '/margins/orders', summary: 'Margin by version order' },
  )
    .input(z.object(listInput(MARGINS)))
    .output(
      pageOf(z.object(outputShape(MARGIN_FIELDS, 'row'))).extend({
        /** Of the counted orders that had a price. */
        sellingFen: z.number(),
        totalCents: z.number(),
        profitFen: z.number(),
        /** Orders without one. */
        unpriced: z.number(),
      }),
    ),
  /** The acting agent's own prices as they stand; nobody else's, whoever asks. */
  prices: op(
    { permission: 'margins.orders', mayLag: true },
    { method: 'GET', path: '/margins/prices', summary: 'Own selling prices' },
  )
    .input(z.object(listInput(SELLING_PRICES)))
    .output(pageOf(z.object(outputShape(PRICE_FIELDS, 'row')))),
  /** For orders from now on; prices that are all null end. */
  setPrice: op(
    { permission: 'margins.set', log: '设置售价', stale: ['margins', 'dashboard'] },
    { method: 'POST', path: '/margins/prices', summary: 'Set an own selling price' },
  )
    .errors(errorsOf(MARGIN_REFUSALS))
    .input(
      z.object({
        versionId: whole(1),
        merchantId: whole(1).nullable(),
        yearFen: price,
        monthFen: price,
        lifetimeFen: price,
      }),
    )
    .output(z.object({ stands: z.boolean() })),
}

export const marginDownloads = { orders: fileOf(MARGINS) }

export type SellingPriceRow = Out<typeof margins.prices>['rows'][number]
