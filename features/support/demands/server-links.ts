// What a demand has to do with others and with those who asked: relations, sources.
import { and, eq, getTableColumns, ne } from 'drizzle-orm'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { noteInThread } from '#features/care/threads/server-tell.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { demands as contract } from './contract.ts'
import { DEMAND_LIMITS, isShopId, LINK_REFUSALS, RELATIONS, refuseChange, SOURCE_KINDS } from './rules.ts'
import { type Demand, lockDemand, lockDemands, record, subjectOf } from './server-rows.ts'
import { sourceOfThread, traceOf } from './server-threads.ts'
import { tellOnline, weigh } from './server-weight.ts'
import { demandRelations as relations, demandSources as sources } from './tables.ts'

/** Both, locked in the order of their ids; the first may be changed, the other is there. */
export async function lockBoth(
  ctx: Ctx,
  id: number,
  otherId: number,
): Promise<{ own: Demand; other: Demand }> {
  refuse(id === otherId ? 'OTHER_SELF' : null, LINK_REFUSALS, { field: 'otherId' })
  const rows = await lockDemands(ctx, [id, otherId])
  const own = found(rows.find(row => row.id === id))
  refuse(refuseChange(own), LINK_REFUSALS)
  const other = rows.find(row => row.id === otherId)
  if (!other || refuseChange(other)) refuse('OTHER_UNKNOWN', LINK_REFUSALS, { field: 'otherId' })
  return { own, other: found(other) }
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
export async function reaches(ctx: Ctx, { from, to, kind }: Way): Promise<boolean> {
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
  if (source.threadId !== undefined) await noteInThread(ctx, source.threadId, traceOf(demand, 'linked'))
  const count = await ctx.db.$count(sources, eq(sources.demandId, demand.id))
  refuse(count >= DEMAND_LIMITS.sources ? 'SOURCES_TOO_MANY' : null, LINK_REFUSALS)
  const [row] = await ctx.db
    .insert(sources)
    .values({ ...source, demandId: demand.id, createdByName: ctx.actor.name })
    .onConflictDoNothing()
    .returning({ id: sources.id })
  refuse(row ? null : 'SOURCE_KNOWN', LINK_REFUSALS, {
    field: { shop: 'merchantId', feedback: 'feedbackId', thread: 'threadId' }[source.kind],
  })
  await weigh(ctx, [demand.id])
  if (demand.status === 'online') await tellOnline(ctx, [demand], found(row).id)
  const change = { name: SOURCE_KINDS[source.kind], before: null, after: name }
  await record(ctx, demand.id, { title: '新增了来源', changes: [change] })
  ctx.object('demand', demand.id)
  if (source.threadId !== undefined) ctx.object('thread', source.threadId)
  ctx.note(subjectOf(demand), [change])
  return { id: found(row).id }
}

type SourceFound = Pick<typeof sources.$inferInsert, 'kind' | 'merchantId' | 'feedbackId' | 'askedAt'> & {
  threadId?: number
  name: string
}

async function sourceOf(ctx: Ctx, asked: In<typeof contract.addSource>): Promise<SourceFound> {
  const { merchantId, threadId } = asked
  const thread = threadId === undefined ? null : await sourceOfThread(ctx, threadId)
  if (thread?.kind === 'thread') return thread
  const feedbackId = thread?.feedbackId ?? asked.feedbackId
  if (feedbackId !== undefined) {
    const [row] = await ctx.db
      .select({ createdAt: feedbackMessages.createdAt, writer: feedbackMessages.createdByName })
      .from(feedbackMessages)
      .where(eq(feedbackMessages.id, feedbackId))
    refuse(row ? null : 'FEEDBACK_UNKNOWN', LINK_REFUSALS, { field: 'feedbackId' })
    const { createdAt, writer } = found(row)
    return { kind: 'feedback', feedbackId, askedAt: createdAt, name: `${writer} (${feedbackId})` }
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
    kind: 'shop',
    merchantId: id,
    askedAt: ctx.now.toISOString(),
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
  const isOwn = source.kind === 'shop' && source.merchantId === demand.merchantId
  refuse(isOwn ? 'SOURCE_OWN' : null, LINK_REFUSALS)
  await ctx.db.delete(sources).where(eq(sources.id, sourceId))
  if (source.threadId !== null) await noteInThread(ctx, source.threadId, traceOf(demand, 'unlinked'))
  await weigh(ctx, [id])
  const name = nameOf(source)
  const change = { name: SOURCE_KINDS[source.kind], before: name, after: '已移除' }
  await record(ctx, id, { title: '移除了来源', changes: [change] })
  ctx.object('demand', id)
  if (source.threadId !== null) ctx.object('thread', source.threadId)
  ctx.note(subjectOf(demand), [change])
  return { id }
}

type Named = Pick<typeof sources.$inferSelect, 'kind' | 'merchantId' | 'feedbackId' | 'threadId'> & {
  shopName: string | null
}

function nameOf({ kind, merchantId, feedbackId, threadId, shopName }: Named): string {
  if (kind === 'shop') return `${shopName} (${merchantId})`
  return kind === 'thread' ? `${shopName ?? ''} 的反馈 (${threadId})` : `反馈 (${feedbackId})`
}
