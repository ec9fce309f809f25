// Demo keys of the first agent: one in use, one near its end, one past it and one that was revoked. Nobody has their tokens.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { hashToken } from '#features/office/access/server.ts'
import { accounts, permissionNodes } from '#features/office/access/tables.ts'
import type { Services } from '#server/ctx.ts'
import { ago, type Demo } from '#server/demo.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import { apiKeys, apiKeyUses } from './tables.ts'

const READING = ['merchants.list', 'merchants.details', 'merchants.overdue', 'orders.list']

type Told = {
  name: string
  end: string
  verbs: readonly string[]
  addresses: readonly string[]
  perMinute: number
  madeDaysAgo: number
  daysLeft: number
  usedDaysAgo: number
  calls: number
  endedDaysAgo?: number
}

const KEYS: readonly Told[] = [
  {
    ...{ name: '收银数据核对', end: 'x7Qk', verbs: ['orders.list'], addresses: [], perMinute: 60 },
    ...{ madeDaysAgo: 410, daysLeft: -45, usedDaysAgo: 46, calls: 20_814 },
  },
  {
    ...{ name: '临时导数', end: 'mB2t', verbs: ['merchants.list'], addresses: [], perMinute: 60 },
    ...{ madeDaysAgo: 120, daysLeft: 30, usedDaysAgo: 118, calls: 37, endedDaysAgo: 117 },
  },
  {
    ...{
      name: '经营看板',
      end: 'Ue9d',
      verbs: [...READING, 'ledger.changes'],
      addresses: ['203.0.113.24'],
      perMinute: 60,
    },
    ...{ madeDaysAgo: 85, daysLeft: 4, usedDaysAgo: 0.3, calls: 8_160 },
  },
  {
    ...{
      name: 'ERP 对接',
      end: 'R4vW',
      verbs: [...READING, 'merchants.edit', 'services.orders'],
      perMinute: 300,
    },
    ...{
      addresses: ['203.0.113.7', '198.51.100.0/28'],
      madeDaysAgo: 61,
      daysLeft: 239,
      usedDaysAgo: 0.002,
      calls: 41_267,
    },
  },
]

export async function afterwards(demo: Demo): Promise<void> {
  const db = drizzle(demo.client)
  const agentId = DEMO_AGENTS.first
  const [maker] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.agentId, agentId), accounts.isOwner))
    .orderBy(asc(accounts.id))
  if (!maker) throw new Error('the first agent has no owner')
  for (const told of KEYS) {
    const nodes = await db
      .select({ id: permissionNodes.id })
      .from(permissionNodes)
      .where(inArray(permissionNodes.key, [...told.verbs]))
      .orderBy(asc(permissionNodes.id))
    const [key] = await db
      .insert(apiKeys)
      .values({
        agentId,
        accountId: maker.id,
        name: told.name,
        tokenHash: hashToken(`demo ${told.name}`),
        tokenEnd: told.end,
        nodeIds: nodes.map(({ id }) => id),
        addresses: [...told.addresses],
        perMinute: told.perMinute,
        expiresAt: ago(demo, -told.daysLeft),
        createdAt: ago(demo, told.madeDaysAgo),
        ...(told.endedDaysAgo !== undefined && { endedAt: ago(demo, told.endedDaysAgo), endedBy: 'hand' }),
      })
      .returning({ id: apiKeys.id })
    await db.insert(apiKeyUses).values({
      keyId: key?.id as number,
      agentId,
      tokens: told.perMinute,
      filledAt: ago(demo, 0),
      calls: told.calls,
      lastUsedAt: ago(demo, told.usedDaysAgo),
      lastIp: told.addresses[0] ?? '203.0.113.7',
    })
  }
}

const POS_VERBS = ['pos.read', 'pos.signIn', 'pos.register', 'pos.write', 'pos.sms']
const POS_CALLS_A_MINUTE = 12_000
const POS_DAYS = 365

const POS_NAME = '示例收银系统'

/** The key of the demo's own POS, which alone has its token; it stands where it stood at the start before, and takes a token that is new. */
export async function openDemoPosKey(services: Services, token: string): Promise<void> {
  await actAsSystem(services, 'demo', async ctx => {
    const tokenHash = hashToken(token)
    if ((await ctx.db.$count(apiKeys, eq(apiKeys.tokenHash, tokenHash))) > 0) return
    const ofToken = { tokenHash, tokenEnd: token.slice(-4) }
    const { rowCount } = await ctx.db
      .update(apiKeys)
      .set(ofToken)
      .where(and(eq(apiKeys.agentId, DEMO_AGENTS.first), eq(apiKeys.name, POS_NAME), isNull(apiKeys.endedAt)))
    if (rowCount) return
    const [maker] = await ctx.db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.agentId, DEMO_AGENTS.first), accounts.isOwner))
      .orderBy(asc(accounts.id))
    const nodes = await ctx.db
      .select({ id: permissionNodes.id })
      .from(permissionNodes)
      .where(inArray(permissionNodes.key, POS_VERBS))
    const now = new Date()
    const [key] = await ctx.db
      .insert(apiKeys)
      .values({
        ...{ agentId: DEMO_AGENTS.first, accountId: found(maker).id, name: POS_NAME },
        ...{ ...ofToken, nodeIds: nodes.map(({ id }) => id) },
        ...{ addresses: ['127.0.0.1'], perMinute: POS_CALLS_A_MINUTE, createdAt: now.toISOString() },
        expiresAt: ago({ now }, -POS_DAYS),
      })
      .returning({ id: apiKeys.id })
    await ctx.db.insert(apiKeyUses).values({
      ...{ keyId: found(key).id, agentId: DEMO_AGENTS.first },
      ...{ tokens: POS_CALLS_A_MINUTE, filledAt: now.toISOString(), calls: 0 },
    })
  })
}
