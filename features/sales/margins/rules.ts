// Owns what an agent itself charges its shops, and what is left of it (毛利). Must never read a clock or a database.
import { formatCount } from '#kit/money.ts'

export const LIMITS = { priceMax: 1_000_000_000 } as const

export const MARGIN_REFUSALS = {
  PRICE_REQUIRED: '请输入至少一项售价',
  PRICE_WRONG: `请输入大于0、不超过${formatCount(LIMITS.priceMax / 1_000_000)}万的售价，最多两位小数`,
  PRICE_VERSION: '请选择软件版本',
  PRICE_SHOP: '请输入自己的商户的ID，所有商户请留空',
} as const
export type MarginRefusal = keyof typeof MARGIN_REFUSALS

/** How 毛利 is told; a token counts as a yuan (docs/decisions/0017). */
export const MARGIN_MEANING =
  '售价减去结算，1 代币按 1 元计；门店在线续费按实付计；不含已撤销的和下单时未设售价的订单。售价只有本代理商看得到'

/** What a year, a month, or a shop for life is sold for, in fen; null: not set. */
export type Prices = { yearFen: number | null; monthFen: number | null; lifetimeFen: number | null }
export const PRICE_KEYS = ['yearFen', 'monthFen', 'lifetimeFen'] as const satisfies (keyof Prices)[]

export function hasPrice(prices: Prices): boolean {
  return PRICE_KEYS.some(key => prices[key] !== null)
}

/** The first broken rule of prices by its field, or null. `stands`: there are prices that empty ones would end. */
export function refusePrices(
  prices: Prices,
  stands: boolean,
): { field: keyof Prices; code: MarginRefusal } | null {
  for (const field of PRICE_KEYS) {
    const fen = prices[field]
    if (fen !== null && !(Number.isSafeInteger(fen) && fen > 0 && fen <= LIMITS.priceMax))
      return { field, code: 'PRICE_WRONG' }
  }
  return hasPrice(prices) || stands ? null : { field: 'yearFen', code: 'PRICE_REQUIRED' }
}
