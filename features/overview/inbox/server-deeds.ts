// What the inbox itself does: charge somebody with what waits, and put it off.
import { notify } from '#features/office/notices/server-notify.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, InboxSource, Verb } from '#server/ctx.ts'
import type { InboxShown } from '#server/office/inbox.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { inbox as contract } from './contract.ts'
import { INBOX_REFUSALS, refuseReason, refuseUntil } from './rules.ts'
import { looksAfterAll, peopleFor } from './server-people.ts'
import { houseOf, sourcesFor, stillWaiting } from './server-sources.ts'
import { inboxItems as items } from './tables.ts'

type Named = { source: string; id: number }
type Waiting = { source: InboxSource; thing: InboxShown }

/** A kind that the account does not see is none. */
function seen(ctx: Ctx, keys: readonly string[]): InboxSource[] {
  const sources = sourcesFor(ctx)
  return [...new Set(keys)].map(
    key => sources.find(source => source.key === key) ?? refuseCommon('NOT_FOUND'),
  )
}

/** Those of the named that wait, in the account's sight; refuses where none does. */
async function waitingOf(ctx: Ctx, named: readonly Named[]): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  for (const source of seen(
    ctx,
    named.map(one => one.source),
  )) {
    const ids = await stillWaiting(
      ctx,
      source,
      named.filter(one => one.source === source.key).map(({ id }) => id),
    )
    if (ids.length > 0) for (const thing of await source.shown(ctx, ids)) waiting.push({ source, thing })
  }
  if (waiting.length === 0) refuse('ITEM_GONE', INBOX_REFUSALS)
  return waiting
}

type Noted = Partial<
  Pick<
    typeof items.$inferInsert,
    'assigneeId' | 'assigneeName' | 'snoozedUntil' | 'snoozedByName' | 'snoozeReason'
  >
>

async function note(ctx: Ctx, waiting: readonly Waiting[], noted: Noted): Promise<void> {
  const changed = { ...noted, changedAt: ctx.now.toISOString() }
  const agentId = await houseOf(ctx)
  await ctx.db
    .insert(items)
    .values(
      waiting.map(({ source, thing }) => ({ agentId, source: source.key, itemId: thing.id, ...changed })),
    )
    .onConflictDoUpdate({ target: [items.agentId, items.source, items.itemId], set: changed })
}

function logged(ctx: Ctx, waiting: readonly Waiting[], change: { name: string; after: string | null }): void {
  const [first] = waiting
  if (waiting.length === 1 && first) {
    const { agentId, merchantId, title } = first.thing
    if (agentId !== null) ctx.about(agentId, merchantId)
    ctx.note(`${first.source.label}「${title}」`, [{ ...change, before: null }])
    return
  }
  ctx.note(`${waiting.length} 项待办`, [{ ...change, before: null }])
}

export const listPeople: Verb<typeof contract.people> = async (ctx, { sources }) => {
  const people = await peopleFor(ctx, seen(ctx, sources.split(',')))
  return { rows: people.map(({ id, name }) => ({ id, name })) }
}

export const assign: Verb<typeof contract.assign> = async (ctx, { items: named, accountId }) => {
  const waiting = await waitingOf(ctx, named)
  const assignee = accountId === null ? null : await assigneeOf(ctx, waiting, accountId)
  await note(ctx, waiting, { assigneeId: assignee?.id ?? null, assigneeName: assignee?.name ?? '' })
  logged(ctx, waiting, { name: '负责人', after: assignee?.name ?? '无人负责' })
  if (assignee && assignee.id !== ctx.actor.accountId) {
    const [first] = waiting
    await notify(ctx, {
      accountIds: [assignee.id],
      topic: 'Inbox_Notify',
      title: `${ctx.actor.name}把待办交给您`,
      body:
        waiting.length === 1 && first
          ? `${first.source.label}：${first.thing.title}`
          : `共 ${waiting.length} 项，请到待办查看`,
      link: '/admin/inbox?whose=mine',
      args: {},
    })
  }
  return doneOf(named, waiting)
}

async function assigneeOf(ctx: Ctx, waiting: readonly Waiting[], accountId: number) {
  const people = await peopleFor(ctx, [...new Set(waiting.map(({ source }) => source))])
  const assignee = people.find(({ id }) => id === accountId)
  if (!assignee) return refuse('ASSIGNEE_MAY_NOT', INBOX_REFUSALS, { field: 'accountId' })
  const shops = waiting.flatMap(({ thing }) => thing.merchantId ?? [])
  if (assignee.seesOwnShops && !(await looksAfterAll(ctx, assignee.id, shops)))
    refuse('ASSIGNEE_MAY_NOT', INBOX_REFUSALS, { field: 'accountId' })
  return assignee
}

export const snooze: Verb<typeof contract.snooze> = async (ctx, { items: named, until, reason }) => {
  if (until !== null) refuse(refuseUntil(until, ctx.now), INBOX_REFUSALS, { field: 'until' })
  refuse(refuseReason(reason), INBOX_REFUSALS, { field: 'reason' })
  const waiting = await waitingOf(ctx, named)
  await note(ctx, waiting, {
    snoozedUntil: until === null ? null : new Date(until).toISOString(),
    snoozedByName: until === null ? '' : ctx.actor.name,
    snoozeReason: until === null ? '' : reason.trim(),
  })
  logged(ctx, waiting, {
    name: '推迟到',
    after: until === null ? '不再推迟' : [formatInstant(until), reason.trim()].filter(Boolean).join('，'),
  })
  return doneOf(named, waiting)
}

function doneOf(named: readonly Named[], waiting: readonly Waiting[]): Out<typeof contract.assign> {
  return { done: waiting.length, gone: named.length - waiting.length }
}
