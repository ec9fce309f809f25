// Totals of a list that also sums what it filters. Counting stops at COUNT_CAP, and the sums with it.
import { type SQL, sql } from 'drizzle-orm'
import { COUNT_CAP } from '#kit/declare/page.ts'
import type { Ctx } from './ctx.ts'
import { together } from './db.ts'
import {
  conditionOf,
  isSearched,
  type ListSource,
  literal,
  type PageAsked,
  type PageIds,
  type Preparable,
  pageAmongHits,
  pageOfRows,
  rowsOfHits,
  type Total,
  valuesOf,
} from './list.ts'

/**
 * As `rowsAndTotal`, with the sum of each of `sums` (an amount of one row, by its name) over the rows that are counted.
 */
export async function rowsAndSums<Row, Name extends string>(
  ctx: Ctx,
  list: ListSource,
  asked: PageAsked,
  rows: (page: PageIds) => Preparable<Row>,
  sums: Record<Name, SQL>,
): Promise<{ rows: Row[] } & Total & Record<Name, number>> {
  const hits = isSearched(list) ? await rowsOfHits(ctx, list, asked, rows, sums) : null
  if (hits) return { ...hits.sums, rows: hits.rows, total: hits.total, totalCapped: false }
  const page = isSearched(list) ? pageAmongHits : pageOfRows
  const [found, totals] = await together([page(ctx, list, asked, rows), sumsOf(ctx, list, sums)])
  return { rows: found, ...totals }
}

async function sumsOf<Name extends string>(
  ctx: Ctx,
  list: ListSource,
  sums: Record<Name, SQL>,
): Promise<Total & Record<Name, number>> {
  const names = Object.keys(sums) as Name[]
  const key = [list.name, 'sums', ...list.conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, db => {
    const counted = db
      .select({
        place: sql<number>`row_number() over (order by ${sql.join(list.order, sql`, `)})`.as('place'),
        ...Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, (value as SQL).as(name)])),
      })
      .from(list.table)
      .where(conditionOf(list))
      .orderBy(...list.order)
      .limit(literal(COUNT_CAP + 1))
      .as('counted')
    // One row more is read to learn whether there are more; the sums are of the rows that are counted.
    const summed = (name: Name) =>
      sql<number>`coalesce(sum(${sql.identifier(name)}) filter (where place <= ${literal(COUNT_CAP)}), 0)`.mapWith(
        Number,
      )
    return db
      .select({
        total: sql<number>`count(*)`.mapWith(Number),
        ...Object.fromEntries(names.map(name => [name, summed(name)])),
      })
      .from(counted)
      .prepare('')
  })
  const [row] = (await statement.execute(valuesOf(list.conditions))) as ({ total: number } & Record<
    Name,
    number
  >)[]
  const total = row?.total ?? 0
  const values = Object.fromEntries(names.map(name => [name, row?.[name] ?? 0])) as Record<Name, number>
  return { ...values, total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}
