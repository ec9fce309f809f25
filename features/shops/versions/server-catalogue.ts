// How versions and their functions are written; features/sales/catalogue says who may and what may stand there.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { addNumbered, changeNumbered, lockNumbered, type Seen } from '#server/office/numbered.ts'
import { versionFunctions, versionSellers, versions } from './tables.ts'

export type VersionRow = typeof versions.$inferSelect
export type FunctionRow = typeof versionFunctions.$inferSelect

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
export function addVersion(ctx: Ctx, values: VersionValues): Promise<VersionRow> {
  return addNumbered(ctx, versions, { ...values, packageId: randomUUID() })
}

export const lockVersion = (ctx: Ctx, seen: Seen): Promise<VersionRow> => lockNumbered(ctx, versions, seen)

type Changed = Partial<VersionValues & Pick<VersionRow, 'enabled' | 'renewable' | 'renewUntil'>>

export const changeVersion = (ctx: Ctx, seen: Seen, values: Changed): Promise<void> =>
  changeNumbered(ctx, versions, seen, values)

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
  if (!seen) return { before: null, after: await addNumbered(ctx, versionFunctions, values) }
  const before = await lockNumbered(ctx, versionFunctions, seen)
  await changeNumbered(ctx, versionFunctions, before, values)
  return { before, after: { ...before, ...values } }
}
