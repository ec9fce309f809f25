// The goods that a shop sells at the simulated point of sale: made up from the shop and the number of the article, always the same.
import { createHash } from 'node:crypto'

type Good = {
  id: string
  texts: Record<string, string>
  prices: Record<string, number>
  memberPrices: Record<string, number>
}
/** Name, category, unit, spec, price in fen, where from, days it keeps (0: it does not spoil). */
type Line = readonly [string, string, string, string, number, string, number]
type Trade = 'market' | 'kitchen' | 'clothes'

const LINES: Record<Trade, readonly Line[]> = {
  market: [
    ['茉莉花茶', '茶叶冲饮', '袋', '250g/袋', 3_990, '福建福州', 540],
    ['有机绿茶', '茶叶冲饮', '罐', '150g/罐', 5_800, '浙江杭州', 540],
    ['速溶咖啡', '茶叶冲饮', '盒', '15g×20条', 3_250, '云南普洱', 540],
    ['纯牛奶', '乳品', '盒', '250ml×12盒', 4_980, '内蒙古呼和浩特', 180],
    ['风味酸奶', '乳品', '杯', '200g/杯', 650, '黑龙江齐齐哈尔', 21],
    ['矿泉水', '饮料', '瓶', '550ml/瓶', 200, '吉林白山', 365],
    ['气泡水', '饮料', '瓶', '480ml/瓶', 550, '广东佛山', 365],
    ['橙汁', '饮料', '瓶', '1L/瓶', 1_280, '湖北宜昌', 270],
    ['东北大米', '粮油', '袋', '5kg/袋', 4_990, '黑龙江五常', 365],
    ['小麦粉', '粮油', '袋', '2.5kg/袋', 1_690, '河南郑州', 365],
    ['压榨花生油', '粮油', '桶', '5L/桶', 13_900, '山东临沂', 540],
    ['龙须挂面', '粮油', '包', '800g/包', 790, '河北邢台', 365],
    ['生抽酱油', '调味', '瓶', '500ml/瓶', 1_150, '广东江门', 540],
    ['香醋', '调味', '瓶', '500ml/瓶', 890, '江苏镇江', 720],
    ['郫县豆瓣', '调味', '瓶', '500g/瓶', 1_380, '四川成都', 540],
    ['原味瓜子', '休闲食品', '袋', '260g/袋', 1_290, '安徽合肥', 240],
    ['手撕牛肉干', '休闲食品', '袋', '100g/袋', 2_680, '内蒙古通辽', 270],
    ['苏打饼干', '休闲食品', '包', '400g/包', 1_090, '广东东莞', 300],
    ['抽纸', '日用百货', '提', '3层×120抽×6包', 1_990, '江苏苏州', 0],
    ['洗衣液', '日用百货', '瓶', '3kg/瓶', 3_990, '广东广州', 0],
    ['不锈钢保温杯', '日用百货', '个', '480ml', 7_900, '浙江永康', 0],
    ['红富士苹果', '生鲜果蔬', '500g', '散装', 690, '陕西洛川', 15],
    ['海南香蕉', '生鲜果蔬', '500g', '散装', 398, '海南乐东', 7],
    ['五花肉', '生鲜果蔬', '500g', '冷鲜', 1_880, '河南漯河', 3],
  ],
  kitchen: [
    ['招牌红烧牛肉面', '面食', '份', '大碗', 2_800, '本店现做', 1],
    ['番茄鸡蛋面', '面食', '份', '大碗', 1_800, '本店现做', 1],
    ['鲜肉小笼包', '点心', '笼', '8只/笼', 1_600, '本店现做', 1],
    ['虾饺皇', '点心', '笼', '4只/笼', 2_600, '本店现做', 1],
    ['宫保鸡丁', '热菜', '份', '例', 3_800, '本店现做', 1],
    ['麻婆豆腐', '热菜', '份', '例', 2_200, '本店现做', 1],
    ['清蒸鲈鱼', '热菜', '条', '约600g', 6_800, '本店现做', 1],
    ['凉拌黄瓜', '凉菜', '份', '例', 1_200, '本店现做', 1],
    ['口水鸡', '凉菜', '份', '例', 3_200, '本店现做', 1],
    ['酸梅汤', '饮品', '扎', '1L/扎', 2_800, '本店现做', 1],
    ['珍珠奶茶', '饮品', '杯', '500ml/杯', 1_500, '本店现做', 1],
    ['冷冻水饺（外带）', '外带', '袋', '500g/袋', 2_980, '本店现做', 90],
    ['秘制辣椒酱（外带）', '外带', '瓶', '210g/瓶', 1_980, '本店现做', 180],
  ],
  clothes: [
    ['圆领短袖T恤', '上衣', '件', '基本款', 9_900, '广东广州', 0],
    ['牛津纺衬衫', '上衣', '件', '修身', 19_900, '江苏南通', 0],
    ['针织开衫', '上衣', '件', '宽松', 25_900, '浙江桐乡', 0],
    ['轻薄羽绒服', '外套', '件', '短款', 59_900, '江苏常熟', 0],
    ['防风夹克', '外套', '件', '常规', 39_900, '福建泉州', 0],
    ['直筒牛仔裤', '裤装', '条', '中腰', 22_900, '广东新塘', 0],
    ['休闲短裤', '裤装', '条', '五分', 12_900, '福建石狮', 0],
    ['百褶半身裙', '裙装', '条', '中长', 18_900, '浙江杭州', 0],
    ['碎花连衣裙', '裙装', '条', '收腰', 29_900, '浙江杭州', 0],
    ['纯棉中筒袜', '配饰', '双', '3双装', 3_990, '浙江诸暨', 0],
  ],
}
const BRANDS: Record<Trade, readonly string[]> = {
  market: ['清禾', '禾丰里', '山野集', '百味坊', '每日鲜', '江南小铺'],
  kitchen: ['', '特色', '双人份', '儿童', '微辣', '特辣'],
  clothes: ['素衣坊', '行远', '蓝岸', '木棉里', '云织'],
}
const [SIZES, COLOURS] = [
  ['S', 'M', 'L', 'XL', '170/92A'],
  ['黑色', '米白', '墨绿', '雾霾蓝', '酒红'],
] as const
const TRADES = ['market', 'kitchen', 'clothes'] as const
const LEVELS = { 1: 98, 2: 95, 3: 92, 4: 88 } as const
const LONG = '（2026年新季限定礼盒装，附赠定制帆布手提袋与手写贺卡）'

/** Shops of which nothing is on sale yet, though there may be articles. */
export const sellsNothing = (shopId: number): boolean => shopId % 8 === 5

export function goodOf(shopId: number, number: number): Good {
  const trade = TRADES[shopId % TRADES.length] ?? 'market'
  const lines = LINES[trade]
  const line = lines[(number - 1) % lines.length] ?? (lines[0] as Line)
  const [name, category, unit, spec, base, origin, days] = line
  const round = Math.floor((number - 1) / lines.length)
  const chance = seedOf(shopId, number)
  const brands = BRANDS[trade]
  const brand = brands[round % brands.length] ?? ''
  const series = Math.floor(round / brands.length)
  const fen = Math.round((base * (90 + (chance % 41))) / 1_000) * 10
  const code = barcode(trade, number, chance)
  const made = Date.UTC(2026, 0, 1) + (chance % 240) * 86_400_000
  return {
    id: `${shopId}-${number}`,
    texts: {
      productName: `${brand}${name}${series > 0 ? ` ${series + 1}号` : ''}${number % 23 === 5 ? LONG : ''}`,
      itemNumber: `${trade.slice(0, 1).toUpperCase()}${String(number).padStart(5, '0')}`,
      ...(code && { barcode: code }),
      ...{ category, unit, spec, origin },
      ...(trade !== 'kitchen' && { brand, producer: `${origin}${brand}制造厂`, supplier: `${brand}商贸` }),
      ...(days > 0 && keeping(made, days)),
      ...(trade === 'clothes' && worn(number)),
      ...(trade === 'market' && { netWeight: spec, standard: 'GB 7718', grade: '一级' }),
      mallUrl: `https://mall.example.com/shop/${shopId}?goods=${number}`,
      appletUrl: `https://applet.example.com/q/${shopId}/${number}`,
      ...(days > 0 && days < 30 && { remark: '请冷藏，开封后尽快食用' }),
    },
    prices: {
      ...{ retailPrice: fen, originalPrice: Math.ceil(fen * 1.2), wholesalePrice: Math.floor(fen * 0.8) },
      ...{ promotionPrice: Math.floor(fen * 0.9), memberPrice: Math.floor(fen * 0.95), unitPrice: fen },
    },
    memberPrices: Object.fromEntries(
      Object.entries(LEVELS).map(([level, percent]) => [level, Math.floor((fen * percent) / 100)]),
    ),
  }
}

/** Some are sold by weight under a code that no scanner reads; dishes have none. */
function barcode(trade: Trade, number: number, chance: number): string {
  if (number % 37 === 11) return `散称${number}`
  if (trade === 'kitchen') return ''
  const digits = `69${String(chance % 10_000_000).padStart(7, '0')}${String(number % 1_000).padStart(3, '0')}`
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return digits + ((10 - (sum % 10)) % 10)
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

const keeping = (made: number, days: number) => ({
  batch: `B${day(made).replaceAll('-', '')}`,
  warrantyDays: `${days}天`,
  productionDate: day(made),
  expiryDate: day(made + days * 86_400_000),
})

const worn = (number: number) => ({
  size: SIZES[number % SIZES.length] ?? '',
  colour: COLOURS[number % COLOURS.length] ?? '',
  fabric: number % 2 === 0 ? '100%棉' : '65%棉 35%聚酯纤维',
  material: '纺织品',
  composition: number % 2 === 0 ? '棉100%' : '棉65% 聚酯纤维35%',
  season: number % 3 === 0 ? '2026秋冬' : '2026春夏',
  grade: '合格品',
  safety: 'GB 18401 B类',
  standard: 'FZ/T 73020',
})

function seedOf(shopId: number, number: number): number {
  return createHash('sha256').update(`${shopId} goods ${number}`).digest().readUInt32BE(0)
}

type Asked = Record<string, unknown>
type Answered = { goods: Good[]; total: number; categories: string[]; next: string | null }

/** A page of them; null: the cursor leads nowhere. */
export function goodsPage(shopId: number, numbers: readonly number[], asked: Asked): Answered | null {
  const [search, category] = [String(asked.search ?? ''), String(asked.category ?? '')]
  const size = Math.min(50, Math.max(1, Number(asked.size) || 1))
  const all = sellsNothing(shopId) ? [] : numbers.map(number => ({ number, good: goodOf(shopId, number) }))
  const found = all.filter(({ good: { texts } }) => isFound(texts, search, category))
  const from = begin(asked.after, search, category)
  if (from === null) return null
  const left = found.filter(({ number }) => number > from)
  const page = left.slice(0, size)
  const last = page.at(-1)?.number ?? 0
  return {
    goods: page.map(({ good }) => good),
    total: found.length,
    categories: [...new Set(all.map(({ good }) => good.texts.category ?? ''))],
    next: left.length > size ? `${last}.${mark(search, category)}` : null,
  }
}

function isFound(texts: Good['texts'], search: string, category: string): boolean {
  if (category !== '' && texts.category !== category) return false
  const words = [texts.productName, texts.itemNumber, texts.barcode].join('\n').toLowerCase()
  return words.includes(search.toLowerCase())
}

/** After which number; null: of another search, or none of ours. */
function begin(after: unknown, search: string, category: string): number | null {
  if (after === null || after === undefined) return 0
  const [, number, of] = /^(\d{1,9})\.(\w{8})$/.exec(String(after)) ?? []
  return number !== undefined && of === mark(search, category) ? Number(number) : null
}

const mark = (search: string, category: string) =>
  createHash('sha256').update(`${search}\n${category}`).digest('hex').slice(0, 8)
