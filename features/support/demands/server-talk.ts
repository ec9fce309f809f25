// What happened to a demand and what is said of it, and who follows it.
import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm'
import type { Verb } from '#server/ctx.ts'
import { refuseBroken } from '#server/refuse.ts'
import type { demands as contract } from './contract.ts'
import { COMMENT } from './fields.ts'
import { mentionedIn } from './rules.ts'
import {
  subscribe as follow,
  lockDemand,
  readDemand,
  record,
  subjectOf,
  tellStaff,
  tellSubscribers,
  vendorPeople,
} from './server-rows.ts'
import { demandEvents as events, demandSubscribers as subscribers } from './tables.ts'

const PAGE_ROWS = 30

export const listEvents: Verb<typeof contract.events> = async (ctx, { id, before }) => {
  await readDemand(ctx, id)
  const rows = await ctx.db
    .select(getTableColumns(events))
    .from(events)
    .where(and(eq(events.demandId, id), before === undefined ? undefined : lt(events.id, before)))
    .orderBy(desc(events.id))
    .limit(PAGE_ROWS + 1)
  return { rows: rows.slice(0, PAGE_ROWS), more: rows.length > PAGE_ROWS }
}

export const comment: Verb<typeof contract.comment> = async (ctx, { id, text }) => {
  refuseBroken(COMMENT, { text })
  const demand = await lockDemand(ctx, id)
  const eventId = await record(ctx, id, { text })
  const named = mentionedIn(text, await vendorPeople(ctx)).map(person => person.id)
  await tellStaff(ctx, demand, named, { title: `${ctx.actor.name}在需求中提到了您`, body: text })
  await tellSubscribers(
    ctx,
    demand,
    { title: `${ctx.actor.name}评论了「${demand.title}」`, body: text },
    named,
  )
  await follow(ctx, id, [ctx.actor.accountId, ...named])
  ctx.object('demand', id)
  ctx.note(subjectOf(demand), [{ name: '评论', before: null, after: text }])
  return { id: eventId }
}

export const setSubscribed: Verb<typeof contract.subscribe> = async (ctx, { id, on }) => {
  const demand = await lockDemand(ctx, id)
  if (on) await follow(ctx, id, [ctx.actor.accountId])
  else
    await ctx.db
      .delete(subscribers)
      .where(and(eq(subscribers.demandId, id), eq(subscribers.accountId, ctx.actor.accountId)))
  ctx.object('demand', id)
  ctx.note(subjectOf(demand), [{ name: '关注', before: on ? '否' : '是', after: on ? '是' : '否' }])
  return { id }
}
