import { enteredText, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageInput, pageOf, whole } from '#kit/declare/page.ts'
import { lineText, madeText, soughtText, writtenText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { RICH_LIMITS } from '#kit/words/rich.ts'
import { HELP_FIELDS, HELP_LIST } from './fields.ts'
import { HELP_KIND_KEYS, HELP_REFUSALS, type HelpState, VOTE_REFUSALS } from './rules.ts'

const kind = z.enum(HELP_KIND_KEYS)
const state = z.enum(['draft', 'published'] satisfies [HelpState, HelpState])
const id = whole(1)
const done = z.object({ id: z.number() })

const Category = z.object({ id: z.number(), name: z.string() })

const Line = z.object({
  id: z.number(),
  kind,
  title: z.string(),
  /** Its beginning, or what stands around what was searched for, in one line. */
  summary: z.string(),
  categoryId: z.number().nullable(),
  version: z.string(),
  releasedOn: z.string().nullable(),
  hasVideo: z.boolean(),
  /** A release note that the account has not opened yet. */
  isNew: z.boolean(),
})

const Vote = z.object({ useful: z.boolean(), comment: z.string() })

const Article = z.object({
  id: z.number(),
  kind,
  state,
  title: z.string(),
  categoryName: z.string(),
  /** Clean HTML. */
  body: z.string(),
  version: z.string(),
  releasedOn: z.string().nullable(),
  /** Of GET /api/large-files/{id}. */
  videoId: z.string().nullable(),
  videoUrl: z.string(),
  updatedAt: z.string(),
  views: z.number(),
  /** How the account has voted. */
  vote: Vote.nullable(),
  related: z.array(z.object({ id: z.number(), title: z.string() })),
})

const edit = 'help.edit'

export const help = {
  home: op(
    { permission: 'session' },
    { method: 'GET', path: '/help', summary: 'What the help centre holds, by kind and category' },
  ).output(z.object({ categories: z.array(Category), articles: z.array(Line) })),
  search: op(
    { permission: 'session' },
    { method: 'GET', path: '/help/search', summary: 'Articles in which every word stands, the best first' },
  )
    .input(z.object({ search: soughtText.max(100).default('') }))
    .output(z.object({ rows: z.array(Line) })),
  /** A draft is shown to who may edit it. */
  article: op(
    { permission: 'session' },
    { method: 'GET', path: '/help/articles/{id}', summary: 'One article in whole' },
  )
    .input(z.object({ id }))
    .output(Article),
  /** Which page opens which article. */
  pages: op(
    { permission: 'session' },
    { method: 'GET', path: '/help/pages', summary: 'The article that each page opens' },
  ).output(z.object({ rows: z.array(z.object({ path: z.string(), id: z.number(), title: z.string() })) })),
  /** The latest release notes, as the start page tells them. */
  releases: op(
    { permission: 'session' },
    { method: 'GET', path: '/help/releases', summary: 'The latest release notes' },
  ).output(
    z.object({
      rows: z.array(
        z.object({
          id: z.number(),
          title: z.string(),
          version: z.string(),
          releasedOn: z.string(),
          body: z.string(),
          isNew: z.boolean(),
        }),
      ),
    }),
  ),
  opened: op(
    { permission: 'session', ephemeral: true, whileSuspended: true },
    { method: 'POST', path: '/help/articles/{id}/opening', summary: 'Say that one reads an article' },
  )
    .input(z.object({ id }))
    .output(done),
  vote: op(
    {
      permission: 'session',
      log: '评价帮助文章',
      whileSuspended: true,
      stale: ['help.article', 'help.votes'],
    },
    { method: 'PUT', path: '/help/articles/{id}/vote', summary: 'Say whether an article was useful' },
  )
    .errors(errorsOf(VOTE_REFUSALS))
    .input(z.object({ id, useful: z.boolean(), comment: enteredText.default('') }))
    .output(done),

  list: op(
    { permission: 'help.manage' },
    { method: 'GET', path: '/help/articles', summary: 'All articles, published or not' },
  )
    .input(z.object(listInput(HELP_LIST)))
    .output(pageOf(z.object(outputShape(HELP_FIELDS, 'row')))),
  details: op(
    { permission: edit },
    { method: 'GET', path: '/help/articles/{id}/form', summary: 'An article as it is edited' },
  )
    .input(z.object({ id }))
    .output(
      Article.omit({ vote: true, related: true, views: true, categoryName: true }).extend({
        categoryId: z.number().nullable(),
        pages: z.array(z.string()),
        revision: z.number(),
      }),
    ),
  /** Those that are offered. */
  categories: op(
    { permission: edit },
    { method: 'GET', path: '/help/categories', summary: 'Categories that an article may have' },
  ).output(z.object({ rows: z.array(Category) })),
  votes: op(
    { permission: 'help.manage', mayLag: true },
    {
      method: 'GET',
      path: '/help/articles/{id}/votes',
      summary: 'Who found an article useful or not, and why',
    },
  )
    .input(z.object({ ...pageInput, id }))
    .output(
      pageOf(
        Vote.extend({
          accountId: z.number(),
          accountName: z.string(),
          companyName: z.string(),
          votedAt: z.string(),
        }),
      ),
    ),
  /** Without an id a new draft. */
  save: op(
    { permission: edit, log: '保存帮助文章', idempotent: true, stale: ['help'] },
    { method: 'POST', path: '/help/articles', summary: 'Write an article, or change one' },
  )
    .errors(errorsOf(HELP_REFUSALS))
    .input(
      z.object({
        id: id.nullable().default(null),
        revision: whole(1).nullable().default(null),
        kind,
        title: lineText.max(500),
        categoryId: whole(1).nullable(),
        version: lineText.max(500),
        releasedOn: madeText.max(10).nullable(),
        videoId: z.uuid().nullable(),
        videoUrl: lineText.max(500),
        pages: z.array(madeText.max(200)).max(100),
        body: writtenText.max(RICH_LIMITS.html),
      }),
    )
    .output(done),
  setState: op(
    { permission: edit, log: '发布或撤回帮助文章', stale: ['help'] },
    { method: 'PUT', path: '/help/articles/{id}/state', summary: 'Publish an article, or withdraw it' },
  )
    .errors(errorsOf(HELP_REFUSALS))
    .input(z.object({ id, step: z.enum(['publish', 'withdraw']) }))
    .output(done),
  remove: op(
    { permission: edit, log: '删除帮助文章', stale: ['help'] },
    { method: 'POST', path: '/help/articles/{id}/removal', summary: 'Delete a draft' },
  )
    .errors(errorsOf(HELP_REFUSALS))
    .input(z.object({ id }))
    .output(done),
}
