import { applyTerms } from '#features/shops/merchants/server-changes.ts'
import { countText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import type { Verb } from '#server/ctx.ts'
import { refuse, refuseBroken } from '#server/refuse.ts'
import type { aftersales as contract } from './contract.ts'
import { EXTENSION } from './fields.ts'
import { extendedExpiry, refuseExtended, TOOL_REFUSALS } from './rules.ts'
import { recordAction } from './server-actions.ts'
import { lockSeen, shopOf } from './server-shop.ts'

export const findForExtend: Verb<typeof contract.extendFind> = async (ctx, { search }) => {
  return { shop: await shopOf(ctx, search, 'SHOP_ID_REQUIRED') }
}

export const extendShop: Verb<typeof contract.extend> = async (ctx, input) => {
  refuseBroken(EXTENSION, input)
  const shop = await lockSeen(ctx, input)
  refuse(refuseExtended(shop), TOOL_REFUSALS)
  const before = shop.expiresAt as string
  const expiresAt = extendedExpiry(before, input.days, ctx.now.toISOString())
  const { versionId, shopsBought } = shop
  // One that has ended begins anew.
  const termDay = Date.parse(before) > ctx.now.getTime() ? shop.termDay : null
  await applyTerms(ctx, [{ merchantId: shop.id, versionId, shopsBought, expiresAt, termDay }])
  await recordAction(
    ctx,
    'extend',
    shop,
    [
      { name: '到期时间', before: formatInstant(before), after: formatInstant(expiresAt) },
      { name: '延期', before: null, after: countText(input.days, '天') },
    ],
    input.reason,
  )
  return { id: shop.id, expiresAt }
}
