// The goods of a shop, asked of the point of sale a page at a time: no connection is held meanwhile, and nothing is kept.
import { shopOnLabels } from '#features/print/labels/server.ts'
import { dataOfGood } from '#kit/print/batch/goods.ts'
import { identityOf, type Verb } from '#server/ctx.ts'
import { askPos } from '#server/outside/pos.ts'
import { found, Refusal } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { labelBatches } from './contract.ts'
import { GOODS_PAGE, GOODS_REFUSALS } from './rules.ts'

const refusalOf = (code: keyof typeof GOODS_REFUSALS) => new Refusal(code, GOODS_REFUSALS[code])

/** Whoever prints labels sees the goods of the shops that it sees. */
export const listGoods: Verb<typeof labelBatches.goods> = async (ctx, input) => {
  const { merchantId, search, category, after = null } = input
  const { services, request, actor } = ctx
  const shop = await services.database.read(identityOf(actor, services.walls), async lent =>
    found(await shopOnLabels(makeCtx(lent, { services, request }, actor).ctx, merchantId)),
  )
  const page = await askPos(
    services,
    pos => pos.goods(shop.id, { search, category, after, size: GOODS_PAGE }),
    { CURSOR_GONE: refusalOf('GOODS_MOVED'), SHOP_UNKNOWN: refusalOf('GOODS_SHOP_UNKNOWN') },
  )
  const { goods, ...rest } = page
  return { shop, rows: goods.map(good => ({ id: good.id, data: dataOfGood(good) })), ...rest }
}
