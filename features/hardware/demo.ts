// Demo data of the hardware shop: products with drawn pictures, and orders at every stage.
import sharp from 'sharp'
import { DEMO_AGENTS, demoOwner } from '#features/access/demo.ts'
import { nextNo, postDemo } from '#features/ledger/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { filesDirOf, writePicture } from '#server/files.ts'
import { encodePicture } from '#server/pictures.ts'

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
    drawing: '',
  },
]

const SKY = ['#eef2f7', '#dfe6ef'] as const
const PLACES = [
  ['440305', '科技园南区1栋8楼', '陈立新', '13812340001'],
  ['440106', '天河北路233号', '黄敏仪', '13812340002'],
  ['510107', '武侯大道12号', '何佳怡', '13812340003'],
] as const
const STAGES = [
  'awaitingShipment',
  'shipped',
  'received',
  'returned',
  'complete',
  'awaitingShipment',
] as const

export async function demo(demo: Demo): Promise<void> {
  const products: { id: number; shape: Shape }[] = []
  for (const [position, shape] of PRODUCTS.entries()) {
    const { rows } = await demo.client.query<{ id: string }>(
      `insert into hardware_products (name, model, description, unit_cents, stock, picture_id, position, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [
        shape.name,
        shape.model,
        shape.text,
        shape.cents,
        shape.stock,
        await createPicture(demo, shape),
        position,
        ago(demo, 200),
      ],
    )
    products.push({ id: Number(rows[0]?.id), shape })
  }
  for (let i = 0; i < 18; i++) {
    const agentId = i % 3 === 2 ? DEMO_AGENTS.other : DEMO_AGENTS.first
    const chosen = [products[i % 5], products[(i * 3 + 1) % 8]].filter(
      (product, at, all) => product && all.indexOf(product) === at,
    )
    await createOrder(demo, agentId, i, chosen as typeof products)
  }
}

async function createPicture({ client, now, dataDir }: Demo, shape: Shape): Promise<string | null> {
  if (dataDir === null || shape.drawing === '') return null
  const fill = `hsl(${shape.hue} 32% 42%)`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><defs><linearGradient id="s" x2="0" y2="1">
    <stop stop-color="${SKY[0]}"/><stop offset="1" stop-color="${SKY[1]}"/></linearGradient></defs>
    <rect width="640" height="480" fill="url(#s)"/><ellipse cx="320" cy="384" rx="190" ry="16" fill="#0001"/>
    <g fill="${fill}" stroke="${fill}" stroke-linecap="round">${shape.drawing}</g></svg>`
  const picture = await encodePicture(await sharp(Buffer.from(svg)).png().toBuffer())
  const id = await writePicture(filesDirOf(dataDir), picture)
  await client.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     select $1, 1, 'product', $2, $3, $4, $5, id, $6 from accounts where agent_id = 1 and is_owner`,
    [id, picture.mime, picture.width, picture.height, picture.bytes.length, now.toISOString()],
  )
  return id
}

async function createOrder(
  demo: Demo,
  agentId: number,
  i: number,
  products: readonly { id: number; shape: Shape }[],
): Promise<void> {
  const stage = i < 6 ? STAGES[i % 2] : STAGES[i % STAGES.length]
  const at = (days: number) => ago(demo, days)
  const age = 0.4 + i * 2.6
  const lines = products.map((product, n) => ({
    ...product,
    quantity: product.shape.cents > 100_000 ? 1 : 1 + ((i + n) % 3),
  }))
  const totalCents = lines.reduce((sum, line) => sum + line.shape.cents * line.quantity, 0)
  const [district, address, contact, phone] = PLACES[i % PLACES.length] as (typeof PLACES)[number]
  const isSent = stage !== 'awaitingShipment'
  const wasReceived = stage === 'received' || stage === 'complete'
  const no = await nextNo(demo)
  const { id: account, name } = await demoOwner(demo, agentId)
  const { rows } = await demo.client.query<{ id: string }>(
    `insert into hardware_orders (order_no, agent_id, contact_name, contact_phone, district_code, address, total_cents,
       delivery_status, carrier, tracking_no, return_reason, return_condition, created_by, created_by_name, created_at, paid_at, shipped_at,
       received_at, returned_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18, $19) returning id`,
    [
      no,
      agentId,
      contact,
      phone,
      district,
      address,
      totalCents,
      stage,
      isSent ? '顺丰速运' : '',
      isSent ? `SF10${no.slice(-8)}` : '',
      stage === 'returned' ? '型号订错' : '',
      stage === 'returned' ? 'sound' : null,
      account,
      name,
      at(age),
      isSent ? at(age * 0.9) : null,
      wasReceived ? at(age * 0.8) : null,
      stage === 'returned' ? at(age * 0.7) : null,
      stage === 'complete' ? at(age * 0.4) : null,
    ],
  )
  for (const { id, shape, quantity } of lines)
    await demo.client.query(
      `insert into hardware_order_lines (order_id, agent_id, product_id, product_name, unit_cents, quantity, total_cents)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [rows[0]?.id, agentId, id, shape.name, shape.cents, quantity, shape.cents * quantity],
    )
  await payOrder(demo, { agentId, no, account, totalCents, isReturned: stage === 'returned' })
}

async function payOrder(
  demo: Demo,
  paid: { agentId: number; no: string; account: number; totalCents: number; isReturned: boolean },
): Promise<void> {
  const movement = {
    kind: 'hardware',
    asset: 'token',
    amount: paid.totalCents,
    from: { kind: 'agent', id: paid.agentId },
    to: { kind: 'vendor', book: 'revenue' },
    document: paid.no,
    payMethod: 'balance',
    agentId: paid.agentId,
    actorId: paid.account,
    description: '硬件订购',
  } as const
  const [transfer] = await postDemo(demo, [movement])
  if (!paid.isReturned) return
  const { from, to, ...back } = movement
  await postDemo(demo, [
    { ...back, kind: 'undo', from: to, to: from, description: '撤销 硬件订购', reversesId: transfer },
  ])
}
