// Demo calls of an old program of the first agent, whose door was closed since; one of them nobody may make any more.
import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { ago, type Demo } from '#server/demo.ts'
import { found } from '#server/refuse.ts'
import { compatClosedCalls, compatUses } from './tables.ts'

const USES = [
  { call: 'AppLogin', calls: 214, days: 3 },
  { call: 'PTGetUserList', calls: 18_402, days: 3 },
  { call: 'PTGetUserDetail', calls: 2_117, days: 9 },
  { call: 'PTGetOrderList', calls: 640, days: 41 },
  { call: 'PTmoney', calls: 12, days: 160 },
] as const

export async function afterwards(demo: Demo): Promise<void> {
  const db = drizzle(demo.client)
  const agentId = DEMO_AGENTS.first
  const [owner] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.agentId, agentId), eq(accounts.isOwner, true)))
  const { id: accountId } = found(owner)
  await db.insert(compatUses).values(
    USES.map(({ call, calls, days }) => ({
      ...{ agentId, accountId, call, calls, lastIp: '203.0.113.20' },
      lastUsedAt: ago(demo, days),
    })),
  )
  const [operator] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(and(eq(agents.isOperator, true), eq(accounts.isOwner, true)))
    .limit(1)
  const closedBy = found(operator).id
  await db.insert(compatClosedCalls).values({ call: 'PTmoney', closedAt: ago(demo, 30), closedBy })
}
