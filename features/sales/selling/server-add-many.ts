// Many new shops at once, each as the form sells one: shops, paid orders and movements in one statement each.
import { type Movement, post } from '#features/money/ledger/server.ts'
import { nextOrderNos, writePaidOrders } from '#features/sales/orders/server.ts'
import { insertMerchants, type NewMerchantRow } from '#features/shops/merchants/server-new.ts'
import {
  dayKept,
  type Price,
  type PurchaseTerms,
  type TermEnd,
  termFrom,
} from '#features/shops/versions/rules.ts'
import { dayOfMonth } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { contentOf, monthsOf, movementsOf } from './server-add.ts'

export type NewSale = {
  row: NewMerchantRow
  versionName: string
  smsCount: number
  /** What is bought; null: its term is taken over, and nothing is paid. */
  bought: { terms: PurchaseTerms; price: Price } | null
  /** Of a term that is taken over. */
  registeredAt?: string
  expiresAt?: string | null
}
export type Sold = { merchantId: number; orderNo: string; totalCents: number }

/**
 * Creates these shops of the acting agent. Answers each with its order, or null where another shop has the account. `settle` writes what
 * belongs to them, before the movements are posted last. Refuses INSUFFICIENT and SMS_INSUFFICIENT for all of them.
 */
export async function addMerchants(
  ctx: Ctx,
  sales: readonly NewSale[],
  settle: (sold: readonly (Sold | null)[]) => Promise<void>,
): Promise<(Sold | null)[]> {
  const { now } = ctx
  const termOf = ({ bought, registeredAt, expiresAt = null }: NewSale): TermEnd => {
    if (bought) return termFrom(now, monthsOf(bought.terms.term, bought.price.periods))
    if (expiresAt === null || registeredAt === undefined) return { expiresAt, termDay: null }
    return { expiresAt, termDay: dayKept(expiresAt, dayOfMonth(registeredAt)) }
  }
  const ids = await insertMerchants(
    ctx,
    sales.map(sale => ({
      row: sale.row,
      registeredAt: sale.registeredAt ?? now.toISOString(),
      ...termOf(sale),
    })),
  )
  const numbers = await nextOrderNos(ctx, sales.length)
  const sold = sales.map((sale, at): (Sold & { sale: NewSale }) | null => {
    const merchantId = ids[at] ?? null
    if (merchantId === null) return null
    const totalCents = sale.bought?.price.totalCents ?? 0
    return { merchantId, orderNo: numbers[at] as string, totalCents, sale }
  })
  const made = sold.filter(one => one !== null)
  await writePaidOrders(
    ctx,
    made.flatMap(({ merchantId, orderNo, sale: { row, versionName, bought } }) =>
      bought
        ? [
            {
              orderNo,
              merchantId,
              versionId: row.versionId,
              content: contentOf(row.shopName, versionName),
              ...bought,
            },
          ]
        : [],
    ),
  )
  const answer = sold.map(
    one => one && { merchantId: one.merchantId, orderNo: one.orderNo, totalCents: one.totalCents },
  )
  await settle(answer)
  await post(
    ctx,
    made.flatMap(one => movements(ctx, one)),
  )
  return answer
}

function movements(
  ctx: Ctx,
  { merchantId, orderNo, totalCents, sale }: Sold & { sale: NewSale },
): Movement[] {
  const { row, smsCount } = sale
  return movementsOf(ctx, { id: merchantId, orderNo, totalCents, draft: { row, smsCount } })
}
