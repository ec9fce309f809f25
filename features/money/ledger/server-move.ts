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

/** The same of many shops, in the order of their ids. */
export async function moveAccountsOf(ctx: Ctx, merchantIds: readonly number[]): Promise<void> {
  await ctx.client.query(
    'select ledger_move_merchant(id, $2, $3) from unnest($1::bigint[]) with ordinality as shop (id, place) order by place',
    [merchantIds, ctx.actor.accountId, ctx.actor.name],
  )
}
