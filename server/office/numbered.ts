// Short tables that the operator keeps by hand: rows numbered without a counter of ids, each with the revision that an editor saw.
import { eq, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Ctx } from '../ctx.ts'
import { found, refuseCommon } from '../refuse.ts'

export type Numbered = PgTable & { id: PgColumn; revision: PgColumn }
/** A row as whoever edits it has seen it. */
export type Seen = { id: number; revision: number }

/** The number of the next row; the table is locked, since it has few rows and no counter of ids. */
async function nextNumber(ctx: Ctx, table: Numbered): Promise<number> {
  const { name } = getTableConfig(table)
  await ctx.db.execute(sql`lock table ${sql.identifier(name)} in share row exclusive mode`)
  const { rows } = await ctx.db.execute<{ next: number }>(
    sql`select coalesce(max(id), 0) + 1 as next from ${sql.identifier(name)}`,
  )
  return found(rows[0]).next
}

export async function addNumbered<T extends Numbered>(
  ctx: Ctx,
  table: T,
  values: Omit<T['$inferInsert'], 'id' | 'revision'>,
): Promise<T['$inferSelect']> {
  const id = await nextNumber(ctx, table)
  const added = (await ctx.db
    .insert(table as PgTable)
    .values({ ...values, id } as never)
    .returning()) as unknown[]
  return found(added[0]) as T['$inferSelect']
}

/** The row, locked; STALE where it is not of the revision that was seen. */
export async function lockNumbered<T extends Numbered>(
  ctx: Ctx,
  table: T,
  { id, revision }: Seen,
): Promise<T['$inferSelect']> {
  const [row] = await ctx.db
    .select()
    .from(table as PgTable)
    .where(eq(table.id, id))
    .for('update')
  const seen = found(row) as { revision: number }
  if (seen.revision !== revision) refuseCommon('STALE')
  return seen as T['$inferSelect']
}

/** Changes a row that is locked. */
export async function changeNumbered<T extends Numbered>(
  ctx: Ctx,
  table: T,
  { id, revision }: Seen,
  values: Partial<Omit<T['$inferInsert'], 'id' | 'revision'>>,
): Promise<void> {
  await ctx.db
    .update(table as PgTable)
    .set({ ...values, revision: revision + 1 } as never)
    .where(eq(table.id, id))
}
