// Demo data of the hardware shop: products with drawn pictures, and a year of orders, the last of them on their way.
import { demoNo, post, reverse } from '#features/money/ledger/demo.ts'
import {
  DEMO_AGENTS,
  demoOperator,
  demoOwner,
  demoSeller,
  type Person,
} from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { priceRow } from '#features/office/prices/rows.ts'
import { prices } from '#features/office/prices/tables.ts'
import { demoShops, isInUse, seasonDays } from '#features/sales/selling/demo.ts'
import { ago, type Demo, drawPicture, workHour } from '#server/demo.ts'
import { RETURN_DAYS, type ReturnCondition, toldOf } from './rules.ts'
import { hardwareOrderLines, hardwareOrders, hardwareProducts } from './tables.ts'

type Shape = {
  name: string
  model: string
  cents: number
  stock: number
  text: string
  hue: number
  drawing: string
}

/** Drawn here, so that no picture is anybody's. */
const PRODUCTS: readonly Shape[] = [
  {
    name: '触屏收银机',
    model: 'POS-15D',
    cents: 218_000,
    stock: 36,
    text: '15.6 英寸双屏，8G 内存，含收银软件授权安装',
    hue: 216,
    drawing:
      '<rect x="170" y="90" width="300" height="200" rx="14"/><rect x="300" y="290" width="40" height="50"/><rect x="230" y="340" width="180" height="24" rx="8"/>',
  },
  {
    name: '热敏小票打印机',
    model: 'TP-80',
    cents: 39_900,
    stock: 120,
    text: '80mm，自动切刀，USB 与网口',
    hue: 205,
    drawing:
      '<rect x="190" y="180" width="260" height="170" rx="16"/><path d="M235 180V90h170v90z" opacity=".55"/><path d="M260 120h120M260 148h80" stroke="#fff" stroke-width="8"/>',
  },
  {
    name: '标签打印机',
    model: 'LP-58',
    cents: 46_800,
    stock: 58,
    text: '58mm 不干胶标签，蓝牙与 USB',
    hue: 190,
    drawing:
      '<rect x="210" y="150" width="220" height="200" rx="18"/><circle cx="320" cy="235" r="54" fill="#fff" opacity=".75"/><circle cx="320" cy="235" r="16"/>',
  },
  {
    name: '钱箱',
    model: 'CD-410',
    cents: 16_800,
    stock: 74,
    text: '五格纸币八格硬币，RJ11 接口',
    hue: 222,
    drawing:
      '<rect x="150" y="160" width="340" height="170" rx="12"/><rect x="150" y="250" width="340" height="10" fill="#fff" opacity=".6"/><circle cx="320" cy="292" r="14" fill="#fff"/>',
  },
  {
    name: '扫码枪',
    model: 'SC-2200',
    cents: 12_900,
    stock: 7,
    text: '一维二维，有线，带支架',
    hue: 200,
    drawing:
      '<path d="M210 120h210a30 30 0 0 1 0 90H330l-36 160h-64l30-160h-50z"/><path d="M470 150v30" stroke-width="12"/>',
  },
  {
    name: '扫码支付盒',
    model: 'QB-30',
    cents: 18_500,
    stock: 0,
    text: '桌面式，识别手机屏幕付款码，语音播报',
    hue: 212,
    drawing:
      '<rect x="220" y="110" width="200" height="240" rx="24"/><rect x="262" y="160" width="116" height="116" fill="#fff" opacity=".8"/>',
  },
  {
    name: '标签纸（50 卷）',
    model: '40×30mm',
    cents: 9_900,
    stock: 400,
    text: '三防热敏，每卷 800 张',
    hue: 230,
    drawing:
      '<circle cx="270" cy="230" r="100"/><circle cx="270" cy="230" r="36" fill="#fff"/><rect x="270" y="290" width="210" height="40"/>',
  },
  {
    name: '厨房打印机',
    model: 'KP-80W',
    cents: 59_800,
    stock: 21,
    text: '防油防水，声光提醒，WiFi',
    hue: 196,
    drawing:
      '<rect x="180" y="170" width="280" height="190" rx="16"/><path d="M230 170V84h180v86z" opacity=".55"/><path d="M290 60a30 30 0 0 1 60 0z"/><circle cx="420" cy="330" r="12" fill="#fff"/>',
  },
]

const SKY = ['#eef2f7', '#dfe6ef'] as const
const ON_SALE_DAYS = 400
type Place = [district: string, address: string, contact: string, phone: string]
const PLACES: Record<number, Place[]> = {
  [DEMO_AGENTS.first]: [
    ['440305', '科技园南区1栋8楼', '陈立新', '13812340001'],
    ['440106', '天河北路233号', '黄敏仪', '13812340002'],
    ['440304', '福华一路88号2层', '林子豪', '13812340004'],
  ],
  [DEMO_AGENTS.other]: [['510107', '武侯大道12号', '何佳怡', '13812340003']],
  [DEMO_AGENTS.below]: [['441900', '南城街道鸿福路200号', '梁嘉敏', '13812340005']],
  [DEMO_AGENTS.fresh]: [['441302', '演达一路16号', '温志强', '13812340006']],
}
const ORDERS = [
  [DEMO_AGENTS.first, 350, 26],
  [DEMO_AGENTS.other, 330, 9],
  [DEMO_AGENTS.below, 300, 4],
  [DEMO_AGENTS.fresh, 90, 2],
] as const
/** The last orders of the first agent, so that there is one at each step of its way. */
const LATEST = [19, 12, 8, 6, 4.2, 2.6, 1.4, 0.6]
const RETURNED: Record<number, Pick<Return, 'reason' | 'condition'>> = {
  4: { reason: '型号订错', condition: 'sound' },
  11: { reason: '收到时外壳破损', condition: 'defective' },
  // Before it was sent.
  17: { reason: '客户取消开店', condition: null },
}
const CARRIERS = [
  ['顺丰速运', 'SF10'],
  ['京东物流', 'JD00'],
  ['德邦快递', 'DPK3'],
] as const

/** Above the ids of the prices that a fresh database starts with. */
const FIRST_PRICE = 1_001

export async function demo(demo: Demo): Promise<void> {
  const products: Product[] = []
  for (const [position, shape] of PRODUCTS.entries()) {
    const pictureId = await createPicture(demo, shape)
    const { name, model, text: description, cents, stock } = shape
    const createdAt = ago(demo, ON_SALE_DAYS)
    const row = { name, model, description, stock, pictureId, position, createdAt }
    const item = demo.history.add(hardwareProducts, row).id
    const price = { book: 'hardware', item, part: 'unit', cents, startsAt: createdAt } as const
    demo.history.add(prices, { id: FIRST_PRICE + position, ...priceRow(price) })
    if (position === 0) {
      const lower = { ...price, cents: cents - 3_000, startsAt: ago(demo, ON_SALE_DAYS / 2) }
      demo.history.add(prices, { id: FIRST_PRICE + PRODUCTS.length, ...priceRow(lower) })
      const again = { ...price, startsAt: ago(demo, ON_SALE_DAYS / 3) }
      demo.history.add(prices, { id: FIRST_PRICE + PRODUCTS.length + 1, ...priceRow(again) })
    }
    products.push({ id: item, shape })
  }
  for (const [agentId, days, count] of ORDERS) {
    const past = seasonDays(demo, days, count)
    const all = agentId === DEMO_AGENTS.first ? [...past.filter(day => day > 24), ...LATEST] : past
    for (const [i, daysAgo] of all.entries())
      demo.history.at(workHour(demo, daysAgo), at => order(demo, { agentId, products, i, at }))
  }
}

type Product = { id: number; shape: Shape }
type Asked = { agentId: number; products: Product[]; i: number; at: string }

function createPicture(demo: Demo, shape: Shape): Promise<string | null> {
  const fill = `hsl(${shape.hue} 32% 42%)`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><defs><linearGradient id="s" x2="0" y2="1">
    <stop stop-color="${SKY[0]}"/><stop offset="1" stop-color="${SKY[1]}"/></linearGradient></defs>
    <rect width="640" height="480" fill="url(#s)"/><ellipse cx="320" cy="384" rx="190" ry="16" fill="#0001"/>
    <g fill="${fill}" stroke="${fill}" stroke-linecap="round">${shape.drawing}</g></svg>`
  const createdAt = ago(demo, ON_SALE_DAYS)
  return drawPicture(demo, svg, {
    agentId: 1,
    purpose: 'product',
    createdBy: demoOperator(demo).id,
    createdAt,
  })
}

function order(demo: Demo, { agentId, products, i, at }: Asked): void {
  const { history, random } = demo
  const by = demoSeller(demo, agentId)
  const [districtCode, address, contactName, contactPhone] = random.pick(PLACES[agentId] as Place[])
  const chosen = new Set([random.pick(products), random.pick(products)])
  const lines = [...chosen].map(({ id, shape }) => {
    const quantity = shape.cents > 100_000 ? 1 : 1 + random.whole(3)
    const totalCents = shape.cents * quantity
    return { agentId, productId: id, productName: shape.name, unitCents: shape.cents, quantity, totalCents }
  })
  // Most are for one of the agent's shops.
  const shop = random.chance(0.7)
    ? random.pick(demoShops(demo).filter(one => one.agentId === agentId && isInUse(one, at)))
    : undefined
  const totalCents = lines.reduce((sum, line) => sum + line.totalCents, 0)
  const made = history.add(hardwareOrders, {
    orderNo: demoNo(demo, at),
    agentId,
    merchantId: shop?.id ?? null,
    contactName,
    contactPhone,
    districtCode,
    address,
    totalCents,
    deliveryStatus: 'awaitingShipment',
    remark: random.chance(0.2) ? random.pick(['请周末送货', '到货前电话联系', '开发票']) : '',
    createdBy: by.id,
    createdByName: by.name,
    createdAt: at,
    paidAt: at,
  })
  for (const line of lines) history.add(hardwareOrderLines, { ...line, orderId: made.id })
  const paid = post(demo, {
    kind: 'hardware',
    asset: 'token',
    amount: totalCents,
    from: { kind: 'agent', id: agentId },
    to: { kind: 'vendor', book: 'revenue' },
    document: made.orderNo,
    payMethod: 'balance',
    agentId,
    at,
    by,
    description: '硬件订购',
  })
  const back = agentId === DEMO_AGENTS.first ? RETURNED[i] : undefined
  deliver(demo, made, at, back ? { ...back, paid, by } : null)
}

type Made = typeof hardwareOrders.$inferInsert
/** `condition`: null where it was cancelled before it was sent. */
type Return = {
  reason: string
  condition: ReturnCondition | null
  paid: ReturnType<typeof post>
  by: Person
}

/** Sent within two days, received within five, complete when it can no longer be returned; as far as time has passed. */
function deliver(demo: Demo, made: Made, at: string, back: Return | null): void {
  const { history, random } = demo
  const after = (moment: string, hours: number) => new Date(Date.parse(moment) + hours * 3_600_000)
  const [carrier, prefix] = random.pick(CARRIERS)
  const trackingNo = `${prefix}${made.orderNo.slice(-8)}`
  const takeBack = ({ reason, condition, paid, by }: Return, returnedAt: string) => {
    const deliveryStatus = condition ? 'returned' : 'cancelled'
    Object.assign(made, { deliveryStatus, returnedAt, returnReason: reason, returnCondition: condition })
    reverse(demo, [paid], returnedAt, by, reason)
  }
  if (back && !back.condition) {
    history.at(after(at, 5), returnedAt => takeBack(back, returnedAt))
    return
  }
  history.at(after(at, 20 + random.next() * 24), shippedAt => {
    Object.assign(made, { deliveryStatus: 'shipped', carrier, trackingNo, shippedAt })
    const told = toldOf('ship', { ...made, carrier, trackingNo, returnReason: '' })
    if (told)
      tell(demo, demoOwner(demo, made.agentId), shippedAt, {
        ...told,
        topic: 'Hardware_Notify',
        link: `/admin/order/${made.orderNo}`,
        args: { orderNo: made.orderNo },
      })
    history.at(after(shippedAt, 70 + random.next() * 40), receivedAt => {
      Object.assign(made, { deliveryStatus: 'received', receivedAt })
      if (back) history.at(after(receivedAt, 60), returnedAt => takeBack(back, returnedAt))
      else
        history.at(after(receivedAt, RETURN_DAYS * 24), finishedAt => {
          Object.assign(made, { deliveryStatus: 'complete', finishedAt })
        })
    })
  })
}
