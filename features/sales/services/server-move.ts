import { and, inArray } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { merchantServices } from './tables.ts'

/** What these shops hold of services becomes their new agent's to see; their orders stay with the agent who sold them. */
export async function moveServices(ctx: Ctx, merchantIds: readonly number[], agentId: number): Promise<void> {
  await ctx.db
    .update(merchantServices)
    .set({ agentId })
    .where(
      and(inArray(merchantServices.merchantId, [...merchantIds]), ownRows(ctx, merchantServices.agentId)),
    )
}
