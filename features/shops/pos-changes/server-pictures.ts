// A picture that a program at the point of sale sends for a shop, before what names it.
import { and, eq } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, identityOf, ownRows } from '#server/ctx.ts'
import { type FilePurposes, storePicture } from '#server/files.ts'
import { found } from '#server/refuse.ts'

/** `data` is base64. The storage is asked while no connection is held: for operations that are `detached`. */
export async function keepShopPicture(
  ctx: Ctx,
  { id, data }: { id: number; data: string },
  { purposes, purpose }: { purposes: FilePurposes; purpose: string },
) {
  const { services } = ctx
  await services.database.read(identityOf(ctx.actor, services.walls), async ({ db }) => {
    const [shop] = await db
      .select({ id: merchants.id })
      .from(merchants)
      .where(and(eq(merchants.id, id), ownRows(ctx, merchants.agentId)))
    found(shop)
  })
  return storePicture(purposes, ctx, ctx.actor, { purpose, bytes: Buffer.from(data, 'base64') })
}
