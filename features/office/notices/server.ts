import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Field } from '#kit/declare/fields.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { equal, filtered, rowsAndTotal } from '#server/list.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { notices as contract } from './contract.ts'
import { NOTICES } from './fields.ts'
import {
  foldedOf,
  NEVER_WARNED,
  READ_EVENT,
  REFUSALS,
  refuseThresholds,
  refuseTopics,
  subjectOf,
  type Thresholds,
  TOPIC_KEYS,
  TOPICS,
  UNREAD_COUNTED,
} from './rules.ts'
import { usualThresholds } from './server-alerts.ts'
import { noticePreferences, notices, noticeThresholds } from './tables.ts'

const SHOWN = {
  id: notices.id,
  traceId: notices.traceId,
  topic: notices.topic,
  title: notices.title,
  body: notices.body,
  link: notices.link,
  createdAt: notices.createdAt,
  readAt: notices.readAt,
}

/** An account's notices are its own, whatever else the vendor's staff may see. */
function ownNotices(ctx: Ctx) {
  return and(eq(notices.agentId, ctx.actor.agentId), eq(notices.accountId, ctx.actor.accountId))
}

const listNotices: Verb<typeof contract.list> = async (ctx, input) => {
  const list = {
    name: 'notices',
    table: notices,
    conditions: [
      ...equal('accountId', notices.accountId, ctx.actor.accountId),
      ...equal('agentId', notices.agentId, ctx.actor.agentId),
      ...filtered(NOTICES, input, {
        topic: notices.topic,
        unread: isUnread => (isUnread ? [{ key: 'unread', sql: isNull(notices.readAt) }] : []),
      }),
    ],
    sort: 'id desc',
    order: [desc(notices.id)],
  }
  const { rows, ...totals } = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(SHOWN)
      .from(page)
      .innerJoin(notices, eq(notices.id, page.id))
      .orderBy(desc(notices.id)),
  )
  return { rows: foldedOf(rows), ...totals }
}

async function countUnread(ctx: Ctx): Promise<Out<typeof contract.unread>> {
  const some = ctx.db
    .select({ id: notices.id })
    .from(notices)
    .where(and(ownNotices(ctx), isNull(notices.readAt)))
    .limit(UNREAD_COUNTED)
    .as('some')
  return { count: await ctx.db.$count(some) }
}

const readNotices: Verb<typeof contract.read> = async (ctx, { traceId, ofThing }) => {
  const wanted = and(ownNotices(ctx), traceId === null ? undefined : await named(ctx, traceId, ofThing))
  // In the order in which confirmations take them, so that neither waits for the other in a circle.
  const unread = ctx.db
    .select({ id: notices.id })
    .from(notices)
    .where(and(wanted, isNull(notices.readAt)))
    .orderBy(notices.id)
    .for('update')
  // What was read in the list need not be brought any more.
  const read = await ctx.db
    .update(notices)
    .set({ readAt: sql`now()`, confirmedAt: sql`coalesce(${notices.confirmedAt}, now())` })
    .where(inArray(notices.id, unread))
    .returning({ id: notices.id })
  const { accountId } = ctx.actor
  if (read.length > 0) ctx.afterCommit(() => ctx.services.push([accountId], READ_EVENT, {}))
  return { count: read.length }
}

/** The notice, or all that are about what it is about (subjectOf). */
async function named(ctx: Ctx, traceId: string, ofThing: boolean) {
  const one = eq(notices.traceId, traceId)
  const [row] = await ctx.db
    .select({ topic: notices.topic, title: notices.title, link: notices.link })
    .from(notices)
    .where(and(ownNotices(ctx), one))
  const known = found(row)
  const subject = subjectOf(known)
  if (!ofThing || subject === null) return one
  const ofLink = eq(notices.link, known.link)
  return subject === known.link
    ? ofLink
    : and(ofLink, eq(notices.topic, known.topic), eq(notices.title, known.title))
}

async function preferencesOf(ctx: Ctx): Promise<Out<typeof contract.preferences>> {
  const { accountId, agentId, isOwner } = ctx.actor
  const off = await ctx.db
    .select({ topic: noticePreferences.topic })
    .from(noticePreferences)
    .where(
      and(
        eq(noticePreferences.agentId, agentId),
        eq(noticePreferences.accountId, accountId),
        eq(noticePreferences.enabled, false),
      ),
    )
  const unwanted = new Set(off.map(({ topic }) => topic))
  const [kept] = await ctx.db
    .select()
    .from(noticeThresholds)
    .where(and(eq(noticeThresholds.agentId, agentId), eq(noticeThresholds.accountId, accountId)))
  const { tokenCents, sms, expiringDays } = kept ?? (isOwner ? await usualThresholds(ctx) : NEVER_WARNED)
  return {
    topics: TOPIC_KEYS.map(topic => ({ topic, enabled: !unwanted.has(topic) })),
    thresholds: { tokenCents, sms, expiringDays },
  }
}

const setPreferences: Verb<typeof contract.setPreferences> = async (ctx, input) => {
  const broken = refuseThresholds(input.thresholds)
  if (broken) refuse(broken.refusal, REFUSALS, { field: broken.field })
  refuse(refuseTopics(input.topics), REFUSALS, { field: 'topics' })
  const before = await preferencesOf(ctx)
  const { accountId, agentId } = ctx.actor
  const rows = input.topics.map(({ topic, enabled }) => ({ accountId, agentId, topic, enabled }))
  for (const row of rows)
    await ctx.db
      .insert(noticePreferences)
      .values(row)
      .onConflictDoUpdate({
        target: [noticePreferences.accountId, noticePreferences.topic],
        set: { enabled: row.enabled },
      })
  await ctx.db
    .insert(noticeThresholds)
    .values({ accountId, agentId, ...input.thresholds })
    .onConflictDoUpdate({ target: noticeThresholds.accountId, set: input.thresholds })
  const after = await preferencesOf(ctx)
  const thresholds: Record<keyof Thresholds, Field> = {
    tokenCents: { kind: 'money', label: '代币余额提醒值', unit: '代币' },
    sms: { kind: 'count', label: '短信余额提醒值', unit: '条' },
    expiringDays: { kind: 'count', label: '到期提醒', unit: '天' },
  }
  const topics = Object.fromEntries(
    Object.entries(TOPICS).map(([topic, label]) => [topic, { kind: 'text', label } as const]),
  )
  const switched = (all: typeof after) =>
    Object.fromEntries(all.topics.map(({ topic, enabled }) => [topic, enabled ? '弹出' : '不弹出']))
  const changes = [
    ...changesOf(switched(before), switched(after), topics),
    ...changesOf(before.thresholds, after.thresholds, thresholds),
  ]
  if (changes.length === 0) ctx.nothingChanged()
  ctx.note('消息设置', changes)
  return after
}

export const noticesRouter = serve(contract, {
  list: listNotices,
  unread: countUnread,
  read: readNotices,
  preferences: preferencesOf,
  setPreferences,
})
