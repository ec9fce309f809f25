// Made-up articles to see a label with: short, typical and the longest a shop enters.
import type { LabelData } from './label.ts'

export type SampleKey = 'short' | 'typical' | 'longest'
export const SAMPLE_WORDS = { short: '短', typical: '常见', longest: '最长' } as const satisfies Record<
  SampleKey,
  string
>

/** Levels of members that samples have prices for. */
export const MEMBER_LEVELS = [
  { id: '1', name: '普通会员' },
  { id: '2', name: '银卡会员' },
  { id: '3', name: '金卡会员' },
  { id: '4', name: '钻石会员' },
] as const

/** Short, typical, longest. */
const ROWS: Record<string, readonly [string, string, string]> = {
  productName: ['茶', '有机茉莉花茶', '云南大叶种古树普洱茶礼盒装（2026年春茶珍藏版）'],
  brand: ['禾', '清禾', '清禾源生态农业发展'],
  category: ['茶', '茶叶', '茶叶与冲饮／花果茶'],
  origin: ['闽', '福建福州', '云南省西双版纳傣族自治州'],
  spec: ['袋', '250g/袋', '12盒×20袋×2.5克（整箱）'],
  unit: ['袋', '袋', '500克装'],
  size: ['M', '170/92A', '185/108A 加长'],
  colour: ['黑', '墨绿', '雾霾蓝拼象牙白'],
  fabric: ['棉', '100%棉', '62%聚酯纤维 33%粘纤 5%氨纶'],
  material: ['铁', '304不锈钢', '高硼硅玻璃与食品级硅胶'],
  composition: ['棉', '棉95% 氨纶5%', '面料：桑蚕丝70% 羊毛30% 里料：聚酯纤维100%'],
  season: ['夏', '2026夏', '2026秋冬第二波段'],
  grade: ['A', '一级', '特级（出口品质）'],
  safety: ['B', 'GB 18401 B类', 'GB 31701-2015 A类（婴幼儿用品）'],
  standard: ['—', 'GB/T 22292', 'GB/T 22292-2017 / NY/T 2140-2015'],
  netWeight: ['1g', '250g', '12.500千克（含包装）'],
  supplier: ['甲', '福州清禾茶业', '云南清禾源生态农业发展有限公司昆明分公司'],
  producer: ['甲', '福州清禾茶厂', '云南清禾源生态农业发展有限公司勐海加工厂'],
  batch: ['1', 'B260315', 'B20260315-0001-A02'],
  warrantyDays: ['7天', '540天', '1080天（阴凉干燥处）'],
  productionDate: ['2026-01-01', '2026-03-15', '2026-12-28'],
  expiryDate: ['2026-01-08', '2027-09-06', '2029-12-12'],
  retailPrice: ['1.00', '39.90', '128888.00'],
  unitPrice: ['1.00', '159.60', '128888.00'],
  totalPrice: ['1.00', '79.80', '9999999.99'],
  wholesalePrice: ['0.80', '32.00', '108888.00'],
  promotionPrice: ['0.90', '35.90', '118888.00'],
  originalPrice: ['1.20', '49.90', '168888.00'],
  memberPrice: ['0.95', '37.90', '122888.00'],
  barcode: ['96385074', '6901234567892', '6935364021115'],
  itemNumber: ['A1', 'HH-000187', 'HH-2026-000187'],
  serialNumber: ['1', 'SN26031500', 'SN20260315000187'],
  qrCode: ['1', '6901234567892', '6935364021115'],
  mallUrl: [
    'https://a.cn/1',
    'https://mall.example.com/shop/10086?goods=6901234567892',
    'https://mall.example.com/shop/10086/goods/6935364021115?from=label&batch=B20260315-0001-A02',
  ],
  appletUrl: [
    'https://a.cn/m/1',
    'https://applet.example.com/q/10086/6901234567892',
    'https://applet.example.com/q/10086/6935364021115?scene=price-tag&batch=B20260315-0001-A02',
  ],
  shopName: ['甲店', '便民超市', '便民生活超市连锁（滨江天街旗舰店）'],
  address: ['1号', '滨江路88号', '杭州市滨江区江南大道228号滨江天街负一层B1-036'],
  phone: ['110', '13800000000', '0571-00000000转8001'],
  operator: ['王', '李小芳', '欧阳静怡（高级店长）'],
  orderNumber: ['1', '202603150001', 'XS20260315143022000187'],
  queueNumber: ['1', '0036', '20260315-0036'],
  orderTime: ['2026-01-01 08:00:00', '2026-03-15 14:30:22', '2026-12-28 23:59:59'],
  date: ['2026-01-01', '2026-03-15', '2026-12-28'],
  printTime: ['2026-01-01 08:00:00', '2026-03-15 14:30:22', '2026-12-28 23:59:59'],
  remark: ['无', '开封后请尽快食用', '请置于阴凉干燥处，避免阳光直射；开封后请于三十日内食用完毕。'],
}

const column = (at: 0 | 1 | 2): LabelData => ({
  ...Object.fromEntries(Object.entries(ROWS).map(([key, row]) => [key, row[at]])),
  ...Object.fromEntries(
    MEMBER_LEVELS.map(({ id }) => {
      const price = (Number(ROWS.memberPrice?.[at]) * (100 - Number(id))) / 100
      return [`memberPrice.${id}`, price.toFixed(2)]
    }),
  ),
})

export const SAMPLES: Record<SampleKey, LabelData> = {
  short: column(0),
  typical: column(1),
  longest: column(2),
}
