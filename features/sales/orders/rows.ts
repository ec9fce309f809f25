// The one maker of a version order's row beside its operations, for demo, benches and tests: what is not given is made up.
// Must never read a clock.
import type { versionOrders } from './tables.ts'

type Row = typeof versionOrders.$inferInsert
type Given = Partial<Row> & Pick<Row, 'orderNo' | 'agentId' | 'content' | 'createdBy' | 'createdAt'>

/** A shop's year of the advanced version, paid from the wallet; its price is nothing where none is given. */
export function orderRow(given: Given): Row {
  const { totalCents = 0, originalCents = totalCents, unitCents = originalCents } = given
  return {
    salesType: 'new',
    status: 'paid',
    versionId: 12,
    term: 'year',
    periods: 1,
    shops: 1,
    branches: 0,
    unit: '年',
    discountBasisPoints: 10_000,
    payMethod: 'balance',
    paidAt: given.createdAt,
    ...given,
    unitCents,
    originalCents,
    totalCents,
  }
}
