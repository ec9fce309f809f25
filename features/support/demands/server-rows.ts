// What every verb of demands begins with: whose they are, the row that is locked, and what is noted of it.
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Ctx } from '#server/ctx.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import { demands, demandEvents as events, demandSubscribers as subscribers } from './tables.ts'

export type Demand = typeof demands.$inferSelect

/** First wall: they are of no agent, and the vendor's staff alone may look at them. */
export function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

/** For what is made anew: nobody else's row stands in its way. */
export function refuseOthers(ctx: Ctx): void {
  if (!ctx.actor.isVendorStaff) refuseCommon('NOT_FOUND')
}

export async function lockDemand(ctx: Ctx, id: number): Promise<Demand> {
  return found((await lockDemands(ctx, [id]))[0])
}

/** Those of them that there are, locked in the order of their ids. */
export function lockDemands(ctx: Ctx, ids: readonly number[]): Promise<Demand[]> {
  return ctx.db
    .select()
    .from(demands)
    .where(and(inArray(demands.id, [...ids]), staffOnly(ctx)))
    .orderBy(asc(demands.id))
    .for('update')
}

export async function readDemand(ctx: Ctx, id: number): Promise<Demand> {
  const [row] = await ctx.db
    .select()
    .from(demands)
    .where(and(eq(demands.id, id), staffOnly(ctx)))
  return found(row)
}

export const subjectOf = ({ id, title }: { id: number; title: string }) => `${title} (${id})`
export const linkTo = (id: number) => `/admin/demandForm?id=${id}` as const

type Event = { title?: string; changes?: FieldChange[]; text?: string }

/** What happened to it, in its own log. */
export async function record(ctx: Ctx, demandId: number, event: Event): Promise<number> {
  const [row] = await ctx.db
    .insert(events)
    .values({
      demandId,
      ...event,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: events.id })
  return found(row).id
}

/** The vendor's people, who may own demands and be named in comments. */
export function vendorPeople(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  return ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(and(agents.isVendorStaff, accounts.enabled, isNull(accounts.deletedAt), staffOnly(ctx)))
    .orderBy(asc(accounts.id))
}

export async function subscribe(ctx: Ctx, demandId: number, accountIds: readonly number[]): Promise<void> {
  const rows = [...new Set(accountIds)].map(accountId => ({ demandId, accountId }))
  if (rows.length > 0) await ctx.db.insert(subscribers).values(rows).onConflictDoNothing()
}

/** Who follows it is told, but for those who know already. */
export async function tellSubscribers(
  ctx: Ctx,
  demand: Pick<Demand, 'id' | 'title'>,
  said: { title: string; body: string },
  without: readonly number[] = [],
): Promise<void> {
  const rows = await ctx.db
    .select({ id: subscribers.accountId })
    .from(subscribers)
    .where(eq(subscribers.demandId, demand.id))
  const accountIds = rows.map(({ id }) => id).filter(id => !without.includes(id))
  await tellStaff(ctx, demand, accountIds, said)
}

export async function tellStaff(
  ctx: Ctx,
  demand: Pick<Demand, 'id' | 'title'>,
  accountIds: readonly number[],
  said: { title: string; body: string },
): Promise<void> {
  if (accountIds.length === 0) return
  await notify(ctx, {
    accountIds,
    ...said,
    topic: 'Demand_Notify',
    holding: 'demands.list',
    exceptActor: true,
    link: linkTo(demand.id),
    args: { demandId: demand.id },
  })
}
