// What was done: of each kind the latest that came, together by when they were done.
import { and, type SQL, sql } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import type { Ctx, InboxDecided, InboxSource, Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { literal } from '#server/list.ts'
import type { inbox as contract } from './contract.ts'
import { DECIDED_LATEST } from './rules.ts'
import { askedBy, countFew, literalOf, nameOf, sourcesFor, valuesOf } from './server-sources.ts'
import { inboxItems as items } from './tables.ts'

type Answer = Out<typeof contract.decided>
type Decided = InboxSource & { decided: InboxDecided }
type Found = { source: string; id: number; decidedAt: string; decidedByName: string }

const isKept = (source: InboxSource): source is Decided => source.decided !== undefined

export const listDecided: Verb<typeof contract.decided> = async (ctx, { kind, page, size }) => {
  const all = sourcesFor(ctx).filter(isKept)
  const chosen = all.filter(({ label }) => kind === undefined || label === kind)
  const [counts, found] = await together([countsOf(ctx, all), pageOf(ctx, chosen, { page, size })])
  const countOf = ({ key }: InboxSource) => counts.find(({ source }) => source === key)?.count ?? 0
  return {
    rows: await rowsOf(ctx, chosen, found),
    total: chosen.reduce((sum, source) => sum + Math.min(countOf(source), DECIDED_LATEST), 0),
    totalCapped: chosen.some(source => countOf(source) > DECIDED_LATEST),
    kinds: all.map(source => ({
      label: source.label,
      count: Math.min(countOf(source), DECIDED_LATEST),
      capped: countOf(source) > DECIDED_LATEST,
    })),
  }
}

/** The latest of a kind that somebody has done. */
function latest(ctx: Ctx, source: Decided, columns: SQL, most: number): SQL {
  const { is, at, byName, order } = source.decided
  const isDone = and(is(askedBy(ctx)), sql`${at} is not null`, sql`${byName} <> ''`)
  return sql`(select ${columns} from ${source.table} where ${isDone}
    order by ${order} desc, ${source.id} desc limit ${literalOf(most)})`
}

const named = ({ key }: InboxSource) => sql`${sql.raw(`'${key}'`)} as source`

async function pageOf(
  ctx: Ctx,
  sources: readonly Decided[],
  { page, size }: { page: number; size: number },
): Promise<Found[]> {
  if (sources.length === 0) return []
  const key = nameOf(ctx, `decided ${page} ${size}`, sources)
  const columns = (source: Decided) =>
    sql`${named(source)}, ${source.id} as id, ${source.decided.at} as at, ${source.decided.byName} as by_name`
  const union = () =>
    sql.join(
      sources.map(source => latest(ctx, source, columns(source), DECIDED_LATEST)),
      sql` union all `,
    )
  return ctx
    .prepared(key, db =>
      db
        .select({
          source: sql<string>`w.source`,
          id: sql<number>`w.id`.mapWith(Number),
          decidedAt: sql<string>`w.at`.mapWith(items.changedAt),
          decidedByName: sql<string>`w.by_name`,
        })
        .from(sql`(${union()}) w`)
        .orderBy(sql`w.at desc`, sql`w.source`, sql`w.id desc`)
        .limit(literal(size))
        .offset(literal((page - 1) * size))
        .prepare(page === 1 ? key : ''),
    )
    .execute(await valuesOf(ctx))
}

const countsOf = (ctx: Ctx, sources: readonly Decided[]) =>
  countFew(ctx, 'decided count', sources, source => latest(ctx, source, sql``, DECIDED_LATEST + 1))

async function rowsOf(
  ctx: Ctx,
  sources: readonly Decided[],
  found: readonly Found[],
): Promise<Answer['rows']> {
  const idsOf = (source: Decided) => found.filter(one => one.source === source.key).map(({ id }) => id)
  const shown = sources.filter(source => idsOf(source).length > 0)
  const told = await together(shown.map(source => source.shown(ctx, idsOf(source))))
  return found.flatMap(({ source: key, id, decidedAt, decidedByName }): Answer['rows'] => {
    const at = shown.findIndex(source => source.key === key)
    const source = shown[at]
    const thing = told[at]?.find(one => one.id === id)
    if (!source || !thing) return []
    return [
      {
        ...thing,
        key: `${key}:${id}`,
        source: key,
        kind: source.label,
        about: thing.about ?? '',
        decidedAt,
        decidedByName,
        opens: source.decided.opens === true,
      },
    ]
  })
}
