import { and, asc, count, desc, eq, ilike, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { type Field, picked } from '#kit/declare/fields.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import { content as contract } from './contract.ts'
import { CONTENT_FIELDS } from './fields.ts'
import {
  CAROUSEL_MOST,
  CAROUSEL_PICTURE,
  CONTENT_KINDS,
  CONTENT_REFUSALS,
  type ContentKind,
  refuseContent,
  summaryOf,
} from './rules.ts'
import { contentItems as items } from './tables.ts'

type Row = typeof items.$inferSelect

const LOGGED = {
  ...picked(CONTENT_FIELDS, ['title', 'body', 'link', 'publishedAt']),
  enabled: { kind: 'flag', label: '启用' },
} as const satisfies Partial<Record<keyof Row, Field>>
const NOTICES_SHOWN = 10

/** The carousel is in the order that staff gave it, everything else the latest first. */
const orderOf = (kind: ContentKind) =>
  kind === 'carousel' ? [asc(items.position), asc(items.id)] : [desc(items.publishedAt), desc(items.id)]

/** What partners may see now. */
const isPublic = (kind: ContentKind) =>
  and(eq(items.kind, kind), eq(items.enabled, true), lte(items.publishedAt, sql`now()`))

export async function shown(ctx: Ctx): Promise<Out<typeof contract.shown>> {
  const carousel = await latest(ctx, 'carousel', CAROUSEL_MOST)
  const notices = await listNotices(ctx, { page: 1, size: NOTICES_SHOWN })
  return { carousel, notices }
}

function latest(ctx: Ctx, kind: ContentKind, most: number): Promise<Row[]> {
  return ctx.db
    .select()
    .from(items)
    .where(isPublic(kind))
    .orderBy(...orderOf(kind))
    .limit(most)
}

export const listNotices: Verb<typeof contract.notices> = async (ctx, { page, size }) => {
  const { rows, ...totals } = await pageOfItems(ctx, isPublic('notice'), { kind: 'notice', page, size })
  return { rows: rows.map(row => ({ ...row, summary: summaryOf(row.body) })), ...totals }
}

export const readItem: Verb<typeof contract.item> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(items)
    .where(and(eq(items.id, id), eq(items.enabled, true), lte(items.publishedAt, sql`now()`)))
  return found(row)
}

export const listContent: Verb<typeof contract.list> = (ctx, input) => {
  return pageOfItems(ctx, and(eq(items.kind, input.kind), matches(input.search)), input)
}

/** The vendor's own texts: hundreds of rows, read as they are. */
async function pageOfItems(
  ctx: Ctx,
  where: SQL | undefined,
  { kind, page, size }: { kind: ContentKind; page: number; size: number },
) {
  const rows = await ctx.db
    .select()
    .from(items)
    .where(where)
    .orderBy(...orderOf(kind))
    .limit(size)
    .offset((page - 1) * size)
  const [counted] = await ctx.db.select({ total: count() }).from(items).where(where)
  return { rows, total: counted?.total ?? 0, totalCapped: false }
}

function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(ilike(items.title, pattern), ilike(items.body, pattern))
}

export const saveContent: Verb<typeof contract.save> = async (ctx, input) => {
  const { id, updatedAt, ...form } = input
  const broken = refuseContent(form)
  if (broken) refuse(broken.code, CONTENT_REFUSALS, { field: broken.field })
  const now = ctx.now.toISOString()
  const isCarousel = form.kind === 'carousel'
  const values = {
    ...form,
    pictureId: isCarousel ? form.pictureId : null,
    publishedAt: new Date(form.publishedAt).toISOString(),
    updatedAt: now,
  }
  if (id !== null) return changeItem(ctx, { id, updatedAt, values })
  await refuseUnknownPicture(ctx, values.pictureId, null)
  const [{ last } = { last: 0 }] = await ctx.db
    .select({ last: sql<number>`coalesce(max(${items.position}), 0)::int` })
    .from(items)
    .where(eq(items.kind, form.kind))
  const [added] = await ctx.db
    .insert(items)
    .values({ ...values, position: last + 1, createdBy: ctx.actor.accountId, createdByName: ctx.actor.name })
    .returning()
  const row = found(added)
  ctx.object('content', row.id)
  ctx.note(subjectOf(row), [{ name: '新增', before: null, after: CONTENT_KINDS[row.kind] }])
  return { id: row.id }
}

type Values = Pick<
  Row,
  'kind' | 'title' | 'body' | 'pictureId' | 'link' | 'enabled' | 'publishedAt' | 'updatedAt'
>

async function changeItem(
  ctx: Ctx,
  { id, updatedAt, values }: { id: number; updatedAt: string | null; values: Values },
): Promise<{ id: number }> {
  const before = await lockItem(ctx, id)
  if (before.updatedAt !== updatedAt || before.kind !== values.kind) refuseCommon('STALE')
  await refuseUnknownPicture(ctx, values.pictureId, before.pictureId)
  await ctx.db.update(items).set(values).where(eq(items.id, id))
  ctx.object('content', id)
  ctx.note(subjectOf(before), [
    ...changesOf(before, values, LOGGED).map(shortened),
    ...(before.pictureId === values.pictureId ? [] : [{ name: '图片', before: null, after: '已修改' }]),
  ])
  return { id }
}

/** The log keeps the beginning of long texts. */
function shortened(change: FieldChange): FieldChange {
  const short = (value: FieldChange['before']) => value && summaryOf(value)
  return { ...change, before: short(change.before), after: short(change.after) }
}

export const setEnabled: Verb<typeof contract.setEnabled> = async (ctx, { id, enabled }) => {
  const before = await lockItem(ctx, id)
  await ctx.db.update(items).set({ enabled, updatedAt: ctx.now.toISOString() }).where(eq(items.id, id))
  ctx.object('content', id)
  ctx.note(subjectOf(before), changesOf(before, { enabled }, LOGGED))
  return { id, enabled }
}

export const reorder: Verb<typeof contract.reorder> = async (ctx, { ids }) => {
  const rows = await ctx.db
    .select({ id: items.id })
    .from(items)
    .where(eq(items.kind, 'carousel'))
    .orderBy(asc(items.id))
    .for('update')
  const isWhole = new Set(ids).size === ids.length && ids.length === rows.length
  if (!isWhole || rows.some(({ id }) => !ids.includes(id))) refuse('ORDER_CHANGED', CONTENT_REFUSALS)
  await ctx.db
    .update(items)
    .set({ position: sql`array_position(${sql.param(ids)}::bigint[], ${items.id})` })
    .where(inArray(items.id, ids))
  ctx.object('content', ...ids)
  ctx.note('轮播图', [{ name: '顺序', before: null, after: ids.join(' ') }])
  return { ids }
}

async function lockItem(ctx: Ctx, id: number): Promise<Row> {
  const [row] = await ctx.db.select().from(items).where(eq(items.id, id)).for('update')
  return found(row)
}

const subjectOf = ({ id, title }: Pick<Row, 'id' | 'title'>) => `${title} (${id})`

async function refuseUnknownPicture(ctx: Ctx, id: string | null, current: string | null): Promise<void> {
  if (id === null || id === current || (await isUploaded(ctx, id, CAROUSEL_PICTURE))) return
  refuse('PICTURE_UNKNOWN', CONTENT_REFUSALS, { field: 'pictureId' })
}

export const contentRouter = serve(contract, {
  shown,
  notices: listNotices,
  item: readItem,
  list: listContent,
  save: saveContent,
  setEnabled,
  reorder,
})
