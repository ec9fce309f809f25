import type { Ctx } from '#server/ctx.ts'

/**
 * Gives a shop's accounts to the agent that the shop belongs to now; asked after the shop has moved, last before commit.
 * Balances and entries stay as they are: what was written before stays the former agent's.
 */
export async function moveMerchantAccounts(ctx: Ctx, merchantId: number): Promise<void> {
  await ctx.client.query('select ledger_move_merchant($1, $2, $3)', [
    merchantId,
    ctx.actor.accountId,
    ctx.actor.name,
  ])
}
