// The draft of a print template: made, saved, copied, deleted, brought back.
import { eq, inArray } from 'drizzle-orm'
import { industries } from '#features/shops/merchants/tables.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, changesOf } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { found, Refusal, refuse, staffAlone } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import { isStale, nameOfCopy, refuseName, TEMPLATE_KINDS, TEMPLATE_REFUSALS } from './rules.ts'
import { countUsing, tellWithdrawn } from './server-live.ts'
import {
  LOGGED,
  lockTemplate,
  readIndustries,
  recordEvent,
  type Setup,
  subjectOf,
  type Template,
} from './server-rows.ts'
import { withdrawAll } from './server-withdraw.ts'
import { printTemplatePictures as pictures, printTemplates as templates } from './tables.ts'

export type Saved = { id: number; revision: number }
type Draft = { name: string; industryIds: readonly number[]; content: unknown }

/** Without an id a new system template; otherwise `revision` is the one that was read. */
export async function saveDraft(
  ctx: Ctx,
  setup: Setup,
  { id, revision, ...draft }: Draft & { id: number | null; revision: number | null },
): Promise<Saved> {
  staffAlone(ctx)
  const before = id === null ? null : await lockTemplate(ctx, setup, id)
  if (before?.deletedAt) refuse('DELETED_ALREADY', TEMPLATE_REFUSALS)
  if (before && isStale(before.revision, revision)) refuseStale(before)
  return before
    ? update(ctx, setup, before, draft)
    : createTemplate(ctx, setup, { ...draft, isCustom: false })
}

/** Says who saved it since, and when. */
export function refuseStale({ revision, updatedByName, updatedAt }: Template): never {
  const message = `${updatedByName} 已于 ${formatInstant(updatedAt)} 保存了新的修改，请刷新后重试`
  throw new Refusal('STALE', message, { revision, updatedByName, updatedAt })
}

export async function createTemplate(
  ctx: Ctx,
  setup: Setup,
  draft: Draft & { isCustom: boolean },
): Promise<Saved> {
  const values = { ...(await valuesOf(ctx, setup, draft, null)), isCustom: draft.isCustom }
  const now = ctx.now.toISOString()
  const { accountId, name: byName } = ctx.actor
  const [row] = await ctx.db
    .insert(templates)
    .values({
      ...values,
      kind: setup.kind,
      createdBy: accountId,
      createdByName: byName,
      createdAt: now,
      updatedByName: byName,
      updatedAt: now,
    })
    .returning({ id: templates.id, revision: templates.revision })
  const saved = found(row)
  await keepPictures(ctx, setup, saved.id, values.content)
  ctx.object('printTemplate', saved.id)
  const { namesOf } = await readIndustries(ctx)
  const after = { ...values, industryNames: namesOf(values.industryIds) }
  ctx.note(
    subjectOf({ id: saved.id, name: values.name }),
    changesOf({} as typeof after, after, LOGGED).filter(change => change.after),
  )
  return saved
}

async function update(ctx: Ctx, setup: Setup, before: Template, draft: Draft): Promise<Saved> {
  const values = await valuesOf(ctx, setup, draft, before)
  const changes = await wordedChanges(ctx, before, values)
  ctx.object('printTemplate', before.id)
  if (changes.length === 0) {
    ctx.nothingChanged()
    return { id: before.id, revision: before.revision }
  }
  const revision = before.revision + 1
  await ctx.db
    .update(templates)
    .set({ ...values, revision, updatedByName: ctx.actor.name, updatedAt: ctx.now.toISOString() })
    .where(eq(templates.id, before.id))
  await keepPictures(ctx, setup, before.id, values.content)
  ctx.note(subjectOf({ id: before.id, name: values.name }), changes)
  return { id: before.id, revision }
}

/** What a draft is kept as. Refuses a name, an industry or a picture that may not be; what it has already may stay. */
async function valuesOf(ctx: Ctx, setup: Setup, draft: Draft, before: Template | null) {
  refuse(refuseName(draft.name), TEMPLATE_REFUSALS, { field: 'name' })
  const industryIds = [...new Set(draft.industryIds)].toSorted((a, b) => a - b)
  await refuseIndustries(ctx, industryIds, before?.industryIds ?? [])
  const content = setup.prepare ? setup.prepare(draft.content) : draft.content
  await refusePictures(ctx, setup, content, before?.id ?? null)
  return { name: draft.name.trim(), industryIds, content }
}

export async function refuseIndustries(
  ctx: Ctx,
  ids: readonly number[],
  known: readonly number[],
): Promise<void> {
  const fresh = ids.filter(id => !known.includes(id))
  if (fresh.length === 0) return
  const rows = await ctx.db.select().from(industries).where(inArray(industries.id, fresh))
  const offered = rows.filter(({ retiredAt }) => retiredAt === null)
  if (offered.length < fresh.length) refuse('INDUSTRY_INVALID', TEMPLATE_REFUSALS, { field: 'industryIds' })
}

async function refusePictures(ctx: Ctx, setup: Setup, content: unknown, id: number | null): Promise<void> {
  const named = setup.pictures?.of(content) ?? []
  if (named.length === 0 || !setup.pictures) return
  const rows = await ctx.db
    .select({ fileId: pictures.fileId })
    .from(pictures)
    .where(inArray(pictures.fileId, [...named]))
  // One that stands in any template is known: drawings are copied from one to another.
  const known = new Set(rows.map(({ fileId }) => fileId))
  for (const picture of named)
    if (!known.has(picture) && !(await isUploaded(ctx, picture, setup.pictures.purpose)))
      refuse('PICTURE_UNKNOWN', TEMPLATE_REFUSALS, { field: id === null ? 'content' : 'content' })
}

/** Pictures of earlier drafts and of versions are kept: they can come back. */
async function keepPictures(ctx: Ctx, setup: Setup, templateId: number, content: unknown): Promise<void> {
  const ids = [...new Set(setup.pictures?.of(content) ?? [])]
  if (ids.length === 0) return
  await ctx.db
    .insert(pictures)
    .values(ids.map(fileId => ({ templateId, fileId })))
    .onConflictDoNothing()
}

async function wordedChanges(
  ctx: Ctx,
  before: Template,
  values: Awaited<ReturnType<typeof valuesOf>>,
): Promise<FieldChange[]> {
  const { namesOf } = await readIndustries(ctx)
  const changes = changesOf(
    { ...before, industryNames: namesOf(before.industryIds) },
    { ...values, industryNames: namesOf(values.industryIds) },
    LOGGED,
  )
  // A jsonb comes back with its keys in another order.
  const isSame = sorted(before.content) === sorted(values.content)
  return isSame ? changes : [...changes, { name: '模板内容', before: '原内容', after: '已修改' }]
}

function sorted(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** A custom one, of the draft; nothing of it is published. */
export async function copyTemplate(ctx: Ctx, setup: Setup, id: number): Promise<Saved> {
  const source = await lockTemplate(ctx, setup, id)
  if (source.deletedAt) refuse('DELETED_ALREADY', TEMPLATE_REFUSALS)
  const { industryIds, content } = source
  const now = ctx.now.toISOString()
  const { accountId, name: byName } = ctx.actor
  const name = nameOfCopy(source.name)
  const [row] = await ctx.db
    .insert(templates)
    .values({
      ...{ kind: setup.kind, name, isCustom: true, industryIds, content },
      ...{ createdBy: accountId, createdByName: byName, createdAt: now },
      ...{ updatedByName: byName, updatedAt: now },
    })
    .returning({ id: templates.id, revision: templates.revision })
  const saved = found(row)
  await keepPictures(ctx, setup, saved.id, content)
  ctx.object('printTemplate', saved.id, id)
  ctx.note(subjectOf({ id: saved.id, name }), [{ name: '复制自', before: null, after: subjectOf(source) }])
  return saved
}

/** With its publication, where `endsUse` says that this is known. It can be brought back. */
export async function removeTemplate(
  ctx: Ctx,
  setup: Setup,
  { id, endsUse }: { id: number; endsUse: boolean },
): Promise<Saved> {
  const before = await lockTemplate(ctx, setup, id)
  if (before.deletedAt) refuse('DELETED_ALREADY', TEMPLATE_REFUSALS)
  if (before.publishedVersion !== null && !endsUse) {
    const { total, totalCapped } = await countUsing(ctx, id)
    if (total > 0) {
      const many = `${total}${totalCapped ? '+' : ''}`
      const message = `有 ${many} 家店铺正在使用该模板，删除后这些店铺不能再使用`
      throw new Refusal('IN_USE', message, { total, totalCapped })
    }
  }
  const ended = await withdrawAll(ctx, id)
  await ctx.db
    .update(templates)
    .set({
      ...{ deletedAt: ctx.now.toISOString(), deletedByName: ctx.actor.name },
      ...{ publishedVersion: null, publishedRevision: null },
    })
    .where(eq(templates.id, id))
  await tellWithdrawn(ctx, before, ended)
  await recordEvent(ctx, id, { kind: 'deleted' })
  ctx.object('printTemplate', id)
  ctx.note(subjectOf(before), [{ name: TEMPLATE_KINDS[setup.kind], before: before.name, after: '已删除' }])
  return { id, revision: before.revision }
}

export async function undeleteTemplate(ctx: Ctx, setup: Setup, id: number): Promise<Saved> {
  const before = await lockTemplate(ctx, setup, id)
  ctx.object('printTemplate', id)
  const saved = { id, revision: before.revision }
  // Pressed twice, or by two people.
  if (before.deletedAt === null) {
    ctx.nothingChanged()
    return saved
  }
  await ctx.db.update(templates).set({ deletedAt: null, deletedByName: '' }).where(eq(templates.id, id))
  await recordEvent(ctx, id, { kind: 'undeleted' })
  ctx.note(subjectOf(before), [{ name: TEMPLATE_KINDS[setup.kind], before: '已删除', after: '已恢复' }])
  return saved
}
