// A draft becomes a version; a version comes to more shops, or is withdrawn; a version becomes the draft again.
import { and, asc, eq, inArray, max } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants, SEARCHED_TEXT } from '#features/shops/merchants/tables.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { containing } from '#server/list.ts'
import { found, Refusal, refuse, staffAlone } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import {
  type Audience,
  audienceOf,
  audienceText,
  isStale,
  refuseAudience,
  refusePublishing,
  refuseWidening,
  stateOf,
  TEMPLATE_LIMITS,
  TEMPLATE_REFUSALS,
} from './rules.ts'
import { refuseIndustries, refuseStale } from './server-draft.ts'
import { tellPublished, tellWithdrawn } from './server-live.ts'
import {
  lockTemplate,
  readIndustries,
  recordEvent,
  type Setup,
  servedOf,
  subjectOf,
  type Template,
  templateOf,
} from './server-rows.ts'
import { noteNewest, supersede, withdrawAll, withdrawOne } from './server-withdraw.ts'
import {
  printTemplateShops as shops,
  printTemplates as templates,
  printTemplateVersions as versions,
} from './tables.ts'

const SHOPS_FOUND = 20

async function faultsOf(ctx: Ctx, setup: Setup, content: unknown): Promise<string[]> {
  return [...(await setup.check(ctx, content))].slice(0, TEMPLATE_LIMITS.faults)
}

export async function checkDraft(ctx: Ctx, setup: Setup, id: number) {
  const { revision, content } = await templateOf(ctx, setup.kind, id)
  return {
    ...{ revision, faults: await faultsOf(ctx, setup, content) },
    isEmpty: await setup.isEmpty(ctx, content),
  }
}

async function lockLiving(ctx: Ctx, setup: Setup, id: number): Promise<Template> {
  const template = await lockTemplate(ctx, setup, id)
  if (template.deletedAt) refuse('DELETED_ALREADY', TEMPLATE_REFUSALS)
  return template
}

/** `revision` is the draft that was looked at. */
export async function publish(
  ctx: Ctx,
  setup: Setup,
  { id, revision, reason, ...asked }: { id: number; revision: number; audience: Audience; reason: string },
) {
  const template = await lockLiving(ctx, setup, id)
  if (isStale(template.revision, revision)) refuseStale(template)
  const audience = audienceOf(asked.audience)
  refuse(refuseAudience(audience), TEMPLATE_REFUSALS, { field: 'audience' })
  await refuseUnknown(ctx, audience, null)
  const faults = await faultsOf(ctx, setup, template.content)
  const isEmpty = await setup.isEmpty(ctx, template.content)
  const code = refusePublishing({ state: stateOf(template) }, { faults: faults.length, isEmpty, reason })
  if (code) throw new Refusal(code, TEMPLATE_REFUSALS[code], code === 'FAULTS' ? { faults } : undefined)
  const number = await nextNumber(ctx, id)
  const { kind, name, industryIds, content } = template
  await ctx.db.insert(versions).values({
    ...{ templateId: id, number, kind, name, industryIds, content, faults, reason: reason.trim() },
    ...{ toAll: audience.all, toIndustryIds: [...audience.industryIds] },
    ...{ publishedBy: ctx.actor.accountId, publishedByName: ctx.actor.name },
    publishedAt: ctx.now.toISOString(),
  })
  await keepShops(ctx, { id, number }, audience)
  await supersede(ctx, id, number, audience)
  await ctx.db
    .update(templates)
    .set({ publishedVersion: number, publishedRevision: revision })
    .where(eq(templates.id, id))
  await tellPublished(ctx, template, { number, audience })
  await recordEvent(ctx, id, { kind: 'published', number, audience, reason })
  ctx.object('printTemplate', id)
  ctx.note(subjectOf(template), [
    { name: '已发布版本', before: wordOf(template.publishedVersion), after: String(number) },
    { name: '发布范围', before: null, after: await wordsOf(ctx, audience) },
    ...(faults.length > 0 ? [{ name: '未解决的问题', before: null, after: faults.join('；') }] : []),
    ...reasonNoted(reason),
  ])
  return { id, number }
}

const wordOf = (number: number | null) => (number === null ? null : String(number))
const reasonNoted = (reason: string): FieldChange[] =>
  reason.trim() === '' ? [] : [{ name: '原因', before: null, after: reason.trim() }]

async function wordsOf(ctx: Ctx, audience: Audience): Promise<string> {
  const { nameOf } = await readIndustries(ctx)
  return audienceText(audience, nameOf)
}

async function nextNumber(ctx: Ctx, templateId: number): Promise<number> {
  const [row] = await ctx.db
    .select({ last: max(versions.number) })
    .from(versions)
    .where(eq(versions.templateId, templateId))
  return (row?.last ?? 0) + 1
}

/** Industries and shops that there are not; whom a version is meant for already may stay. */
async function refuseUnknown(ctx: Ctx, { industryIds, shopIds }: Audience, before: Audience | null) {
  await refuseIndustries(ctx, industryIds, before?.industryIds ?? [])
  if (shopIds.length === 0) return
  const rows = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(inArray(merchants.id, [...shopIds]))
  if (rows.length < shopIds.length) refuse('SHOP_UNKNOWN', TEMPLATE_REFUSALS, { field: 'audience' })
}

async function keepShops(ctx: Ctx, { id, number }: { id: number; number: number }, { shopIds }: Audience) {
  if (shopIds.length === 0) return
  await ctx.db
    .insert(shops)
    .values(shopIds.map(merchantId => ({ templateId: id, number, merchantId })))
    .onConflictDoNothing()
}

async function servedVersion(ctx: Ctx, id: number, number: number) {
  const version = (await servedOf(ctx, id)).find(one => one.number === number)
  if (!version) refuse('NOT_PUBLISHED', TEMPLATE_REFUSALS)
  return found(version)
}

export async function widen(
  ctx: Ctx,
  setup: Setup,
  { id, number, ...asked }: { id: number; number: number; audience: Audience },
) {
  const template = await lockLiving(ctx, setup, id)
  const before = await servedVersion(ctx, id, number)
  const audience = audienceOf(asked.audience)
  refuse(refuseWidening(before.audience, audience), TEMPLATE_REFUSALS, { field: 'audience' })
  await refuseUnknown(ctx, audience, before.audience)
  ctx.object('printTemplate', id)
  const [was, is] = [await wordsOf(ctx, before.audience), await wordsOf(ctx, audience)]
  if (JSON.stringify(before.audience) === JSON.stringify(audience)) {
    ctx.nothingChanged()
    return { id, number }
  }
  await ctx.db
    .update(versions)
    .set({ toAll: audience.all, toIndustryIds: [...audience.industryIds] })
    .where(and(eq(versions.templateId, id), eq(versions.number, number)))
  if (audience.all) await ctx.db.delete(shops).where(and(eq(shops.templateId, id), eq(shops.number, number)))
  await keepShops(ctx, { id, number }, audience)
  await supersede(ctx, id, number, audience)
  await tellPublished(ctx, template, { number, audience: added(before.audience, audience) })
  await recordEvent(ctx, id, { kind: 'widened', number, audience })
  ctx.note(subjectOf(template), [{ name: `版本 ${number} 的发布范围`, before: was, after: is }])
  return { id, number }
}

/** Whom it was not meant for before. */
function added(before: Audience, after: Audience): Audience {
  if (after.all) return after
  return {
    all: false,
    industryIds: after.industryIds.filter(id => !before.industryIds.includes(id)),
    shopIds: after.shopIds.filter(id => !before.shopIds.includes(id)),
  }
}

export async function withdraw(
  ctx: Ctx,
  setup: Setup,
  { id, number, reason }: { id: number; number: number | null; reason: string },
) {
  const template = await lockLiving(ctx, setup, id)
  if (lengthOf(reason) > TEMPLATE_LIMITS.reason)
    refuse('REASON_TOO_LONG', TEMPLATE_REFUSALS, { field: 'reason' })
  const ended = number === null ? await withdrawAll(ctx, id) : [await servedVersion(ctx, id, number)]
  if (ended.length === 0) refuse('NOT_PUBLISHED', TEMPLATE_REFUSALS)
  if (number !== null) await withdrawOne(ctx, id, number)
  const publishedVersion = await noteNewest(ctx, id)
  await tellWithdrawn(ctx, template, ended)
  await recordEvent(ctx, id, { kind: 'withdrawn', number, reason })
  ctx.object('printTemplate', id)
  ctx.note(subjectOf(template), [
    { name: '已发布版本', before: wordOf(template.publishedVersion), after: wordOf(publishedVersion) },
    { name: '撤回版本', before: null, after: ended.map(one => String(one.number)).join('、') },
    ...reasonNoted(reason),
  ])
  return { id, publishedVersion }
}

/** Name, industries and content of a version become the draft. */
export async function restoreVersion(
  ctx: Ctx,
  setup: Setup,
  { id, number, revision }: { id: number; number: number; revision: number },
) {
  const template = await lockLiving(ctx, setup, id)
  if (isStale(template.revision, revision)) refuseStale(template)
  const [row] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.templateId, id), eq(versions.number, number)))
  const { name, industryIds, content } = found(row)
  const next = template.revision + 1
  // The draft is that version again: where it is the one that is served, there is nothing to publish.
  const isServed = template.publishedVersion === number
  await ctx.db
    .update(templates)
    .set({
      ...{ name, industryIds, content, revision: next, updatedByName: ctx.actor.name },
      updatedAt: ctx.now.toISOString(),
      ...(isServed ? { publishedRevision: next } : {}),
    })
    .where(eq(templates.id, id))
  await recordEvent(ctx, id, { kind: 'restored', number })
  ctx.object('printTemplate', id)
  ctx.note(subjectOf(template), [{ name: '草稿', before: null, after: `版本 ${number}` }])
  return { id, revision: next }
}

/** For choosing them: by number, name or account; without a search none. */
export async function findShops(ctx: Ctx, search: string) {
  staffAlone(ctx)
  if (search === '') return { rows: [] }
  const rows = await ctx.db
    .select({ id: merchants.id, name: merchants.shopName, agentName: agents.companyName })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .where(and(containing(SEARCHED_TEXT, search), ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
    .limit(SHOPS_FOUND)
  return { rows }
}
