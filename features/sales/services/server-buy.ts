// The catalogue as one shop can buy it, and the purchase: an order for each service, paid in one posting (D1 §3, §4).

import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { balancesOf, type Movement, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { type BuyerTerms, buyerTerms, isLateFirst, priceAt } from '#features/office/prices/server.ts'
import type { In } from '#kit/declare/op.ts'
import { amountText, countText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { services as contract } from './contract.ts'
import {
  type Asked,
  type Holding,
  holdingAfter,
  NO_HOLDING,
  OPERATOR_GROUP,
  priceOf,
  refuseAsked,
  refuseChoice,
  refuseOffer,
  refuseSale,
  refuseShop,
  SERVICE_REFUSALS,
  SERVICE_UNITS,
  type ServicePrice,
  type ServiceRefusal,
  type SoldService,
} from './rules.ts'
import { findShop, lockShop } from './server-shop.ts'
import { merchantServices, serviceOrders, services } from './tables.ts'

const PRICE = priceAt('service', services.id, 'unit')
const SERVICE = { ...getTableColumns(services), unitCents: sql<number>`${PRICE}`.mapWith(Number) }
/** Groups have no price; a service without one is not sold. */
const PRICED = or(isNull(services.parentId), isNotNull(PRICE))

type Service = typeof services.$inferSelect & { unitCents: number }
type Shop = Awaited<ReturnType<typeof lockShop>>

/** Everything on offer by group, with what the shop has, and why it cannot buy what it cannot. */
export const ofMerchant: Verb<typeof contract.ofMerchant> = async (ctx, input) => {
  const shop = await findShop(ctx, input.merchantId)
  const catalogue = await ctx.db
    .select(SERVICE)
    .from(services)
    .where(PRICED)
    .orderBy(asc(services.position), asc(services.id))
  const terms = await buyerTerms(ctx, 'service', shop.id)
  const holdings = await holdingsOf(ctx, shop.id)
  const now = ctx.now.toISOString()
  const groups = catalogue
    .filter(group => group.parentId === null && group.enabled)
    .map(group => ({
      ...group,
      services: catalogue
        .filter(service => service.parentId === group.id && (service.enabled || holdings.has(service.id)))
        .map(service => {
          const holding = holdings.get(service.id) ?? NO_HOLDING
          const code = refuseSale(service, holding, now) ?? refuseOffer(service, shop.storeKind, holding, now)
          return { ...service, ...holding, conditions: terms.conditionsOf(service.id), refusal: told(code) }
        }),
    }))
  const seats = groups.find(group => group.code === OPERATOR_GROUP)?.services ?? []
  const balance = await balancesOf(ctx, ctx.actor.agentId)
  return {
    merchant: shop,
    groups: groups.filter(group => group.services.length > 0),
    discountBasisPoints: terms.discountBasisPoints,
    balanceCents: balance.tokenCents,
    buyOperatorNumber: seats.reduce((sum, seat) => sum + seat.quantity, 0),
    refusal: told(refuseShop(shop, ctx.actor.agentId)),
    now,
  }
}

function told(code: ServiceRefusal | null) {
  return code && { code, message: SERVICE_REFUSALS[code] }
}

async function holdingsOf(ctx: Ctx, merchantId: number): Promise<Map<number, Holding>> {
  const rows = await ctx.db
    .select({
      serviceId: merchantServices.serviceId,
      quantity: merchantServices.quantity,
      expiresAt: merchantServices.expiresAt,
      termDay: merchantServices.termDay,
    })
    .from(merchantServices)
    .where(and(eq(merchantServices.merchantId, merchantId), ownRows(ctx, merchantServices.agentId)))
  return new Map(rows.map(({ serviceId, ...holding }) => [serviceId, holding]))
}

type Line = {
  orderNo: string
  service: Service
  asked: Asked
  before: Holding
  after: Holding
  price: ServicePrice
}

/** Buys what was chosen at the price that was shown, or refuses all of it. */
export const buyServices: Verb<typeof contract.buy> = async (ctx, input) => {
  refuse(refuseChoice(input.items, input.remark), SERVICE_REFUSALS)
  const shop = await lockShop(ctx, input.merchantId)
  refuse(refuseShop(shop, ctx.actor.agentId), SERVICE_REFUSALS)
  const terms = await buyerTerms(ctx, 'service', shop.id)
  const { discountBasisPoints } = terms
  const now = ctx.now.toISOString()
  const lines = await linesOf(ctx, shop, input.items, terms, now)
  const totalCents = lines.reduce((sum, line) => sum + line.price.totalCents, 0)
  if (totalCents !== input.totalCents)
    refuse('PRICE_CHANGED', SERVICE_REFUSALS, { totalCents, discountBasisPoints })
  for (const { service, price } of lines) {
    const of = { book: 'service', item: service.id, offer: price.offer ?? '', shopId: shop.id } as const
    if (await isLateFirst(ctx, of)) refuse('PRICE_CHANGED', SERVICE_REFUSALS)
  }
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  if (totalCents > tokenCents)
    refuse('INSUFFICIENT', SERVICE_REFUSALS, { balance: tokenCents, missing: totalCents - tokenCents })
  const paid = { shop, remark: input.remark, discountBasisPoints, now }
  await ctx.db.insert(serviceOrders).values(lines.map(line => orderRow(ctx, line, paid)))
  for (const line of lines) await giveService(ctx, shop, line)
  noteLines(ctx, shop, lines, totalCents)
  await pay(
    ctx,
    lines.map(line => movementOf(ctx, shop, line)),
  )
  const after = await balancesOf(ctx, ctx.actor.agentId)
  return {
    totalCents,
    balanceAfterCents: after.tokenCents,
    orders: lines.map(({ orderNo, service, price, after }) => ({
      orderNo,
      serviceId: service.id,
      serviceName: service.name,
      quantity: price.count,
      totalCents: price.totalCents,
      quantityAfter: after.quantity,
      expiresAfter: after.expiresAt,
    })),
  }
}

/** Each item with its price and what it changes; the first that the shop cannot buy refuses the whole purchase. */
async function linesOf(
  ctx: Ctx,
  shop: Shop,
  items: In<typeof contract.buy>['items'],
  terms: BuyerTerms,
  now: string,
): Promise<Line[]> {
  const ids = items.map(item => item.serviceId)
  const rows = await ctx.db
    .select(SERVICE)
    .from(services)
    .where(and(inArray(services.id, ids), PRICED))
  const sold = new Map(rows.filter(row => row.parentId !== null).map(row => [row.id, row]))
  const holdings = await holdingsOf(ctx, shop.id)
  const lines: Line[] = []
  for (const { serviceId, ...asked } of items) {
    const service = sold.get(serviceId)
    const about = { serviceId, serviceName: service?.name }
    if (!service) throw new Refusal('SERVICE_UNKNOWN', SERVICE_REFUSALS.SERVICE_UNKNOWN, about)
    const before = holdings.get(serviceId) ?? NO_HOLDING
    refuse(refuseSale(service, before, now), SERVICE_REFUSALS, about)
    refuse(refuseOffer(service, shop.storeKind, before, now), SERVICE_REFUSALS, about)
    refuse(refuseAsked(service, asked, before), SERVICE_REFUSALS, about)
    const after = holdingAfter(service, asked, before, now)
    const conditions = terms.conditionsOf(serviceId)
    const price = priceOf({ ...service, conditions }, asked, terms.discountBasisPoints)
    lines.push({ orderNo: await nextDocumentNo(ctx), service, asked, before, after, price })
  }
  return lines
}

type Paid = { shop: Shop; remark: string; discountBasisPoints: number; now: string }

function orderRow(ctx: Ctx, line: Line, paid: Paid): typeof serviceOrders.$inferInsert {
  return {
    orderNo: line.orderNo,
    agentId: paid.shop.agentId,
    merchantId: paid.shop.id,
    serviceId: line.service.id,
    serviceName: line.service.name,
    unitCents: line.service.unitCents,
    quantity: line.price.count,
    originalCents: line.price.originalCents,
    discountBasisPoints: paid.discountBasisPoints,
    offer: line.price.offer ?? '',
    totalCents: line.price.totalCents,
    payMethod: 'balance',
    state: 'completed',
    remark: paid.remark,
    quantityBefore: line.before.quantity,
    expiresBefore: line.before.expiresAt,
    termDayBefore: line.before.termDay,
    expiresAfter: line.after.expiresAt,
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: paid.now,
    paidAt: paid.now,
  }
}

async function giveService(ctx: Ctx, shop: Shop, { service, after }: Line): Promise<void> {
  await ctx.db
    .insert(merchantServices)
    .values({ agentId: shop.agentId, merchantId: shop.id, serviceId: service.id, ...after })
    .onConflictDoUpdate({ target: [merchantServices.merchantId, merchantServices.serviceId], set: after })
}

function holdingText({ unit }: Pick<SoldService, 'unit'>, { quantity, expiresAt }: Holding): string | null {
  if (unit === 'piece') return countText(quantity, SERVICE_UNITS.piece)
  return expiresAt && formatInstant(expiresAt)
}

function noteLines(ctx: Ctx, shop: Shop, lines: Line[], totalCents: number): void {
  ctx.object('order', ...lines.map(({ orderNo }) => orderNo))
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    ...lines.map(({ orderNo, service, before, after }) => ({
      name: `${service.name}（${orderNo}）`,
      before: holdingText(service, before),
      after: holdingText(service, after),
    })),
    { name: '结算', before: null, after: amountText(totalCents, '代币') },
  ])
}

function movementOf(ctx: Ctx, shop: Shop, { orderNo, service, price }: Line): Movement {
  return {
    kind: 'service',
    asset: 'token',
    amount: price.totalCents,
    from: { kind: 'agent', id: ctx.actor.agentId },
    to: { kind: 'vendor', book: 'revenue' },
    document: orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId: ctx.actor.agentId,
    description: `增值服务 ${service.name} ${shop.shopName}`,
  }
}

/** Posts what was bought; where another purchase took the tokens meanwhile, that is told in the words of D1 §8. */
export async function pay(ctx: Ctx, movements: Movement[]): Promise<number[]> {
  try {
    return await post(ctx, movements)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'INSUFFICIENT') throw error
    throw new Refusal('INSUFFICIENT', SERVICE_REFUSALS.INSUFFICIENT, error.data)
  }
}
