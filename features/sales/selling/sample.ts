// Plausible made-up shops, the same for the same seed. For demo data and measurements; no real one is meant.
import { BRANDS, personName } from '#features/office/agents/sample.ts'
import { provinces } from '#features/office/regions/divisions.ts'
import type { Random } from '#kit/random.ts'

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

type Place = {
  provinceCode: string
  cityCode: string
  districtCode: string
  cityName: string
  districtName: string
}
let places: Place[] | null = null

function place(random: Random, cities: readonly string[]): Place {
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
  if (cities.length === 0) return random.pick(places)
  const city = random.pick(cities)
  return random.pick(places.filter(({ cityCode }) => cityCode === city))
}

type SampleShop = {
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

/** Anywhere, or in one of these cities (the first four digits of a division). */
export function shop(random: Random, cities: readonly string[] = []): SampleShop {
  const industryId = 1 + random.whole(10)
  const where = place(random, cities)
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
