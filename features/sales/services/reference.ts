// The catalogue that a fresh database starts with: groups and what they hold. Prices in 1/100 token, before discount.
import type { ServiceUnit } from './rules.ts'

type Sold = [
  id: number,
  code: string,
  name: string,
  unit: ServiceUnit,
  unitCents: number,
  remark: string,
  headOnly?: boolean,
]

const GROUPS: { id: number; code: string; name: string; remark: string; sold: Sold[] }[] = [
  {
    id: 1,
    code: 'operators',
    name: '操作员',
    remark: '一次购买，长期有效，仅总店可购买',
    sold: [
      [11, 'operator-seat', '操作员账号', 'piece', 10_000, '增加一个可登录收银端的操作员', true],
      [12, 'operator-mobile', '移动端操作员', 'piece', 6_000, '增加一个可登录手机端的操作员', true],
    ],
  },
  {
    id: 2,
    code: 'members',
    name: '会员营销',
    remark: '按年开通',
    sold: [
      [21, 'member-marketing', '会员营销', 'year', 29_800, '储值、积分、优惠券与生日关怀'],
      [22, 'member-portrait', '会员画像', 'year', 19_800, '按消费分层，找回沉睡会员'],
    ],
  },
  {
    id: 3,
    code: 'ordering',
    name: '点餐预约',
    remark: '按年开通',
    sold: [
      [31, 'scan-ordering', '扫码点餐', 'year', 39_800, '顾客扫桌码自助点餐、加菜和付款'],
      [32, 'queue-calling', '排队叫号', 'year', 19_800, '取号、叫号与过号提醒'],
      [33, 'booking', '预约', 'year', 29_800, '线上预约座位、服务与到店提醒'],
    ],
  },
  {
    id: 4,
    code: 'online',
    name: '线上经营',
    remark: '按年开通',
    sold: [
      [41, 'micro-shop', '微商城', 'year', 59_800, '微信内开店，自提、同城配送与快递'],
      [42, 'delivery-platforms', '外卖对接', 'year', 39_800, '外卖平台订单自动接单和打印'],
    ],
  },
  {
    id: 5,
    code: 'finance',
    name: '票据与数据',
    remark: '按年开通',
    sold: [
      [51, 'e-invoice', '电子发票', 'year', 36_000, '顾客扫小票自助开票'],
      [52, 'data-analysis', '数据分析', 'year', 29_800, '经营日报、商品与时段分析'],
    ],
  },
]

export const SERVICES = GROUPS.flatMap(({ sold, ...group }, place) => [
  {
    ...group,
    parentId: null as number | null,
    unit: 'year' as ServiceUnit,
    unitCents: 0,
    headOnly: false,
    position: place * 100,
  },
  ...sold.map(([id, code, name, unit, unitCents, remark, headOnly = false], index) => ({
    id,
    parentId: group.id as number | null,
    code,
    name,
    remark,
    unit,
    unitCents,
    headOnly,
    position: place * 100 + index + 1,
  })),
])
