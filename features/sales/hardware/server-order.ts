// The cart of an account, and the order that is paid from it at once.

import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { balancesOf, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { buyerTerms, isLateFirst } from '#features/office/prices/server.ts'
import { isOfferedDistrict } from '#features/office/regions/server.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import type { hardware as contract } from './contract.ts'
import { DELIVERY } from './fields.ts'
import {
  DELIVERY_STEPS,
  type HardwareRefusal,
  LIMITS,
  ORDER_REFUSALS,
  priceOf,
  REFUSALS,
  refuseContactName,
  refuseLine,
  refusePhone,
  refuseQuantity,
} from './rules.ts'
import { lockProducts, moveStock, offeredOf, PRODUCT } from './server-products.ts'
import { hardwareCartLines, hardwareOrderLines, hardwareOrders, hardwareProducts } from './tables.ts'

export async function readCart(ctx: Ctx): Promise<Out<typeof contract.cart>> {
  const rows = await ctx.db
    .select({ ...PRODUCT, productId: hardwareProducts.id, quantity: hardwareCartLines.quantity })
    .from(hardwareCartLines)
    .innerJoin(hardwareProducts, eq(hardwareProducts.id, hardwareCartLines.productId))
    .where(ownCart(ctx))
    .orderBy(asc(hardwareProducts.position), asc(hardwareProducts.id))
  const [last] = await ctx.db
    .select({
      contactName: hardwareOrders.contactName,
      contactPhone: hardwareOrders.contactPhone,
      districtCode: hardwareOrders.districtCode,
      address: hardwareOrders.address,
    })
    .from(hardwareOrders)
    .where(eq(hardwareOrders.agentId, ctx.actor.agentId))
    .orderBy(desc(hardwareOrders.createdAt), desc(hardwareOrders.id))
    .limit(1)
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  const terms = await buyerTerms(ctx, 'hardware', 'no shop')
  return {
    rows: rows.map(row => ({ ...row, ...offeredOf(terms, row.productId) })),
    balanceCents: tokenCents,
    lastDelivery: last ?? null,
  }
}

export const setCartLine: Verb<typeof contract.setCartLine> = async (ctx, input) => {
  const { productId, quantity } = input
  const [row] = await ctx.db.select().from(hardwareProducts).where(eq(hardwareProducts.id, productId))
  const product = found(row)
  const [before] = await ctx.db
    .select({ quantity: hardwareCartLines.quantity })
    .from(hardwareCartLines)
    .where(and(ownCart(ctx), eq(hardwareCartLines.productId, productId)))
  if (quantity === 0)
    await ctx.db
      .delete(hardwareCartLines)
      .where(and(ownCart(ctx), eq(hardwareCartLines.productId, productId)))
  else {
    refuse(refuseQuantity(quantity) ?? refuseLine(product, quantity), REFUSALS, { field: 'quantity' })
    if (!before) await refuseFullCart(ctx)
    const { accountId, agentId } = ctx.actor
    await ctx.db
      .insert(hardwareCartLines)
      .values({ accountId, agentId, productId, quantity })
      .onConflictDoUpdate({
        target: [hardwareCartLines.accountId, hardwareCartLines.productId],
        set: { quantity, agentId },
      })
  }
  ctx.note(`${product.name} (${productId})`, [
    { name: '数量', before: countText(before?.quantity ?? 0, '件'), after: countText(quantity, '件') },
  ])
  return { productId, quantity }
}

async function refuseFullCart(ctx: Ctx): Promise<void> {
  const lines = await ctx.db
    .select({ productId: hardwareCartLines.productId })
    .from(hardwareCartLines)
    .where(ownCart(ctx))
  if (lines.length >= LIMITS.cartLines) refuse('CART_FULL', ORDER_REFUSALS)
}

/** A cart is one account's, whoever else the agent has. */
function ownCart(ctx: Ctx) {
  return and(
    eq(hardwareCartLines.accountId, ctx.actor.accountId),
    eq(hardwareCartLines.agentId, ctx.actor.agentId),
  )
}

type Line = {
  productId: number
  productName: string
  unitCents: number
  quantity: number
  totalCents: number
  discountBasisPoints: number
  offer: string
}

/** Takes the stock, writes the order and moves the tokens. Products are locked in id order, the ledger last. */
export const placeOrder: Verb<typeof contract.order> = async (ctx, input) => {
  await refuseOrder(ctx, input)
  const shop = await shopFor(ctx, input.merchantId)
  const lines = await takeStock(ctx, input.lines)
  const totalCents = lines.reduce((sum, line) => sum + line.totalCents, 0)
  if (totalCents !== input.totalCents)
    throw new Refusal('PRICE_CHANGED', ORDER_REFUSALS.PRICE_CHANGED, { totalCents })
  for (const { productId: item, offer } of lines)
    if (await isLateFirst(ctx, { book: 'hardware', item, offer, shopId: null }))
      refuse('PRICE_CHANGED', ORDER_REFUSALS)
  const orderNo = await nextDocumentNo(ctx)
  await writeOrder(ctx, input, { orderNo, lines, totalCents })
  await ctx.db.delete(hardwareCartLines).where(
    and(
      ownCart(ctx),
      inArray(
        hardwareCartLines.productId,
        lines.map(line => line.productId),
      ),
    ),
  )
  ctx.object('order', orderNo)
  ctx.note(`硬件订单 ${orderNo}`, [
    { name: '商品', before: null, after: contentOf(lines) },
    { name: '合计', before: null, after: amountText(totalCents, '代币') },
    { name: '收货人', before: null, after: input.contactName },
    ...(shop ? [{ name: '商户', before: null, after: `${shop.shopName} (${shop.id})` }] : []),
  ])
  await post(ctx, [
    {
      kind: 'hardware',
      asset: 'token',
      amount: totalCents,
      from: { kind: 'agent', id: ctx.actor.agentId },
      to: { kind: 'vendor', book: 'revenue' },
      document: orderNo,
      payMethod: 'balance',
      agentId: ctx.actor.agentId,
      description: `硬件订购 ${contentOf(lines)}`.slice(0, 200),
      remark: input.remark,
    },
  ])
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  return { orderNo, totalCents, balanceAfterCents: tokenCents }
}

async function refuseOrder(ctx: Ctx, input: In<typeof contract.order>): Promise<void> {
  const { lines } = input
  if (lines.length === 0) refuse('CART_EMPTY', ORDER_REFUSALS)
  if (lines.length > LIMITS.cartLines) refuse('CART_FULL', ORDER_REFUSALS)
  if (new Set(lines.map(line => line.productId)).size < lines.length)
    refuseCommon('INPUT_INVALID', { field: 'lines' })
  for (const { quantity } of lines) refuse(refuseQuantity(quantity), REFUSALS, { field: 'lines' })
  refuseBroken(DELIVERY, input)
  refuse(refuseContactName(input.contactName), REFUSALS, { field: 'contactName' })
  refuse(refusePhone(input.contactPhone), REFUSALS, { field: 'contactPhone' })
  if (!(await isOfferedDistrict(ctx, input.districtCode)))
    refuse('DIVISION_REQUIRED', ORDER_REFUSALS, { field: 'districtCode' })
}

/** The shop that the goods are for, one of the acting agent's. */
async function shopFor(ctx: Ctx, merchantId: number | null) {
  if (merchantId === null) return null
  const [shop] = await ctx.db
    .select({ id: merchants.id, shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), eq(merchants.agentId, ctx.actor.agentId)))
  refuse(shop ? null : 'SHOP_UNKNOWN', ORDER_REFUSALS, { field: 'merchantId' })
  return found(shop)
}

/** The lines at today's prices, their pieces taken. */
async function takeStock(
  ctx: Ctx,
  asked: readonly { productId: number; quantity: number }[],
): Promise<Line[]> {
  const products = await lockProducts(
    ctx,
    asked.map(line => line.productId),
  )
  const terms = await buyerTerms(ctx, 'hardware', 'no shop')
  const lines = asked.map(({ productId, quantity }) => {
    const product = found(products.get(productId))
    const refusal: HardwareRefusal | null = refuseLine(product, quantity)
    refuse(refusal, REFUSALS, { productId, name: product.name })
    const { name: productName, unitCents } = product
    const offered = { unitCents, ...offeredOf(terms, productId) }
    const { totalCents, offer = '' } = priceOf(offered, quantity)
    const { discountBasisPoints } = terms
    return { productId, productName, unitCents, quantity, totalCents, discountBasisPoints, offer }
  })
  await moveStock(
    ctx,
    lines.map(line => ({ productId: line.productId, by: -line.quantity })),
  )
  return lines.sort((a, b) => a.productId - b.productId)
}

async function writeOrder(
  ctx: Ctx,
  input: In<typeof contract.order>,
  priced: { orderNo: string; lines: Line[]; totalCents: number },
): Promise<void> {
  const now = ctx.now.toISOString()
  const { accountId, agentId, name } = ctx.actor
  const [order] = await ctx.db
    .insert(hardwareOrders)
    .values({
      orderNo: priced.orderNo,
      agentId,
      merchantId: input.merchantId,
      contactName: input.contactName,
      contactPhone: input.contactPhone,
      districtCode: input.districtCode,
      address: input.address,
      remark: input.remark,
      totalCents: priced.totalCents,
      deliveryStatus: DELIVERY_STEPS.pay.to,
      createdBy: accountId,
      createdByName: name,
      createdAt: now,
      paidAt: now,
    })
    .returning({ id: hardwareOrders.id })
  const orderId = found(order).id
  await ctx.db.insert(hardwareOrderLines).values(priced.lines.map(line => ({ ...line, orderId, agentId })))
}

function contentOf(lines: readonly Line[]): string {
  return lines.map(line => `${line.productName}×${line.quantity}`).join('、')
}
