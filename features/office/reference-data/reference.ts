// Reasons that a fresh database offers; the documents leave them to whoever types them.
import type { DayKind } from '#kit/business-days.ts'
import { addDays } from '#kit/time.ts'
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

/** Of 2026, as the State Council published them; those of later years are imported once they are known. */
const HOLIDAYS: [name: string, from: string, days: number][] = [
  ['元旦', '2026-01-01', 3],
  ['春节', '2026-02-15', 9],
  ['清明节', '2026-04-04', 3],
  ['劳动节', '2026-05-01', 5],
  ['端午节', '2026-06-19', 3],
  ['中秋节', '2026-09-25', 3],
  ['国庆节', '2026-10-01', 7],
]
const WORKDAYS: [name: string, day: string][] = [
  ['元旦', '2026-01-04'],
  ['春节', '2026-02-14'],
  ['春节', '2026-02-28'],
  ['劳动节', '2026-05-09'],
  ['国庆节', '2026-09-20'],
  ['国庆节', '2026-10-10'],
]

export const BUSINESS_DAYS: { day: string; kind: DayKind; name: string }[] = [
  ...HOLIDAYS.flatMap(([name, from, days]) =>
    Array.from({ length: days }, (_, at) => ({ day: addDays(from, at), kind: 'holiday' as const, name })),
  ),
  ...WORKDAYS.map(([name, day]) => ({ day, kind: 'workday' as const, name: `${name}调休` })),
]
