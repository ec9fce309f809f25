// Version orders: a quote is written when it is asked for and paid when it is confirmed.
import { and, eq, gt, sql } from 'drizzle-orm'
import { agentLevels, agents } from '#features/agents/tables.ts'
import type { Price, PurchaseTerms } from '#features/versions/rules.ts'
import { versions } from '#features/versions/tables.ts'
import type { Ctx } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import { ORDER_REFUSALS, QUOTE_VALID_MS, type SalesType } from './rules.ts'
import { versionOrders } from './tables.ts'

export type QuotedOrder = {
  orderNo: string
  salesType: SalesType
  versionId: number
  terms: PurchaseTerms
  price: Price
  content: string
  /** What the confirm needs; JSON. */
  draft: unknown
}

/** Writes the order that a confirm will name. */
export async function quoteOrder(ctx: Ctx, quoted: QuotedOrder): Promise<void> {
  const { terms, price } = quoted
  await ctx.db.insert(versionOrders).values({
    orderNo: quoted.orderNo,
    agentId: ctx.actor.agentId,
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
    content: quoted.content,
    payMethod: 'balance',
    draft: quoted.draft,
    createdBy: ctx.actor.accountId,
    createdAt: new Date().toISOString(),
  })
}

/** The caller's own quote, locked, with what its price is made of now. Refuses one that is unknown, too old or used. */
export async function findQuote(ctx: Ctx, orderNo: string, salesType: SalesType) {
  const [quote] = await ctx
    .prepared('find_quote', db =>
      db
        .select({
          order: versionOrders,
          version: versions,
          discountBasisPoints: agentLevels.discountBasisPoints,
        })
        .from(versionOrders)
        .innerJoin(versions, eq(versions.id, versionOrders.versionId))
        .innerJoin(agents, eq(agents.id, versionOrders.agentId))
        .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
        .where(
          and(
            eq(versionOrders.orderNo, sql.placeholder('orderNo')),
            eq(versionOrders.agentId, sql.placeholder('agentId')),
            eq(versionOrders.createdBy, sql.placeholder('createdBy')),
            eq(versionOrders.salesType, sql.placeholder('salesType')),
            gt(
              versionOrders.createdAt,
              sql`now() - make_interval(secs => ${sql.raw(String(QUOTE_VALID_MS / 1000))})`,
            ),
          ),
        )
        .for('update', { of: versionOrders })
        .prepare('find_quote'),
    )
    .execute({ orderNo, agentId: ctx.actor.agentId, createdBy: ctx.actor.accountId, salesType })
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
          status: 'paid',
          merchantId: sql`${sql.placeholder('merchantId')}`,
          paidAt: sql`now()`,
          draft: null,
        })
        .where(eq(versionOrders.orderNo, sql.placeholder('orderNo')))
        .prepare('mark_paid'),
    )
    .execute({ orderNo, merchantId })
}
