// Demo data of what shops buy after their first version: renewals when their terms end, one by one and together, other versions,
// and what was taken back.
import { demoNo, post, reverse } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoSeller, type Person } from '#features/office/access/demo.ts'
import { orderRow } from '#features/sales/orders/rows.ts'
import { termsWithout } from '#features/sales/orders/rules.ts'
import { versionOrderEffects, versionOrders } from '#features/sales/orders/tables.ts'
import { type DemoShop, demoDiscount, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import type { SoldVersion } from '#features/shops/versions/rules.ts'
import { ago, type Demo, kept, later, workHour } from '#server/demo.ts'
import { type Plan, planPurchase, type Wanted } from './rules.ts'
import { termsOf } from './server-purchase.ts'
import { contentOf } from './server-shops.ts'
import { renewalBatches } from './tables.ts'

const DAY_MS = 86_400_000
const YEAR: Wanted = { scope: 'head', term: 'year', periods: 1, shops: 1 }

/** What has been bought, so that it can be taken back. */
export type DemoPurchase = {
  shop: DemoShop
  order: typeof versionOrders.$inferInsert
  plan: Plan
  paid: ReturnType<typeof post>
}
export const demoPurchases = kept(() => [] as DemoPurchase[])

export function demo(demo: Demo): void {
  renewWhenDue(demo)
  for (const [i, days] of [13, 11, 9, 7.5, 6, 4, 2.5, 1, 0].entries())
    demo.history.at(workHour(demo, days), at => renewOne(demo, at, i % 4 === 1 ? [0, 10] : [60, 200]))
  demo.history.at(workHour(demo, 168), at => renewTogether(demo, at, { count: 6, within: [0, 60] }))
  demo.history.at(workHour(demo, 19), at => renewTogether(demo, at, { count: 4, within: [60, 150] }))
  demo.history.at(workHour(demo, 5), at => renewTogether(demo, at, { count: 3, within: [20, 40] }))
  for (const [days, versionId, agentId] of UPGRADES)
    demo.history.at(workHour(demo, days), at => upgrade(demo, at, versionId, agentId))
  for (const [days, agentId, reason] of UNDONE)
    demo.history.at(workHour(demo, days), at => undoLatest(demo, at, agentId, reason))
  demo.history.at(ago(demo, 0.12), at => quote(demo, at, DEMO_AGENTS.first))
  demo.history.at(ago(demo, 0.3), at => quote(demo, at, DEMO_AGENTS.other))
}

const UPGRADES: [days: number, versionId: number, agentId: number][] = [
  [421, 3, DEMO_AGENTS.first],
  [353, 1, DEMO_AGENTS.first],
  [318, 3, DEMO_AGENTS.other],
  [262, 78, DEMO_AGENTS.first],
  [231, 3, DEMO_AGENTS.first],
  [187, 5, DEMO_AGENTS.first],
  [143, 78, DEMO_AGENTS.other],
  [226, 5, DEMO_AGENTS.other],
  [101, 3, DEMO_AGENTS.first],
  [77, 12, DEMO_AGENTS.first],
  [58, 78, DEMO_AGENTS.first],
  [33, 1, DEMO_AGENTS.first],
  [26, 3, DEMO_AGENTS.below],
  [14, 78, DEMO_AGENTS.first],
  [5, 1, DEMO_AGENTS.first],
]

const UNDONE: [days: number, agentId: number, reason: string][] = [
  [392, DEMO_AGENTS.first, '客户选错版本'],
  [251, DEMO_AGENTS.first, '客户临时停业'],
  [118, DEMO_AGENTS.other, '重复续费'],
  [37, DEMO_AGENTS.first, '客户改买两年'],
]

/** Most shops renew around the end of their term, some days early or late; the others lapse. */
function renewWhenDue(demo: Demo): void {
  const { history, random } = demo
  const decided = new Set<string>()
  for (let days = 720; days > 0; days -= 5)
    history.at(ago(demo, days), at => {
      for (const shop of demoShops(demo)) {
        const { expiresAt } = shop
        const key = `${shop.id} ${expiresAt}`
        const isNear = expiresAt != null && Date.parse(expiresAt) - Date.parse(at) < 16 * DAY_MS
        if (!isNear || decided.has(key)) continue
        decided.add(key)
        if (!random.chance(shop.headId || shop.shopsBought > 3 ? 1 : 0.64)) continue
        const moment = Math.max(
          Date.parse(at) + DAY_MS,
          Date.parse(expiresAt) + (random.next() * 30 - 7) * DAY_MS,
        )
        const daysAgo = (demo.now.getTime() - moment) / DAY_MS
        if (daysAgo > 14)
          history.at(workHour(demo, daysAgo), paidAt => {
            if (shop.expiresAt === expiresAt && shop.status === 'normal') renew(demo, shop, paidAt)
          })
      }
    })
}

function renew(demo: Demo, shop: DemoShop, at: string, more: { by?: Person; batchNo?: string } = {}): void {
  const periods = demo.random.chance(0.92) || more.batchNo ? 1 : 2
  const scope = shop.shopsBought > 1 && branchesOf(demo, shop).length > 0 ? 'all' : 'head'
  buy(demo, shop, shop.versionId, { ...YEAR, periods, scope: more.batchNo ? 'head' : scope }, at, more)
}

/** Plain shops of an agent whose term ends in so many days, and which nothing was sold to lately. */
function sellable(demo: Demo, at: string, agentId: number, [least, most]: [number, number]): DemoShop[] {
  const recent = new Set(
    demoPurchases(demo)
      .filter(({ order }) => Date.parse(at) - Date.parse(order.createdAt) < 40 * DAY_MS)
      .map(({ shop }) => shop.id),
  )
  return demoShops(demo).filter(
    shop =>
      shop.agentId === agentId &&
      shop.versionId === 12 &&
      !recent.has(shop.id) &&
      shop.expiresAt != null &&
      isInUse(shop, at) &&
      Date.parse(shop.expiresAt) - Date.parse(at) < most * DAY_MS &&
      Date.parse(shop.expiresAt) - Date.parse(at) > least * DAY_MS,
  )
}

function renewOne(demo: Demo, at: string, within: [number, number]): void {
  const shop = demo.random.pick(sellable(demo, at, DEMO_AGENTS.first, within))
  if (shop) renew(demo, shop, at)
}

type Together = { count: number; within: [number, number] }

function renewTogether(demo: Demo, at: string, { count, within }: Together): void {
  const shops = sellable(demo, at, DEMO_AGENTS.first, within).slice(0, count)
  const by = demoSeller(demo, DEMO_AGENTS.first)
  const batchNo = demoNo(demo, at)
  const known = demoPurchases(demo).length
  for (const shop of shops) renew(demo, shop, at, { by, batchNo })
  const bought = demoPurchases(demo).slice(known)
  if (bought.length === 0) return
  demo.history.add(renewalBatches, {
    batchNo,
    agentId: DEMO_AGENTS.first,
    orders: bought.length,
    totalCents: bought.reduce((sum, { order }) => sum + order.totalCents, 0),
    createdBy: by.id,
    createdByName: by.name,
    paidAt: at,
  })
}

function upgrade(demo: Demo, at: string, versionId: number, agentId: number): void {
  const wanted = { ...YEAR, shops: versionId === 3 ? 1 + demo.random.whole(3) : 1 }
  const from = versionId === 12 ? 3 : 12
  const shop = demo.random.pick(
    demoShops(demo).filter(
      one =>
        one.agentId === agentId &&
        one.versionId === from &&
        !one.headId &&
        one.shopsBought < 4 &&
        isInUse(one, at),
    ),
  )
  const isLifetime = VERSIONS.find(({ id }) => id === versionId)?.pricingRule === 'perShopLifetime'
  if (shop) buy(demo, shop, versionId, isLifetime ? { ...wanted, term: 'lifetime' } : wanted, at)
}

function branchesOf(demo: Demo, head: DemoShop): DemoShop[] {
  return demoShops(demo).filter(({ headId }) => headId === head.id)
}

/** Before anything was retired, to whom everything could be sold. */
function soldVersion(id: number): SoldVersion {
  const version = VERSIONS.find(one => one.id === id)
  if (!version) throw new Error(`no version ${id}`)
  return { ...version, authorised: true }
}

function plan(demo: Demo, shop: DemoShop, versionId: number, wanted: Wanted, now: string): Plan {
  const version = soldVersion
  const branches = branchesOf(demo, shop).map(factsOf)
  const planned = planPurchase({
    shop: factsOf(shop),
    branches,
    branchCount: branches.length,
    presentOf: version,
    version: version(versionId),
    wanted,
    discountBasisPoints: demoDiscount(shop.agentId),
    now,
  })
  if ('refusal' in planned) throw new Error(`${shop.shopName} cannot buy: ${planned.refusal.code}`)
  return planned.plan
}

function factsOf(shop: DemoShop) {
  return { ...shop, expiresAt: shop.expiresAt ?? null, termDay: shop.termDay ?? null }
}

function buy(
  demo: Demo,
  shop: DemoShop,
  versionId: number,
  wanted: Wanted,
  at: string,
  { by = demoSeller(demo, shop.agentId), batchNo }: { by?: Person; batchNo?: string } = {},
): void {
  const bought = plan(demo, shop, versionId, wanted, at)
  const order = demo.history.add(versionOrders, {
    ...orderOf(demo, shop, versionId, bought, at, by),
    ...(batchNo === undefined ? {} : { batchNo }),
  })
  for (const effect of bought.effects) {
    demo.history.add(versionOrderEffects, { ...effect, orderId: order.id, agentId: shop.agentId })
    const { merchantId, ...terms } = termsOf(effect)
    Object.assign(demoShops(demo).find(({ id }) => id === merchantId) as DemoShop, terms)
  }
  const paid = post(demo, {
    kind: bought.way.salesType === 'renew' ? 'version-renew' : 'version-upgrade',
    asset: 'token',
    amount: order.totalCents,
    from: { kind: 'agent', id: shop.agentId },
    to: { kind: 'vendor', book: 'revenue' },
    document: order.orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId: shop.agentId,
    at,
    by,
    description: order.content,
  })
  demoPurchases(demo).push({ shop, order, plan: bought, paid })
}

function orderOf(demo: Demo, shop: DemoShop, versionId: number, bought: Plan, at: string, by: Person) {
  const version = soldVersion(versionId)
  return orderRow({
    ...bought.price,
    ...bought.terms,
    orderNo: demoNo(demo, at),
    agentId: shop.agentId,
    merchantId: shop.id,
    salesType: bought.way.salesType,
    versionId,
    content: contentOf(bought.way, shop.shopName, version.name),
    purchaseCode: bought.way.code,
    createdBy: by.id,
    createdAt: at,
  })
}

/** Asked for and not paid yet. */
function quote(demo: Demo, at: string, agentId: number): void {
  const shop = demo.random.pick(sellable(demo, at, agentId, [20, 400]))
  if (!shop) return
  const bought = plan(demo, shop, shop.versionId, YEAR, at)
  const draft = { wanted: YEAR, branchIds: [], effects: bought.effects, conversion: bought.conversion }
  demo.history.add(versionOrders, {
    ...orderOf(demo, shop, shop.versionId, bought, at, demoSeller(demo, agentId)),
    status: 'quoted',
    paidAt: null,
    draft,
  })
}

/** The newest purchase of a single shop, some days after it was paid. */
function undoLatest(demo: Demo, at: string, agentId: number, reason: string): void {
  const found = demoPurchases(demo).findLast(
    ({ order, plan: { effects } }) =>
      order.agentId === agentId && order.status === 'paid' && effects.length === 1,
  )
  if (found) undoPurchase(demo, found, later(demo, at, 0), demoSeller(demo, agentId), reason)
}

export function undoPurchase(
  demo: Demo,
  { shop, order, plan: { effects }, paid }: DemoPurchase,
  at: string,
  by: Person,
  reason: string,
): void {
  const [effect] = effects
  if (effect) Object.assign(shop, termsWithout(effect, factsOf(shop)))
  // Its last sign-in may have been told already, as of the term that it had until now.
  if (shop.expiresAt && shop.lastLoginAt && shop.lastLoginAt > shop.expiresAt)
    shop.lastLoginAt = shop.expiresAt
  Object.assign(order, {
    status: 'recycled',
    undoneAt: at,
    undoneBy: by.id,
    undoneByName: by.name,
    undoneReason: reason,
  })
  reverse(demo, [paid], at, by, reason)
}
