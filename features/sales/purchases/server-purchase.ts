// A shop buys a version: quote, then confirm (money.md; D2 §4 purchase flow).

import { balancesOf, type Movement, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { buyerTerms, isLateFirst } from '#features/office/prices/server.ts'
import { ORDER_REFUSALS } from '#features/sales/orders/rules.ts'
import {
  findQuote,
  markChanged,
  quoteOrder,
  shownPrice,
  type VersionOrder,
} from '#features/sales/orders/server.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { applyTerms } from '#features/shops/merchants/server-changes.ts'
import { type Conversion, forfeited, VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import { loggedText } from '#kit/declare/field-text.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { purchases as contract } from './contract.ts'
import {
  PLAN_REFUSALS,
  type Plan,
  PURCHASE_REFUSALS,
  planPurchase,
  refuseRemark,
  restOf,
  standsAsPlanned,
} from './rules.ts'
import {
  type Catalogue,
  catalogueOf,
  contentOf,
  countBranches,
  type Draft,
  findShop,
  lockShops,
  planOrRefuse,
  presentEffect,
  reachOf,
  refusalOf,
  refuseShop,
  type Shop,
  versionIn,
} from './server-shops.ts'

export const quotePurchase: Verb<typeof contract.quote> = async (ctx, input) => {
  refuse(refuseRemark(input.remark), PURCHASE_REFUSALS, { field: 'remark' })
  const shop = await findShop(ctx, input.merchantId)
  refuse(refuseShop(ctx, shop), PLAN_REFUSALS)
  const bookTerms = await buyerTerms(ctx, 'version', shop.id)
  const catalogue = await catalogueOf(ctx, { terms: bookTerms })
  const version = catalogue.get(input.versionId)
  if (!version)
    throw new Refusal('VERSION_REQUIRED', VERSION_REFUSALS.VERSION_REQUIRED, { field: 'versionId' })
  const { scope, term, periods, shops } = input
  const wanted = { scope, term, periods, shops }
  const reach = await reachOf(ctx, shop, scope, input.branchIds)
  const { discountBasisPoints } = bookTerms
  const now = ctx.now.toISOString()
  const present = versionIn(catalogue, shop.versionId)
  const presentOf = (id: number) => versionIn(catalogue, id)
  const plan = planOrRefuse({ shop, ...reach, presentOf, version, wanted, discountBasisPoints, now })
  const orderNo = await nextDocumentNo(ctx)
  const { effects, conversion, branchConversions } = plan
  const branchIds = reach.branches.map(({ id }) => id)
  const draft: Draft = { wanted, branchIds, effects, conversion, branchConversions }
  await quoteOrder(ctx, {
    orderNo,
    salesType: plan.way.salesType,
    versionId: version.id,
    terms: plan.terms,
    price: plan.price,
    content: contentOf(plan.way, shop.shopName, version.name, shops),
    draft,
    merchantId: shop.id,
    purchaseCode: plan.way.code,
    remark: input.remark.trim(),
  })
  ctx.object('order', orderNo)
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, noteOf(orderNo, plan.price.totalCents))
  const { tokenCents } = await balancesOf(ctx, ctx.actor.agentId)
  const named = new Map([shop, ...reach.branches].map(one => [one.id, one]))
  return {
    orderNo,
    code: plan.way.code,
    codeName: plan.way.codeName,
    salesType: plan.way.salesType,
    versionName: version.name,
    ...plan.price,
    balanceBeforeCents: tokenCents,
    balanceAfterCents: tokenCents - plan.price.totalCents,
    remainingDays: conversion?.remainingDays ?? null,
    convertedDays: conversion?.convertedDays ?? null,
    forfeit:
      plan.way.expiry === 'permanent'
        ? forfeited(shop.expiresAt, restOf(shop, reach.branchCount, present), discountBasisPoints, now)
        : null,
    effects: presentEffects(plan, named, catalogue),
  }
}

export const confirmPurchase: Verb<typeof contract.confirm> = async (ctx, input) => {
  const { order } = await findQuote(ctx, input.orderNo, 'renew', 'upgrade')
  const draft = order.draft as Draft
  const shopId = order.merchantId
  if (order.batchNo !== null || shopId === null)
    throw new Refusal('QUOTE_UNKNOWN', ORDER_REFUSALS.QUOTE_UNKNOWN)
  const { scope } = draft.wanted
  const wholeOf = scope === 'all' ? shopId : undefined
  const shops = await lockShops(ctx, [shopId, ...draft.branchIds], wholeOf)
  const shop = shops.get(shopId)
  if (!shop) throw new Refusal('SHOP_UNKNOWN', PURCHASE_REFUSALS.SHOP_UNKNOWN)
  refuse(refuseShop(ctx, shop), PLAN_REFUSALS)
  const { branchCount } = await countBranches(ctx, shop)
  const branches = [...shops.values()].filter(one => one.id !== shopId)
  if (branches.some(({ headId }) => headId !== shopId)) refuse('QUOTE_STALE', ORDER_REFUSALS)
  const catalogue = await catalogueOf(ctx, { at: order.createdAt })
  const presentOf = (id: number) => versionIn(catalogue, id)
  const version = versionIn(catalogue, order.versionId)
  const now = ctx.now.toISOString()
  const shown = shownPrice(order)
  const { discountBasisPoints } = shown
  const facts = { shop, branches, branchCount, presentOf, version, discountBasisPoints, now, shown }
  const planned = planPurchase({ ...facts, wanted: draft.wanted })
  if ('refusal' in planned && TOLD_AT_ONCE.has(planned.refusal.code)) throw refusalOf(planned.refusal)
  const plan = replan(order, planned, shops)
  const { offer, versionId: item } = order
  if (!plan || (await isLateFirst(ctx, { book: 'version', item, offer, shopId })))
    throw new Refusal('QUOTE_STALE', ORDER_REFUSALS.QUOTE_STALE)
  await applyTerms(ctx, plan.effects.map(termsOf))
  await markChanged(ctx, [{ orderId: order.id, effects: plan.effects }])
  const effects = presentEffects(plan, shops, catalogue)
  ctx.object('order', order.orderNo)
  ctx.about(shop.agentId, shopId)
  ctx.note(`${shop.shopName} (${shopId})`, [
    ...noteOf(order.orderNo, order.totalCents),
    ...changesOf(effects),
  ])
  await post(ctx, movementsOf(order))
  return { orderNo: order.orderNo, totalCents: order.totalCents, effects }
}

/** What another look would only find again. */
const TOLD_AT_ONCE: ReadonlySet<string> = new Set([
  'MERCHANT_DISABLED',
  'VERSION_NOT_AUTHORIZED',
  'VERSION_RETIRED',
] satisfies (keyof typeof PLAN_REFUSALS)[])

/** The plan of a confirm, or null where price, term, version or number of shops is no longer what the quote showed. */
export function replan(
  order: VersionOrder,
  planned: ReturnType<typeof planPurchase>,
  shops: ReadonlyMap<number, Shop>,
): Plan | null {
  if ('refusal' in planned || planned.plan.price.totalCents !== order.totalCents) return null
  const { effects, conversion, branchConversions = [] } = order.draft as Draft
  if (!convertsAlike(conversion, planned.plan.conversion)) return null
  const now = planned.plan.branchConversions
  const shownOf = (id: number) => branchConversions.find(({ merchantId }) => merchantId === id) ?? null
  if (!now.every(one => convertsAlike(shownOf(one.merchantId), one))) return null
  const stands = effects.every(effect => {
    const shop = shops.get(effect.merchantId)
    return shop !== undefined && standsAsPlanned(effect, shop)
  })
  return stands && effects.length === planned.plan.effects.length ? planned.plan : null
}

/** Days pass between quote and confirm; the prices that decide what a day becomes must not move. */
function convertsAlike(shown: Conversion | null, now: Conversion | null): boolean {
  return shown?.restCents === now?.restCents && shown?.boughtCents === now?.boughtCents
}

/** What an effect writes to its shop. */
export function termsOf(effect: Plan['effects'][number]) {
  const { merchantId, versionAfter, expiresAfter, termDayAfter, shopsAfter } = effect
  return {
    ...{ merchantId, versionId: versionAfter, shopsBought: shopsAfter },
    ...{ expiresAt: expiresAfter, termDay: termDayAfter },
  }
}

/** The movement that pays an order; none for one without a shop. */
export function movementsOf(order: VersionOrder): Movement[] {
  if (order.merchantId === null) return []
  return [
    {
      kind: order.salesType === 'renew' ? 'version-renew' : 'version-upgrade',
      asset: 'token',
      amount: order.totalCents,
      from: { kind: 'agent', id: order.agentId },
      to: { kind: 'vendor', book: 'revenue' },
      document: order.orderNo,
      merchantId: order.merchantId,
      payMethod: 'balance',
      agentId: order.agentId,
      description: order.content,
      remark: order.remark,
    },
  ]
}

function presentEffects(plan: Plan, shops: ReadonlyMap<number, Shop>, catalogue: Catalogue) {
  return plan.effects.map(effect => {
    const shop = shops.get(effect.merchantId)
    if (!shop) throw new Error(`shop ${effect.merchantId} of the plan was not read`)
    const conversion = plan.branchConversions.find(({ merchantId }) => merchantId === shop.id)
    return presentEffect(effect, shop, catalogue, conversion)
  })
}

function noteOf(orderNo: string, totalCents: number): FieldChange[] {
  return [
    { name: '订单号', before: null, after: orderNo },
    { name: '结算', before: null, after: amountText(totalCents, '代币') },
  ]
}

const termText = (expiresAt: string | null) => loggedText(MERCHANT_FIELDS.expiresAt, expiresAt)

function changesOf(effects: ReturnType<typeof presentEffects>): FieldChange[] {
  return effects.flatMap(effect => {
    const of = effects.length > 1 ? ` (${effect.merchantId})` : ''
    const changes = [
      { name: `软件版本${of}`, before: effect.versionBefore, after: effect.versionAfter },
      { name: `到期时间${of}`, before: termText(effect.expiresBefore), after: termText(effect.expiresAfter) },
      {
        name: `店铺数${of}`,
        before: countText(effect.shopsBefore, '家'),
        after: countText(effect.shopsAfter, '家'),
      },
    ]
    return changes.filter(({ before, after }) => before !== after)
  })
}
