// The first shop that was sold.
import { eq } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { SetupReading } from '#kit/ports/setup.ts'
import type { Ctx, SetupStep } from '#server/ctx.ts'

const ADD_SHOP = '/admin/merchant/addUser'

async function firstShop(ctx: Ctx, wanting: string): Promise<SetupReading> {
  const { isVendorStaff, agentId } = ctx.actor
  const [one] = await ctx.db
    .select({ name: merchants.shopName })
    .from(merchants)
    .where(isVendorStaff ? undefined : eq(merchants.agentId, agentId))
    .limit(1)
  return one ? { state: 'done', words: '已有商户' } : { state: 'open', words: wanting }
}

export const setup: readonly SetupStep[] = [
  {
    key: 'selling.firstShop',
    label: '第一家商户',
    for: 'operator',
    permission: 'selling.add',
    order: 110,
    path: ADD_SHOP,
    read: ctx => firstShop(ctx, '还没有商户：可以等合作伙伴开第一家，也可以自己先开一家试用。'),
  },
  {
    key: 'selling.ownShop',
    label: '第一家商户',
    for: 'partner',
    permission: 'selling.add',
    order: 40,
    path: ADD_SHOP,
    read: ctx => firstShop(ctx, '选版本、填店名和手机号，两分钟开好第一家店。'),
  },
]
