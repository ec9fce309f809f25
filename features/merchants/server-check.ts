// What both a new and an edited shop are refused for.
import { and, eq, inArray } from 'drizzle-orm'
import { accounts } from '#features/access/tables.ts'
import type { Ctx } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { type MerchantRefusal, REFUSALS } from './rules.ts'
import { industries } from './tables.ts'

export function refuseField(code: MerchantRefusal, field: string): never {
  throw new Refusal(code, REFUSALS[code], { field })
}

/** Refuses an industry that is not in the list. */
export async function refuseUnknownIndustry(ctx: Ctx, industryId: number | null): Promise<void> {
  const known = await ctx.db.select({ id: industries.id }).from(industries)
  if (!known.some(industry => industry.id === industryId)) refuseField('INDUSTRY_REQUIRED', 'industryId')
}

/** Refuses a manager who is no enabled account of the acting agent. */
export async function refuseUnknownManager(
  ctx: Ctx,
  managerId: number,
  agentId = ctx.actor.agentId,
): Promise<void> {
  const [manager] = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, managerId), inArray(accounts.agentId, [agentId]), accounts.enabled))
  if (!manager) refuseField('MANAGER_UNKNOWN', 'managerId')
}
