// Creating and editing a demand.
import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { noteInThread } from '#features/care/threads/server-tell.ts'
import { industries, merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import { cleanRich, type Rich } from '#server/texts/clean.ts'
import type { demands as contract } from './contract.ts'
import { LOGGED_FIELDS } from './fields.ts'
import {
  brokenIn,
  DEMAND_PICTURE,
  DEMAND_REFUSALS,
  NEW_STATUS,
  refuseChange,
  refuseText,
  STATUSES,
  weightRank,
} from './rules.ts'
import {
  type Demand,
  lockDemand,
  record,
  refuseOthers,
  subjectOf,
  subscribe,
  tellSubscribers,
  vendorPeople,
} from './server-rows.ts'
import { sourceOfThread, traceOf } from './server-threads.ts'
import { tellOnline, weigh } from './server-weight.ts'
import { demands, demandPictures as pictures, demandSources as sources } from './tables.ts'

type Input = In<typeof contract.save>
const LOGGED_CHARS = 300

export const save: Verb<typeof contract.save> = async (ctx, sent) => {
  refuseOthers(ctx)
  const before = sent.id === null ? null : await lockDemand(ctx, sent.id)
  // A new task starts at the first status, whatever a form or a program says (D3 §4).
  const input: Input = before ? sent : { ...sent, status: NEW_STATUS }
  if (before) {
    refuse(refuseChange(before), DEMAND_REFUSALS)
    if (before.revision !== input.revision) refuseCommon('STALE')
  }
  const [broken] = brokenIn(input, ctx.now.getTime(), before?.deadline ?? null)
  if (broken) refuse(broken.code, DEMAND_REFUSALS, { field: broken.field })
  const rich = await cleanRich(input.description)
  refuse(refuseText(rich), DEMAND_REFUSALS, { field: 'description' })
  await refuseForeign(ctx, rich, before?.id ?? null)
  const names = await namesOf(ctx, input, before)
  const id = before ? await update(ctx, before, input, rich) : await insert(ctx, input, rich)
  ctx.object('demand', id)
  await keepPictures(ctx, id, rich)
  const changes = await wordedChanges(ctx, before, { input, rich, names })
  await noteSources(ctx, { id, input, before })
  await weigh(ctx, [id])
  await follow(ctx, { id, input, before, changes })
  ctx.note(subjectOf({ id, title: input.title.trim() }), changes)
  return { id }
}

type Names = { ownerName: string; industryName: string }

/** Refuses a shop, an owner or an industry that there is not; what it has already may stay. */
async function namesOf(ctx: Ctx, input: Input, before: Demand | null): Promise<Names> {
  const [shop] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(eq(merchants.id, Number(input.merchantId)))
  if (!shop) refuse('SHOP_INVALID', DEMAND_REFUSALS, { field: 'merchantId' })
  const owner = (await vendorPeople(ctx)).find(({ id }) => id === input.ownerId)
  if (!owner && input.ownerId !== before?.ownerId)
    refuse('OWNER_REQUIRED', DEMAND_REFUSALS, { field: 'ownerId' })
  const [industry] = await ctx.db
    .select()
    .from(industries)
    .where(eq(industries.id, input.industryId ?? 0))
  const mayStay = industry?.retiredAt === null || industry?.id === before?.industryId
  if (!industry || !mayStay) refuse('INDUSTRY_REQUIRED', DEMAND_REFUSALS, { field: 'industryId' })
  return { ownerName: owner?.name ?? '', industryName: industry?.name ?? '' }
}

/** Pictures are those that were uploaded for demands, or stand in it already. */
async function refuseForeign(ctx: Ctx, rich: Rich, id: number | null): Promise<void> {
  const kept = await ctx.db
    .select({ fileId: pictures.fileId })
    .from(pictures)
    .where(eq(pictures.demandId, id ?? 0))
  const known = new Set(kept.map(({ fileId }) => fileId))
  for (const picture of rich.pictures)
    if (!known.has(picture) && !(await isUploaded(ctx, picture, DEMAND_PICTURE)))
      refuse('PICTURE_UNKNOWN', DEMAND_REFUSALS, { field: 'description' })
}

function valuesFrom(input: Input, rich: Rich) {
  return {
    title: input.title.trim(),
    path: input.path.trim(),
    merchantId: Number(input.merchantId),
    ownerId: input.ownerId as number,
    priority: input.priority as Demand['priority'],
    type: input.type as Demand['type'],
    client: input.client as Demand['client'],
    industryId: input.industryId as number,
    deadline: input.deadline === null ? null : new Date(input.deadline).toISOString(),
    status: input.status,
    description: rich.html,
    descriptionText: rich.text,
  }
}

async function insert(ctx: Ctx, input: Input, rich: Rich): Promise<number> {
  const createdAt = ctx.now.toISOString()
  const [row] = await ctx.db
    .insert(demands)
    .values({
      ...valuesFrom(input, rich),
      oldestAskedAt: createdAt,
      weightRank: weightRank({ shops: 0, renewalCents: 0, oldestAskedAt: createdAt, status: input.status }),
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt,
    })
    .returning({ id: demands.id })
  if (!row) throw new Error('a demand was not kept')
  return row.id
}

async function update(ctx: Ctx, before: Demand, input: Input, rich: Rich): Promise<number> {
  await ctx.db
    .update(demands)
    .set({ ...valuesFrom(input, rich), revision: before.revision + 1 })
    .where(eq(demands.id, before.id))
  return before.id
}

async function keepPictures(ctx: Ctx, demandId: number, { pictures: ids }: Rich): Promise<void> {
  await ctx.db
    .delete(pictures)
    .where(
      and(eq(pictures.demandId, demandId), ids.length > 0 ? notInArray(pictures.fileId, ids) : undefined),
    )
  if (ids.length > 0)
    await ctx.db
      .insert(pictures)
      .values(ids.map(fileId => ({ demandId, fileId })))
      .onConflictDoNothing()
}

type Saved = { input: Input; rich: Rich; names: Names }

/** Every change under its name, before and after; of a new one what it begins with. */
async function wordedChanges(
  ctx: Ctx,
  before: Demand | null,
  { input, rich, names }: Saved,
): Promise<FieldChange[]> {
  const cut = (text: string) => (text.length > LOGGED_CHARS ? `${text.slice(0, LOGGED_CHARS)}…` : text)
  const values = valuesFrom(input, rich)
  const after = { ...values, ...names, descriptionText: cut(rich.text) }
  const was = before && {
    ...before,
    descriptionText: cut(before.descriptionText),
    ownerName: before.ownerId === values.ownerId ? names.ownerName : await ownerName(ctx, before.ownerId),
    industryName:
      before.industryId === values.industryId
        ? names.industryName
        : await industryName(ctx, before.industryId),
  }
  if (was && before.description !== rich.html && was.descriptionText === after.descriptionText)
    return [
      ...changesOf(was, after, LOGGED_FIELDS),
      { name: LOGGED_FIELDS.descriptionText.label, before: '原图文', after: '已修改格式或图片' },
    ]
  const none: Partial<typeof after> = {}
  if (was) return changesOf(was, after, LOGGED_FIELDS)
  return changesOf(none as typeof after, after, LOGGED_FIELDS).filter(change => change.after)
}

async function ownerName(ctx: Ctx, id: number): Promise<string> {
  return (await vendorPeople(ctx)).find(person => person.id === id)?.name ?? String(id)
}

async function industryName(ctx: Ctx, id: number): Promise<string> {
  const [row] = await ctx.db
    .select()
    .from(industries)
    .where(inArray(industries.id, [id]))
  return row?.name ?? String(id)
}

type Noted = { id: number; input: Input; before: Demand | null }

/** Its own shop asked for it, and where it came of a thread or a feedback, that and whoever wrote it. */
async function noteSources(ctx: Ctx, { id, input, before }: Noted): Promise<void> {
  const merchantId = Number(input.merchantId)
  const askedAt = before?.createdAt ?? ctx.now.toISOString()
  const by = { demandId: id, createdByName: ctx.actor.name }
  if (before && before.merchantId !== merchantId)
    await ctx.db
      .delete(sources)
      .where(
        and(eq(sources.demandId, id), eq(sources.kind, 'shop'), eq(sources.merchantId, before.merchantId)),
      )
  await ctx.db
    .insert(sources)
    .values({ ...by, kind: 'shop', merchantId, askedAt })
    .onConflictDoNothing()
  if (before) return
  const thread = input.threadId === null ? null : await sourceOfThread(ctx, input.threadId)
  if (thread?.kind === 'thread') {
    const { name: _name, ...source } = thread
    await ctx.db.insert(sources).values({ ...by, ...source })
    await noteInThread(ctx, source.threadId, traceOf({ id, title: input.title.trim() }, 'made'))
    ctx.object('thread', source.threadId)
  }
  const feedbackId = thread?.kind === 'feedback' ? thread.feedbackId : input.feedbackId
  if (feedbackId === null) return
  const [feedback] = await ctx.db
    .select({ createdAt: feedbackMessages.createdAt })
    .from(feedbackMessages)
    .where(eq(feedbackMessages.id, feedbackId))
  if (!feedback) refuse('FEEDBACK_UNKNOWN', DEMAND_REFUSALS)
  await ctx.db
    .insert(sources)
    .values({ ...by, kind: 'feedback', feedbackId, askedAt: feedback?.createdAt ?? askedAt })
}

type Followed = Noted & { changes: FieldChange[] }

/** Its log, those who follow it, and where it went online, those who asked. */
async function follow(ctx: Ctx, { id, input, before, changes }: Followed): Promise<void> {
  const demand = { id, title: input.title.trim() }
  await subscribe(ctx, id, [ctx.actor.accountId, input.ownerId as number])
  if (!before) {
    await record(ctx, id, { title: '新建了需求', changes })
    await tellSubscribers(ctx, demand, { title: '您有新的需求', body: demand.title })
  } else if (changes.length > 0) {
    await record(ctx, id, { title: '修改了需求', changes })
    if (before.status !== input.status)
      await tellSubscribers(ctx, demand, statusText(demand, before.status, input.status))
    else if (before.ownerId !== input.ownerId)
      await tellSubscribers(ctx, demand, { title: '需求已更换负责人', body: demand.title })
  }
  if (input.status === 'online' && before?.status !== 'online') await tellOnline(ctx, [demand])
}

export function statusText({ title }: { title: string }, from: Demand['status'], to: Demand['status']) {
  return { title: `需求${STATUSES[to]}`, body: `「${title}」由${STATUSES[from]}改为${STATUSES[to]}` }
}
