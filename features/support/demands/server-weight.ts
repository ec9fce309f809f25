// Who asked for a demand, what that weighs, and that they hear of it once it is online.
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { tellThread } from '#features/care/threads/server-tell.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { placesBought } from '#features/sales/purchases/server-shops.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { yearPrices } from '#features/shops/versions/server.ts'
import { discounted } from '#kit/money.ts'
import { addMonths } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { weightRank } from './rules.ts'
import type { Demand } from './server-rows.ts'
import { demands, demandSources as sources } from './tables.ts'

const AT_ONCE = 500
const SHOPS_NAMED = 3

/** What renewing each of these shops costs for a year where its term ends within 12 months, in 1/100 token. */
async function renewalsOf(ctx: Ctx, demandIds: readonly number[]): Promise<Map<number, number>> {
  const years = await yearPrices(ctx)
  const { now } = ctx
  const rows = await ctx.db
    .selectDistinct({
      id: merchants.id,
      versionId: merchants.versionId,
      places: placesBought,
      discountBasisPoints: discountNow().as('discount'),
    })
    .from(sources)
    .innerJoin(merchants, eq(merchants.id, sources.merchantId))
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .where(
      and(
        inArray(sources.demandId, [...demandIds]),
        sql`${merchants.expiresAt} between ${now.toISOString()} and ${addMonths(now, 12).toISOString()}`,
      ),
    )
  return new Map(
    rows.map(shop => [
      shop.id,
      discounted((years.get(shop.versionId) ?? 0) * shop.places, shop.discountBasisPoints),
    ]),
  )
}

/** What each of its shops is worth within 12 months; shops that are not in it are worth nothing. */
export const renewalsOfDemand = (ctx: Ctx, id: number) => renewalsOf(ctx, [id])

/** Counts anew what these weigh; call it after whatever changes who asked or where they stand. */
export async function weigh(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const renewals = await renewalsOf(ctx, ids)
  const all = await ctx.db
    .select()
    .from(demands)
    .where(inArray(demands.id, [...ids]))
  const asked = await ctx.db
    .select()
    .from(sources)
    .where(inArray(sources.demandId, [...ids]))
  const byDemand = Map.groupBy(asked, ({ demandId }) => demandId)
  for (const demand of all) {
    const own = byDemand.get(demand.id) ?? []
    // Of a shop that asked by itself and in threads, one.
    const shops = [...new Set(own.flatMap(({ merchantId }) => merchantId ?? []))]
    const renewalCents = shops.reduce((sum, id) => sum + (renewals.get(id) ?? 0), 0)
    const [oldestAskedAt = demand.createdAt] = [demand.createdAt, ...own.map(({ askedAt }) => askedAt)].sort()
    const weighed = { shops: shops.length, renewalCents, oldestAskedAt }
    await ctx.db
      .update(demands)
      .set({ ...weighed, weightRank: weightRank({ ...weighed, status: demand.status }) })
      .where(eq(demands.id, demand.id))
  }
}

/** All of them anew: terms come nearer and prices change. Answers how many. */
export async function weighAll(services: Services): Promise<number> {
  let weighed = 0
  for (let after = 0; ; ) {
    const ids = await actAsSystem(services, 'demand weights', async ctx => {
      const rows = await ctx.db
        .select({ id: demands.id })
        .from(demands)
        .where(and(gt(demands.id, after), isNull(demands.deletedAt), isNull(demands.mergedIntoId)))
        .orderBy(asc(demands.id))
        .limit(AT_ONCE)
      const found = rows.map(({ id }) => id)
      await weigh(ctx, found)
      return found
    })
    weighed += ids.length
    const last = ids.at(-1)
    if (last === undefined || ids.length < AT_ONCE) return weighed
    after = last
  }
}

/**
 * Whoever asked for these is told that they are online: call it once for all that have become it, and each time that they do;
 * with a source that came to one that is online already, whoever that is.
 */
export async function tellOnline(
  ctx: Ctx,
  online: readonly Pick<Demand, 'id' | 'title'>[],
  sourceId?: number,
): Promise<void> {
  if (online.length === 0) return
  const told = await ctx.db
    .update(sources)
    .set({ toldAt: ctx.now.toISOString() })
    .where(
      and(
        inArray(
          sources.demandId,
          online.map(({ id }) => id),
        ),
        sourceId === undefined ? undefined : eq(sources.id, sourceId),
      ),
    )
    .returning()
  const of = (demandId: number) => told.filter(source => source.demandId === demandId)
  for (const demand of online) {
    const merchantIds = new Set(of(demand.id).flatMap(({ merchantId }) => merchantId ?? []))
    await tellAgents(ctx, demand, [...merchantIds])
    await tellWriters(
      ctx,
      demand,
      of(demand.id).flatMap(({ feedbackId }) => feedbackId ?? []),
    )
  }
  const titles = new Map(online.map(({ id, title }) => [id, title]))
  // Locked in the order of their ids, whatever demands they have led to.
  const inThreads = told
    .flatMap(({ demandId, threadId }) => (threadId === null ? [] : [{ demandId, threadId }]))
    .sort((a, b) => a.threadId - b.threadId || a.demandId - b.demandId)
  for (const { demandId, threadId } of inThreads)
    await tellThread(ctx, threadId, onlineTold(titles.get(demandId) ?? ''))
}

const onlineTold = (title: string) => ({
  news: `您反馈的「${title}」已上线，感谢您的建议。`,
  invitation: '欢迎试用后作出评价。',
})

const TOLD = { topic: 'Demand_Notify', title: '您反馈的需求已上线', link: '/admin/index' } as const

/** One notice to each agent, which names its shops. */
async function tellAgents(ctx: Ctx, { id, title }: Pick<Demand, 'id' | 'title'>, merchantIds: number[]) {
  if (merchantIds.length === 0) return
  const shops = await ctx.db
    .select({ agentId: merchants.agentId, shopName: merchants.shopName })
    .from(merchants)
    .where(inArray(merchants.id, merchantIds))
    .orderBy(asc(merchants.id))
  for (const [agentId, own] of Map.groupBy(shops, shop => shop.agentId)) {
    const names = own.slice(0, SHOPS_NAMED).map(({ shopName }) => shopName)
    const more = own.length > names.length ? `等 ${own.length} 家店铺` : ''
    const body = `「${title}」已上线，提出的店铺：${names.join('、')}${more}`
    await notify(ctx, { ...TOLD, agentId, body, args: { demandId: id } })
  }
}

async function tellWriters(ctx: Ctx, { id, title }: Pick<Demand, 'id' | 'title'>, feedbackIds: number[]) {
  if (feedbackIds.length === 0) return
  const writers = await ctx.db
    .selectDistinct({ id: feedbackMessages.accountId })
    .from(feedbackMessages)
    .where(inArray(feedbackMessages.id, feedbackIds))
  await notify(ctx, {
    ...TOLD,
    accountIds: writers.map(writer => writer.id),
    body: `您反馈的「${title}」已上线，感谢您的建议`,
    link: '/admin/index?feedback=mine',
    args: { demandId: id },
  })
}
