// What those who look after shops are called beside their names.
import { asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Ctx } from '#server/ctx.ts'
import { accounts, managerLabels } from './tables.ts'

type Called = { name: AnyPgColumn; labelId: AnyPgColumn }

/** A name as people read it with its label: 王芳（客服）; null where there is no account. */
export function calledManager(of: Called = accounts): SQL<string | null> {
  const label = sql`(select ${managerLabels.name} from ${managerLabels} where ${managerLabels.id} = ${of.labelId})`
  return sql<string | null>`${of.name} || coalesce('（' || ${label} || '）', '')`
}

/** Whether an account may be given a label: one that is offered, or that it has. */
export async function isGivenLabel(ctx: Ctx, id: number | null, before: number | null): Promise<boolean> {
  return id === null || id === before || (await offeredLabels(ctx)).some(label => label.id === id)
}

export async function labelNameOf(ctx: Ctx, id: number | null): Promise<string | null> {
  if (id === null) return null
  const [label] = await ctx.db.select().from(managerLabels).where(eq(managerLabels.id, id))
  return label?.name ?? null
}

export function offeredLabels(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  return ctx.db
    .select({ id: managerLabels.id, name: managerLabels.name })
    .from(managerLabels)
    .where(or(isNull(managerLabels.retiredAt), sql`${managerLabels.retiredAt} > now()`))
    .orderBy(asc(managerLabels.position), asc(managerLabels.id))
}
