// What everyone signed in reads: the help centre, a search, an article, and which page opens which.
import { and, arrayOverlaps, asc, desc, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { containing } from '#server/list.ts'
import { found, refuse } from '#server/refuse.ts'
import type { help as contract } from './contract.ts'
import { excerptOf, HELP_LIMITS, NEW_DAYS, refuseVote, VOTE_REFUSALS, wordsOf } from './rules.ts'
import { helpArticles as articles, helpCategories as categories, helpReads, helpVotes } from './tables.ts'

const PUBLISHED = eq(articles.state, 'published')
const SUMMARY = 120
const RELEASES = 5
/** Holds of no row; the database sorts by no constant. */
const NONE = sql`(1 = 0)`

/** A release note of late that the account has not opened. */
function isNew(ctx: Ctx): SQL<boolean> {
  const since = addDays(formatDay(ctx.now), -NEW_DAYS)
  return sql<boolean>`(${articles.kind} = 'release' and ${articles.releasedOn} >= ${since} and not exists (
    select 1 from ${helpReads} r where r.article_id = ${articles.id} and r.account_id = ${ctx.actor.accountId}))`
}

const lineOf = (ctx: Ctx, text: SQL<string>) => ({
  id: articles.id,
  kind: articles.kind,
  title: articles.title,
  text,
  categoryId: articles.categoryId,
  version: articles.version,
  releasedOn: articles.releasedOn,
  hasVideo: sql<boolean>`${articles.videoId} is not null or ${articles.videoUrl} <> ''`,
  isNew: isNew(ctx),
})

/** Release notes the latest first, others as they were published. */
const ORDER = [sql`${articles.releasedOn} desc nulls last`, asc(articles.publishedAt), asc(articles.id)]

export async function readHome(ctx: Ctx): Promise<Out<typeof contract.home>> {
  const rows = await ctx.db
    .select(lineOf(ctx, sql<string>`left(split_part(${articles.bodyText}, chr(10), 1), ${SUMMARY})`))
    .from(articles)
    .where(PUBLISHED)
    .orderBy(...ORDER)
    .limit(HELP_LIMITS.shown)
  const named = await ctx.db
    .select({ id: categories.id, name: categories.name })
    .from(categories)
    .orderBy(asc(categories.position), asc(categories.id))
  return {
    categories: named,
    articles: rows.map(({ text, ...row }) => ({ ...row, summary: excerptOf(text, []) })),
  }
}

/** Where every word stands; titles before texts, and the more often the better. */
export function searchStatement(ctx: Ctx, words: readonly string[]) {
  const times = (word: string) =>
    sql`(length(${articles.searchText}) - length(replace(${articles.searchText}, ${word}, ''))) / length(${word}::text)`
  const sum = (parts: SQL[]) => sql.join(parts, sql` + `)
  const inTitle = sum(words.map(word => sql`(strpos(lower(${articles.title}), ${word}) > 0)::int`))
  return ctx.db
    .select(lineOf(ctx, sql<string>`${articles.bodyText}`))
    .from(articles)
    .where(and(PUBLISHED, ...words.map(word => containing(articles.searchText, word))))
    .orderBy(desc(inTitle), desc(sum(words.map(times))), desc(articles.views), desc(articles.id))
    .limit(HELP_LIMITS.found)
}

export const search: Verb<typeof contract.search> = async (ctx, { search: asked }) => {
  const words = wordsOf(asked)
  if (words.length === 0) return { rows: [] }
  const rows = await searchStatement(ctx, words)
  return { rows: rows.map(({ text, ...row }) => ({ ...row, summary: excerptOf(text, words) })) }
}

export const readArticle: Verb<typeof contract.article> = async (ctx, { id }) => {
  const mayEdit = ctx.actor.permissions.has('help.edit')
  const [row] = await ctx.db
    .select({ article: articles, categoryName: categories.name })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .where(and(eq(articles.id, id), mayEdit ? undefined : PUBLISHED))
  const { article, categoryName } = found(row)
  const [vote] = await ctx.db
    .select({ useful: helpVotes.useful, comment: helpVotes.comment })
    .from(helpVotes)
    .where(and(eq(helpVotes.articleId, id), eq(helpVotes.accountId, ctx.actor.accountId)))
  return {
    ...article,
    categoryName: categoryName ?? '',
    vote: vote ?? null,
    related: await relatedTo(ctx, article),
  }
}

/** What is opened from the same pages, then what stands in the same category; of release notes none. */
function relatedTo(ctx: Ctx, { id, kind, pages, categoryId }: typeof articles.$inferSelect) {
  if (kind === 'release') return []
  const samePage = pages.length > 0 ? arrayOverlaps(articles.pages, pages) : NONE
  const sameCategory = categoryId === null ? NONE : eq(articles.categoryId, categoryId)
  return ctx.db
    .select({ id: articles.id, title: articles.title })
    .from(articles)
    .where(and(PUBLISHED, ne(articles.id, id), ne(articles.kind, 'release'), or(samePage, sameCategory)))
    .orderBy(desc(samePage), desc(articles.views), desc(articles.id))
    .limit(HELP_LIMITS.related)
}

/** Where two open from one page, it is the one that was published first. */
export async function readPages(ctx: Ctx): Promise<Out<typeof contract.pages>> {
  const page = sql<string>`page`
  const rows = await ctx.db
    .select({ path: page, id: articles.id, title: articles.title })
    .from(articles)
    .crossJoinLateral(sql`unnest(${articles.pages}) page`)
    .where(PUBLISHED)
    .orderBy(asc(articles.publishedAt), asc(articles.id))
  const first = new Map(rows.toReversed().map(row => [row.path, row]))
  return { rows: [...first.values()] }
}

export async function readReleases(ctx: Ctx): Promise<Out<typeof contract.releases>> {
  const { id, title, version, body } = articles
  const rows = await ctx.db
    .select({ id, title, version, body, releasedOn: articles.releasedOn, isNew: isNew(ctx) })
    .from(articles)
    .where(and(PUBLISHED, eq(articles.kind, 'release')))
    .orderBy(...ORDER)
    .limit(RELEASES)
  return { rows: rows.map(row => ({ ...row, releasedOn: row.releasedOn ?? '' })) }
}

const published = async (ctx: Ctx, id: number) => {
  const [row] = await ctx.db
    .select({ id: articles.id, title: articles.title })
    .from(articles)
    .where(and(eq(articles.id, id), PUBLISHED))
    .for('update')
  return found(row)
}

/** Counted once a day for each account. */
export const markOpened: Verb<typeof contract.opened> = async (ctx, { id }) => {
  await published(ctx, id)
  const { accountId, agentId } = ctx.actor
  const counted = await ctx.db
    .insert(helpReads)
    .values({ articleId: id, accountId, agentId, lastOn: formatDay(ctx.now) })
    .onConflictDoUpdate({
      target: [helpReads.articleId, helpReads.accountId],
      set: { lastOn: sql`excluded.last_on` },
      setWhere: sql`${helpReads.lastOn} < excluded.last_on`,
    })
    .returning({ articleId: helpReads.articleId })
  if (counted.length > 0)
    await ctx.db
      .update(articles)
      .set({ views: sql`${articles.views} + 1` })
      .where(eq(articles.id, id))
  return { id }
}

export const castVote: Verb<typeof contract.vote> = async (ctx, { id, useful, comment }) => {
  refuse(refuseVote(comment), VOTE_REFUSALS, { field: 'comment' })
  const { title } = await published(ctx, id)
  const { accountId, agentId, name } = ctx.actor
  const mine = and(eq(helpVotes.articleId, id), eq(helpVotes.accountId, accountId))
  const [before] = await ctx.db.select().from(helpVotes).where(mine)
  const vote = { useful, comment, accountName: name, votedAt: ctx.now.toISOString() }
  await ctx.db
    .insert(helpVotes)
    .values({ articleId: id, accountId, agentId, ...vote })
    .onConflictDoUpdate({ target: [helpVotes.articleId, helpVotes.accountId], set: vote })
  const step = (isThat: boolean) => Number(useful === isThat) - Number(before?.useful === isThat)
  await ctx.db
    .update(articles)
    .set({
      usefulVotes: sql`${articles.usefulVotes} + ${step(true)}`,
      uselessVotes: sql`${articles.uselessVotes} + ${step(false)}`,
    })
    .where(eq(articles.id, id))
  const said = (row: { useful: boolean; comment: string } | undefined) =>
    row ? [row.useful ? '有用' : '没用', row.comment].filter(Boolean).join('：') : null
  ctx.object('help', id)
  ctx.note(`${title} (${id})`, [{ name: '评价', before: said(before), after: said({ useful, comment }) }])
  return { id }
}
