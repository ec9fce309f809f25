// What staff write: the list, an article as it is edited, its pictures and video, publishing, and what people say of it.
import { and, asc, desc, eq, inArray, isNull, notInArray, or } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import {
  containingConditions,
  filtered,
  type ListSource,
  ownColumns,
  rowsAndTotal,
  sortedBy,
} from '#server/list.ts'
import { found, refuse, refuseCommon, staffAlone } from '#server/refuse.ts'
import { cleanRich, type Rich } from '#server/texts/clean.ts'
import type { help as contract } from './contract.ts'
import { HELP_FIELDS, HELP_LIST, LOGGED_FIELDS } from './fields.ts'
import {
  brokenIn,
  HELP_PICTURE,
  HELP_REFUSALS,
  HELP_STEPS,
  HELP_VIDEO,
  refuseBody,
  refuseRemoval,
  refuseStep,
} from './rules.ts'
import {
  helpArticles as articles,
  helpCategories as categories,
  helpVotes,
  helpPictures as pictures,
} from './tables.ts'

type Article = typeof articles.$inferSelect
type Input = In<typeof contract.save>

const LOGGED_CHARS = 300
const ROW = {
  ...ownColumns(articles, keysIn(HELP_FIELDS, 'row')),
  categoryName: categories.name,
  pages: articles.pages,
}

export const listArticles: Verb<typeof contract.list> = async (ctx, { search, ...input }) => {
  staffAlone(ctx)
  const { sort, order } = sortedBy(
    input,
    { updatedAt: articles.updatedAt, views: articles.views },
    articles.id,
  )
  const list: ListSource = {
    name: 'help articles',
    table: articles,
    conditions: [
      ...filtered(HELP_LIST, input, {}, articles),
      ...(search ? containingConditions(articles.searchText, search) : []),
    ],
    sort,
    order,
  }
  const page = await rowsAndTotal(ctx, list, input, found =>
    ctx.db
      .with(found)
      .select(ROW)
      .from(found)
      .innerJoin(articles, eq(articles.id, found.id))
      .leftJoin(categories, eq(categories.id, articles.categoryId))
      .orderBy(...order),
  )
  const worded = ({ pages, categoryName, ...row }: (typeof page.rows)[number]) => ({
    ...row,
    categoryName: categoryName ?? '',
    pagesText: pages.join('、'),
  })
  return { ...page, rows: page.rows.map(worded) }
}

export const readForm: Verb<typeof contract.details> = async (ctx, { id }) => {
  staffAlone(ctx)
  const [row] = await ctx.db.select().from(articles).where(eq(articles.id, id))
  return found(row)
}

export async function readCategories(ctx: Ctx): Promise<Out<typeof contract.categories>> {
  const rows = await ctx.db
    .select({ id: categories.id, name: categories.name })
    .from(categories)
    .where(isNull(categories.retiredAt))
    .orderBy(asc(categories.position), asc(categories.id))
  return { rows }
}

export const listVotes: Verb<typeof contract.votes> = async (ctx, { id, page, size }) => {
  staffAlone(ctx)
  const rows = await ctx.db
    .select({
      useful: helpVotes.useful,
      comment: helpVotes.comment,
      accountId: helpVotes.accountId,
      accountName: helpVotes.accountName,
      companyName: agents.companyName,
      votedAt: helpVotes.votedAt,
    })
    .from(helpVotes)
    .innerJoin(agents, eq(agents.id, helpVotes.agentId))
    .where(eq(helpVotes.articleId, id))
    .orderBy(desc(helpVotes.votedAt), desc(helpVotes.accountId))
    .limit(size)
    .offset((page - 1) * size)
  const total = await ctx.db.$count(helpVotes, eq(helpVotes.articleId, id))
  return { rows, total, totalCapped: false }
}

async function lockArticle(ctx: Ctx, id: number): Promise<Article> {
  staffAlone(ctx)
  const [row] = await ctx.db.select().from(articles).where(eq(articles.id, id)).for('update')
  return found(row)
}

export const save: Verb<typeof contract.save> = async (ctx, input) => {
  staffAlone(ctx)
  const before = input.id === null ? null : await lockArticle(ctx, input.id)
  if (before && before.revision !== input.revision) refuseCommon('STALE')
  const [broken] = brokenIn(input)
  if (broken) refuse(broken.code, HELP_REFUSALS, { field: broken.field })
  const rich = await cleanRich(input.body)
  refuse(refuseBody(input.kind, rich), HELP_REFUSALS, { field: 'body' })
  const categoryName = await categoryFor(ctx, input, before)
  await refuseForeign(ctx, { input, rich, before })
  const values = valuesFrom(input, rich)
  const id = before ? await update(ctx, before, values) : await insert(ctx, values)
  await keepPictures(ctx, id, rich)
  ctx.object('help', id)
  ctx.note(`${values.title} (${id})`, await wordedChanges(ctx, before, { ...values, categoryName }))
  return { id }
}

/** The name of a category that is offered, or that the article has already; a release note has none. */
async function categoryFor(ctx: Ctx, input: Input, before: Article | null): Promise<string> {
  if (input.kind === 'release') return ''
  const [row] = await ctx.db
    .select()
    .from(categories)
    .where(
      and(
        eq(categories.id, input.categoryId ?? 0),
        or(isNull(categories.retiredAt), eq(categories.id, before?.categoryId ?? 0)),
      ),
    )
  if (!row) refuse('CATEGORY_REQUIRED', HELP_REFUSALS, { field: 'categoryId' })
  return found(row).name
}

type Files = { input: Input; rich: Rich; before: Article | null }

/** Pictures and the video are those that were uploaded for articles, or belong to it already. */
async function refuseForeign(ctx: Ctx, { input, rich, before }: Files): Promise<void> {
  const kept = await ctx.db
    .select({ fileId: pictures.fileId })
    .from(pictures)
    .where(eq(pictures.articleId, before?.id ?? 0))
  const known = new Set(kept.map(({ fileId }) => fileId))
  for (const picture of rich.pictures)
    if (!known.has(picture) && !(await isUploaded(ctx, picture, HELP_PICTURE)))
      refuse('PICTURE_UNKNOWN', HELP_REFUSALS, { field: 'body' })
  const { videoId } = input
  if (videoId === null || videoId === before?.videoId) return
  if (!(await isUploaded(ctx, videoId, HELP_VIDEO)))
    refuse('VIDEO_UNKNOWN', HELP_REFUSALS, { field: 'videoId' })
}

function valuesFrom(input: Input, rich: Rich) {
  const isRelease = input.kind === 'release'
  return {
    kind: input.kind,
    title: input.title.trim(),
    categoryId: isRelease ? null : input.categoryId,
    version: isRelease ? input.version.trim() : '',
    releasedOn: isRelease ? input.releasedOn : null,
    videoId: input.videoId,
    videoUrl: input.videoUrl.trim(),
    pages: isRelease ? [] : [...new Set(input.pages)],
    body: rich.html,
    bodyText: rich.text,
  }
}

async function insert(ctx: Ctx, values: ReturnType<typeof valuesFrom>): Promise<number> {
  const { name } = ctx.actor
  const by = { createdByName: name, updatedByName: name, updatedAt: ctx.now.toISOString() }
  const [row] = await ctx.db
    .insert(articles)
    .values({ ...values, ...by, state: 'draft' })
    .returning({ id: articles.id })
  return found(row).id
}

async function update(
  ctx: Ctx,
  { id, revision }: Article,
  values: ReturnType<typeof valuesFrom>,
): Promise<number> {
  const by = { updatedByName: ctx.actor.name, updatedAt: ctx.now.toISOString() }
  await ctx.db
    .update(articles)
    .set({ ...values, ...by, revision: revision + 1 })
    .where(eq(articles.id, id))
  return id
}

async function keepPictures(ctx: Ctx, articleId: number, { pictures: ids }: Rich): Promise<void> {
  const others = ids.length > 0 ? notInArray(pictures.fileId, ids) : undefined
  await ctx.db.delete(pictures).where(and(eq(pictures.articleId, articleId), others))
  if (ids.length > 0)
    await ctx.db
      .insert(pictures)
      .values(ids.map(fileId => ({ articleId, fileId })))
      .onConflictDoNothing()
}

type After = ReturnType<typeof valuesFrom> & { categoryName: string }

async function wordedChanges(ctx: Ctx, before: Article | null, after: After) {
  const cut = (text: string) => (text.length > LOGGED_CHARS ? `${text.slice(0, LOGGED_CHARS)}…` : text)
  const worded = (row: After | (Article & { categoryName: string })) => ({
    ...row,
    bodyText: cut(row.bodyText),
    pagesText: row.pages.join('、'),
  })
  if (!before) {
    const none = {} as ReturnType<typeof worded>
    return changesOf(none, worded(after), LOGGED_FIELDS).filter(change => change.after)
  }
  const [category] = await ctx.db
    .select({ name: categories.name })
    .from(categories)
    .where(eq(categories.id, before.categoryId ?? 0))
  const was = worded({ ...before, categoryName: category?.name ?? '' })
  const changes = changesOf(was, worded(after), LOGGED_FIELDS)
  if (before.videoId !== after.videoId)
    changes.push({ name: '视频', before: before.videoId, after: after.videoId })
  if (before.body !== after.body && was.bodyText === cut(after.bodyText))
    changes.push({ name: LOGGED_FIELDS.bodyText.label, before: '原图文', after: '已修改格式或图片' })
  return changes
}

export const setState: Verb<typeof contract.setState> = async (ctx, { id, step }) => {
  const before = await lockArticle(ctx, id)
  refuse(refuseStep(step, before.state), HELP_REFUSALS)
  if (step === 'publish')
    await ctx.db
      .update(articles)
      .set({
        state: HELP_STEPS.publish.to,
        publishedAt: ctx.now.toISOString(),
        revision: before.revision + 1,
      })
      .where(and(eq(articles.id, id), inArray(articles.state, HELP_STEPS.publish.from)))
  else
    await ctx.db
      .update(articles)
      .set({ state: HELP_STEPS.withdraw.to, publishedAt: null, revision: before.revision + 1 })
      .where(and(eq(articles.id, id), inArray(articles.state, HELP_STEPS.withdraw.from)))
  ctx.object('help', id)
  const after = { ...before, state: HELP_STEPS[step].to }
  ctx.note(`${before.title} (${id})`, changesOf(before, after, { state: HELP_FIELDS.state }))
  return { id }
}

export const remove: Verb<typeof contract.remove> = async (ctx, { id }) => {
  const before = await lockArticle(ctx, id)
  refuse(refuseRemoval(before), HELP_REFUSALS)
  await ctx.db.delete(articles).where(eq(articles.id, id))
  ctx.object('help', id)
  ctx.note(`${before.title} (${id})`, [{ name: '文章', before: before.title, after: '已删除' }])
  return { id }
}
