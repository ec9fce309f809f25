import { and, asc, eq } from 'drizzle-orm'
import { applyTerms } from '#features/shops/merchants/server-changes.ts'
import { isSoldBy } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse, refuseBroken } from '#server/refuse.ts'
import type { aftersales as contract } from './contract.ts'
import { TOOL } from './fields.ts'
import { refuseVersion, TOOL_REFUSALS } from './rules.ts'
import { recordAction } from './server-actions.ts'
import { lockSeen, shopOf } from './server-shop.ts'
import { versionAdjustments } from './tables.ts'

/** The versions that a shop of this version may be adjusted to, and whether its agent may sell them. */
function targetsOf(ctx: Ctx, shop: { versionId: number; agentId: number }) {
  return ctx.db
    .select({ id: versions.id, name: versions.name, authorised: isSoldBy(shop.agentId) })
    .from(versionAdjustments)
    .innerJoin(versions, eq(versions.id, versionAdjustments.toVersionId))
    .where(
      and(eq(versionAdjustments.fromVersionId, shop.versionId), versionAdjustments.enabled, versions.enabled),
    )
    .orderBy(asc(versions.position))
}

export const findForVersion: Verb<typeof contract.versionFind> = async (ctx, { search }) => {
  const shop = await shopOf(ctx, search, 'SHOP_ID_REQUIRED')
  const targets = shop ? await targetsOf(ctx, shop) : []
  return { shop, targets: targets.filter(({ authorised }) => authorised) }
}

export const adjustVersion: Verb<typeof contract.adjustVersion> = async (ctx, input) => {
  refuseBroken(TOOL, { reason: input.reason })
  const shop = await lockSeen(ctx, input)
  const targets = await targetsOf(ctx, shop)
  refuse(refuseVersion(shop, targets, input.versionId), TOOL_REFUSALS, { field: 'versionId' })
  const { expiresAt, termDay, shopsBought } = shop
  const { versionId } = input
  await applyTerms(ctx, [{ merchantId: shop.id, versionId, expiresAt, termDay, shopsBought }])
  const [present] = await ctx.db
    .select({ name: versions.name })
    .from(versions)
    .where(eq(versions.id, shop.versionId))
  const chosen = targets.find(({ id }) => id === input.versionId)
  const change = { name: '软件版本', before: present?.name ?? null, after: chosen?.name ?? null }
  await recordAction(ctx, 'version', shop, [change], input.reason)
  return { id: shop.id, versionId: input.versionId }
}
