// Demo data of an empty database: five accounts with the password demo2026, and the shops they sell to.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { HOME_NODE_ID } from '#features/access/rules.ts'
import { accounts, roles } from '#features/access/tables.ts'
import { agents } from '#features/agents/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import { versionOrders } from '#features/orders/tables.ts'
import { VERSIONS } from '#features/versions/reference.ts'
import { priceOf } from '#features/versions/rules.ts'
import { addMonths } from '#kit/time.ts'
import { hashPassword } from '#server/secrets.ts'
import { createCampaigns } from './demo-campaigns.ts'
import { createHardware } from './demo-hardware.ts'
import { createMessages } from './demo-messages.ts'
import { createOutsideVoices } from './demo-outside.ts'
import { createPayments } from './demo-payments.ts'
import { createAgreements, createChain, createRenewals } from './demo-trade.ts'
import { companyName, makeRandom, personName, type Random, shop } from './sample.ts'

export const DEMO_PASSWORD = 'demo2026'
export const DEMO_ACCOUNTS = [
  ['10001', '运营商（代理商 1）'],
  ['10090', '厂商员工（代理商 90）'],
  ['20001', '代理商，120 家商户'],
  ['2000101', '20001 的子账号，无新增和查看商户权限'],
  ['20002', '另一家代理商'],
  ['20003', '20001 的下级代理商，8 家商户'],
] as const

const LOCK = 7_211_003
const DAY_MS = 86_400_000
const AGENT = 101
const OTHER_AGENT = 102
const SUB_AGENT = 103
const WALLET_NODES = [HOME_NODE_ID, 41, 412, 51]

/**
 * Fills a database that has no agent yet; answers whether it did. One transaction: a killed start leaves nothing half-done.
 * Pictures are written under `dataDir`; without it there are none.
 */
export async function createDemoData(
  ownerUrl: string,
  { now = new Date(), dataDir = null }: { now?: Date; dataDir?: string | null } = {},
): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c timezone=UTC -c app.scope=all' })
  await client.connect()
  try {
    await client.query('begin')
    // Two first starts at once: the second waits here and then finds the first one's agents.
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const { rows } = await client.query<{ some: boolean }>('select exists (select 1 from agents) as some')
    if (rows[0]?.some) return false
    const demo = { client, db: drizzle(client), random: makeRandom(2026), now }
    await createAgents(demo)
    await credit(demo, 1, 100_000_000, 1_000_000)
    await credit(demo, AGENT, 20_000_000, 50_000)
    await credit(demo, OTHER_AGENT, 8_000_000, 20_000)
    await createShops(demo, AGENT, 120, 3)
    await createShops(demo, OTHER_AGENT, 35, 4)
    await createHardware({ client, now, dataDir }, [AGENT, OTHER_AGENT])
    await credit(demo, SUB_AGENT, 3_000_000, 2_000)
    await createShops(demo, SUB_AGENT, 8, 4)
    await createTrade(demo)
    await createOutsideVoices(client, now)
    await createPayments(client, now)
    await client.query('commit')
    return true
  } finally {
    await client.end()
  }
}

type Demo = { client: pg.Client; db: NodePgDatabase; random: Random; now: Date }

async function createAgents({ db, random, now }: Demo): Promise<void> {
  const createdAt = new Date(now.getTime() - 900 * DAY_MS).toISOString()
  const agent = (
    id: number,
    companyName: string,
    levelId: number,
    more: Partial<typeof agents.$inferInsert> = {},
  ) => ({
    id,
    companyName,
    contactName: personName(random),
    mobile: `1380000${String(id).padStart(4, '0')}`,
    levelId,
    createdAt,
    ...more,
  })
  await db.insert(agents).values([
    agent(1, '运营中心', 1, {
      isOperator: true,
      isVendorStaff: true,
      hasFullMenu: true,
      accountFormat: 'any',
    }),
    agent(90, '厂商服务部', 1, { isVendorStaff: true, accountFormat: 'any' }),
    agent(AGENT, '深圳鑫源信息技术有限公司', 3),
    agent(OTHER_AGENT, companyName(random, '成都'), 2),
    agent(SUB_AGENT, companyName(random, '东莞'), 2, { parentId: AGENT }),
  ])
  const [walletRole] = await db
    .insert(roles)
    .values({ agentId: AGENT, name: '财务', remark: '只看余额变动', nodeIds: WALLET_NODES, createdAt })
    .returning({ id: roles.id })
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const account = (agentId: number, loginName: string, isOwner: boolean, roleId: number | null = null) => ({
    agentId,
    loginName,
    name: personName(random),
    mobile: `1390000${loginName.slice(-4)}`,
    passwordHash,
    isOwner,
    roleId,
    createdAt,
  })
  await db
    .insert(accounts)
    .values([
      account(1, '10001', true),
      account(90, '10090', true),
      account(AGENT, '20001', true),
      account(AGENT, '2000101', false, walletRole?.id ?? null),
      account(OTHER_AGENT, '20002', true),
      account(SUB_AGENT, '20003', true),
    ])
}

/** A chain, renewals that can still be undone, agreements and reminders of the first agent. */
async function createTrade({ client, now }: Demo): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select min(id) as id from accounts where agent_id = $1',
    [AGENT],
  )
  const accountId = Number(rows[0]?.id)
  await createChain(client, AGENT)
  await createRenewals(client, { agentId: AGENT, accountId, count: 8, now })
  await createAgreements(client, AGENT, accountId)
  await createMessages(client, AGENT, accountId)
  await createCampaigns(client, AGENT, accountId)
}

async function credit({ client }: Demo, agentId: number, tokenCents: number, sms: number): Promise<void> {
  const common = {
    kind: 'credit',
    to: { kind: 'agent', id: agentId },
    payMethod: 'gift',
    agentId,
    actorId: 1,
  }
  const movement = (asset: string, amount: number, book: string) => ({
    ...common,
    asset,
    amount,
    from: { kind: 'vendor', book },
    actorName: '运营中心',
    description: '运营充值',
    remark: '演示数据期初',
  })
  const { rows } = await client.query<{ no: string }>('select next_order_no() as no')
  const document = rows[0]?.no
  await client.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      { ...movement('token', tokenCents, 'issued'), document },
      { ...movement('sms', sms, 'sms-supplier'), document },
    ]),
  ])
}

async function createShops(demo: Demo, agentId: number, count: number, levelIndex: number): Promise<void> {
  const discount = { 3: 6_000, 4: 7_000 }[levelIndex] ?? 10_000
  const [manager] = (
    await demo.client.query<{ id: string }>('select id from accounts where agent_id = $1 order by id', [
      agentId,
    ])
  ).rows
  for (let i = 0; i < count; i++)
    await createShop(demo, { agentId, discount, managerId: Number(manager?.id), i, count })
}

async function createShop(
  { client, db, random, now }: Demo,
  sale: { agentId: number; discount: number; managerId: number; i: number; count: number },
): Promise<void> {
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
  await db.insert(merchants).values({
    ...sample,
    id: Number(id),
    agentId: sale.agentId,
    storeKind: 'head',
    shopName,
    account: `18${String(sale.agentId).padStart(4, '0')}${String(sale.i).padStart(5, '0')}`,
    passwordHash: 'none',
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
    verificationRefusal: '',
    source: 'backOffice',
  })
  await db.insert(versionOrders).values({
    orderNo: no,
    agentId: sale.agentId,
    merchantId: Number(id),
    salesType: 'new',
    status: 'paid',
    versionId: version.id,
    ...terms,
    unit: price.unit,
    unitCents: price.unitCents,
    originalCents: price.originalCents,
    discountBasisPoints: sale.discount,
    totalCents: price.totalCents,
    content: `新增商户 ${shopName} ${version.name}`,
    payMethod: 'balance',
    createdBy: sale.managerId,
    createdAt: registeredAt.toISOString(),
    paidAt: registeredAt.toISOString(),
  })
  const movement = {
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
    actorName: '演示账号',
    description: `新增商户 ${shopName}`,
    remark: '',
  }
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}
