// What tests of the purchase rules share: a clock that stands still, shops, branches and their plans.
import assert from 'node:assert/strict'
import { planPurchase, type ShopFacts, type Wanted } from '#features/sales/purchases/rules.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import type { SoldVersion } from '#features/shops/versions/rules.ts'

export const NOW = '2026-11-21T04:00:00.000Z'
export const LATER = '2027-03-10T02:30:00.000Z'
export const PAST = '2026-01-05T02:30:00.000Z'
export const [ADVANCED, CHAIN, PERMANENT, OLD, EXTREME, PACK] = [12, 3, 1, 4, 5, 78]

export function version(id: number, changes: Partial<SoldVersion> = {}): SoldVersion {
  const found = VERSIONS.find(one => one.id === id)
  if (!found) throw new Error(`no version ${id}`)
  return { ...found, authorised: true, ...changes }
}

export function shop(changes: Partial<ShopFacts> = {}): ShopFacts {
  return {
    id: 7,
    storeKind: 'head',
    status: 'normal',
    versionId: ADVANCED,
    expiresAt: LATER,
    termDay: null,
    shopsBought: 1,
    ...changes,
  }
}
export const branch = (id: number, changes: Partial<ShopFacts> = {}) =>
  shop({ id, storeKind: 'branch', versionId: CHAIN, ...changes })

export type Asked = Partial<Wanted> & { discount?: number; branches?: ShopFacts[]; branchCount?: number }
export function plan(
  of: ShopFacts,
  versionId: number,
  asked: Asked = {},
  changes: Partial<SoldVersion> = {},
) {
  const { discount = 10_000, branches = [], branchCount = branches.length, ...wanted } = asked
  const sold = version(versionId, changes)
  const term = sold.pricingRule === 'perShopLifetime' ? 'lifetime' : 'year'
  return planPurchase({
    shop: of,
    branches,
    branchCount,
    presentOf: version,
    version: sold,
    wanted: { scope: 'head', term, periods: 1, shops: 1, ...wanted },
    discountBasisPoints: discount,
    now: NOW,
  })
}
export function planned(...args: Parameters<typeof plan>) {
  const result = plan(...args)
  assert.ok('plan' in result, JSON.stringify(result))
  return result.plan
}
export function refused(...args: Parameters<typeof plan>): string {
  const result = plan(...args)
  return 'refusal' in result ? result.refusal.code : 'planned'
}
