import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { ColumnSetting } from '#kit/declare/columns.ts'
import type { Out } from '#kit/declare/op.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { views as contract } from './contract.ts'
import { LISTS_MAX, REFUSALS, refuseAnother, refuseChange, refuseName, refuseShare } from './rules.ts'
import { listColumns, savedViews } from './tables.ts'

/** Names the lock under which an agent's views are counted and named. */
const VIEWS_LOCK = 7_211_011

type View = typeof savedViews.$inferSelect

const LOGGED = {
  name: { kind: 'text', label: '名称' },
  isShared: { kind: 'flag', label: '共享' },
} as const

const conditionsCount = (params: Readonly<Record<string, string>>) =>
  countText(Object.keys(params).length, '项')

/** Staff of the vendor too see their own agent's alone. */
const ownAgent = (ctx: Ctx) => eq(savedViews.agentId, ctx.actor.agentId)

function seenViews(ctx: Ctx, list: string) {
  const seen = or(eq(savedViews.accountId, ctx.actor.accountId), savedViews.isShared)
  return ctx.db
    .select()
    .from(savedViews)
    .where(and(ownAgent(ctx), eq(savedViews.list, list), seen))
    .orderBy(asc(savedViews.isShared), asc(savedViews.id))
}

const listViews: Verb<typeof contract.list> = async (ctx, { list }) => {
  const rows = await seenViews(ctx, list)
  return { rows: rows.map(view => shown(ctx, view)) }
}

const saveView: Verb<typeof contract.save> = async (ctx, input) => {
  const { accountId, agentId, isOwner } = ctx.actor
  refuse(refuseShare(input.isShared, isOwner), REFUSALS)
  await lockViews(ctx)
  const seen = await seenViews(ctx, input.list)
  refuse(refuseName(input.name, namesOf(seen)), REFUSALS, { field: 'name' })
  refuse(refuseAnother(seen.filter(view => view.accountId === accountId).length), REFUSALS)
  const { list, params, columns, isShared } = input
  const name = input.name.trim()
  const [view] = await ctx.db
    .insert(savedViews)
    .values({ accountId, agentId, list, name, params, columns, isShared, createdAt: sql`now()` })
    .returning()
  ctx.note(`${name} (${list})`, [{ name: '筛选条件', before: null, after: conditionsCount(params) }])
  return shown(ctx, found(view))
}

const changeView: Verb<typeof contract.change> = async (ctx, input) => {
  await lockViews(ctx)
  const view = await findView(ctx, input.id)
  refuse(refuseChange(view, ctx.actor), REFUSALS)
  refuse(refuseShare(input.isShared ?? false, ctx.actor.isOwner), REFUSALS)
  if (input.name !== undefined) {
    const others = (await seenViews(ctx, view.list)).filter(other => other.id !== view.id)
    refuse(refuseName(input.name, namesOf(others)), REFUSALS, { field: 'name' })
  }
  const after = {
    name: input.name?.trim() ?? view.name,
    params: input.params ?? view.params,
    columns: input.columns === undefined ? view.columns : input.columns,
    isShared: input.isShared ?? view.isShared,
  }
  const [changed] = await ctx.db
    .update(savedViews)
    .set(after)
    .where(and(ownAgent(ctx), eq(savedViews.id, view.id)))
    .returning()
  const isOther = (key: 'params' | 'columns') => JSON.stringify(view[key]) !== JSON.stringify(after[key])
  ctx.note(`${view.name} (${view.list})`, [
    ...changesOf<Partial<View>>(view, after, LOGGED),
    ...(isOther('params')
      ? [{ name: '筛选条件', before: conditionsCount(view.params), after: conditionsCount(after.params) }]
      : []),
    ...(isOther('columns') ? [{ name: '列设置', before: null, after: '已修改' }] : []),
  ])
  return shown(ctx, found(changed))
}

const removeView: Verb<typeof contract.remove> = async (ctx, { id }) => {
  const view = await findView(ctx, id)
  refuse(refuseChange(view, ctx.actor), REFUSALS)
  await ctx.db.delete(savedViews).where(and(ownAgent(ctx), eq(savedViews.id, id)))
  ctx.object('view', id)
  ctx.note(`${view.name} (${view.list})`, [{ name: '视图', before: view.name, after: null }])
  return { id }
}

/** The view, where the acting account can see it. */
async function findView(ctx: Ctx, id: number): Promise<View> {
  const seen = or(eq(savedViews.accountId, ctx.actor.accountId), savedViews.isShared)
  const [view] = await ctx.db
    .select()
    .from(savedViews)
    .where(and(ownAgent(ctx), eq(savedViews.id, id), seen))
  return found(view)
}

async function lockViews(ctx: Ctx): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(${VIEWS_LOCK}, ${ctx.actor.agentId}::int)`)
}

function namesOf(views: readonly View[]): string[] {
  return views.map(({ name }) => name)
}

function shown(ctx: Ctx, view: View) {
  const { id, name, params, columns, isShared } = view
  return { id, name, params, columns, isShared, mayChange: refuseChange(view, ctx.actor) === null }
}

const ownColumns = (ctx: Ctx) =>
  and(eq(listColumns.agentId, ctx.actor.agentId), eq(listColumns.accountId, ctx.actor.accountId))

async function columnsOf(ctx: Ctx): Promise<Out<typeof contract.columns>> {
  const rows = await ctx.db
    .select({ list: listColumns.list, columns: listColumns.columns })
    .from(listColumns)
    .where(ownColumns(ctx))
  return { rows }
}

const setColumns: Verb<typeof contract.setColumns> = async (ctx, { list, columns }) => {
  const { accountId, agentId } = ctx.actor
  const [before] = await ctx.db
    .select({ columns: listColumns.columns })
    .from(listColumns)
    .where(and(ownColumns(ctx), eq(listColumns.list, list)))
  if (JSON.stringify(before?.columns ?? []) === JSON.stringify(columns)) ctx.nothingChanged()
  if (columns.length === 0)
    await ctx.db.delete(listColumns).where(and(ownColumns(ctx), eq(listColumns.list, list)))
  else {
    const others = await ctx.db.$count(listColumns, and(ownColumns(ctx), sql`${listColumns.list} <> ${list}`))
    if (others >= LISTS_MAX) refuse('TOO_MANY_LISTS', REFUSALS)
    await ctx.db
      .insert(listColumns)
      .values({ accountId, agentId, list, columns })
      .onConflictDoUpdate({ target: [listColumns.accountId, listColumns.list], set: { columns } })
  }
  ctx.note(list, [
    { name: '列的安排', before: arrangementText(before?.columns ?? []), after: arrangementText(columns) },
  ])
  return { list, columns }
}

/** How much was arranged; what the columns are called, lists of later features say. */
function arrangementText(columns: readonly ColumnSetting[]): string {
  if (columns.length === 0) return '默认'
  const hidden = columns.filter(column => column.hidden).length
  const wide = columns.filter(column => column.width !== undefined).length
  return `共 ${columns.length} 列，隐藏 ${hidden} 列，调整宽度 ${wide} 列`
}

export const viewsRouter = serve(contract, {
  columns: columnsOf,
  setColumns,
  list: listViews,
  save: saveView,
  change: changeView,
  remove: removeView,
})
