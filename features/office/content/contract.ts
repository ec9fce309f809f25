import { listInput } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { flag, pageInput, pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { CAROUSEL } from './fields.ts'
import { CONTENT_KIND_KEYS, CONTENT_REFUSALS, REORDER_MOST } from './rules.ts'

const kind = z.enum(CONTENT_KIND_KEYS)

export const CarouselCard = z.object({
  id: z.number(),
  title: z.string(),
  body: z.string(),
  /** Of GET /api/files/{id}; null: the words alone. */
  pictureId: z.string().nullable(),
  /** Path of our own page, or empty. */
  link: z.string(),
})

const NoticeLine = z.object({
  id: z.number(),
  title: z.string(),
  /** Its beginning, in one line. */
  summary: z.string(),
  publishedAt: z.string(),
})

const Article = z.object({
  id: z.number(),
  kind,
  title: z.string(),
  /** Plain text; lines stay lines. */
  body: z.string(),
  link: z.string(),
  publishedAt: z.string(),
})

export const ContentRow = Article.extend({
  pictureId: z.string().nullable(),
  position: z.number(),
  enabled: z.boolean(),
  createdByName: z.string(),
  updatedAt: madeText,
})

export const content = {
  /** What the dashboard shows: the carousel, the first page of notices. */
  shown: op(
    { permission: 'session' },
    { method: 'GET', path: '/content/shown', summary: 'What all partners see' },
  ).output(
    z.object({
      carousel: z.array(CarouselCard),
      notices: pageOf(NoticeLine),
    }),
  ),
  notices: op(
    { permission: 'session', forKeys: true },
    { method: 'GET', path: '/content/notices', summary: 'Notices, the latest first' },
  )
    .input(z.object(pageInput))
    .output(pageOf(NoticeLine)),
  item: op({ permission: 'session' }, { method: 'GET', path: '/content/items/{id}', summary: 'One notice' })
    .input(z.object({ id: whole(1) }))
    .output(Article),
  list: op(
    { permission: 'content.manage' },
    { method: 'GET', path: '/content', summary: 'All entries of a kind, shown or not' },
  )
    .input(z.object({ ...listInput(CAROUSEL), kind: kind.default('carousel') }))
    .output(pageOf(ContentRow)),
  save: op(
    { permission: 'content.manage', log: '编辑内容', idempotent: true, stale: ['content'] },
    { method: 'POST', path: '/content', summary: 'Add an entry, or change one' },
  )
    .errors(errorsOf(CONTENT_REFUSALS))
    .input(
      z.object({
        id: whole(1).nullable(),
        /** Of the row that was edited; null for a new one. */
        updatedAt: madeText.max(40).nullable(),
        kind,
        title: lineText.max(500),
        body: linesText.max(20_000),
        pictureId: z.uuid().nullable().default(null),
        link: lineText.max(500).default(''),
        enabled: flag(),
        publishedAt: madeText.max(40),
      }),
    )
    .output(z.object({ id: z.number() })),
  setEnabled: op(
    { permission: 'content.manage', log: '启用或停用内容', stale: ['content'] },
    { method: 'POST', path: '/content/{id}/enabled', summary: 'Show an entry, or hide it' },
  )
    .input(z.object({ id: whole(1), enabled: flag() }))
    .output(z.object({ id: z.number(), enabled: z.boolean() })),
  /** The whole carousel in its new order. */
  reorder: op(
    { permission: 'content.manage', log: '轮播图排序', stale: ['content'] },
    { method: 'POST', path: '/content/order', summary: 'Put the carousel in order' },
  )
    .errors(errorsOf(CONTENT_REFUSALS))
    .input(z.object({ ids: z.array(whole(1)).min(1).max(REORDER_MOST) }))
    .output(z.object({ ids: z.array(z.number()) })),
}

export type ContentRow = Out<typeof content.list>['rows'][number]
