// Demo data of SMS credit at shops: packages that they buy, gifts, recalls, and packages that were taken back.
import { demoBalance, demoNo, post, reverse } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoSeller, type Person } from '#features/office/access/demo.ts'
import {
  buysMore,
  type DemoShop,
  demoDiscount,
  demoShops,
  isInUse,
  seasonDays,
} from '#features/sales/selling/demo.ts'
import { discounted } from '#kit/money.ts'
import { type Demo, later, workHour } from '#server/demo.ts'
import { SMS_PACKAGES } from './reference.ts'
import { SMS_ORDER_KINDS, type SmsOrderKind } from './rules.ts'
import { smsOrders } from './tables.ts'

const SUPPLIER = { kind: 'vendor', book: 'sms-supplier' } as const
const ORDERS = [
  [DEMO_AGENTS.first, 540, 84],
  [DEMO_AGENTS.other, 480, 24],
  [DEMO_AGENTS.below, 380, 7],
  [DEMO_AGENTS.fresh, 50, 2],
] as const
const UNDONE: Record<number, string> = { 33: '客户买错规格', 70: '客户取消活动' }
const REASONS = ['节日活动支持', '投诉补偿', '新店扶持', '老客户答谢']

export function demo(demo: Demo): void {
  for (const [agentId, days, count] of ORDERS)
    for (const [i, daysAgo] of [
      ...seasonDays(demo, days, count),
      ...(agentId === DEMO_AGENTS.first ? [0] : []),
    ].entries())
      demo.history.at(workHour(demo, daysAgo), at => {
        const shop = someShop(demo, agentId, at)
        if (!shop) return
        if (i % 6 === 4) giveCredit(demo, shop, at)
        else if (i % 11 === 7) recallCredit(demo, agentId, at)
        else buyPackage(demo, shop, at, agentId === DEMO_AGENTS.first ? UNDONE[i] : undefined)
      })
}

function someShop(demo: Demo, agentId: number, at: string): DemoShop | undefined {
  return demo.random.pick(
    demoShops(demo).filter(shop => shop.agentId === agentId && buysMore(shop) && isInUse(shop, at)),
  )
}

const creditOf = (demo: Demo, shop: DemoShop) => demoBalance(demo, { kind: 'merchant', id: shop.id }, 'sms')

type Order = Pick<
  typeof smsOrders.$inferInsert,
  'packageId' | 'name' | 'pieces' | 'originalCents' | 'totalCents' | 'remark' | 'payMethod'
> & { kind: SmsOrderKind; at: string; by: Person }

/** Before its credit is posted. `change`: the pieces that come to the shop, or go from it. */
function addOrder(demo: Demo, shop: DemoShop, { at, by, ...order }: Order, change: number) {
  const before = creditOf(demo, shop)
  return demo.history.add(smsOrders, {
    ...order,
    orderNo: demoNo(demo, at),
    agentId: shop.agentId,
    merchantId: shop.id,
    discountBasisPoints: order.kind === 'package' ? demoDiscount(shop.agentId) : 10_000,
    status: 'paid',
    smsBefore: before,
    smsAfter: before + change,
    createdBy: by.id,
    createdByName: by.name,
    createdAt: at,
    paidAt: at,
    ...(change < 0 ? { changedAt: at, changeBefore: before, changeAfter: before + change } : {}),
  })
}

function buyPackage(demo: Demo, shop: DemoShop, at: string, undone: string | undefined): void {
  const pack = demo.random.pick(SMS_PACKAGES.slice(0, 2)) as (typeof SMS_PACKAGES)[number]
  const { id: packageId, name, pieces, priceCents: originalCents } = pack
  const by = demoSeller(demo, shop.agentId)
  const totalCents = discounted(originalCents, demoDiscount(shop.agentId))
  const sale = {
    kind: 'package',
    packageId,
    name,
    pieces,
    originalCents,
    totalCents,
    payMethod: 'balance',
  } as const
  const order = addOrder(demo, shop, { ...sale, at, by }, pieces)
  const common = {
    kind: 'sms-package',
    document: order.orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId: shop.agentId,
    at,
    by,
    description: `${name} ${shop.shopName}`,
  } as const
  const agent = { kind: 'agent', id: shop.agentId } as const
  const revenue = { kind: 'vendor', book: 'revenue' } as const
  const merchant = { kind: 'merchant', id: shop.id } as const
  const paid = [
    post(demo, { ...common, asset: 'token', amount: totalCents, from: agent, to: revenue }),
    post(demo, { ...common, asset: 'sms', amount: pieces, from: SUPPLIER, to: merchant }),
  ]
  if (undone !== undefined)
    demo.history.at(later(demo, at, 30), undoneAt => {
      const held = creditOf(demo, shop)
      if (held < pieces) return
      Object.assign(order, {
        ...{ status: 'recycled', undoneAt, undoneBy: by.id, undoneByName: by.name, undoneReason: undone },
        ...{ changedAt: undoneAt, changeBefore: held, changeAfter: held - pieces },
      })
      reverse(demo, paid, undoneAt, by, undone)
    })
}

function giveCredit(demo: Demo, shop: DemoShop, at: string): void {
  const pieces = demo.random.pick([50, 100, 200])
  const agent = { kind: 'agent', id: shop.agentId } as const
  if (demoBalance(demo, agent, 'sms') < pieces) return
  const [by, remark] = [demoSeller(demo, shop.agentId), demo.random.pick(REASONS)]
  const gift = {
    kind: 'gift',
    name: SMS_ORDER_KINDS.gift,
    pieces,
    originalCents: 0,
    totalCents: 0,
    remark,
  } as const
  const order = addOrder(demo, shop, { ...gift, payMethod: 'gift', at, by }, pieces)
  post(demo, {
    kind: 'sms-gift',
    asset: 'sms',
    amount: pieces,
    from: agent,
    to: { kind: 'merchant', id: shop.id },
    document: order.orderNo,
    merchantId: shop.id,
    payMethod: 'gift',
    agentId: shop.agentId,
    at,
    by,
    description: `${SMS_ORDER_KINDS.gift} ${shop.shopName}`,
    remark,
  })
}

/** From a shop whose term is over, what it has not used. */
function recallCredit(demo: Demo, agentId: number, at: string): void {
  const shop = demoShops(demo).find(
    one => one.agentId === agentId && !isInUse(one, at) && creditOf(demo, one) > 0,
  )
  if (!shop) return
  const pieces = creditOf(demo, shop)
  const by = demoSeller(demo, agentId)
  const recall = {
    kind: 'recall',
    name: SMS_ORDER_KINDS.recall,
    pieces,
    originalCents: 0,
    totalCents: 0,
  } as const
  const order = addOrder(demo, shop, { ...recall, payMethod: 'balance', at, by }, -pieces)
  post(demo, {
    kind: 'sms-recall',
    asset: 'sms',
    amount: pieces,
    from: { kind: 'merchant', id: shop.id },
    to: { kind: 'agent', id: agentId },
    document: order.orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId,
    at,
    by,
    description: `${SMS_ORDER_KINDS.recall} ${shop.shopName}`,
  })
}
