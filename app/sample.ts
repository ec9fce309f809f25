// Plausible made-up shops, the same for the same seed. For demo data and measurements; no real person or shop is meant.
import { provinces } from '#features/regions/divisions.ts'

export type Random = {
  next(): number
  whole(below: number): number
  pick<T>(from: readonly T[]): T
  chance(share: number): boolean
}

/** Mulberry32: small, fast, repeatable. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number) => Math.floor(next() * below)
  return { next, whole, pick: from => from[whole(from.length)] as never, chance: share => next() < share }
}

const SURNAMES = [
  ...'王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚',
]
const GIVEN = [
  ...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红建国志文辉力永健世广义兴良海山仁波宁贵福生元全胜学祥才发武新利清飞彬富顺信子浩凯然瑶佳欣怡雪婷晨宇轩梓涵思雨',
]
const BRANDS = [
  ...'福禄寿喜金玉满堂春华秋实悦来聚德隆盛和泰安康乐鑫源丰茂百味香溢宝恒润祥瑞嘉美佳优品鲜果甜蜜花漾小城故事老街巷口南北东西湖山海云',
]
const KINDS: Record<number, string[]> = {
  1: ['商行', '便民店', '综合商店', '杂货铺'],
  2: ['面馆', '火锅店', '茶餐厅', '奶茶店', '烧烤店', '小吃店', '饭店', '咖啡馆'],
  3: ['超市', '便利店', '生鲜店', '水果店', '零食铺'],
  4: ['美发店', '美容院', '美甲店', '造型工作室'],
  5: ['服装店', '鞋店', '童装店', '男装专卖'],
  6: ['手机店', '数码专营店', '电脑维修'],
  7: ['汽车美容', '洗车行', '轮胎店', '汽修厂'],
  8: ['棋牌室', '台球俱乐部', '儿童乐园', '网咖'],
  9: ['洗衣店', '宠物店', '家政服务部', '花店'],
  10: ['母婴店', '孕婴生活馆', '童车专营'],
}
const STREETS = [
  '人民路',
  '中山路',
  '解放路',
  '建设路',
  '新华路',
  '和平路',
  '文化路',
  '胜利路',
  '朝阳路',
  '滨河路',
]

export function personName(random: Random): string {
  return random.pick(SURNAMES) + random.pick(GIVEN) + (random.chance(0.6) ? random.pick(GIVEN) : '')
}

export function companyName(random: Random, city: string): string {
  return `${city}${random.pick(BRANDS)}${random.pick(BRANDS)}${random.pick(['科技', '信息技术', '软件', '商贸', '网络'])}有限公司`
}

type Place = {
  provinceCode: string
  cityCode: string
  districtCode: string
  cityName: string
  districtName: string
}
let places: Place[] | null = null

export function place(random: Random): Place {
  places ??= provinces().flatMap(province =>
    (province.children ?? []).flatMap(city =>
      (city.children ?? []).map(district => ({
        provinceCode: province.code,
        cityCode: city.code,
        districtCode: district.code,
        cityName: /^(市辖区|县|省直辖|自治区直辖)/.test(city.name) ? province.name : city.name,
        districtName: district.name,
      })),
    ),
  )
  return random.pick(places)
}

export type SampleShop = {
  shopName: string
  shortName: string
  personName: string
  provinceCode: string
  cityCode: string
  districtCode: string
  address: string
  industryId: number
  referrer: string
}

export function shop(random: Random): SampleShop {
  const industryId = 1 + random.whole(10)
  const where = place(random)
  const brand = random.pick(BRANDS) + random.pick(BRANDS)
  const kind = random.pick(KINDS[industryId] as string[])
  return {
    shopName: `${where.cityName.replace(/(特别行政区|地区|自治州|市|县|盟)$/, '').slice(0, 4)}${brand}${kind}`,
    shortName: `${brand}${kind}`.slice(0, 8),
    personName: personName(random),
    provinceCode: where.provinceCode,
    cityCode: where.cityCode,
    districtCode: where.districtCode,
    address: `${random.pick(STREETS)}${1 + random.whole(400)}号`,
    industryId,
    referrer: random.chance(0.3) ? personName(random) : '',
  }
}
