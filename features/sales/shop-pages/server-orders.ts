// A shop's renewal online: ordered at its page, credited by payments, taken back by a refund.
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { nextDocumentNo } from '#features/money/ledger/server.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { openIntent } from '#features/sales/payments/server-start.ts'
import { paymentIntents } from '#features/sales/payments/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Ctx, PaidAssetOf, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { shopPages as contract } from './contract.ts'
import {
  ONLINE_RENEWAL_STEPS,
  ORDERS_PER_HOUR,
  RENEWAL_REFUSALS,
  RENEWAL_SCOPES,
  refuseRefund,
  SHOP_REFUSALS,
} from './rules.ts'
import { noteShop } from './server-guests.ts'
import { type OpenedShop, offersFor, openedBy, openShop } from './server-page.ts'
import { onlineRenewals as renewals } from './tables.ts'

type Renewal = typeof renewals.$inferSelect

/** An order that has less left is not shown again. */
const LEAST_SECONDS = 120

export const orderRenewal: Verb<typeof contract.renew> = async (ctx, input) => {
  const shop = await openShop(ctx, input.code)
  const offers = await offersFor(ctx, shop)
  const offer = offers.find(({ versionId, years }) => versionId === input.versionId && years === input.years)
  if (!offer) {
    refuse('RENEWAL_NOT_OFFERED', SHOP_REFUSALS)
    throw new Error('unreachable')
  }
  const { versionName, years, scope, shops, amountFen } = offer
  const renewed = `续费 ${versionName} ${years} 年${scope === 'all' ? `（${RENEWAL_SCOPES.all}）` : ''}`
  if (amountFen !== input.amountFen) refuse('PRICE_CHANGED', SHOP_REFUSALS, { amountFen })
  // One after the other, so that a second press shows the first one's order.
  await ctx.client.query('select pg_advisory_xact_lock($1, hashtext($2))', [
    ORDERING,
    String(shop.merchantId),
  ])
  const open = await openOrder(ctx, shop, offer)
  if (open) {
    ctx.nothingChanged()
    return { ...open, payUrl: cashierOf(ctx, open.token) }
  }
  await refuseMany(ctx, shop)
  const orderNo = await nextDocumentNo(ctx)
  const { agentId, merchantId, shopName, versionId } = shop
  const { queryId, payUrl, remainingSeconds } = await openIntent(ctx, {
    asset: 'renewal',
    orderNo,
    amountFen,
    subject: `${shopName} ${renewed}`,
    agentId,
    payeeAgentId: agentId,
    accountId: 0,
    accountName: shopName,
  })
  await ctx.db.insert(renewals).values({
    ...{ orderNo, agentId, merchantId, shopName, versionId, years, scope, shops, amountFen },
    state: 'waiting',
    intentId: queryId,
    createdAt: sql`now()`,
  })
  noteShop(ctx, shop, [
    { name: '订单号', before: null, after: orderNo },
    { name: '续费', before: null, after: `${versionName} ${years} 年` },
    { name: '续费范围', before: null, after: `${RENEWAL_SCOPES[scope]}，${countText(shops, '家')}` },
    { name: '金额', before: null, after: amountText(amountFen, '元') },
  ])
  return { orderNo, amountFen, payUrl, remainingSeconds }
}

const ORDERING = 7_211_030

function cashierOf(ctx: Ctx, token: string): string {
  return `${ctx.services.baseUrl()}/c/${token}`
}

/** The order for the same that can still be paid. */
async function openOrder(
  ctx: Ctx,
  { merchantId, agentId }: OpenedShop,
  wanted: Pick<Renewal, 'versionId' | 'years' | 'scope' | 'shops' | 'amountFen'>,
) {
  const seconds = sql<number>`ceil(extract(epoch from ${paymentIntents.expiresAt} - now()))`.mapWith(Number)
  const [open] = await ctx.db
    .select({
      orderNo: renewals.orderNo,
      amountFen: renewals.amountFen,
      token: paymentIntents.token,
      remainingSeconds: seconds,
    })
    .from(renewals)
    .innerJoin(paymentIntents, eq(paymentIntents.id, renewals.intentId))
    .where(
      and(
        eq(renewals.merchantId, merchantId),
        eq(renewals.agentId, agentId),
        eq(renewals.state, 'waiting'),
        eq(renewals.versionId, wanted.versionId),
        eq(renewals.years, wanted.years),
        eq(renewals.scope, wanted.scope),
        eq(renewals.shops, wanted.shops),
        eq(renewals.amountFen, wanted.amountFen),
        eq(paymentIntents.status, 'waiting'),
        gt(paymentIntents.expiresAt, sql`now() + make_interval(secs => ${LEAST_SECONDS})`),
      ),
    )
    .orderBy(desc(renewals.id))
    .limit(1)
  return open
}

/** Anybody who knows the address may order: it must not fill its agent's list. */
async function refuseMany(ctx: Ctx, { merchantId }: OpenedShop): Promise<void> {
  const recent = await ctx.db.$count(
    renewals,
    and(eq(renewals.merchantId, merchantId), gt(renewals.createdAt, sql`now() - interval '1 hour'`)),
  )
  if (recent >= ORDERS_PER_HOUR) refuse('RENEWALS_TOO_MANY', SHOP_REFUSALS)
}

export const readRenewal: Verb<typeof contract.renewal> = async (ctx, { code, orderNo }) => {
  const { merchantId, agentId } = await openedBy(ctx, code)
  const [row] = await ctx.db
    .select({ renewal: renewals, versionName: versions.name, expiresAt: merchants.expiresAt })
    .from(renewals)
    .innerJoin(versions, eq(versions.id, renewals.versionId))
    .innerJoin(merchants, eq(merchants.id, renewals.merchantId))
    .where(
      and(eq(renewals.orderNo, orderNo), eq(renewals.merchantId, merchantId), eq(renewals.agentId, agentId)),
    )
  const { renewal, versionName, expiresAt } = found(row)
  const { state, amountFen, years } = renewal
  // Whoever looks has the background look too.
  if (state === 'waiting') ctx.services.wake('payments')
  if (state === 'paid' || state === 'short') ctx.services.wake('onlineRenewals')
  return { orderNo, state, amountFen, versionName, years, expiresAt: state === 'renewed' ? expiresAt : null }
}

/** What payments calls when an order's money came, or goes back; inside its own transaction. */
export const paidRenewal: PaidAssetOf = {
  async credit(ctx, { orderNo }, channel) {
    const { from, to } = ONLINE_RENEWAL_STEPS.pay
    const [paid] = await ctx.db
      .update(renewals)
      .set({ state: to, payMethod: channel, paidAt: sql`now()`, tryAt: sql`now()` })
      .where(and(eq(renewals.orderNo, orderNo), inArray(renewals.state, from)))
      .returning({ id: renewals.id })
    if (!paid) throw new Error(`online renewal ${orderNo} does not wait for its payment`)
    ctx.afterCommit(() => ctx.services.wake('onlineRenewals'))
  },
  async takeBack(ctx, { orderNo }) {
    const [renewal] = await ctx.db.select().from(renewals).where(eq(renewals.orderNo, orderNo)).for('update')
    const { id, state, versionOrderNo } = found(renewal)
    const isUndone = versionOrderNo !== null && (await isTakenBack(ctx, versionOrderNo))
    refuse(refuseRefund({ state, isUndone }), RENEWAL_REFUSALS)
    const { from, to } = ONLINE_RENEWAL_STEPS.refund
    await ctx.db
      .update(renewals)
      .set({ state: to, refundedAt: sql`now()`, tryAt: null })
      .where(and(eq(renewals.id, id), inArray(renewals.state, from)))
  },
}

async function isTakenBack(ctx: Ctx, orderNo: string): Promise<boolean> {
  const [order] = await ctx.db
    .select({ undoneAt: versionOrders.undoneAt })
    .from(versionOrders)
    .where(eq(versionOrders.orderNo, orderNo))
  return found(order).undoneAt !== null
}
