// What every purchase for a shop begins with: the shop as it stands.
import { and, eq } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'

const SHOP = {
  id: merchants.id,
  agentId: merchants.agentId,
  shopName: merchants.shopName,
  status: merchants.status,
  storeKind: merchants.storeKind,
  expiresAt: merchants.expiresAt,
  account: merchants.account,
  needsRecoveryCode: merchants.needsRecoveryCode,
}

/** A shop that the actor may see; NOT_FOUND otherwise. */
export async function findShop(ctx: Ctx, merchantId: number) {
  const [shop] = await ctx.db.select(SHOP).from(merchants).where(shopWhere(ctx, merchantId))
  return found(shop)
}

/** As `findShop`, and no other purchase, move or change of status of the shop happens before the transaction ends. */
export async function lockShop(ctx: Ctx, merchantId: number) {
  const [shop] = await ctx.db
    .select(SHOP)
    .from(merchants)
    .where(shopWhere(ctx, merchantId))
    .for('no key update')
  return found(shop)
}

function shopWhere(ctx: Ctx, merchantId: number) {
  return and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId))
}
