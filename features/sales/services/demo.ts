// Demo data of value-added services: bought at shops over the year and renewed at their end; some are taken back.
import { demoNo, post, reverse } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoSeller } from '#features/office/access/demo.ts'
import {
  buysMore,
  type DemoShop,
  demoDiscount,
  demoShops,
  isInUse,
  seasonDays,
} from '#features/sales/selling/demo.ts'
import { ago, type Demo, kept, later, workHour } from '#server/demo.ts'
import { SERVICES } from './reference.ts'
import { type Holding, holdingAfter, NO_HOLDING, priceOf, refuseOffer } from './rules.ts'
import { merchantServices, serviceOrders } from './tables.ts'

type Held = typeof merchantServices.$inferInsert
const holdings = kept(() => new Map<string, Held>())
const SOLD = SERVICES.filter(({ parentId }) => parentId !== null)
const ORDERS = [
  [DEMO_AGENTS.first, 560, 96],
  [DEMO_AGENTS.other, 520, 26],
  [DEMO_AGENTS.below, 400, 6],
  [DEMO_AGENTS.fresh, 60, 3],
] as const
const REMARKS = ['客户自选', '随续费一起开通', '试用后购买', '活动赠送名额']
const UNDONE: Record<number, string> = { 17: '客户选错项目', 52: '客户不再需要', 93: '重复购买' }

export function demo(demo: Demo): void {
  for (const [agentId, days, count] of ORDERS)
    for (const [i, daysAgo] of [
      ...seasonDays(demo, days, count),
      ...(agentId === DEMO_AGENTS.first ? [0] : []),
    ].entries())
      demo.history.at(workHour(demo, daysAgo), at => {
        const reason = agentId === DEMO_AGENTS.first ? UNDONE[i] : undefined
        sellService(demo, agentId, at, reason)
      })
  // They came from the shop's own program, where nobody has paid them yet.
  for (const days of [0.6, 21])
    demo.history.at(ago(demo, days), at => orderService(demo, DEMO_AGENTS.first, at))
}

function choose(demo: Demo, agentId: number, at: string) {
  const shop = demo.random.pick(
    demoShops(demo).filter(
      one => one.agentId === agentId && buysMore(one) && isInUse(one, at) && !one.headId,
    ),
  )
  if (!shop) return null
  const service = demo.random.pick(
    SOLD.filter(offered => refuseOffer(offered, shop.storeKind, heldOf(demo, shop, offered.id), at) === null),
  )
  if (!service) return null
  const before = { ...heldOf(demo, shop, service.id) }
  const asked =
    service.unit === 'piece' ? { quantity: 1 + demo.random.whole(3), years: 1 } : { quantity: 1, years: 1 }
  const by = demoSeller(demo, agentId)
  const price = priceOf(service, asked, demoDiscount(agentId))
  const order = {
    orderNo: demoNo(demo, at),
    agentId,
    merchantId: shop.id,
    serviceId: service.id,
    serviceName: service.name,
    unitCents: service.unitCents,
    quantity: price.count,
    originalCents: price.originalCents,
    discountBasisPoints: demoDiscount(agentId),
    totalCents: price.totalCents,
    remark: demo.random.chance(0.25) ? demo.random.pick(REMARKS) : '',
    quantityBefore: before.quantity,
    expiresBefore: before.expiresAt,
    termDayBefore: before.termDay,
    createdBy: by.id,
    createdByName: by.name,
    createdAt: at,
  }
  return { shop, service, before, after: holdingAfter(service, asked, before, at), by, order }
}

function sellService(demo: Demo, agentId: number, at: string, undone: string | undefined): void {
  const sale = choose(demo, agentId, at)
  if (!sale) return
  const { shop, service, before, after, by } = sale
  const order = demo.history.add(serviceOrders, {
    ...sale.order,
    payMethod: 'balance',
    state: 'completed',
    expiresAfter: after.expiresAt,
    paidAt: at,
  })
  hold(demo, shop, service.id, after)
  const paid = post(demo, {
    kind: 'service',
    asset: 'token',
    amount: order.totalCents,
    from: { kind: 'agent', id: agentId },
    to: { kind: 'vendor', book: 'revenue' },
    document: order.orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId,
    at,
    by,
    description: `增值服务 ${service.name} ${shop.shopName}`,
  })
  if (undone !== undefined)
    demo.history.at(later(demo, at, 40), undoneAt => {
      Object.assign(order, {
        state: 'recalled',
        undoneAt,
        undoneBy: by.id,
        undoneByName: by.name,
        undoneReason: undone,
      })
      hold(demo, shop, service.id, before)
      reverse(demo, [paid], undoneAt, by, undone)
    })
}

function orderService(demo: Demo, agentId: number, at: string): void {
  const sale = choose(demo, agentId, at)
  if (sale)
    demo.history.add(serviceOrders, {
      ...sale.order,
      remark: '',
      payMethod: 'interface',
      state: 'unfinished',
    })
}

function heldOf(demo: Demo, shop: DemoShop, serviceId: number): Holding {
  const held = holdings(demo).get(`${shop.id} ${serviceId}`)
  return held
    ? { quantity: held.quantity, expiresAt: held.expiresAt ?? null, termDay: held.termDay ?? null }
    : NO_HOLDING
}

function hold(demo: Demo, shop: DemoShop, serviceId: number, holding: Holding): void {
  const key = `${shop.id} ${serviceId}`
  const held =
    holdings(demo).get(key) ??
    demo.history.add(merchantServices, {
      agentId: shop.agentId,
      merchantId: shop.id,
      serviceId,
      ...holding,
    })
  holdings(demo).set(key, Object.assign(held, holding))
}
