import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { ORDER_REFUSALS } from '#features/sales/orders/rules.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { TERMS, VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import { inputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'

export const NewMerchantInput = z.object({
  versionId: whole(1),
  term: z.enum(TERMS),
  periods: z.number().int(),
  shops: z.number().int(),
  branches: z.number().int(),
  ...inputShape(MERCHANT_FIELDS, 'add'),
  password: secretText.max(128),
  smsCount: z.number(),
  paymentConfig: z.record(z.string().max(40), secretText.max(500)),
})

const Quote = z.object({
  orderNo: z.string(),
  versionName: z.string(),
  unit: z.enum(['年', '月', '个店']),
  unitCents: z.number(),
  periods: z.number(),
  shops: z.number(),
  originalCents: z.number(),
  discountBasisPoints: z.number(),
  totalCents: z.number(),
  /** The name of the offer that applied. */
  offer: z.string().optional(),
  balanceBeforeCents: z.number(),
  /** Below 0: so much is missing. */
  balanceAfterCents: z.number(),
  smsCount: z.number(),
  smsBefore: z.number(),
  expiresAt: z.string().nullable(),
})

const purchaseErrors = { ...REFUSALS, ...VERSION_REFUSALS, ...ORDER_REFUSALS, ...LEDGER_REFUSALS }

export const selling = {
  /** Checks and prices a new shop without creating it. The answer names the order that `add` confirms. */
  quote: op(
    { unshown: 'a quote is shown from its answer', permission: 'selling.add', log: '新增商户报价' },
    { method: 'POST', path: '/merchants/quotes', summary: 'Price a new merchant' },
  )
    .errors(errorsOf(purchaseErrors))
    .input(NewMerchantInput)
    .output(Quote),
  /** Creates the quoted shop at the price that was shown. Refused when the version is sold no more (QUOTE_STALE). */
  add: op(
    {
      permission: 'selling.add',
      log: '新增商户',
      idempotent: true,
      stale: ['merchants', 'ledger', 'orders', 'settlement', 'renewals', 'dashboard'],
    },
    { method: 'POST', path: '/merchants', summary: 'Confirm a quote: create the merchant, move the tokens' },
  )
    .errors(errorsOf(purchaseErrors))
    .input(z.object({ orderNo: z.string().regex(/^\d{22}$/) }))
    .output(
      z.object({
        id: z.number(),
        orderNo: z.string(),
        totalCents: z.number(),
        expiresAt: z.string().nullable(),
      }),
    ),
}
