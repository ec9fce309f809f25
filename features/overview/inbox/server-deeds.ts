// What the inbox itself does: charge somebody with what waits, and put it off. Each thing for itself: of two people who take one at once
// the first has it, and the second is told who was.
import { and, eq, or } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, InboxSource, Verb } from '#server/ctx.ts'
import type { InboxShown } from '#server/office/inbox.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { inbox as contract } from './contract.ts'
import { firstText, INBOX_REFUSALS, refuseReason, refuseUntil } from './rules.ts'
import { looksAfterAll, peopleFor } from './server-people.ts'
import { houseOf, sourcesFor, stillWaiting } from './server-sources.ts'
import { inboxItems as items } from './tables.ts'

type Named = In<typeof contract.assign>['items'][number]
type Waiting = { source: InboxSource; thing: InboxShown; named: Named }
type Refused = { named: Named; title: string; refusal: string }
/** Of what was named: what waits, and why nothing is done with the rest. */
type Sorted = { waiting: Waiting[]; refused: Refused[] }

/** A kind that the account does not see is none. */
function seen(ctx: Ctx, keys: readonly string[]): InboxSource[] {
  const sources = sourcesFor(ctx).filter(({ key }) => keys.includes(key))
  return sources.length > 0 ? sources : refuseCommon('NOT_FOUND')
}

/** Those of the named that wait, in the account's sight; refuses where none does. */
async function waitingOf(ctx: Ctx, all: readonly Named[]): Promise<Sorted> {
  const waiting: Waiting[] = []
  for (const source of seen(
    ctx,
    all.map(one => one.source),
  )) {
    const ofSource = all.filter(one => one.source === source.key)
    const ids = await stillWaiting(
      ctx,
      source,
      ofSource.map(({ id }) => id),
    )
    const things = ids.length > 0 ? await source.shown(ctx, ids) : []
    for (const thing of things)
      waiting.push({ source, thing, named: ofSource.find(({ id }) => id === thing.id) as Named })
  }
  if (waiting.length === 0) refuse('ITEM_GONE', INBOX_REFUSALS)
  const gone = all.filter(named => waiting.every(one => !isSame(one.named, named)))
  const refusal = INBOX_REFUSALS.ITEM_GONE
  return { waiting, refused: gone.map(named => ({ named, title: '', refusal })) }
}

const isSame = (one: Named, other: Named) => one.source === other.source && one.id === other.id

/** Puts aside what a colleague was first with. Rows are locked in one order, so that of two who take one at once the second sees the first. */
async function refuseTaken(ctx: Ctx, { waiting, refused }: Sorted, meant: number | null): Promise<Sorted> {
  const agentId = await houseOf(ctx)
  const keys = waiting.map(({ named: { source, id } }) => ({ agentId, source, itemId: id }))
  keys.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : a.itemId - b.itemId))
  await ctx.db
    .insert(items)
    .values(keys.map(key => ({ ...key, changedAt: ctx.now.toISOString() })))
    .onConflictDoNothing()
  const noted = await ctx.db
    .select({ item: items, enabled: accounts.enabled })
    .from(items)
    .leftJoin(accounts, eq(accounts.id, items.assigneeId))
    .where(
      and(
        eq(items.agentId, agentId),
        or(...keys.map(({ source, itemId }) => and(eq(items.source, source), eq(items.itemId, itemId)))),
      ),
    )
    .orderBy(items.source, items.itemId)
    .for('update', { of: items })
  const shown = formatInstant
  const firstOf = ({ named }: Waiting) => {
    const found = noted.find(({ item }) => item.source === named.source && item.itemId === named.id)
    if (!found) return null
    // Whoever is locked out has nothing any more.
    const assigneeId = found.enabled ? found.item.assigneeId : null
    const isOver = (found.item.snoozedUntil ?? '') <= ctx.now.toISOString()
    const snoozedUntil = isOver ? null : found.item.snoozedUntil
    return firstText({ ...found.item, assigneeId, snoozedUntil }, sameInstant(named), { meant, shown })
  }
  const judged = waiting.map(one => ({ one, refusal: firstOf(one) }))
  return {
    waiting: judged.filter(({ refusal }) => refusal === null).map(({ one }) => one),
    refused: [
      ...refused,
      ...judged.flatMap(({ one, refusal }) =>
        refusal === null ? [] : [{ named: one.named, title: one.thing.title, refusal }],
      ),
    ],
  }
}

/** An instant may be written in several ways. */
function sameInstant({ assigneeId, snoozedUntil }: Named) {
  return { assigneeId, snoozedUntil: snoozedUntil && new Date(snoozedUntil).toISOString() }
}

type Noted = Partial<
  Pick<
    typeof items.$inferInsert,
    'assigneeId' | 'assigneeName' | 'snoozedUntil' | 'snoozedByName' | 'snoozeReason'
  >
>

async function note(ctx: Ctx, waiting: readonly Waiting[], noted: Noted): Promise<void> {
  if (waiting.length === 0) return ctx.nothingChanged()
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
  const all = await waitingOf(ctx, named)
  const assignee = accountId === null ? null : await assigneeOf(ctx, all.waiting, accountId)
  const sorted = await refuseTaken(ctx, all, accountId)
  const { waiting } = sorted
  await note(ctx, waiting, { assigneeId: assignee?.id ?? null, assigneeName: assignee?.name ?? '' })
  logged(ctx, waiting, { name: '负责人', after: assignee?.name ?? '无人负责' })
  if (assignee && waiting.length > 0 && assignee.id !== ctx.actor.accountId) {
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
  return doneOf(sorted)
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
  const sorted = await refuseTaken(ctx, await waitingOf(ctx, named), ctx.actor.accountId)
  const { waiting } = sorted
  await note(ctx, waiting, {
    snoozedUntil: until === null ? null : new Date(until).toISOString(),
    snoozedByName: until === null ? '' : ctx.actor.name,
    snoozeReason: until === null ? '' : reason.trim(),
  })
  logged(ctx, waiting, {
    name: '推迟到',
    after: until === null ? '不再推迟' : [formatInstant(until), reason.trim()].filter(Boolean).join('，'),
  })
  return doneOf(sorted)
}

function doneOf({ waiting, refused }: Sorted): Out<typeof contract.assign> {
  return {
    rows: [
      ...waiting.map(({ named: { source, id }, thing: { title } }) => ({ source, id, title, refusal: null })),
      ...refused.map(({ named: { source, id }, title, refusal }) => ({ source, id, title, refusal })),
    ],
  }
}
