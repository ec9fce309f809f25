// The same change of one or many demands, deletion and its undoing.
import { eq } from 'drizzle-orm'
import type { In } from '#kit/declare/op.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { demands as contract } from './contract.ts'
import { LOGGED_FIELDS } from './fields.ts'
import { DEMAND_REFUSALS, refuseChange } from './rules.ts'
import {
  type Demand,
  lockDemand,
  lockDemands,
  record,
  subjectOf,
  subscribe,
  tellSubscribers,
  vendorPeople,
} from './server-rows.ts'
import { statusText } from './server-save.ts'
import { tellOnline, weigh } from './server-weight.ts'
import { demands } from './tables.ts'

type Wanted = Omit<In<typeof contract.change>, 'ids'>
type Named = { wanted: Wanted; people: ReadonlyMap<number, string> }

export const change: Verb<typeof contract.change> = async (ctx, { ids, ...wanted }) => {
  const people = new Map((await vendorPeople(ctx)).map(({ id, name }) => [id, name]))
  if (wanted.ownerId !== undefined && !people.has(wanted.ownerId))
    refuse('OWNER_REQUIRED', DEMAND_REFUSALS, { field: 'ownerId' })
  if (wanted.deadline && Date.parse(wanted.deadline) < ctx.now.getTime())
    refuse('DEADLINE_PAST', DEMAND_REFUSALS, { field: 'deadline' })
  const locked = new Map((await lockDemands(ctx, ids)).map(row => [row.id, row]))
  if (locked.size === 0) refuseCommon('NOT_FOUND')
  const rows = []
  const noted: FieldChange[] = []
  const changed: Demand[] = []
  const online: Demand[] = []
  for (const id of new Set(ids)) {
    const row = locked.get(id)
    const code = row && refuseChange(row)
    rows.push({
      id,
      title: row?.title ?? '',
      refusal: code ? DEMAND_REFUSALS[code] : row ? null : '需求不存在',
    })
    if (!row || code) continue
    const changes = await changeOne(ctx, row, { wanted, people })
    if (changes.length > 0) changed.push(row)
    if (wanted.status === 'online' && row.status !== 'online') online.push(row)
    noted.push(
      ...(locked.size === 1 ? changes : changes.map(one => ({ ...one, name: `${row.title}：${one.name}` }))),
    )
  }
  if (changed.length === 0) ctx.nothingChanged()
  await tellOnline(ctx, online)
  await weigh(
    ctx,
    changed.map(({ id }) => id),
  )
  ctx.object('demand', ...locked.keys())
  const [first] = locked.values()
  ctx.note(locked.size === 1 && first ? subjectOf(first) : `${locked.size} 个需求`, noted)
  return { rows }
}

/** Changes a locked one, notes it in its log and tells of it; answers what has changed. */
async function changeOne(ctx: Ctx, before: Demand, { wanted, people }: Named): Promise<FieldChange[]> {
  const given = Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined),
  ) as Wanted
  const deadline = given.deadline ? new Date(given.deadline).toISOString() : given.deadline
  const after = { ...given, ...('deadline' in given ? { deadline } : {}) } as Partial<Demand>
  const nameOf = (id: number) => people.get(id) ?? String(id)
  const changes = changesOf(
    { ...before, ownerName: nameOf(before.ownerId) },
    { ...after, ...(given.ownerId === undefined ? {} : { ownerName: nameOf(given.ownerId) }) },
    LOGGED_FIELDS as object,
  )
  if (changes.length === 0) return changes
  await ctx.db
    .update(demands)
    .set({ ...after, revision: before.revision + 1 })
    .where(eq(demands.id, before.id))
  await record(ctx, before.id, { title: '修改了需求', changes })
  if (given.ownerId !== undefined) await subscribe(ctx, before.id, [given.ownerId])
  if (given.status && given.status !== before.status)
    await tellSubscribers(ctx, before, statusText(before, before.status, given.status))
  return changes
}

export const remove: Verb<typeof contract.remove> = async (ctx, { id }) => {
  const before = await lockDemand(ctx, id)
  refuse(refuseChange(before), DEMAND_REFUSALS)
  await ctx.db
    .update(demands)
    .set({ deletedAt: ctx.now.toISOString(), deletedByName: ctx.actor.name })
    .where(eq(demands.id, id))
  await record(ctx, id, { title: '删除了需求' })
  ctx.object('demand', id)
  ctx.note(subjectOf(before), [{ name: '需求', before: before.title, after: '已删除' }])
  return { id }
}

export const restore: Verb<typeof contract.restore> = async (ctx, { id }) => {
  const before = await lockDemand(ctx, id)
  ctx.object('demand', id)
  // Pressed twice, or by two people.
  if (before.deletedAt === null) {
    ctx.nothingChanged()
    return { id }
  }
  await ctx.db.update(demands).set({ deletedAt: null, deletedByName: '' }).where(eq(demands.id, id))
  await record(ctx, id, { title: '恢复了需求' })
  ctx.note(subjectOf(before), [{ name: '需求', before: '已删除', after: '已恢复' }])
  return { id }
}
