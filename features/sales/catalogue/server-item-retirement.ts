// What it means that a service or a package is sold no more, told before it is done: who has it, who has bought it lately.
import { and, asc, countDistinct, desc, eq, gt, gte, isNull, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { priceCampaigns } from '#features/office/prices/tables.ts'
import { merchantServices, services } from '#features/sales/services/tables.ts'
import { smsOrders, smsPackages, smsRechargePackages } from '#features/sales/sms/tables.ts'
import { addDays, endOfDay, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, staffAlone } from '#server/refuse.ts'
import type { catalogue as contract } from './contract.ts'
import { AGENTS_SHOWN, ENDING_DAYS, type ItemKind, LIMITS } from './rules.ts'

export const readItemRetirement: Verb<typeof contract.itemRetirement> = async (ctx, { itemKind, id }) => {
  staffAlone(ctx)
  await refuseUnknown(ctx, itemKind, id)
  return {
    held: itemKind === 'service' ? await holdersOf(ctx, id) : null,
    sold: itemKind === 'service' ? null : await salesOf(ctx, itemKind, id),
    campaigns: await campaignsOn(ctx, itemKind, id),
  }
}

async function refuseUnknown(ctx: Ctx, kind: ItemKind, id: number): Promise<void> {
  const table = { service: services, sms: smsPackages, recharge: smsRechargePackages }[kind]
  const [row] = await ctx.db.select({ id: table.id }).from(table).where(eq(table.id, id))
  found(row)
}

/** Shops that have it now, and beside them those whose term has ended; pieces and what does not end are never ending. */
async function holdersOf(ctx: Ctx, serviceId: number) {
  const soon = endOfDay(addDays(formatDay(ctx.now), ENDING_DAYS)).toISOString()
  const { expiresAt } = merchantServices
  const counted = (which: SQL) => sql<number>`count(*) filter (where ${which})`.mapWith(Number)
  const shops = counted(sql`coalesce(${expiresAt} > now(), true)`)
  const ending = counted(sql`${expiresAt} > now() and ${expiresAt} < ${soon}`)
  const ended = counted(sql`${expiresAt} <= now()`)
  const rows = await ctx.db
    .select({ id: merchantServices.agentId, name: agents.companyName, shops, ending, ended })
    .from(merchantServices)
    .innerJoin(agents, eq(agents.id, merchantServices.agentId))
    .where(
      and(
        eq(merchantServices.serviceId, serviceId),
        gt(merchantServices.quantity, 0),
        ownRows(ctx, merchantServices.agentId),
      ),
    )
    .groupBy(merchantServices.agentId, agents.companyName)
    .orderBy(desc(shops), asc(merchantServices.agentId))
  const sumOf = (key: 'shops' | 'ending' | 'ended') => rows.reduce((sum, row) => sum + row[key], 0)
  const having = rows.filter(row => row.shops > 0)
  return {
    shops: sumOf('shops'),
    ending: sumOf('ending'),
    ended: sumOf('ended'),
    agents: having.slice(0, AGENTS_SHOWN),
    agentCount: having.length,
  }
}

async function salesOf(ctx: Ctx, kind: 'sms' | 'recharge', id: number) {
  const column = kind === 'sms' ? smsOrders.packageId : smsOrders.rechargePackageId
  const since = new Date(ctx.now.getTime() - LIMITS.soldDays * 86_400_000).toISOString()
  const isPaid = sql`${smsOrders.status} = 'paid'`
  const [row] = await ctx.db
    .select({
      orders: sql<number>`count(*) filter (where ${isPaid})`.mapWith(Number),
      agents: countDistinct(sql`case when ${isPaid} then ${smsOrders.agentId} end`),
      // A payment is waited for during ten minutes; one that comes later still counts.
      waiting: sql<number>`count(*) filter (where ${smsOrders.status} = 'quoted'
        and ${smsOrders.createdAt} > now() - interval '10 minutes')`.mapWith(Number),
    })
    .from(smsOrders)
    .where(and(gte(smsOrders.createdAt, since), eq(column, id), ownRows(ctx, smsOrders.agentId)))
  return row ?? { orders: 0, agents: 0, waiting: 0 }
}

async function campaignsOn(ctx: Ctx, book: ItemKind, id: number): Promise<string[]> {
  const rows = await ctx.db
    .select({ name: priceCampaigns.name })
    .from(priceCampaigns)
    .where(
      and(
        eq(priceCampaigns.book, book),
        isNull(priceCampaigns.endedAt),
        sql`coalesce(${priceCampaigns.endsAt} > now(), true) and ${id} = any(${priceCampaigns.items})`,
      ),
    )
    .orderBy(asc(priceCampaigns.id))
  return rows.map(({ name }) => name)
}
