// Version orders: a quote is written when it is asked for and paid when it is confirmed.
import { and, asc, countDistinct, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Price, PurchaseTerms } from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { insertRows } from '#server/insert-rows.ts'
import { refuse } from '#server/refuse.ts'
import {
  OPEN_QUOTES_MAX,
  ORDER_REFUSALS,
  ORDER_STEPS,
  QUOTE_VALID_MS,
  type SalesType,
  type ShopEffect,
  secondsToQuote,
} from './rules.ts'
import { versionOrderEffects, versionOrders } from './tables.ts'

export type VersionOrder = typeof versionOrders.$inferSelect

export type QuotedOrder = {
  orderNo: string
  salesType: SalesType
  versionId: number
  terms: PurchaseTerms
  price: Price
  content: string
  /** What the confirm needs; JSON. */
  draft: unknown
  /** The shop that buys; a shop's first version has none until it is paid. */
  merchantId?: number
  /** IsAddShop (D2 §9). */
  purchaseCode?: number
  batchNo?: string
  remark?: string
}

/** The price that a quote showed, which it keeps until it ends. */
export function shownPrice(order: VersionOrder): Price {
  const { unitCents, term, periods, shops, branches, originalCents, totalCents, offer } = order
  return {
    unitCents,
    unit: order.unit as Price['unit'],
    periods: term === 'lifetime' ? 1 : periods,
    // Of the two one counts: a version priced per branch is bought for one shop.
    shops: branches > 0 ? branches + 1 : shops,
    originalCents,
    discountBasisPoints: order.discountBasisPoints,
    totalCents,
    ...(offer === '' ? {} : { offer }),
  }
}

/** Writes the order that a confirm will name. Refused where too many of the account wait for theirs. */
export async function quoteOrder(ctx: Ctx, quoted: QuotedOrder): Promise<void> {
  await refuseManyOpen(ctx)
  await quoteOrders(ctx, [quoted])
}

async function refuseManyOpen(ctx: Ctx): Promise<void> {
  const { agentId, accountId } = ctx.actor
  const open = await ctx
    .prepared('open_quotes', db =>
      db
        .select({ createdAt: versionOrders.createdAt })
        .from(versionOrders)
        .where(
          and(
            eq(versionOrders.agentId, sql.placeholder('agentId')),
            eq(versionOrders.createdBy, sql.placeholder('accountId')),
            eq(versionOrders.status, sql.raw(`'quoted'`)),
            isNull(versionOrders.batchNo),
            gt(versionOrders.createdAt, VALID_SINCE),
          ),
        )
        .orderBy(asc(versionOrders.createdAt))
        .limit(OPEN_QUOTES_MAX)
        .prepare('open_quotes'),
    )
    .execute({ agentId, accountId })
  const secondsLeft = secondsToQuote(open.length, open[0]?.createdAt ?? null, ctx.now.toISOString())
  if (secondsLeft !== null) refuse('TOO_MANY_OPEN', ORDER_REFUSALS, { secondsLeft })
}

/** Writes several orders in one statement. */
export async function quoteOrders(ctx: Ctx, quoted: readonly QuotedOrder[]): Promise<void> {
  if (quoted.length === 0) return
  const createdAt = ctx.now.toISOString()
  const by = { agentId: ctx.actor.agentId, createdBy: ctx.actor.accountId, createdAt }
  await ctx.db.insert(versionOrders).values(quoted.map(order => ({ ...rowOf(order), ...by })))
}

function rowOf({ terms, price, ...quoted }: QuotedOrder) {
  return {
    orderNo: quoted.orderNo,
    salesType: quoted.salesType,
    status: 'quoted',
    versionId: quoted.versionId,
    term: terms.term,
    periods: terms.periods,
    shops: terms.shops,
    branches: terms.branches,
    unit: price.unit,
    unitCents: price.unitCents,
    originalCents: price.originalCents,
    discountBasisPoints: price.discountBasisPoints,
    totalCents: price.totalCents,
    offer: price.offer ?? '',
    content: quoted.content,
    payMethod: 'balance',
    draft: quoted.draft,
    merchantId: quoted.merchantId ?? null,
    purchaseCode: quoted.purchaseCode ?? null,
    batchNo: quoted.batchNo ?? null,
    remark: quoted.remark ?? '',
  } as const
}

/** Writes orders that are paid as they are made, in one statement: what quotes and their confirmation leave. */
export async function writePaidOrders(
  ctx: Ctx,
  orders: readonly (Omit<QuotedOrder, 'draft' | 'salesType'> & { merchantId: number })[],
): Promise<void> {
  const now = ctx.now.toISOString()
  const by = { agentId: ctx.actor.agentId, createdBy: ctx.actor.accountId, createdAt: now, paidAt: now }
  const paid = { status: ORDER_STEPS.pay.to, draft: null } as const
  await insertRows(
    ctx.client,
    versionOrders,
    orders.map(order => ({ ...rowOf({ ...order, salesType: 'new', draft: null }), ...by, ...paid })),
  )
}

/** As many numbers for orders as are wanted, in rising order. */
export async function nextOrderNos(ctx: Ctx, wanted: number): Promise<string[]> {
  const { rows } = await ctx.client.query<{ no: string }>({
    name: 'next_order_nos',
    text: 'select next_order_no() as no from generate_series(1, $1)',
    values: [wanted],
  })
  return rows.map(row => row.no)
}

/** Quotes made before this instant can be confirmed no more. */
export const VALID_SINCE = sql`now() - make_interval(secs => ${sql.raw(String(QUOTE_VALID_MS / 1000))})`

/** The caller's own quote, locked, with its version at the prices of then. Refuses one that is unknown, too old or used. */
export async function findQuote(ctx: Ctx, orderNo: string, ...salesTypes: SalesType[]) {
  const [quote] = await ctx
    .prepared('find_quote', db =>
      db
        .select({
          order: versionOrders,
          version: pricedVersion(versionOrders.createdAt),
          /** The buying agent may sell it. */
          authorised: isSoldBy(versionOrders.agentId),
        })
        .from(versionOrders)
        .innerJoin(versions, eq(versions.id, versionOrders.versionId))
        .where(
          and(
            eq(versionOrders.orderNo, sql.placeholder('orderNo')),
            eq(versionOrders.agentId, sql.placeholder('agentId')),
            eq(versionOrders.createdBy, sql.placeholder('createdBy')),
            sql`${versionOrders.salesType} = any(${sql.placeholder('salesTypes')})`,
            gt(versionOrders.createdAt, VALID_SINCE),
          ),
        )
        .for('update', { of: versionOrders })
        .prepare('find_quote'),
    )
    .execute({ orderNo, agentId: ctx.actor.agentId, createdBy: ctx.actor.accountId, salesTypes })
  if (!quote) refuse('QUOTE_UNKNOWN', ORDER_REFUSALS)
  if (quote?.order.status !== 'quoted') refuse('QUOTE_USED', ORDER_REFUSALS)
  return quote as NonNullable<typeof quote>
}

/** Marks a quote as paid for this merchant; its draft is emptied. */
export async function markPaid(ctx: Ctx, orderNo: string, merchantId: number): Promise<void> {
  await ctx
    .prepared('mark_paid', db =>
      db
        .update(versionOrders)
        .set({
          status: ORDER_STEPS.pay.to,
          merchantId: sql`${sql.placeholder('merchantId')}`,
          paidAt: sql`now()`,
          draft: null,
        })
        .where(
          and(
            eq(versionOrders.orderNo, sql.placeholder('orderNo')),
            inArray(versionOrders.status, ORDER_STEPS.pay.from),
          ),
        )
        .prepare('mark_paid'),
    )
    .execute({ orderNo, merchantId })
}

/** The caller's own orders that were quoted together, locked, in their order. Refuses a batch that is unknown, too old or used. */
export async function findBatch(ctx: Ctx, batchNo: string): Promise<VersionOrder[]> {
  const orders = await ctx.db
    .select()
    .from(versionOrders)
    .where(
      and(
        eq(versionOrders.batchNo, batchNo),
        eq(versionOrders.agentId, ctx.actor.agentId),
        eq(versionOrders.createdBy, ctx.actor.accountId),
        gt(versionOrders.createdAt, VALID_SINCE),
      ),
    )
    .orderBy(asc(versionOrders.id))
    .for('update')
  if (orders.length === 0) refuse('QUOTE_UNKNOWN', ORDER_REFUSALS)
  if (orders.some(order => order.status !== 'quoted')) refuse('QUOTE_USED', ORDER_REFUSALS)
  return orders
}

const openBatch = ({ actor }: Ctx) =>
  and(
    eq(versionOrders.agentId, actor.agentId),
    eq(versionOrders.createdBy, actor.accountId),
    eq(versionOrders.status, 'quoted'),
    isNotNull(versionOrders.batchNo),
  )

/** How many batches of the acting account wait to be confirmed, each in a tab of its own or in none any more. */
export async function countOpenBatches(ctx: Ctx): Promise<number> {
  const [row] = await ctx.db
    .select({ open: countDistinct(versionOrders.batchNo) })
    .from(versionOrders)
    .where(and(openBatch(ctx), gt(versionOrders.createdAt, VALID_SINCE)))
  return row?.open ?? 0
}

/** Deletes an unpaid batch of the acting account, which a new one of the same page replaces. */
export async function dropBatchQuote(ctx: Ctx, batchNo: string): Promise<void> {
  const mine = and(openBatch(ctx), eq(versionOrders.batchNo, batchNo))
  // Locked in the order in which a confirm locks them; one that is being paid is let be.
  const unpaid = ctx.db
    .select({ id: versionOrders.id })
    .from(versionOrders)
    .where(mine)
    .orderBy(asc(versionOrders.id))
    .for('update', { skipLocked: true })
  await ctx.db.delete(versionOrders).where(and(mine, inArray(versionOrders.id, unpaid)))
}

/** Marks quotes that name their shop as paid and keeps what they changed; their drafts are emptied. */
export async function markChanged(
  ctx: Ctx,
  paid: readonly { orderId: number; effects: readonly ShopEffect[] }[],
): Promise<void> {
  const { agentId } = ctx.actor
  const ids = paid.map(({ orderId }) => orderId)
  const own = and(eq(versionOrders.agentId, agentId), inArray(versionOrders.id, ids))
  await ctx.db
    .insert(versionOrderEffects)
    .values(paid.flatMap(({ orderId, effects }) => effects.map(effect => ({ ...effect, orderId, agentId }))))
  await ctx.db
    .update(versionOrders)
    .set({ status: ORDER_STEPS.pay.to, paidAt: sql`now()`, draft: null })
    .where(and(own, inArray(versionOrders.status, ORDER_STEPS.pay.from)))
}

/** Keeps what the shop itself paid its agent for an order, in fen. */
export async function markShopPaid(ctx: Ctx, orderNo: string, shopPaidFen: number): Promise<void> {
  await ctx.db
    .update(versionOrders)
    .set({ shopPaidFen })
    .where(and(eq(versionOrders.orderNo, orderNo), eq(versionOrders.agentId, ctx.actor.agentId)))
}

/** Takes undone orders out of the table together with the shops that they opened. Answers what they were, for whoever keeps that. */
export async function removeUndone(
  ctx: Ctx,
  orderNos: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const own = ownRows(ctx, versionOrders.agentId) ?? sql`true`
  const { rows } = await ctx.db.execute<{ order: { order_no: string } & Record<string, unknown> }>(
    sql`delete from version_orders where ${inArray(versionOrders.orderNo, [...orderNos])} and ${own}
      and ${eq(versionOrders.status, ORDER_STEPS.undo.to)} returning to_jsonb(version_orders) as order`,
  )
  return new Map(rows.map(({ order }) => [order.order_no, order]))
}

/** Marks paid orders as undone by the acting account. */
export async function markUndone(ctx: Ctx, orderIds: readonly number[], reason: string): Promise<void> {
  const own = and(inArray(versionOrders.id, [...orderIds]), ownRows(ctx, versionOrders.agentId))
  await ctx.db
    .update(versionOrders)
    .set({
      status: ORDER_STEPS.undo.to,
      undoneAt: sql`now()`,
      undoneBy: ctx.actor.accountId,
      undoneByName: ctx.actor.name,
      undoneReason: reason,
    })
    .where(and(own, inArray(versionOrders.status, ORDER_STEPS.undo.from)))
}
