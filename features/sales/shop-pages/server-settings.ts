// What an agent writes for its shops: the draft, what is published, earlier versions (D3 Home-page config, get and save).
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { pictureAddress } from '#kit/picture.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { shopPages as contract } from './contract.ts'
import {
  BLOCK_TYPES,
  type Block,
  brokenIn,
  emptyContent,
  isSame,
  LIMITS,
  PAGE_REFUSALS,
  type PageContent,
  pictureOf,
  tidy,
} from './rules.ts'
import {
  shopPageDrafts as drafts,
  shopPagePictures as pictures,
  shopPageVersions as versions,
} from './tables.ts'

/** How an agent presents itself to its shops. */
export async function faceOf(ctx: Ctx, agentId: number): Promise<{ name: string; logo: string | null }> {
  const [agent] = await ctx.db
    .select({ name: agents.companyName, logoId: agents.logoId })
    .from(agents)
    .where(eq(agents.id, agentId))
  const { name, logoId } = found(agent)
  return { name, logo: logoId === null ? null : pictureAddress(logoId) }
}

type Version = typeof versions.$inferSelect

export async function readSettings(ctx: Ctx): Promise<Out<typeof contract.settings>> {
  const { agentId } = ctx.actor
  const draft = await draftOf(ctx)
  const published = await ctx.db
    .select()
    .from(versions)
    .where(eq(versions.agentId, agentId))
    .orderBy(desc(versions.number))
    .limit(LIMITS.versionsShown)
  const { name, logo } = await faceOf(ctx, agentId)
  return {
    content: asSent(draft?.content ?? published[0]?.content ?? emptyContent()),
    revision: draft?.revision ?? 0,
    draft: draft ?? null,
    versions: published.map(version => ({ ...version, content: asSent(version.content) })),
    companyName: name,
    logo,
  }
}

/** What is shown to shops now; null: nothing was published. */
export async function publishedContent(ctx: Ctx, agentId: number): Promise<PageContent | null> {
  const [newest] = await ctx.db
    .select({ content: versions.content })
    .from(versions)
    .where(eq(versions.agentId, agentId))
    .orderBy(desc(versions.number))
    .limit(1)
  return newest?.content ?? null
}

async function draftOf(ctx: Ctx, lock = false) {
  const query = ctx.db.select().from(drafts).where(eq(drafts.agentId, ctx.actor.agentId))
  const [draft] = await (lock ? query.for('update') : query)
  return draft
}

const asSent = ({ blocks, notices }: PageContent) => ({ blocks: [...blocks], notices: [...notices] })

export const saveDraft: Verb<typeof contract.saveDraft> = async (ctx, input) => {
  const before = await newestContent(ctx)
  const { content, revision } = await keepDraft(ctx, input)
  noteContent(ctx, before, content)
  return { revision }
}

export const publishPage: Verb<typeof contract.publish> = async (ctx, input) => {
  const before = await newestVersion(ctx)
  const { content } = await keepDraft(ctx, input)
  if (before && isSame(before.content, content)) refuse('NOTHING_TO_PUBLISH', PAGE_REFUSALS)
  const { number } = await addVersion(ctx, before, content, null)
  noteContent(ctx, before?.content ?? null, content, [versionChange(before, number)])
  return { number }
}

export const restorePage: Verb<typeof contract.restore> = async (ctx, { number: wanted }) => {
  const before = await newestVersion(ctx)
  const [earlier] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.agentId, ctx.actor.agentId), eq(versions.number, wanted)))
  const { content } = found(earlier)
  if (before && isSame(before.content, content)) refuse('NOTHING_TO_PUBLISH', PAGE_REFUSALS)
  const draft = await draftOf(ctx, true)
  await keepDraft(ctx, { content, revision: draft?.revision ?? 0 })
  const { number } = await addVersion(ctx, before, content, wanted)
  const restored = { name: '恢复自', before: null, after: `第 ${wanted} 版` }
  noteContent(ctx, before?.content ?? null, content, [versionChange(before, number), restored])
  return { number }
}

/** Locked, so that two who publish at once come one after the other. */
async function newestVersion(ctx: Ctx): Promise<Version | undefined> {
  await ctx.client.query('select pg_advisory_xact_lock($1, $2)', [PUBLISHING, ctx.actor.agentId])
  const [newest] = await ctx.db
    .select()
    .from(versions)
    .where(eq(versions.agentId, ctx.actor.agentId))
    .orderBy(desc(versions.number))
    .limit(1)
  return newest
}

const PUBLISHING = 7_211_029

async function newestContent(ctx: Ctx): Promise<PageContent | null> {
  return (await draftOf(ctx, true))?.content ?? (await publishedContent(ctx, ctx.actor.agentId))
}

/** Judges and writes the draft over the revision that the caller has seen. */
async function keepDraft(ctx: Ctx, input: { content: PageContent; revision: number }) {
  const content = tidy(input.content)
  const [broken] = brokenIn(content)
  if (broken) refuse(broken.code, PAGE_REFUSALS, { field: broken.field })
  const { agentId, accountId, name } = ctx.actor
  const draft = await draftOf(ctx, true)
  if ((draft?.revision ?? 0) !== input.revision) refuseCommon('STALE')
  await refuseUnknownPictures(ctx, content)
  const values = {
    content,
    revision: input.revision + 1,
    savedBy: accountId,
    savedByName: name,
    savedAt: ctx.now.toISOString(),
  }
  const [kept] = await ctx.db
    .insert(drafts)
    .values({ agentId, ...values })
    .onConflictDoUpdate({
      target: drafts.agentId,
      set: values,
      setWhere: eq(drafts.revision, input.revision),
    })
    .returning({ revision: drafts.revision })
  if (!kept) refuseCommon('STALE')
  await ctx.db.delete(pictures).where(and(eq(pictures.agentId, agentId), isNull(pictures.versionId)))
  await keepPictures(ctx, content, null)
  return { content, revision: values.revision }
}

async function addVersion(
  ctx: Ctx,
  before: Version | undefined,
  content: PageContent,
  restoredFrom: number | null,
): Promise<Version> {
  const { agentId, accountId, name } = ctx.actor
  const [made] = await ctx.db
    .insert(versions)
    .values({
      agentId,
      number: (before?.number ?? 0) + 1,
      content: tidy(content),
      restoredFrom,
      publishedBy: accountId,
      publishedByName: name,
      publishedAt: sql`now()`,
    })
    .returning()
  const version = found(made)
  await keepPictures(ctx, content, version.id)
  return version
}

/** What a content shows is held back from being cleared away. */
async function keepPictures(ctx: Ctx, { blocks }: PageContent, versionId: number | null): Promise<void> {
  const rows = blocks.flatMap(({ pictureId }) =>
    pictureId === null ? [] : [{ agentId: ctx.actor.agentId, versionId, fileId: pictureId }],
  )
  if (rows.length > 0) await ctx.db.insert(pictures).values(rows)
}

/** A picture that the agent has sent for this kind of block, or has shown before. */
async function refuseUnknownPictures(ctx: Ctx, { blocks }: PageContent): Promise<void> {
  for (const { type, pictureId } of blocks) {
    if (pictureId === null || (await isUploaded(ctx, pictureId, pictureOf(type)))) continue
    refuse('PICTURE_UNKNOWN', PAGE_REFUSALS, { field: `${type}.pictureId` })
  }
}

function versionChange(before: Version | undefined, number: number): FieldChange {
  return { name: '版本', before: before ? `第 ${before.number} 版` : null, after: `第 ${number} 版` }
}

function noteContent(
  ctx: Ctx,
  before: PageContent | null,
  after: PageContent,
  more: readonly FieldChange[] = [],
): void {
  const changes = [...more, ...contentChanges(before, after)]
  ctx.object('setting', 'shop-page')
  if (changes.length === 0) ctx.nothingChanged()
  ctx.note('门店首页', changes)
}

const yesNo = (value: boolean) => (value ? '是' : '否')

/** Block by block, and notice by notice, in people's words. */
export function contentChanges(before: PageContent | null, after: PageContent): FieldChange[] {
  const changes: FieldChange[] = []
  const add = (name: string, was: string | null, is: string | null) => {
    if ((was || null) !== (is || null)) changes.push({ name, before: was || null, after: is || null })
  }
  for (const block of after.blocks) {
    const was: Block | undefined = before?.blocks.find(({ type }) => type === block.type)
    const name = BLOCK_TYPES[block.type]
    add(`${name}·启用`, was ? yesNo(was.enabled) : null, yesNo(block.enabled))
    add(`${name}·文字`, was?.text ?? null, block.text)
    if ((was?.pictureId ?? null) !== block.pictureId)
      changes.push({
        name: `${name}·图片`,
        before: was?.pictureId ? '原图片' : null,
        after: block.pictureId ? '新图片' : '已移除',
      })
    add(`${name}·跳转`, was?.skips ? was.link : null, block.skips ? block.link : null)
  }
  const count = Math.max(before?.notices.length ?? 0, after.notices.length)
  const noticeText = (notice: PageContent['notices'][number] | undefined) =>
    notice ? [notice.title, notice.body].filter(Boolean).join('：') : null
  for (let at = 0; at < count; at++)
    add(`公告 ${at + 1}`, noticeText(before?.notices[at]), noticeText(after.notices[at]))
  return changes
}
