// What a demand has to do with others and with those who asked: duplicates, relations, sources.
import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { feedbackMessages } from '#features/feedback/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import type { In } from '#kit/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { demands as contract } from './contract.ts'
import { DEMAND_LIMITS, isShopId, LINK_REFUSALS, RELATIONS, refuseChange, SOURCE_KINDS } from './rules.ts'
import {
  type Demand,
  lockDemand,
  lockDemands,
  record,
  subjectOf,
  subscribe,
  tellSubscribers,
} from './server-rows.ts'
import { weigh } from './server-weight.ts'
import {
  demands,
  demandRelations as relations,
  demandSources as sources,
  demandSubscribers as subscribers,
} from './tables.ts'

/** Both, locked in the order of their ids; the first may be changed, the other is there. */
async function lockBoth(ctx: Ctx, id: number, otherId: number): Promise<{ own: Demand; other: Demand }> {
  refuse(id === otherId ? 'OTHER_SELF' : null, LINK_REFUSALS, { field: 'otherId' })
  const rows = await lockDemands(ctx, [id, otherId])
  const own = found(rows.find(row => row.id === id))
  refuse(refuseChange(own), LINK_REFUSALS)
  const other = rows.find(row => row.id === otherId)
  if (!other || refuseChange(other)) refuse('OTHER_UNKNOWN', LINK_REFUSALS, { field: 'otherId' })
  return { own, other: found(other) }
}

export const merge: Verb<typeof contract.merge> = async (ctx, { id, intoId }) => {
  const { own, other } = await lockBoth(ctx, id, intoId)
  await ctx.client.query(
    `insert into demand_sources (demand_id, kind, merchant_id, feedback_id, asked_at, created_by_name, told_at)
     select $2, kind, merchant_id, feedback_id, asked_at, created_by_name, told_at from demand_sources where demand_id = $1
     on conflict do nothing`,
    [id, intoId],
  )
  // Of a shop that asked twice the earlier time counts.
  await ctx.client.query(
    `update demand_sources kept set asked_at = least(kept.asked_at, gone.asked_at) from demand_sources gone
     where kept.demand_id = $2 and gone.demand_id = $1 and gone.kind = kept.kind
       and (gone.merchant_id = kept.merchant_id or gone.feedback_id = kept.feedback_id)`,
    [id, intoId],
  )
  const followers = await ctx.db
    .select({ id: subscribers.accountId })
    .from(subscribers)
    .where(eq(subscribers.demandId, id))
  await subscribe(
    ctx,
    intoId,
    followers.map(one => one.id),
  )
  await moveRelations(ctx, id, intoId)
  await ctx.db
    .update(demands)
    .set({ mergedIntoId: intoId, revision: own.revision + 1 })
    .where(eq(demands.id, id))
  await weigh(ctx, [intoId])
  const into = { name: '合并到', before: null, after: subjectOf(other) }
  await record(ctx, id, { title: '合并了需求', changes: [into] })
  await record(ctx, intoId, {
    title: '并入了重复的需求',
    changes: [{ name: '重复的需求', before: null, after: subjectOf(own) }],
  })
  await tellSubscribers(ctx, other, {
    title: '需求已合并',
    body: `「${own.title}」已合并到「${other.title}」`,
  })
  ctx.object('demand', id, intoId)
  ctx.note(subjectOf(own), [into])
  return { id: intoId }
}

async function moveRelations(ctx: Ctx, id: number, intoId: number): Promise<void> {
  await ctx.client.query(
    `insert into demand_relations (demand_id, other_id, kind)
     select case when demand_id = $1 then $2::bigint else demand_id end, case when other_id = $1 then $2::bigint else other_id end, kind
     from demand_relations where $1 in (demand_id, other_id) and $2 not in (demand_id, other_id)
     on conflict do nothing`,
    [id, intoId],
  )
  await ctx.db.delete(relations).where(sql`${id} in (${relations.demandId}, ${relations.otherId})`)
}

export const relate: Verb<typeof contract.relate> = async (ctx, { id, otherId, kind, on }) => {
  const { own, other } = await lockBoth(ctx, id, otherId)
  if (on) {
    if (await reaches(ctx, { from: otherId, to: id, kind }))
      refuse('RELATION_CIRCLE', LINK_REFUSALS, { field: 'otherId' })
    await ctx.db.insert(relations).values({ demandId: id, otherId, kind }).onConflictDoNothing()
  } else
    await ctx.db
      .delete(relations)
      .where(and(eq(relations.demandId, id), eq(relations.otherId, otherId), eq(relations.kind, kind)))
  const change = (subject: Demand) => ({
    name: RELATIONS[kind],
    before: on ? null : subjectOf(subject),
    after: on ? subjectOf(subject) : '已取消',
  })
  await record(ctx, id, { title: on ? '关联了需求' : '取消了关联', changes: [change(other)] })
  await record(ctx, otherId, {
    title: on ? '被关联了需求' : '被取消了关联',
    changes: [{ ...change(own), name: `被${RELATIONS[kind]}` }],
  })
  ctx.object('demand', id, otherId)
  ctx.note(subjectOf(own), [change(other)])
  return { id }
}

type Way = { from: number; to: number; kind: string }

/** Whether one leads to the other by relations of a kind. */
async function reaches(ctx: Ctx, { from, to, kind }: Way): Promise<boolean> {
  const { rows } = await ctx.client.query<{ reaches: boolean }>(
    `with recursive chain (id) as (
       select $1::bigint union select r.other_id from demand_relations r join chain c on r.demand_id = c.id where r.kind = $3
     ) select exists (select 1 from chain where id = $2) as reaches`,
    [from, to, kind],
  )
  return rows[0]?.reaches === true
}

export const addSource: Verb<typeof contract.addSource> = async (ctx, input) => {
  const demand = await lockDemand(ctx, input.id)
  refuse(refuseChange(demand), LINK_REFUSALS)
  const { name, ...source } = await sourceOf(ctx, input)
  const count = await ctx.db.$count(sources, eq(sources.demandId, demand.id))
  refuse(count >= DEMAND_LIMITS.sources ? 'SOURCES_TOO_MANY' : null, LINK_REFUSALS)
  const [row] = await ctx.db
    .insert(sources)
    .values({ ...source, demandId: demand.id, createdByName: ctx.actor.name })
    .onConflictDoNothing()
    .returning({ id: sources.id })
  refuse(row ? null : 'SOURCE_KNOWN', LINK_REFUSALS, {
    field: source.kind === 'shop' ? 'merchantId' : 'feedbackId',
  })
  await weigh(ctx, [demand.id])
  const change = { name: SOURCE_KINDS[source.kind], before: null, after: name }
  await record(ctx, demand.id, { title: '新增了来源', changes: [change] })
  ctx.object('demand', demand.id)
  ctx.note(subjectOf(demand), [change])
  return { id: found(row).id }
}

async function sourceOf(ctx: Ctx, { merchantId, feedbackId }: In<typeof contract.addSource>) {
  if (feedbackId !== undefined) {
    const [row] = await ctx.db
      .select({ createdAt: feedbackMessages.createdAt, writer: feedbackMessages.createdByName })
      .from(feedbackMessages)
      .where(eq(feedbackMessages.id, feedbackId))
    refuse(row ? null : 'FEEDBACK_UNKNOWN', LINK_REFUSALS, { field: 'feedbackId' })
    const { createdAt, writer } = found(row)
    return { kind: 'feedback' as const, feedbackId, askedAt: createdAt, name: `${writer} (${feedbackId})` }
  }
  const number = merchantId ?? ''
  const [shop] = isShopId(number)
    ? await ctx.db
        .select({ id: merchants.id, shopName: merchants.shopName })
        .from(merchants)
        .where(eq(merchants.id, Number(number)))
    : []
  refuse(shop ? null : 'SHOP_INVALID', LINK_REFUSALS, { field: 'merchantId' })
  const { id, shopName } = found(shop)
  return {
    kind: 'shop' as const,
    merchantId: id,
    askedAt: new Date().toISOString(),
    name: `${shopName} (${id})`,
  }
}

export const removeSource: Verb<typeof contract.removeSource> = async (ctx, { id, sourceId }) => {
  const demand = await lockDemand(ctx, id)
  refuse(refuseChange(demand), LINK_REFUSALS)
  const [row] = await ctx.db
    .select({ ...getTableColumns(sources), shopName: merchants.shopName })
    .from(sources)
    .leftJoin(merchants, eq(merchants.id, sources.merchantId))
    .where(and(eq(sources.id, sourceId), eq(sources.demandId, id), ne(sources.id, 0)))
  const source = found(row)
  refuse(source.merchantId === demand.merchantId ? 'SOURCE_OWN' : null, LINK_REFUSALS)
  await ctx.db.delete(sources).where(eq(sources.id, sourceId))
  await weigh(ctx, [id])
  const name = source.merchantId ? `${source.shopName} (${source.merchantId})` : `反馈 (${source.feedbackId})`
  const change = { name: SOURCE_KINDS[source.kind], before: name, after: '已移除' }
  await record(ctx, id, { title: '移除了来源', changes: [change] })
  ctx.object('demand', id)
  ctx.note(subjectOf(demand), [change])
  return { id }
}
