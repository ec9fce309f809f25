// Demo data of shops: who opened when and with what order, and a chain. Later features let time pass over them.
import { demoBalance, demoNo, post } from '#features/money/ledger/demo.ts'
import {
  DEMO_AGENTS,
  demoOwner,
  demoPasswordHash,
  demoSeller,
  demoStaff,
} from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { orderRow } from '#features/sales/orders/rows.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { type PurchaseTerms, priceOf, termFrom } from '#features/shops/versions/rules.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Demo, kept, workHour } from '#server/demo.ts'
import { shop as sampleShop } from './sample.ts'
import { monthsOf } from './server-add.ts'

export type DemoShop = typeof merchants.$inferInsert
/** All shops that are open, in the order of their opening. */
export const demoShops = kept(() => [] as DemoShop[])

/** `shops`: of which so many open `today`, the others within so many days. */
type Seller = {
  agentId: number
  shops: number
  today: number
  days: number
  discount: number
  cities: string[]
}
const SELLERS: Seller[] = [
  {
    agentId: DEMO_AGENTS.first,
    shops: 120,
    today: 1,
    days: 720,
    discount: 6_000,
    cities: ['4403', '4403', '4403', '4401', '4406'],
  },
  {
    agentId: DEMO_AGENTS.other,
    shops: 35,
    today: 0,
    days: 700,
    discount: 7_000,
    cities: ['5101', '5101', '5107'],
  },
  { agentId: DEMO_AGENTS.below, shops: 8, today: 0, days: 650, discount: 7_000, cities: ['4419'] },
  { agentId: DEMO_AGENTS.gone, shops: 1, today: 0, days: 500, discount: 7_000, cities: ['4406'] },
  { agentId: DEMO_AGENTS.fresh, shops: 4, today: 0, days: 110, discount: 7_000, cities: ['4413'] },
]
/** Of the months from January on: little before the new year of the moon, much in autumn. */
const SEASON = [0.7, 0.35, 1.2, 1.3, 1, 0.8, 0.7, 0.9, 1.4, 1.5, 1.2, 1]

/** How many days ago `count` things happened within so many days, by season; the earliest first. */
export function seasonDays({ now, random }: Demo, days: number, count: number): number[] {
  const weights = Array.from({ length: days }, (_, i) => {
    const month = Number(addDays(formatDay(now), i - days).slice(5, 7))
    return SEASON[month - 1] as number
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return Array.from({ length: count }, (_, i) => {
    let left = ((i + random.next()) / count) * whole
    const day = weights.findIndex(weight => {
      left -= weight
      return left < 0
    })
    return days - Math.max(0, day)
  })
}

/** A year ago the first agent sold more than in other months, so that many terms end now. */
function openingDays(demo: Demo, { agentId, days, shops, today }: Seller): number[] {
  const all = seasonDays(demo, days, shops - today)
  if (agentId !== DEMO_AGENTS.first) return all
  return all.map((day, i) =>
    (i % 5 === 2 || i % 5 === 4) && day > 30 && day < 330 ? 335 + ((i * 7) % 31) : day,
  )
}

/** The discount of an agent's level. */
export const demoDiscount = (agentId: number) =>
  (SELLERS.find(seller => seller.agentId === agentId) as Seller).discount

/** In use: neither disabled nor at its end. */
export function isInUse(shop: DemoShop, at: string): boolean {
  return shop.status === 'normal' && (shop.expiresAt === null || (shop.expiresAt as string) > at)
}

/** A third of the shops wants the software and nothing else. */
export const buysMore = ({ id }: DemoShop) => id % 3 > 0

const BRANCHES = ['东门分店', '南山分店', '宝安分店']
/** Which of the first agent's shops are a chain: its head, then its branches. */
const CHAIN = [61, 66, 70, 75]
const OLD_VERSION_UNTIL = 480
const DAY_MS = 86_400_000

export function demo(demo: Demo): void {
  for (const seller of SELLERS)
    for (const [i, days] of [...openingDays(demo, seller), ...Array<number>(seller.today).fill(0)].entries())
      demo.history.at(workHour(demo, days), at => openShop(demo, seller, { i, days, at }))
  for (const days of [66, 12]) demo.history.at(workHour(demo, days), at => sign(demo, at))
  demo.history.at(workHour(demo, 55), at => {
    const shop = demoShops(demo).find(one => one.agentId === DEMO_AGENTS.below && isInUse(one, at))
    if (shop) disable(demo, shop, at)
  })
  demo.history.at(demo.now, at => {
    for (const shop of demoShops(demo)) if (shop.status === 'normal') signIn(demo, shop, at)
  })
}

/** The shops of tomorrow go on after these. */
export async function afterwards({ client }: Demo): Promise<void> {
  await client.query(`select setval('merchant_ids', max(id)) from merchants`)
}

/** Which shops are the chain of the first agent. */
export const demoChain = kept(() => [] as DemoShop[])

function openShop(
  demo: Demo,
  seller: Seller,
  { i, days, at }: { i: number; days: number; at: string },
): void {
  const { random, history } = demo
  const { agentId } = seller
  const place = agentId === DEMO_AGENTS.first ? CHAIN.indexOf(i) : -1
  const version = versionFor(demo, place, days)
  const terms = termsFor(demo, version, place)
  const price = priceOf(version, terms, seller.discount)
  if (!price) throw new Error(`no price for version ${version.id}`)
  const by = demoSeller(demo, agentId)
  const shop = history.add(
    merchants,
    merchantRow({
      ...namesFor(demo, seller, { i, place }),
      id: 10_000_001 + demoShops(demo).length,
      agentId,
      account: `18${String(agentId).padStart(4, '0')}${String(i).padStart(5, '0')}`,
      passwordHash: demoPasswordHash(demo)[0] ?? '',
      versionId: version.id,
      shopsBought: price.shops,
      registeredAt: at,
      ...termFrom(at, monthsOf(terms.term, terms.periods)),
      managerId: random.chance(0.75) ? by.id : null,
      remark: random.chance(0.2)
        ? random.pick(['续费请先电话联系', '老客户，优先处理', '需要上门培训', '微信联系即可'])
        : '',
      ...verification(demo, days),
      source:
        days > 600 && random.chance(0.3) ? 'import' : random.chance(0.15) ? registered(i) : 'backOffice',
    }),
  )
  demoShops(demo).push(shop)
  if (place >= 0) demoChain(demo)[place] = shop
  else if (random.chance(0.06))
    history.at(new Date(Date.parse(at) + (60 + random.next() * 500) * DAY_MS), end =>
      disable(demo, shop, end),
    )
  const order = history.add(
    versionOrders,
    orderRow({
      ...price,
      ...terms,
      orderNo: demoNo(demo, at),
      agentId,
      merchantId: shop.id,
      versionId: version.id,
      content: `新增商户 ${shop.shopName} ${version.name}`,
      createdBy: by.id,
      createdAt: at,
    }),
  )
  const common = {
    document: order.orderNo,
    merchantId: shop.id,
    payMethod: 'balance',
    agentId,
    at,
    by,
  } as const
  post(demo, {
    ...common,
    kind: 'version-new',
    asset: 'token',
    amount: price.totalCents,
    from: { kind: 'agent', id: agentId },
    to: { kind: 'vendor', book: 'revenue' },
    description: `新增商户 ${shop.shopName}`,
  })
  const pieces = buysMore(shop) && random.chance(0.6) ? random.pick([50, 100, 100, 200]) : 0
  if (pieces > 0 && demoBalance(demo, { kind: 'agent', id: agentId }, 'sms') > pieces * 10)
    post(demo, {
      ...common,
      kind: 'sms-open',
      asset: 'sms',
      amount: pieces,
      from: { kind: 'agent', id: agentId },
      to: { kind: 'merchant', id: shop.id },
      description: `新增商户 ${shop.shopName} 短信`,
    })
}

function versionFor({ random }: Demo, place: number, days: number) {
  const id = place >= 0 ? 3 : random.pick([12, 12, 12, 12, 12, 3, 3, 1])
  // Sold under another name then; who has it renews it.
  const sold = id === 12 && days > OLD_VERSION_UNTIL && random.chance(0.5) ? 4 : id
  return VERSIONS.find(version => version.id === sold) as (typeof VERSIONS)[number]
}

function termsFor({ random }: Demo, version: (typeof VERSIONS)[number], place: number): PurchaseTerms {
  const branches =
    place === 0 ? BRANCHES.length : place < 0 && version.pricingRule === 'perBranchYear' ? random.whole(4) : 0
  if (version.pricingRule === 'perShopLifetime') return { term: 'lifetime', periods: 1, shops: 1, branches }
  return { term: 'year', periods: random.chance(0.88) ? 1 : 2, shops: 1, branches }
}

function namesFor(demo: Demo, { agentId, cities }: Seller, { i, place }: { i: number; place: number }) {
  const [head] = demoChain(demo)
  const sample = sampleShop(demo.random, place > 0 && head ? [head.cityCode] : cities)
  if (place > 0 && head) {
    const { industryId, personName, shortName, referrer } = head
    const shopName = `${head.shopName.slice(0, 24)}${BRANCHES[place - 1]}`
    return { ...sample, ...{ industryId, personName, shortName, referrer, shopName } }
  }
  const isLong = agentId === DEMO_AGENTS.first && i === 7
  const shopName = isLong ? '中华人民共和国广东省深圳市南山区科技园北区老字号面馆' : sample.shopName
  return { ...sample, shopName, signature: demo.random.chance(0.5) ? sample.shortName : '' }
}

const FAILURES = [
  '营业执照照片不清晰，请重新上传',
  '法人姓名与身份证不一致',
  '营业执照已过期',
  '店铺名称与营业执照不符',
  '身份证缺少国徽面照片',
]

function verification({ random }: Demo, days: number) {
  if (days < 12) return { verificationStatus: random.pick(['reviewing', 'unverified'] as const) }
  const verificationStatus = random.pick([
    ...(['verified', 'verified', 'verified', 'unverified', 'unverified', 'reviewing', 'failed'] as const),
  ])
  const isFailed = verificationStatus === 'failed'
  return { verificationStatus, verificationRefusal: isFailed ? random.pick(FAILURES) : '' }
}

/** Nothing is sold to it any more; it was last seen some days before, or before the end of its term. */
function disable(demo: Demo, shop: DemoShop, at: string): void {
  const last = shop.expiresAt && shop.expiresAt < at ? shop.expiresAt : at
  const lastLoginAt = new Date(Date.parse(last) - demo.random.next() * 20 * DAY_MS).toISOString()
  Object.assign(shop, {
    status: 'disabled',
    lastLoginAt: lastLoginAt > shop.registeredAt ? lastLoginAt : null,
  })
}

/** When a shop was last seen: lately while it is in use, before its end otherwise. */
function signIn(demo: Demo, shop: DemoShop, at: string): void {
  const { random } = demo
  const last = isInUse(shop, at) ? at : (shop.expiresAt ?? at)
  const lastLoginAt = new Date(
    Date.parse(last) - random.next() * random.pick([1, 3, 20]) * DAY_MS,
  ).toISOString()
  shop.lastLoginAt = lastLoginAt < shop.registeredAt || random.chance(0.06) ? null : lastLoginAt
}

/** The vendor's people correct the signature of a shop's messages, and its agent hears of it. */
function sign(demo: Demo, at: string): void {
  const { first } = DEMO_AGENTS
  const shop = demoShops(demo).find(one => one.agentId === first && !one.signature && isInUse(one, at))
  if (!shop) return
  shop.signature = shop.shortName
  tell(demo, demoOwner(demo, first), at, {
    topic: 'Refresh_Signature_Notify',
    title: '短信签名已修改',
    body: `${shop.shopName}：「无」改为「${shop.signature}」，修改人 ${demoStaff(demo).name}`,
    link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
    args: { merchantId: shop.id, signature: shop.signature },
  })
}

/** Where the i-th shop has registered itself. */
const registered = (i: number) => (i % 3 === 0 ? 'app' : 'mobileWebsite')
