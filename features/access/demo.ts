// Demo rows of agents and the accounts that belong to them.

import { agentRow, OPERATOR } from '#features/agents/rows.ts'
import { companyName, personName } from '#features/agents/sample.ts'
import { agents } from '#features/agents/tables.ts'
import { ago, type Demo } from '#server/demo.ts'
import { hashPassword } from '#server/secrets.ts'
import { accountRow } from './rows.ts'
import { HOME_NODE_ID } from './rules.ts'
import { accounts, roles } from './tables.ts'

export const DEMO_PASSWORD = 'demo2026'
/** Partners: the one most is shown of, another, and one below the first. */
export const DEMO_AGENTS = { first: 101, other: 102, below: 103 } as const
const WALLET_NODES = [HOME_NODE_ID, 41, 412, 51]

export async function demo({ db, random, now }: Demo): Promise<void> {
  const createdAt = ago({ now }, 900)
  const agent = (id: number, companyName: string, more: Partial<typeof agents.$inferInsert> = {}) =>
    agentRow({
      id,
      companyName,
      contactName: personName(random),
      mobile: `1380000${String(id).padStart(4, '0')}`,
      createdAt,
      ...more,
    })
  await db
    .insert(agents)
    .values([
      agent(1, '运营中心', OPERATOR),
      agent(90, '厂商服务部', { isVendorStaff: true, accountFormat: 'any' }),
      agent(DEMO_AGENTS.first, '深圳鑫源信息技术有限公司', { levelId: 3 }),
      agent(DEMO_AGENTS.other, companyName(random, '成都'), { levelId: 2 }),
      agent(DEMO_AGENTS.below, companyName(random, '东莞'), { levelId: 2, parentId: DEMO_AGENTS.first }),
    ])
  const [walletRole] = await db
    .insert(roles)
    .values({
      agentId: DEMO_AGENTS.first,
      name: '财务',
      remark: '只看余额变动',
      nodeIds: WALLET_NODES,
      createdAt,
    })
    .returning({ id: roles.id })
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const account = (agentId: number, loginName: string, isOwner: boolean, roleId: number | null = null) =>
    accountRow({
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
      account(DEMO_AGENTS.first, '20001', true),
      account(DEMO_AGENTS.first, '2000101', false, walletRole?.id ?? null),
      account(DEMO_AGENTS.other, '20002', true),
      account(DEMO_AGENTS.below, '20003', true),
    ])
}

/** The agent's own account. */
export async function demoOwner(
  { client }: Pick<Demo, 'client'>,
  agentId: number,
): Promise<{ id: number; name: string }> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'select id, name from accounts where agent_id = $1 and is_owner',
    [agentId],
  )
  const [owner] = rows
  if (!owner) throw new Error(`agent ${agentId} has no owner`)
  return { id: Number(owner.id), name: owner.name }
}
