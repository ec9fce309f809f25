// What a new price would change, before it is written down: for each level, for those who have the item, and for their renewals.
import { and, count, countDistinct, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { levelOfAt } from '#features/office/agents/server-levels.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { type Conditions, inForce, priceLine, refuseCents, risksOf } from '#features/office/prices/rules.ts'
import { placesBought } from '#features/sales/purchases/server-shops.ts'
import { merchantServices } from '#features/sales/services/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuse, staffAlone } from '#server/refuse.ts'
import type { priceDesk as contract } from './contract.ts'
import { LIMITS, PRICE_REFUSALS, refuseStart } from './rules.ts'
import { sameLine, writtenPrices } from './server-items.ts'

type Asked = In<typeof contract.preview>

/** What it changes for each level, and what of it is asked about. */
export async function effectsOf(ctx: Ctx, asked: Omit<Asked, 'cents'> & { cents: number | null }) {
  const at = asked.startsAt ?? ctx.now.toISOString()
  const written = await writtenPrices(ctx)
  const of = (kind: 'list' | 'minimum') =>
    inForce(written.filter(sameLine({ ...asked, kind })), at)?.cents ?? null
  const before = { list: of('list'), minimum: of('minimum') }
  const after = { ...before, [asked.kind]: asked.cents }
  const one = (prices: typeof before, share: number, shops = 1) => {
    if (prices.list === null) return null
    const line = { part: asked.part, unitCents: prices.list, count: shops }
    return priceLine(line, share, conditionsOf(asked.part, prices.minimum)).totalCents
  }
  const levels = (await levelsAt(ctx, asked.book, at)).map(({ share, ...level }) => ({
    ...level,
    beforeCents: one(before, share),
    afterCents: one(after, share),
  }))
  const own = { beforeCents: before.list, afterCents: after.list }
  return {
    ...{ at, beforeCents: before[asked.kind], levels },
    risks: risksOf(own, levels, asked.startsAt === undefined),
    more: (share: number, shops: number) => {
      const [was, is] = [one(before, share, shops), one(after, share, shops)]
      return was === null || is === null ? 0 : is - was
    },
  }
}

export const previewPrice: Verb<typeof contract.preview> = async (ctx, input) => {
  staffAlone(ctx)
  const now = ctx.now.toISOString()
  const cents = input.cents ?? null
  refuse(refuseCents(cents, input.book), PRICE_REFUSALS, { field: 'cents' })
  refuse(refuseStart(input.startsAt ?? null, now), PRICE_REFUSALS, { field: 'startsAt' })
  const { at, more, ...effects } = await effectsOf(ctx, { ...input, cents })
  return {
    ...effects,
    ...(await holdersOf(ctx, input)),
    renewals: await renewalsOf(ctx, input, at, more),
  }
}

export function conditionsOf(part: string, minimum: number | null): Conditions {
  return { minimums: minimum === null ? {} : { [part]: minimum }, offers: [] }
}

/** Each level with its share at a moment, and how many agents it has. Agent 0 has no discount of its own. */
function levelsAt(ctx: Ctx, book: string, at: string) {
  return ctx.db
    .select({
      name: agentLevels.name,
      agents: count(agents.id),
      share: sql<number>`discount_at(0, ${agentLevels.id}, ${book}, ${at}::timestamptz)`.mapWith(Number),
    })
    .from(agentLevels)
    .leftJoin(agents, eq(levelOfAt(agents, sql`${at}::timestamptz`), agentLevels.id))
    .groupBy(agentLevels.id)
    .orderBy(agentLevels.id)
}

async function holdersOf(ctx: Ctx, { book, item }: Asked): Promise<{ shops: number; agents: number }> {
  const counted =
    book === 'version'
      ? await ctx.db
          .select({ shops: count(), agents: countDistinct(merchants.agentId) })
          .from(merchants)
          .where(
            and(
              eq(merchants.versionId, item),
              eq(merchants.status, 'normal'),
              ownRows(ctx, merchants.agentId),
            ),
          )
      : book === 'service'
        ? await ctx.db
            .select({ shops: count(), agents: countDistinct(merchantServices.agentId) })
            .from(merchantServices)
            .where(
              and(
                eq(merchantServices.serviceId, item),
                gt(merchantServices.quantity, 0),
                ownRows(ctx, merchantServices.agentId),
              ),
            )
        : []
  return counted[0] ?? { shops: 0, agents: 0 }
}

/** Shops whose term ends in the 90 days from the moment on, alike ones together; null where the price is not per year. */
async function renewalsOf(
  ctx: Ctx,
  { book, item, part }: Asked,
  at: string,
  differenceOf: (share: number, shops: number) => number,
) {
  if (book !== 'version' || part !== 'year') return null
  const moment = sql`${at}::timestamptz`
  const terms = ctx.db.$with('terms').as(
    ctx.db
      .select({
        agentId: agents.id,
        share: sql<number>`discount_at(${agents.id}, ${levelOfAt(agents, moment)}, 'version', ${moment})`.as(
          'share',
        ),
      })
      .from(agents),
  )
  const alike = await ctx.db
    .with(terms)
    .select({ share: terms.share, places: placesBought, count: count() })
    .from(merchants)
    .innerJoin(terms, eq(terms.agentId, merchants.agentId))
    .where(
      and(
        ownRows(ctx, merchants.agentId),
        eq(merchants.versionId, item),
        eq(merchants.status, 'normal'),
        gte(merchants.expiresAt, at),
        lt(merchants.expiresAt, new Date(Date.parse(at) + LIMITS.previewDays * 86_400_000).toISOString()),
      ),
    )
    .groupBy(terms.share, placesBought)
  return {
    count: alike.reduce((sum, shops) => sum + shops.count, 0),
    differenceCents: alike.reduce(
      (sum, shops) => sum + differenceOf(Number(shops.share), shops.places) * shops.count,
      0,
    ),
  }
}
