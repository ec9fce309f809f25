// Reasons that a fresh database offers; the documents leave them to whoever types them.
import type { ReasonKind } from './rules.ts'

const TEXTS: Record<ReasonKind, readonly string[]> = {
  verification: ['证照不清晰，请重新上传', '证照与店铺名称不一致', '证照已过期', '联系不上商户'],
  undo: ['客户要求退款', '客户买错版本', '重复下单', '店铺转让'],
  tool: ['客户申请', '操作失误更正', '售后补偿'],
  credit: ['线下汇款到账', '活动赠送', '售后补偿'],
  refund: ['重复付款', '客户要求退款', '金额有误'],
  return: ['商品有质量问题', '发错商品', '客户不再需要'],
  stock: ['到货入库', '盘点更正', '样品领用', '损坏报废'],
  lost: ['店铺已关闭', '改用其他软件', '价格太高', '暂不需要'],
}

export const REASONS = Object.entries(TEXTS)
  .flatMap(([kind, texts]) => texts.map((name, position) => ({ kind: kind as ReasonKind, name, position })))
  .map((row, index) => ({ id: index + 1, ...row }))
