// Many shops of one agent to another in one statement each, as a single one goes (server-provider.ts): for the end of a partner.
import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { moveAccountsOf } from '#features/money/ledger/server-move.ts'
import { moveServices } from '#features/sales/services/server-move.ts'
import { moveToAgent } from '#features/shops/merchants/server-changes.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { toolActions } from './tables.ts'

type Party = { id: number; companyName: string }

/**
 * Moves these heads with their branches, as far as they are still `from`'s, with their services and SMS credit; each gets its row on
 * its timeline. The caller writes the log and tells both agents. Answers the shops that went; last before commit but the log.
 */
export async function moveGroups(
  ctx: Ctx,
  headIds: readonly number[],
  { from, to, reason }: { from: Party; to: Party; reason: string },
): Promise<number[]> {
  const heads = [...headIds]
  const shops = await ctx.db
    .select({ id: merchants.id, shopName: merchants.shopName })
    .from(merchants)
    .where(
      and(
        or(inArray(merchants.id, heads), inArray(merchants.headId, heads)),
        eq(merchants.agentId, from.id),
        ownRows(ctx, merchants.agentId),
      ),
    )
    .orderBy(asc(merchants.id))
    .for('update')
  if (shops.length === 0) return []
  const ids = shops.map(({ id }) => id)
  await moveToAgent(ctx, ids, to.id)
  await moveServices(ctx, ids, to.id)
  const names = {
    name: '服务商',
    before: `${from.companyName} (${from.id})`,
    after: `${to.companyName} (${to.id})`,
  }
  const createdAt = ctx.now.toISOString()
  await ctx.db.insert(toolActions).values(
    shops.map(({ id, shopName }) => ({
      agentId: from.id,
      merchantId: id,
      shopName,
      kind: 'provider' as const,
      changes: [names],
      reason,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt,
    })),
  )
  await moveAccountsOf(ctx, ids)
  return ids
}
