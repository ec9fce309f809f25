// The endpoint that an operation is about, locked, and who may touch it at all.
import type { Ctx } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { WEBHOOK_REFUSALS } from './rules.ts'
import { visible } from './server-list.ts'
import { webhookEndpoints } from './tables.ts'

type Endpoint = typeof webhookEndpoints.$inferSelect

/** An endpoint hears of all shops of the agency: whoever sees some of them alone points none anywhere. */
export function refuseNarrow(ctx: Ctx): void {
  refuse(ctx.actor.seesOwnShops ? 'WEBHOOK_OWN_SHOPS' : null, WEBHOOK_REFUSALS)
}

/** The endpoint, locked. */
export async function touched(ctx: Ctx, id: number): Promise<Endpoint> {
  refuseNarrow(ctx)
  const [row] = await ctx.db.select().from(webhookEndpoints).where(visible(ctx, id)).for('no key update')
  const endpoint = found(row)
  ctx.object('webhook', id)
  ctx.note(endpoint.url)
  return endpoint
}
