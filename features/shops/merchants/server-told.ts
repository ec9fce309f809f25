// What others changed of an agent's shop is told to the agent: who, what and why. Of what its own people do it hears nothing.
import { notify } from '#features/office/notices/server-notify.ts'
import type { Ctx } from '#server/ctx.ts'
import type { FieldChange } from '#server/tables.ts'

type Told = { title: string; changes: readonly FieldChange[]; reason?: string }

export async function tellOfShop(
  ctx: Ctx,
  shop: { id: number; agentId: number; shopName: string },
  { title, changes, reason = '' }: Told,
): Promise<void> {
  const { actor } = ctx
  if (shop.agentId === actor.agentId || changes.length === 0) return
  const said = [
    `${shop.shopName} (${shop.id})：${changes.map(changedText).join('；')}`,
    ...(reason === '' ? [] : [`原因：${reason}`]),
    `操作人 ${actor.key?.name ?? actor.name}`,
  ]
  await notify(ctx, {
    agentId: shop.agentId,
    merchantId: shop.id,
    holding: 'merchants.list',
    topic: 'ShopChanged_Notify',
    title,
    body: said.join('。'),
    link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
    args: { merchantId: shop.id },
  })
}

function changedText({ name, before, after }: FieldChange): string {
  const to = after === null || after === '' ? '空' : String(after)
  return before === null ? `${name} ${to}` : `${name}由 ${before === '' ? '空' : before} 改为 ${to}`
}
