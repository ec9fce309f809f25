// Owns the vocabulary of version orders (D2 §3, §9). A quote is an order that is not paid yet.

export const SALES_TYPES = { new: '新增', renew: '续费', upgrade: '升级' } as const
export type SalesType = keyof typeof SALES_TYPES

/** quoted -> paid (confirmed) or lapsed (never confirmed, cleared after a day); paid -> recycled (undone). */
export const ORDER_STATUSES = { quoted: '待确认', paid: '已支付', recycled: '订单已回收' } as const
export type OrderStatus = keyof typeof ORDER_STATUSES

/** A quote can be confirmed for this long. */
export const QUOTE_VALID_MS = 24 * 3_600_000

export const ORDER_REFUSALS = {
  QUOTE_STALE: '价格已变动，请重新确认',
  QUOTE_UNKNOWN: '下单失败！请刷新后重试',
  QUOTE_USED: '该订单已完成，请勿重复提交',
} as const
