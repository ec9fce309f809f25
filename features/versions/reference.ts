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

export const VERSIONS = ROWS.map((row, position) => ({
  priceYearCents: null,
  priceMonthCents: null,
  priceLifetimeCents: null,
  isPack: false,
  enabled: true,
  ...row,
  packageId: `00000000-0000-4000-8000-${String(row.id).padStart(12, '0')}`,
  position,
}))
