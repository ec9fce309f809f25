// The catalogue that a fresh database starts with (D1 §9, D2 §9). Prices in 1/100 token.
import type { PricingRule } from './rules.ts'

type Row = {
  id: number
  code: string
  name: string
  kind: 1 | 2
  pricingRule: PricingRule
  priceYearCents?: number
  priceMonthCents?: number
  priceLifetimeCents?: number
  offeredOnAdd: boolean
  /** IsAddShop when another version's shop buys it, and when a shop renews it (D2 §9). */
  buyCode: number
  renewCode: number
  isPack?: boolean
  remark: string
}

const ROWS: Row[] = [
  {
    id: 12,
    code: 'ADVANCED',
    name: '高级版',
    kind: 2,
    pricingRule: 'perShopYear',
    priceYearCents: 29_800,
    priceMonthCents: 5_000,
    offeredOnAdd: true,
    buyCode: 1,
    renewCode: 1,
    remark: '单店经营，按年或按月订购',
  },
  {
    id: 3,
    code: 'CHAIN',
    name: '连锁版',
    kind: 2,
    pricingRule: 'perBranchYear',
    priceYearCents: 39_800,
    offeredOnAdd: true,
    buyCode: 4,
    renewCode: 1,
    remark: '总店加分店，按店按年订购',
  },
  {
    id: 1,
    code: 'PERMANENT',
    name: '永久版',
    kind: 1,
    pricingRule: 'perShopLifetime',
    priceLifetimeCents: 198_000,
    offeredOnAdd: true,
    buyCode: 7,
    renewCode: 7,
    remark: '一次订购，永久使用',
  },
  {
    id: 4,
    code: 'ADVANCED_OLD',
    name: '高级版（旧）',
    kind: 2,
    pricingRule: 'perShopYear',
    priceYearCents: 29_800,
    priceMonthCents: 5_000,
    offeredOnAdd: false,
    buyCode: 6,
    renewCode: 6,
    remark: '仅供已有商户续费',
  },
  {
    id: 5,
    code: 'EXTREME',
    name: '至尊版',
    kind: 1,
    pricingRule: 'perShopLifetime',
    priceLifetimeCents: 398_000,
    offeredOnAdd: false,
    buyCode: 8,
    renewCode: 8,
    remark: '按店订购，永久使用',
  },
  {
    id: 78,
    code: 'PACK_CATERING',
    name: '餐饮套餐版',
    kind: 2,
    pricingRule: 'perShopYear',
    priceYearCents: 49_800,
    offeredOnAdd: false,
    buyCode: 4,
    renewCode: 1,
    isPack: true,
    remark: '高级版加扫码点餐和会员营销，按年订购',
  },
]

const FUNCTIONS: [id: number, name: string, remark: string][] = [
  [1, '收银结账', '扫码、现金、会员余额'],
  [2, '商品库存', '进货、盘点、库存预警'],
  [3, '会员管理', '储值、积分、等级'],
  [4, '经营报表', '日报、排行、毛利'],
  [5, '手机端', '老板随时查看经营情况'],
  [6, '分店管理', '总店统一商品和会员'],
  [7, '库存调拨', '总店和分店之间调货'],
  [8, '扫码点餐', '桌码点餐、加菜'],
  [9, '会员营销', '优惠券、生日关怀'],
  [10, '终身升级', '新功能免费使用'],
]

/** Named functions that versions contain. */
export const VERSION_FUNCTIONS = FUNCTIONS.map(([id, name, remark], position) => ({
  id,
  name,
  remark,
  position,
}))

const CONTENTS: Readonly<Record<number, number[]>> = {
  12: [1, 2, 3, 4, 5],
  3: [1, 2, 3, 4, 5, 6, 7],
  1: [1, 2, 3, 4, 5, 10],
  4: [1, 2, 3, 4],
  5: [1, 2, 3, 4, 5, 8, 9, 10],
  78: [1, 2, 3, 4, 5, 8, 9],
}

export const VERSIONS = ROWS.map((row, position) => ({
  priceYearCents: null,
  priceMonthCents: null,
  priceLifetimeCents: null,
  isPack: false,
  enabled: true,
  offeredOnChange: true,
  renewable: true,
  functionIds: CONTENTS[row.id] ?? [],
  ...row,
  packageId: `00000000-0000-4000-8000-${String(row.id).padStart(12, '0')}`,
  position,
}))
