// A duplicate is merged into another demand, and for 30 days taken out of it again.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import type { demands as contract } from './contract.ts'
import { refuseUnmerge, UNMERGE_REFUSALS } from './rules.ts'
import { lockBoth, reaches } from './server-links.ts'
import { lockDemands, readDemand, record, subjectOf, tellSubscribers } from './server-rows.ts'
import { weigh } from './server-weight.ts'
import {
  demands,
  type MergeUndo,
  demandRelations as relations,
  demandSources as sources,
  demandSubscribers as subscribers,
} from './tables.ts'

export const merge: Verb<typeof contract.merge> = async (ctx, { id, intoId }) => {
  const { own, other } = await lockBoth(ctx, id, intoId)
  const mergeUndo: MergeUndo = {
    asked: await askEarlier(ctx, id, intoId),
    sources: await copySources(ctx, id, intoId),
    followers: await copyFollowers(ctx, id, intoId),
    relations: await moveRelations(ctx, id, intoId),
  }
  await ctx.db
    .update(demands)
    .set({
      ...{
        mergedIntoId: intoId,
        mergedAt: ctx.now.toISOString(),
        mergedByName: ctx.actor.name,
        mergeUndo,
      },
      revision: own.revision + 1,
    })
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

/** Of whoever asked for both the earlier time counts; answers the later ones. */
async function askEarlier(ctx: Ctx, id: number, intoId: number): Promise<MergeUndo['asked']> {
  const { rows } = await ctx.client.query<{ id: string; was: Date }>(
    `with earlier as (
       select kept.id, kept.asked_at as was, gone.asked_at from demand_sources kept join demand_sources gone on gone.kind = kept.kind
         and (gone.kind = 'shop' and gone.merchant_id = kept.merchant_id or gone.feedback_id = kept.feedback_id
           or gone.thread_id = kept.thread_id)
       where kept.demand_id = $2 and gone.demand_id = $1 and gone.asked_at < kept.asked_at)
     update demand_sources s set asked_at = e.asked_at from earlier e where s.id = e.id returning s.id, e.was`,
    [id, intoId],
  )
  return rows.map(row => ({ id: Number(row.id), askedAt: row.was.toISOString() }))
}

async function copySources(ctx: Ctx, id: number, intoId: number): Promise<number[]> {
  const { rows } = await ctx.client.query<{ id: string }>(
    `insert into demand_sources (demand_id, kind, merchant_id, feedback_id, thread_id, asked_at, created_by_name, told_at)
     select $2, kind, merchant_id, feedback_id, thread_id, asked_at, created_by_name, told_at from demand_sources where demand_id = $1
     on conflict do nothing returning id`,
    [id, intoId],
  )
  return rows.map(row => Number(row.id))
}

async function copyFollowers(ctx: Ctx, id: number, intoId: number): Promise<number[]> {
  const { rows } = await ctx.client.query<{ id: string }>(
    `insert into demand_subscribers (demand_id, account_id) select $2, account_id from demand_subscribers where demand_id = $1
     on conflict do nothing returning account_id as id`,
    [id, intoId],
  )
  return rows.map(row => Number(row.id))
}

type Relations = MergeUndo['relations']['left']

const ofDemand = (id: number) => sql`${id} in (${relations.demandId}, ${relations.otherId})`

async function moveRelations(ctx: Ctx, id: number, intoId: number): Promise<MergeUndo['relations']> {
  const left = await ctx.db.delete(relations).where(ofDemand(id)).returning()
  const moved = left
    .map(one => ({
      ...one,
      demandId: one.demandId === id ? intoId : one.demandId,
      otherId: one.otherId === id ? intoId : one.otherId,
    }))
    .filter(({ demandId, otherId }) => demandId !== otherId)
  return { left, came: await relateAll(ctx, moved) }
}

/** Those that would lead in a circle, or whose other demand is gone, stay away; answers what is new. */
async function relateAll(ctx: Ctx, wanted: Relations): Promise<Relations> {
  const made: Relations[number][] = []
  for (const one of wanted) {
    const { demandId, otherId, kind } = one
    if (await reaches(ctx, { from: otherId, to: demandId, kind })) continue
    const { rowCount } = await ctx.client.query(
      `insert into demand_relations (demand_id, other_id, kind) select $1, $2, $3
       where (select count(*) from demands where id in ($1, $2)) = 2 on conflict do nothing`,
      [demandId, otherId, kind],
    )
    if (rowCount) made.push(one)
  }
  return made
}

export const unmerge: Verb<typeof contract.unmerge> = async (ctx, { id }) => {
  const { mergedIntoId } = await readDemand(ctx, id)
  // Both in the order of their ids, as a merge locks them.
  const rows = await lockDemands(ctx, mergedIntoId === null ? [id] : [id, mergedIntoId])
  const own = rows.find(row => row.id === id)
  const into = rows.find(row => row.id === own?.mergedIntoId)
  refuse(own ? refuseUnmerge(own, ctx.now.getTime()) : 'NOT_MERGED', UNMERGE_REFUSALS)
  if (!own?.mergeUndo || !into) throw new Error(`nothing is known of the merge of demand ${id}`)
  refuse(into.mergedIntoId === null ? null : 'INTO_MERGED', UNMERGE_REFUSALS)
  await takeOut(ctx, into.id, own.mergeUndo)
  await ctx.db
    .update(demands)
    .set({
      mergedIntoId: null,
      mergedAt: null,
      mergedByName: '',
      mergeUndo: null,
      revision: own.revision + 1,
    })
    .where(eq(demands.id, id))
  await relateAll(ctx, own.mergeUndo.relations.left)
  await weigh(ctx, [id, into.id])
  const out = { name: '合并到', before: subjectOf(into), after: '已撤销' }
  await record(ctx, id, { title: '撤销了合并', changes: [out] })
  await record(ctx, into.id, {
    title: '撤销了并入的需求',
    changes: [{ name: '重复的需求', before: subjectOf(own), after: '已撤销' }],
  })
  await tellSubscribers(ctx, into, {
    title: '需求合并已撤销',
    body: `「${own.title}」不再合并到「${into.title}」`,
  })
  ctx.object('demand', id, into.id)
  ctx.note(subjectOf(own), [out])
  return { id }
}

/** What came by the merge and is still there goes; what was added since stays. */
async function takeOut(ctx: Ctx, intoId: number, undo: MergeUndo): Promise<void> {
  await ctx.db
    .delete(sources)
    .where(and(eq(sources.demandId, intoId), inArray(sources.id, [...undo.sources])))
  for (const { id, askedAt } of undo.asked)
    await ctx.db
      .update(sources)
      .set({ askedAt })
      .where(and(eq(sources.id, id), eq(sources.demandId, intoId)))
  await ctx.db
    .delete(subscribers)
    .where(and(eq(subscribers.demandId, intoId), inArray(subscribers.accountId, [...undo.followers])))
  for (const { demandId, otherId, kind } of undo.relations.came)
    await ctx.db
      .delete(relations)
      .where(and(eq(relations.demandId, demandId), eq(relations.otherId, otherId), eq(relations.kind, kind)))
}
