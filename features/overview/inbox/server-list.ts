// The list: a page of what waits over all kinds, in the words of each, with what the inbox has noted of it.
import { and, eq, inArray } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import type { Ctx, InboxSource, Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { settingOf } from '#server/office/settings.ts'
import type { inbox as contract } from './contract.ts'
import { dueOf, SHELL_COUNTED, WHOSE_AT_FIRST } from './rules.ts'
import { countItems, type Found, houseOf, mayDecide, pageOfItems, sourcesFor } from './server-sources.ts'
import { inboxItems as items } from './tables.ts'

type Row = Out<typeof contract.list>['rows'][number]

export const listInbox: Verb<typeof contract.list> = async (
  ctx,
  { whose = WHOSE_AT_FIRST, kind, ...asked },
) => {
  const all = sourcesFor(ctx)
  const chosen = all.filter(({ label }) => kind === undefined || label === kind)
  const [found, counts] = await together([
    pageOfItems(ctx, chosen, { whose, ...asked }),
    countItems(ctx, all, whose, COUNT_CAP),
  ])
  const countOf = (source: InboxSource) => counts.find(one => one.source === source.key)?.count ?? 0
  const total = chosen.reduce((sum, source) => sum + Math.min(countOf(source), COUNT_CAP), 0)
  return {
    rows: await rowsOf(ctx, all, found),
    total: Math.min(total, COUNT_CAP),
    totalCapped: total > COUNT_CAP || chosen.some(source => countOf(source) > COUNT_CAP),
    kinds: all.map(source => ({
      label: source.label,
      count: Math.min(countOf(source), COUNT_CAP),
      capped: countOf(source) > COUNT_CAP,
    })),
  }
}

async function rowsOf(ctx: Ctx, sources: readonly InboxSource[], found: readonly Found[]): Promise<Row[]> {
  const shown = sources.flatMap(source => {
    const ids = found.filter(one => one.source === source.key).map(({ id }) => id)
    return ids.length > 0 ? [{ source, ids }] : []
  })
  const house = await houseOf(ctx)
  const [told, noted, hours] = await together([
    together(shown.map(({ source, ids }) => source.shown(ctx, ids))),
    together(shown.map(({ source, ids }) => notedOf(ctx, house, source.key, ids))),
    together(
      shown.map(({ source }) => (source.within ? settingOf(ctx, source.within) : Promise.resolve(null))),
    ),
  ])
  return found.flatMap(({ source: key, id, since }): Row[] => {
    const at = shown.findIndex(({ source }) => source.key === key)
    const source = shown[at]?.source
    const thing = told[at]?.find(one => one.id === id)
    // What was done between the two statements is gone.
    if (!source || !thing) return []
    const note = noted[at]?.find(one => one.itemId === id)
    const within = hours[at] ?? null
    return [
      {
        ...thing,
        key: `${key}:${id}`,
        source: key,
        kind: source.label,
        about: thing.about ?? '',
        since,
        dueAt: within === null ? null : dueOf(since, within),
        assigneeId: note?.assigneeId ?? null,
        assigneeName: note?.assigneeName ?? '',
        snoozedUntil: note?.snoozedUntil ?? null,
        snoozedByName: note?.snoozedByName ?? '',
        snoozeReason: note?.snoozeReason ?? '',
        mayDecide: mayDecide(ctx, source),
      },
    ]
  })
}

function notedOf(ctx: Ctx, house: number, source: string, ids: readonly number[]) {
  return ctx.db
    .select()
    .from(items)
    .where(and(eq(items.agentId, house), eq(items.source, source), inArray(items.itemId, [...ids])))
}

export async function countInbox(ctx: Ctx): Promise<Out<typeof contract.count>> {
  const counts = await countItems(ctx, sourcesFor(ctx), WHOSE_AT_FIRST, SHELL_COUNTED)
  const waiting = counts.reduce((sum, { count }) => sum + count, 0)
  return { waiting: Math.min(waiting, SHELL_COUNTED), capped: waiting > SHELL_COUNTED }
}
