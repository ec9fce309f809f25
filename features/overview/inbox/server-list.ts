// The list: a page of what waits over all kinds, in the words of each, with what the inbox has noted of it.
import { and, eq, inArray } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import type { Ctx, InboxSource, Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import type { InboxShown } from '#server/office/inbox.ts'
import { settingOf } from '#server/office/settings.ts'
import type { inbox as contract } from './contract.ts'
import { dueOf, isFolded, SHELL_COUNTED, stakeOf, WHOSE_AT_FIRST } from './rules.ts'
import { countItems, type Found, houseOf, mayDecide, pageOfItems, sourcesFor } from './server-sources.ts'
import { inboxItems as items } from './tables.ts'

type Row = Out<typeof contract.list>['rows'][number]

export const listInbox: Verb<typeof contract.list> = async (
  ctx,
  { whose = WHOSE_AT_FIRST, kind, ...asked },
) => {
  const all = sourcesFor(ctx)
  const chosen = all.filter(({ label }) => kind === undefined || label === kind)
  const [counts, hours] = await together([countItems(ctx, all, whose, COUNT_CAP), hoursOf(ctx, chosen)])
  const countOf = (source: InboxSource) => counts.find(one => one.source === source.key)?.count ?? 0
  const lines = chosen.filter(source => isFolded(source, countOf(source), { kind }))
  const folded = new Map(lines.map(source => [source.key as string, countOf(source)]))
  const found = await pageOfItems(ctx, chosen, { whose, ...asked, folded: new Set(folded.keys()), hours })
  const linesOf = (source: InboxSource) => (folded.has(source.key) ? 1 : countOf(source))
  const total = chosen.reduce((sum, source) => sum + Math.min(linesOf(source), COUNT_CAP), 0)
  return {
    rows: await rowsOf(ctx, all, found, { folded, hours }),
    total: Math.min(total, COUNT_CAP),
    totalCapped: total > COUNT_CAP || chosen.some(source => linesOf(source) > COUNT_CAP),
    kinds: all.map(source => ({
      label: source.label,
      count: Math.min(countOf(source), COUNT_CAP),
      capped: countOf(source) > COUNT_CAP,
    })),
  }
}

/** By key, within how many hours an answer was promised. */
async function hoursOf(ctx: Ctx, sources: readonly InboxSource[]): Promise<ReadonlyMap<string, number>> {
  const promised = sources.flatMap(({ key, within }) => (within ? [{ key, within }] : []))
  const hours = await together(promised.map(({ within }) => settingOf(ctx, within)))
  return new Map(promised.map(({ key }, at) => [key, hours[at] ?? 0]))
}

type Told = { folded: ReadonlyMap<string, number>; hours: ReadonlyMap<string, number> }

async function rowsOf(
  ctx: Ctx,
  sources: readonly InboxSource[],
  found: readonly Found[],
  { folded, hours }: Told,
): Promise<Row[]> {
  const shown = sources.flatMap(source => {
    const ids = found.filter(one => one.source === source.key).map(({ id }) => id)
    return ids.length > 0 ? [{ source, ids }] : []
  })
  const house = await houseOf(ctx)
  const [told, noted] = await together([
    together(shown.map(({ source, ids }) => source.shown(ctx, ids))),
    together(shown.map(({ source, ids }) => notedOf(ctx, house, source.key, ids))),
  ])
  return found.flatMap(({ source: key, id, since }): Row[] => {
    const at = shown.findIndex(({ source }) => source.key === key)
    const source = shown[at]?.source
    const thing = told[at]?.find(one => one.id === id)
    // What was done between the two statements is gone.
    if (!source || !thing) return []
    const note = noted[at]?.find(one => one.itemId === id)
    const within = hours.get(key) ?? null
    const alike = folded.get(key) ?? null
    return [
      {
        ...(alike === null ? thing : lineOf(source, alike, thing)),
        key: alike === null ? `${key}:${id}` : key,
        folded: alike,
        stake: stakeOf(source),
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

/** Many alike as one line; how it says itself is of the one that waits longest. */
function lineOf({ folded = '' }: InboxSource, count: number, thing: InboxShown): InboxShown {
  const more = count > COUNT_CAP ? `${COUNT_CAP}+` : count
  const { id, link } = thing
  const ofNone = { merchantId: null, shopName: '', agentId: null, agentName: '' }
  return { id, link, title: `${more} ${folded}`, detail: `最早：${thing.title}`, ...ofNone }
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
