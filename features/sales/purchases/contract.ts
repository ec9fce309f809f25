import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { ORDER_REFUSALS } from '#features/sales/orders/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { Conditions } from '#features/shops/versions/contract.ts'
import { TERMS, VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageInput, pageOf, searchText, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PURCHASE_REFUSALS, SCOPES } from './rules.ts'

const orderNo = z.string().regex(/^\d{22}$/)
const unit = z.enum(['年', '月', '个店'])

/** What a purchase does to one shop. */
export const Effect = z.object({
  merchantId: z.number(),
  shopName: z.string(),
  versionBefore: z.string(),
  versionAfter: z.string(),
  /** Null: permanent. */
  expiresBefore: z.string().nullable(),
  expiresAfter: z.string().nullable(),
  shopsBefore: z.number(),
  shopsAfter: z.number(),
  /** A branch that takes its head's version: the days left of its own, and what they become. Null: it keeps its version. */
  remainingDays: z.number().nullable(),
  convertedDays: z.number().nullable(),
})

const PurchaseInput = z.object({
  merchantId: whole(1),
  versionId: whole(1),
  scope: z.enum(SCOPES),
  branchIds: z.array(z.number().int()).max(999),
  term: z.enum(TERMS),
  /** Years (1 to 5, or those that the way fixes) or months (1 to 12); 1 for lifetime. */
  periods: z.number().int(),
  /** Shops or branches bought, where the scope asks for a number. */
  shops: z.number().int(),
  remark: linesText.max(200),
})

const PurchaseQuote = z.object({
  orderNo,
  /** IsAddShop. */
  code: z.number(),
  codeName: z.string(),
  salesType: z.enum(['renew', 'upgrade']),
  versionName: z.string(),
  unit,
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
  /** Another version: whole days left of the present one, and the days that they become. Null where nothing converts. */
  remainingDays: z.number().nullable(),
  convertedDays: z.number().nullable(),
  /** A change to a lifetime: whole days of a paid term that end with it, and their worth. Null where nothing is lost. */
  forfeit: z.object({ days: z.number(), cents: z.number().nullable() }).nullable(),
  effects: z.array(Effect),
})

/** A version that the shop can buy, and in which ways. */
const Offer = z.object({
  versionId: z.number(),
  versionName: z.string(),
  remark: z.string(),
  /** What it contains, by name. */
  functions: z.array(z.string()),
  isCurrent: z.boolean(),
  scopes: z.array(
    z.object({
      scope: z.enum(SCOPES),
      code: z.number(),
      codeName: z.string(),
      terms: z.array(z.enum(TERMS)),
      /** Whether a number of shops or branches is asked for. */
      asksShops: z.boolean(),
      /** The number to start with where one is asked for: its own places, branches not among them, or one more; otherwise 1. */
      shopsDefault: z.number(),
      /** Shops that the price is multiplied with where neither a number nor branches are asked for; otherwise null. */
      shopsCounted: z.number().nullable(),
      /** Whether branches are chosen from the shop's list. */
      asksBranches: z.boolean(),
      /** Years that are not chosen: to the head's end, begun ones whole. Null where the person chooses. */
      periodsFixed: z.number().nullable(),
      /** Why this way cannot be taken now, or null. */
      refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  priceYearCents: z.number().nullable(),
  priceMonthCents: z.number().nullable(),
  priceLifetimeCents: z.number().nullable(),
  isPack: z.boolean(),
  kind: z.union([z.literal(1), z.literal(2)]),
  pricingRule: z.string(),
  /** What beside the discount decides this buyer's price now. */
  conditions: Conditions,
})

const BulkLine = z.object({
  merchantId: z.number(),
  shopName: z.string(),
  account: z.string(),
  versionName: z.string(),
  expiresBefore: z.string().nullable(),
  expiresAfter: z.string().nullable(),
  originalCents: z.number(),
  totalCents: z.number(),
  /** The name of the offer that applied. */
  offer: z.string().optional(),
  /** Why this shop cannot be renewed, or null. */
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
})

const Receipt = z.object({
  merchantId: z.number(),
  shopName: z.string(),
  orderNo: z.string().nullable(),
  totalCents: z.number(),
  expiresAfter: z.string().nullable(),
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
})

const errors = {
  ...MERCHANT_REFUSALS,
  ...VERSION_REFUSALS,
  ...ORDER_REFUSALS,
  ...LEDGER_REFUSALS,
  ...PURCHASE_REFUSALS,
}

export const purchases = {
  /** The shop as it stands and everything it can buy, with the agent's discount and balance. */
  offers: op(
    { permission: 'purchases.buy' },
    { method: 'GET', path: '/merchants/{merchantId}/purchases/offers', summary: 'What a shop can buy' },
  )
    .errors(errorsOf(errors))
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        merchantId: z.number(),
        shopName: z.string(),
        storeKind: z.enum(['head', 'branch']),
        status: z.enum(['normal', 'disabled']),
        versionId: z.number(),
        versionName: z.string(),
        expiresAt: z.string().nullable(),
        /** The day of the month that its term keeps; null: that of its end. */
        termDay: z.number().nullable(),
        shopsBought: z.number(),
        branchCount: z.number(),
        /** The first of them, by name. */
        branchNames: z.array(z.string()),
        /** What its present term is worth in another version: list price per year (null: none) and shops. */
        rest: z.object({ yearCents: z.number().nullable(), shops: z.number() }),
        discountBasisPoints: z.number(),
        balanceCents: z.number(),
        /** Why nothing can be bought for it now (disabled, another agent's), or null. */
        refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
        offers: z.array(Offer),
      }),
    ),
  /** Branches of a head shop, for choosing (obtainChainStoreBranches). */
  branches: op(
    { permission: 'purchases.buy' },
    { method: 'GET', path: '/merchants/{merchantId}/branches', summary: 'Branches of a head shop' },
  )
    .input(z.object({ merchantId: whole(1), search: searchText, ...pageInput }))
    .output(
      pageOf(
        z.object({
          id: z.number(),
          shopName: z.string(),
          account: z.string(),
          status: z.enum(['normal', 'disabled']),
          expiresAt: z.string().nullable(),
          termDay: z.number().nullable(),
          shopsBought: z.number(),
          versionId: z.number(),
          versionName: z.string(),
          /** What a year of its version costs before discount; null: it is not sold by the year. */
          yearCents: z.number().nullable(),
        }),
      ),
    ),
  quote: op(
    { unshown: 'a quote is shown from its answer', permission: 'purchases.buy', log: '版本购买报价' },
    {
      method: 'POST',
      path: '/purchases/quotes',
      summary: 'Price a purchase and write the order that a confirm names',
    },
  )
    .errors(errorsOf(errors))
    .input(PurchaseInput)
    .output(PurchaseQuote),
  confirm: op(
    {
      permission: 'purchases.buy',
      log: '版本购买',
      idempotent: true,
      stale: ['purchases', 'merchants', 'ledger', 'orders', 'settlement', 'renewals', 'dashboard'],
    },
    { method: 'POST', path: '/purchases', summary: 'Pay a quoted purchase' },
  )
    .errors(errorsOf(errors))
    .input(z.object({ orderNo }))
    .output(z.object({ orderNo, totalCents: z.number(), effects: z.array(Effect) })),
  /** One price for many shops: each renewed with its own version for the same term. Nothing is paid yet. */
  bulkQuote: op(
    { unshown: 'a quote is shown from its answer', permission: 'purchases.bulk', log: '批量续费报价' },
    { method: 'POST', path: '/purchases/bulk-quotes', summary: 'Price the renewal of many shops' },
  )
    .errors(errorsOf(errors))
    .input(
      z.object({
        merchantIds: z.array(z.number().int()).max(2_000),
        term: z.enum(['year', 'month']),
        periods: z.number().int(),
        remark: linesText.max(200),
        /** The batch that this page showed before: others of the account stay. */
        replaces: orderNo.optional(),
      }),
    )
    .output(
      z.object({
        batchNo: orderNo,
        lines: z.array(BulkLine),
        payable: z.number(),
        refused: z.number(),
        originalCents: z.number(),
        discountBasisPoints: z.number(),
        totalCents: z.number(),
        balanceBeforeCents: z.number(),
        balanceAfterCents: z.number(),
      }),
    ),
  /** Pays every payable line of the quote in one transaction; a receipt for each shop. */
  bulkConfirm: op(
    {
      permission: 'purchases.bulk',
      log: '批量续费',
      idempotent: true,
      stale: [
        'purchases',
        'merchants',
        'ledger',
        'orders',
        'orderDetails',
        'settlement',
        'renewals',
        'dashboard',
      ],
    },
    { method: 'POST', path: '/purchases/bulk', summary: 'Pay a quoted bulk renewal' },
  )
    .errors(errorsOf(errors))
    .input(z.object({ batchNo: orderNo }))
    .output(
      z.object({
        batchNo: orderNo,
        totalCents: z.number(),
        paid: z.number(),
        refused: z.number(),
        receipts: z.array(Receipt),
      }),
    ),
}

export type BulkQuote = Out<typeof purchases.bulkQuote>
export type BulkReceipt = Out<typeof purchases.bulkConfirm>
