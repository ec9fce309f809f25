// How versions and their functions are written; features/catalogue says who may and what may stand there.
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Ctx } from '#server/ctx.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import { versionFunctions, versionSellers, versions } from './tables.ts'

export type VersionRow = typeof versions.$inferSelect
export type FunctionRow = typeof versionFunctions.$inferSelect
type Seen = { id: number; revision: number }

/** What the operator says of a version; its prices are not among it. */
export type VersionValues = Pick<
  VersionRow,
  | 'name'
  | 'code'
  | 'kind'
  | 'pricingRule'
  | 'buyCode'
  | 'renewCode'
  | 'isPack'
  | 'offeredOnAdd'
  | 'offeredOnChange'
  | 'sellers'
  | 'functionIds'
  | 'position'
  | 'remark'
>

/** Without a price, so that nobody can buy it yet. */
export async function addVersion(ctx: Ctx, values: VersionValues): Promise<VersionRow> {
  const id = await nextNumber(ctx, versions)
  const [added] = await ctx.db
    .insert(versions)
    .values({ ...values, id, packageId: randomUUID() })
    .returning()
  return found(added)
}

export const lockVersion = (ctx: Ctx, seen: Seen): Promise<VersionRow> => lockNumbered(ctx, versions, seen)

export async function changeVersion(
  ctx: Ctx,
  { id, revision }: Seen,
  values: Partial<VersionValues & Pick<VersionRow, 'enabled' | 'renewable' | 'renewUntil'>>,
): Promise<void> {
  await ctx.db
    .update(versions)
    .set({ ...values, revision: revision + 1 })
    .where(eq(versions.id, id))
}

/** The agents that the version's `sellers` names, in the place of those that it named. */
export async function setSellers(ctx: Ctx, versionId: number, agentIds: readonly number[]): Promise<void> {
  await ctx.db.delete(versionSellers).where(eq(versionSellers.versionId, versionId))
  if (agentIds.length > 0)
    await ctx.db.insert(versionSellers).values(agentIds.map(agentId => ({ versionId, agentId })))
}

type FunctionValues = Omit<FunctionRow, 'id' | 'revision'>

/** Adds a function where `seen` is null; else changes it. Answers what it was and is. */
export async function saveFunction(
  ctx: Ctx,
  seen: Seen | null,
  values: FunctionValues,
): Promise<{ before: FunctionRow | null; after: FunctionRow }> {
  if (!seen) {
    const id = await nextNumber(ctx, versionFunctions)
    const [added] = await ctx.db
      .insert(versionFunctions)
      .values({ ...values, id })
      .returning()
    return { before: null, after: found(added) }
  }
  const before = await lockNumbered(ctx, versionFunctions, seen)
  const [after] = await ctx.db
    .update(versionFunctions)
    .set({ ...values, revision: before.revision + 1 })
    .where(eq(versionFunctions.id, before.id))
    .returning()
  return { before, after: found(after) }
}

type Numbered = PgTable & { id: PgColumn; revision: PgColumn }

/** The number of the next row; the table is locked, since it has few rows and no counter of ids. */
async function nextNumber(ctx: Ctx, table: Numbered): Promise<number> {
  const { name } = getTableConfig(table)
  await ctx.db.execute(sql`lock table ${sql.identifier(name)} in share row exclusive mode`)
  const { rows } = await ctx.db.execute<{ next: number }>(
    sql`select coalesce(max(id), 0) + 1 as next from ${sql.identifier(name)}`,
  )
  return found(rows[0]).next
}

/** The row, locked; STALE where it is not of the revision that was seen. */
async function lockNumbered<T extends Numbered>(
  ctx: Ctx,
  table: T,
  { id, revision }: { id: number; revision: number },
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
