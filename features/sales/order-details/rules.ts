// Owns what is said where a number names no order or more than one, and how a bulk renewal stands.

export const ORDER_DETAILS_REFUSALS = {
  ORDER_UNKNOWN: '找不到该订单，请检查订单号',
  ORDER_AMBIGUOUS: '有多个订单以此结尾，请输入完整的订单号',
} as const

/** Of a bulk renewal, by how many of its orders are undone. */
export const BATCH_STATES = { paid: '已支付', partly: '部分撤销', undone: '已撤销' } as const
export type BatchState = keyof typeof BATCH_STATES

export function batchStateOf(orders: number, undone: number): BatchState {
  if (undone === 0) return 'paid'
  return undone < orders ? 'partly' : 'undone'
}
