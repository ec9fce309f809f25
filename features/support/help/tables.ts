import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import { type HelpKind, type HelpState, SHIPPED_MOST } from './rules.ts'

// In no list: edited with the reference data.
export const helpCategories = pgTable('help_categories', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  retiredAt: instant('retired_at'),
})

/** What the vendor tells of how things are done; of no agent. */
export const helpArticles = pgTable(
  'help_articles',
  {
    // Those before come with the program.
    id: whole('id')
      .primaryKey()
      .generatedByDefaultAsIdentity({ startWith: SHIPPED_MOST + 1 }),
    kind: text('kind').$type<HelpKind>().notNull(),
    state: text('state').$type<HelpState>().notNull(),
    title: text('title').notNull(),
    // No field: shown by its name.
    categoryId: integer('category_id').references(() => helpCategories.id),
    /** Clean HTML (server/texts). */
    // No field: shown by its words.
    body: text('body').notNull().default(''),
    /** The words of it. */
    bodyText: text('body_text').notNull().default(''),
    /** Of a release note. */
    version: text('version').notNull().default(''),
    releasedOn: date('released_on'),
    // No field: whose bytes are shown.
    videoId: uuid('video_id').references(() => files.id),
    videoUrl: text('video_url').notNull().default(''),
    /** Paths of the pages from which it is opened. */
    // No field: shown as pagesText.
    pages: text('pages').array().notNull().default([]),
    /** Accounts that opened it, each once a day. */
    views: integer('views').notNull().default(0),
    usefulVotes: integer('useful_votes').notNull().default(0),
    uselessVotes: integer('useless_votes').notNull().default(0),
    /** Since when it is seen; null: it is not. */
    publishedAt: instant('published_at'),
    createdByName: text('created_by_name').notNull(),
    updatedByName: text('updated_by_name').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Counts edits, so that a stale page cannot overwrite a newer one. */
    revision: integer('revision').notNull().default(1),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(title || chr(31) || version || chr(31) || body_text)`),
  },
  table => [
    index('help_articles_updated_at').on(table.updatedAt, table.id),
    index('help_articles_views').on(table.views, table.id),
    index('help_articles_kind').on(table.kind, table.updatedAt, table.id),
    index('help_articles_category_id').on(table.categoryId),
    index('help_articles_video_id').on(table.videoId),
    index('help_articles_pages').using('gin', table.pages),
    index('help_articles_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

const ofArticle = () =>
  whole('article_id')
    .notNull()
    .references(() => helpArticles.id, { onDelete: 'cascade' })

const byAccount = () => ({
  agentId: whole('agent_id').notNull(),
  accountId: whole('account_id')
    .notNull()
    .references(() => accounts.id),
})

/** Whether it was useful, once for each account. */
// In no list: beside one article, counted on it.
export const helpVotes = pgTable(
  'help_votes',
  {
    articleId: ofArticle(),
    ...byAccount(),
    accountName: text('account_name').notNull(),
    useful: boolean('useful').notNull(),
    comment: text('comment').notNull().default(''),
    votedAt: instant('voted_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.articleId, table.accountId] }),
    index('help_votes_voted_at').on(table.articleId, table.votedAt),
    index('help_votes_account_id').on(table.accountId),
  ],
)

/** Who has opened it, and on which day the last time. */
// In no list: beside one article, counted on it.
export const helpReads = pgTable(
  'help_reads',
  { articleId: ofArticle(), ...byAccount(), lastOn: date('last_on').notNull() },
  table => [
    primaryKey({ columns: [table.articleId, table.accountId] }),
    index('help_reads_account_id').on(table.accountId),
  ],
)

/** The pictures that stand in articles. */
// In no list: beside one article, counted on it.
export const helpPictures = pgTable(
  'help_pictures',
  {
    articleId: ofArticle(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
  },
  table => [
    primaryKey({ columns: [table.articleId, table.fileId] }),
    index('help_pictures_file_id').on(table.fileId),
  ],
)
