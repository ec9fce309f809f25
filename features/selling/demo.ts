// Demo rows of shops, each with the order that it began with, and a chain.
import { DEMO_AGENTS, demoOwner } from '#features/access/demo.ts'
import { postDemo } from '#features/ledger/demo.ts'
import { merchantRow } from '#features/merchants/rows.ts'
import { merchants } from '#features/merchants/tables.ts'
import { orderRow } from '#features/orders/rows.ts'
import { versionOrders } from '#features/orders/tables.ts'
import { VERSIONS } from '#features/versions/reference.ts'
import { priceOf } from '#features/versions/rules.ts'
import { addMonths } from '#kit/time.ts'
import type { Demo } from '#server/demo.ts'
import { shop } from './sample.ts'

const DAY_MS = 86_400_000

export async function demo(demo: Demo): Promise<void> {
  await createShops(demo, DEMO_AGENTS.first, 120, 6_000)
  await createShops(demo, DEMO_AGENTS.other, 35, 7_000)
  await createShops(demo, DEMO_AGENTS.below, 8, 7_000)
  await createChain(demo, DEMO_AGENTS.first)
}

async function createShops(demo: Demo, agentId: number, count: number, discount: number): Promise<void> {
  const { id: managerId } = await demoOwner(demo, agentId)
  for (let i = 0; i < count; i++) await createShop(demo, { agentId, discount, managerId, i, count })
}

async function createShop(
  demo: Demo,
  sale: { agentId: number; discount: number; managerId: number; i: number; count: number },
): Promise<void> {
  const { client, db, random, now } = demo
  const sample = shop(random)
  const version = random.pick(VERSIONS.filter(offered => offered.offeredOnAdd))
  const lifetime = version.pricingRule === 'perShopLifetime'
  const branches = version.pricingRule === 'perBranchYear' ? 1 + random.whole(4) : 0
  const terms = {
    term: lifetime ? 'lifetime' : 'year',
    periods: 1 + random.whole(2),
    shops: 1,
    branches,
  } as const
  const price = priceOf(version, lifetime ? { ...terms, periods: 1 } : terms, sale.discount)
  if (!price) throw new Error(`no price for version ${version.id}`)
  const ageDays = Math.floor(((sale.count - sale.i) * 700) / sale.count) + random.whole(5)
  const registeredAt = new Date(now.getTime() - ageDays * DAY_MS - random.whole(DAY_MS))
  const numbers = await client.query<{ id: string; no: string }>(
    `select nextval('merchant_ids') as id, next_order_no() as no`,
  )
  const { id, no } = numbers.rows[0] as { id: string; no: string }
  const shopName = sale.i === 7 ? '中华人民共和国广东省深圳市南山区科技园北区老字号面馆' : sample.shopName
  const shopRow = merchantRow({
    ...sample,
    id: Number(id),
    agentId: sale.agentId,
    shopName,
    account: `18${String(sale.agentId).padStart(4, '0')}${String(sale.i).padStart(5, '0')}`,
    versionId: version.id,
    shopsBought: branches + 1,
    status: random.chance(0.06) ? 'disabled' : 'normal',
    registeredAt: registeredAt.toISOString(),
    expiresAt: lifetime ? null : addMonths(registeredAt, terms.periods * 12).toISOString(),
    lastLoginAt: random.chance(0.9)
      ? new Date(now.getTime() - random.whole(40) * DAY_MS).toISOString()
      : null,
    managerId: random.chance(0.7) ? sale.managerId : null,
    remark: random.chance(0.2) ? random.pick(['续费请先电话联系', '老客户，优先处理', '需要上门培训']) : '',
    signature: random.chance(0.5) ? sample.shortName : '',
    verificationStatus: random.pick(['verified', 'unverified', 'unverified', 'reviewing', 'failed'] as const),
  })
  await db.insert(merchants).values(shopRow)
  await db.insert(versionOrders).values(
    orderRow({
      ...price,
      ...terms,
      orderNo: no,
      agentId: sale.agentId,
      merchantId: Number(id),
      versionId: version.id,
      discountBasisPoints: sale.discount,
      content: `新增商户 ${shopName} ${version.name}`,
      createdBy: sale.managerId,
      createdAt: registeredAt.toISOString(),
    }),
  )
  await postDemo(demo, [
    {
      kind: 'version-new',
      asset: 'token',
      amount: price.totalCents,
      from: { kind: 'agent', id: sale.agentId },
      to: { kind: 'vendor', book: 'revenue' },
      document: no,
      merchantId: Number(id),
      payMethod: 'balance',
      agentId: sale.agentId,
      actorId: sale.managerId,
      description: `新增商户 ${shopName}`,
    },
  ])
}

/** Branches of the agent's oldest chain head that is in use, taken from its plain shops of the same age. */
async function createChain({ client }: Demo, agentId: number): Promise<void> {
  await client.query(
    `with head as (
       select id, shop_name, version_id, expires_at from merchants
       where agent_id = $1 and version_id = 3 and status = 'normal' and expires_at > now() + interval '40 days'
         and shops_bought >= 4 order by id limit 1),
     branches as (
       select m.id, row_number() over (order by m.id) as n from merchants m
       where m.agent_id = $1 and m.version_id = 12 and m.status = 'normal' order by m.id limit 3)
     update merchants set store_kind = 'branch', head_id = head.id, version_id = head.version_id,
       shop_name = left(head.shop_name, 24) || (array['东门分店', '南山分店', '宝安分店'])[branches.n],
       expires_at = head.expires_at - branches.n * interval '20 days'
     from head, branches where merchants.id = branches.id`,
    [agentId],
  )
}
