// One price for many shops, each renewed with its own version: quote, then confirm. The number of statements does not
// depend on the number of shops.

import { sql } from 'drizzle-orm'
import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { balancesOf, post } from '#features/money/ledger/server.ts'
import { buyerTerms } from '#features/office/prices/server.ts'
import { ORDER_REFUSALS } from '#features/sales/orders/rules.ts'
import {
  countOpenBatches,
  dropBatchQuote,
  findBatch,
  markChanged,
  nextOrderNos,
  quoteOrders,
  shownPrice,
  type VersionOrder,
} from '#features/sales/orders/server.ts'
import { applyTerms } from '#features/shops/merchants/server-changes.ts'
import { type Price, refusePeriods, VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { purchases as contract } from './contract.ts'
import {
  LIMITS,
  PLAN_REFUSALS,
  type Plan,
  type PlanRefusal,
  PURCHASE_REFUSALS,
  planPurchase,
  refuseRemark,
  refuseTogether,
  standsAsPlanned,
  type Wanted,
} from './rules.ts'
import { movementsOf, replan, termsOf } from './server-purchase.ts'
import {
  branchCounts,
  type Catalogue,
  catalogueOf,
  contentOf,
  type Draft,
  findShops,
  lockShops,
  type Shop,
  type Version,
  versionIn,
} from './server-shops.ts'
import { renewalBatches } from './tables.ts'

type BulkInput = In<typeof contract.bulkQuote>
type Planned = { shop: Shop; version: Version; plan: Plan }
type Line = { merchantId: number; shop?: Shop; version?: Version } & (
  | { plan: Plan }
  | { refusal: PlanRefusal }
)

export async function quoteBulk(ctx: Ctx, input: BulkInput): Promise<Out<typeof contract.bulkQuote>> {
  const ids = [...new Set(input.merchantIds)]
  refuseForm(input, ids)
  const shops = new Map((await findShops(ctx, ids)).map(shop => [shop.id, shop]))
  if (shops.size === 0) throw new Refusal('SHOP_UNKNOWN', PURCHASE_REFUSALS.SHOP_UNKNOWN)
  const terms = await buyerTerms(ctx, 'version', 'no shop')
  const catalogue = await catalogueOf(ctx, { terms })
  const { discountBasisPoints } = terms
  const wanted: Wanted = { scope: 'head', term: input.term, periods: input.periods, shops: 1 }
  const branches = await branchCounts(ctx, [...shops.keys()])
  const facts = { catalogue, branches, discountBasisPoints, wanted, now: ctx.now.toISOString() }
  const lines = ids.map(id => lineOf(ctx, id, shops.get(id), facts))
  const payable = lines.filter(isPlanned)
  if (input.replaces !== undefined) await dropBatchQuote(ctx, input.replaces)
  if ((await countOpenBatches(ctx)) >= LIMITS.openBatches) refuse('BATCHES_OPEN', PURCHASE_REFUSALS)
  const batchNo = await writeOrders(ctx, payable, wanted, input.remark.trim())
  const totalCents = sumOf(payable, 'totalCents')
  const [only] = payable
  if (only && payable.length === 1) ctx.about(only.shop.agentId, only.shop.id)
  ctx.object('batch', batchNo)
  ctx.object('merchant', ...payable.map(({ shop }) => shop.id))
  ctx.note(`${payable.length}家商户 (${batchNo})`, [
    { name: '不能续费', before: null, after: countText(lines.length - payable.length, '家') },
    { name: '结算', before: null, after: amountText(totalCents, '代币') },
  ])
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  return {
    batchNo,
    lines: lines.map(presentLine),
    payable: payable.length,
    refused: lines.length - payable.length,
    originalCents: sumOf(payable, 'originalCents'),
    discountBasisPoints,
    totalCents,
    balanceBeforeCents: tokenCents,
    balanceAfterCents: tokenCents - totalCents,
  }
}

function refuseForm(input: BulkInput, ids: readonly number[]): void {
  const field = 'merchantIds'
  if (ids.length === 0) refuse('SHOPS_REQUIRED', PURCHASE_REFUSALS, { field })
  if (ids.length > LIMITS.bulkShops) refuse('SHOPS_TOO_MANY_AT_ONCE', PURCHASE_REFUSALS, { field })
  refuse(refusePeriods(input.term, input.periods), VERSION_REFUSALS, { field: 'periods' })
  refuse(refuseRemark(input.remark), PURCHASE_REFUSALS, { field: 'remark' })
}

type Facts = {
  catalogue: Catalogue
  /** Rows of branches by head. */
  branches: ReadonlyMap<number, number>
  discountBasisPoints: number
  wanted: Wanted
  now: string
  /** What a quote showed and keeps. */
  shown?: Price
}

function lineOf(ctx: Ctx, merchantId: number, shop: Shop | undefined, facts: Facts): Line {
  if (!shop) return { merchantId, refusal: { code: 'SHOP_UNKNOWN' } }
  const version = versionIn(facts.catalogue, shop.versionId)
  if (shop.agentId !== ctx.actor.agentId)
    return { merchantId, shop, version, refusal: { code: 'NOT_OWN_SHOP' } }
  return { merchantId, shop, version, ...planTogether(shop, version, facts) }
}

function planTogether(shop: Shop, version: Version, facts: Facts) {
  const refusal = refuseTogether(shop, version, facts.wanted.term)
  if (refusal) return { refusal }
  const branchCount = facts.branches.get(shop.id) ?? 0
  return planPurchase({ ...facts, shop, presentOf: () => version, version, branches: [], branchCount })
}

function isPlanned(line: Line): line is Line & Planned {
  return 'plan' in line
}

function sumOf(lines: readonly Planned[], amount: 'originalCents' | 'totalCents'): number {
  return lines.reduce((sum, { plan }) => sum + plan.price[amount], 0)
}

/** One order for each line under a number of their own, which is answered. */
async function writeOrders(
  ctx: Ctx,
  lines: readonly Planned[],
  wanted: Wanted,
  remark: string,
): Promise<string> {
  const [batchNo, ...orderNos] = await nextOrderNos(ctx, lines.length + 1)
  if (batchNo === undefined || orderNos.length !== lines.length) throw new Error('order numbers are missing')
  await quoteOrders(
    ctx,
    lines.map(({ shop, version, plan }, i) => {
      const draft: Draft = {
        wanted,
        branchIds: [],
        effects: plan.effects,
        conversion: null,
        branchConversions: [],
      }
      return {
        orderNo: orderNos[i] as string,
        salesType: plan.way.salesType,
        versionId: version.id,
        terms: plan.terms,
        price: plan.price,
        content: contentOf(plan.way, shop.shopName, version.name),
        draft,
        merchantId: shop.id,
        purchaseCode: plan.way.code,
        batchNo,
        remark,
      }
    }),
  )
  return batchNo
}

function presentLine(line: Line) {
  const plan = isPlanned(line) ? line.plan : null
  const expiresBefore = line.shop?.expiresAt ?? null
  return {
    merchantId: line.merchantId,
    shopName: line.shop?.shopName ?? '',
    account: line.shop?.account ?? '',
    versionName: line.version?.name ?? '',
    expiresBefore,
    expiresAfter: plan ? (plan.effects[0]?.expiresAfter ?? null) : expiresBefore,
    originalCents: plan?.price.originalCents ?? 0,
    totalCents: plan?.price.totalCents ?? 0,
    ...(plan?.price.offer === undefined ? {} : { offer: plan.price.offer }),
    refusal: 'refusal' in line ? presentRefusal(line.refusal) : null,
  }
}

function presentRefusal({ code }: PlanRefusal) {
  return { code, message: PLAN_REFUSALS[code] }
}

type Paid = { order: VersionOrder; shop: Shop; plan: Plan }
type Unpaid = { order: VersionOrder; shop: Shop | undefined; refusal: { code: string; message: string } }

export const confirmBulk: Verb<typeof contract.bulkConfirm> = async (ctx, input) => {
  const orders = await findBatch(ctx, input.batchNo)
  const shops = await lockShops(
    ctx,
    orders.flatMap(({ merchantId }) => merchantId ?? []),
  )
  const catalogue = await catalogueOf(ctx, { at: orders[0]?.createdAt })
  const branches = await branchCounts(ctx, [...shops.keys()])
  const now = ctx.now.toISOString()
  const facts = { catalogue, branches, now }
  const lines = orders.map(order => settle(order, shops, facts))
  const paid = lines.filter(line => 'plan' in line)
  if (paid.length === 0) throw new Refusal('NOTHING_PAYABLE', PURCHASE_REFUSALS.NOTHING_PAYABLE)
  const totalCents = paid.reduce((sum, { order }) => sum + order.totalCents, 0)
  await refusePoor(ctx, totalCents)
  await applyTerms(
    ctx,
    paid.flatMap(({ plan }) => plan.effects.map(termsOf)),
  )
  await markChanged(
    ctx,
    paid.map(({ order, plan }) => ({ orderId: order.id, effects: plan.effects })),
  )
  await ctx.db.insert(renewalBatches).values({
    batchNo: input.batchNo,
    agentId: ctx.actor.agentId,
    orders: paid.length,
    totalCents,
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    paidAt: sql`now()`,
  })
  const [only] = paid
  if (only && paid.length === 1) ctx.about(only.shop.agentId, only.shop.id)
  ctx.object('batch', input.batchNo)
  ctx.object('merchant', ...paid.map(({ shop }) => shop.id))
  ctx.note(`${paid.length}家商户 (${input.batchNo})`, [
    { name: '未能续费', before: null, after: countText(lines.length - paid.length, '家') },
    { name: '结算', before: null, after: amountText(totalCents, '代币') },
  ])
  await post(
    ctx,
    paid.flatMap(({ order }) => movementsOf(order)),
  )
  return {
    batchNo: input.batchNo,
    totalCents,
    paid: paid.length,
    refused: lines.length - paid.length,
    receipts: lines.map(receiptOf),
  }
}

/**
 * A line as it can be paid now, or why it cannot: its shop is gone, disabled or changed since the quote. Its price
 * is the one that the quote showed.
 */
function settle(
  order: VersionOrder,
  shops: ReadonlyMap<number, Shop>,
  facts: Pick<Facts, 'catalogue' | 'branches' | 'now'>,
): Paid | Unpaid {
  const { wanted, effects } = order.draft as Draft
  const [effect] = effects
  const shop = order.merchantId === null ? undefined : shops.get(order.merchantId)
  if (!shop || !effect) return { order, shop, refusal: presentRefusal({ code: 'SHOP_UNKNOWN' }) }
  const stale = { code: 'QUOTE_STALE', message: ORDER_REFUSALS.QUOTE_STALE }
  if (shop.status === 'disabled')
    return { order, shop, refusal: presentRefusal({ code: 'MERCHANT_DISABLED' }) }
  if (!standsAsPlanned(effect, shop)) return { order, shop, refusal: stale }
  const shown = shownPrice(order)
  const { discountBasisPoints } = shown
  const kept = { ...facts, wanted, shown, discountBasisPoints }
  const planned = planTogether(shop, versionIn(facts.catalogue, shop.versionId), kept)
  if ('refusal' in planned) return { order, shop, refusal: presentRefusal(planned.refusal) }
  const { branches, shops: bought } = planned.plan.terms
  if (branches !== order.branches || bought !== order.shops) return { order, shop, refusal: stale }
  const plan = replan(order, planned, shops)
  if (!plan) throw new Refusal('QUOTE_STALE', ORDER_REFUSALS.QUOTE_STALE)
  return { order, shop, plan }
}

/** The ledger would name what the first line lacks; what the whole batch lacks is what people need to know. */
async function refusePoor(ctx: Ctx, totalCents: number): Promise<void> {
  const { tokenCents: balance } = await balancesOf(ctx, ctx.actor.agentId)
  if (balance >= totalCents) return
  const data = { asset: 'token', balance, missing: totalCents - balance }
  throw new Refusal('INSUFFICIENT', LEDGER_REFUSALS.INSUFFICIENT, data)
}

function receiptOf(line: Paid | Unpaid) {
  const { order, shop } = line
  const isPaid = 'plan' in line
  return {
    merchantId: order.merchantId ?? 0,
    shopName: shop?.shopName ?? '',
    orderNo: isPaid ? order.orderNo : null,
    totalCents: isPaid ? order.totalCents : 0,
    expiresAfter: isPaid ? (line.plan.effects[0]?.expiresAfter ?? null) : (shop?.expiresAt ?? null),
    refusal: isPaid ? null : line.refusal,
  }
}
