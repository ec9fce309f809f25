// SMS credit that an agent hands to its shop for nothing (SmsHandle with type 0, D1 §7).

import { balancesOf, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { refuseShop } from '#features/sales/services/rules.ts'
import { lockShop } from '#features/sales/services/server-shop.ts'
import { countText } from '#kit/money.ts'
import type { Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import type { sms as contract } from './contract.ts'
import { refuseGift, SMS_ORDER_KINDS, SMS_REFUSALS } from './rules.ts'
import { writeOrder } from './server-buy.ts'

/** Refuses GIFT_SHORT with the `missing` pieces; nothing is written then. */
export const giveCredit: Verb<typeof contract.gift> = async (ctx, input) => {
  const shop = await lockShop(ctx, input.merchantId)
  refuse(refuseShop(shop, ctx.actor.agentId), SMS_REFUSALS)
  const { sms: held } = await balancesOf(ctx, shop.agentId)
  const code = refuseGift(input, held)
  refuse(code, SMS_REFUSALS, {
    field: code === 'REMARK_TOO_LONG' ? 'remark' : 'pieces',
    ...(code === 'GIFT_SHORT' ? { asset: 'sms', missing: input.pieces - held } : {}),
  })
  const orderNo = await nextDocumentNo(ctx)
  ctx.about(shop.agentId, shop.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: '订单号', before: null, after: orderNo },
    { name: '赠送', before: null, after: countText(input.pieces, '条') },
  ])
  const posted = await post(ctx, [
    {
      kind: 'sms-gift',
      asset: 'sms',
      amount: input.pieces,
      from: { kind: 'agent', id: shop.agentId },
      to: { kind: 'merchant', id: shop.id },
      document: orderNo,
      merchantId: shop.id,
      payMethod: 'gift',
      agentId: shop.agentId,
      description: `${SMS_ORDER_KINDS.gift} ${shop.shopName}`,
      remark: input.remark.trim(),
    },
  ])
  const order = await writeOrder(ctx, shop, posted, {
    orderNo,
    kind: 'gift',
    name: SMS_ORDER_KINDS.gift,
    pieces: input.pieces,
    originalCents: 0,
    discountBasisPoints: 10_000,
    totalCents: 0,
    remark: input.remark.trim(),
  })
  const after = await balancesOf(ctx, shop.agentId)
  return { orderNo, ...order, agentSms: after.sms }
}
