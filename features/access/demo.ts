// Demo rows of agents and the people who belong to them.

import { agentRow, OPERATOR } from '#features/agents/rows.ts'
import { companyName, personName } from '#features/agents/sample.ts'
import { agents } from '#features/agents/tables.ts'
import { ago, type Demo, kept, workHour } from '#server/demo.ts'
import { hashPassword } from '#server/secrets.ts'
import { accountRow } from './rows.ts'
import { type DataScope, HOME_NODE_ID } from './rules.ts'
import { accounts, roles } from './tables.ts'

export const DEMO_PASSWORD = 'demo2026'
/** Whom one can be, as the demo's login offers it. */
export const DEMO_LOGINS = [
  { loginName: '20001', who: '代理商' },
  { loginName: '2000102', who: '只看本人商户的客户经理' },
  { loginName: '2000101', who: '代理商的财务' },
  { loginName: '20003', who: '下级代理商' },
  { loginName: '10090', who: '厂商员工' },
  { loginName: '10001', who: '运营商' },
].map(login => ({ ...login, password: DEMO_PASSWORD }))
/** Partners: the one most is shown of, another, one below the first, a new one below it, and one that has given up. */
export const DEMO_AGENTS = { first: 101, other: 102, below: 103, fresh: 104, gone: 105 } as const
/** Whose hands an office is in. */
const VENDOR = { operator: 1, staff: 90 } as const
const WALLET_NODES = [HOME_NODE_ID, 41, 412, 51]
/** Shops and their orders, renewals and messages. */
const SALES_NODES = [
  ...[HOME_NODE_ID, 22, 23, 24, 25, 29, 31, 32, 34, 51],
  ...[211, 213, 220, 221, 223, 224, 225, 226, 230, 251, 252, 311],
]

export type Person = { id: number; name: string; mobile: string; agentId: number; company: string }
const peopleIn = kept(() => new Map<number, (Person & { sells: boolean })[]>())

export async function demo(demo: Demo): Promise<void> {
  const { random, history } = demo
  const companies = new Map<number, string>()
  const agent = (id: number, company: string, more: Partial<typeof agents.$inferInsert> = {}) => {
    companies.set(id, company)
    history.add(
      agents,
      agentRow({
        id,
        companyName: company,
        contactName: personName(random),
        mobile: `1380000${String(id).padStart(4, '0')}`,
        createdAt: ago(demo, 900),
        ...more,
      }),
    )
  }
  agent(VENDOR.operator, '运营中心', OPERATOR)
  agent(VENDOR.staff, '厂商服务部', { isVendorStaff: true, accountFormat: 'any' })
  agent(DEMO_AGENTS.first, '深圳鑫源信息技术有限公司', { levelId: 3 })
  agent(DEMO_AGENTS.other, companyName(random, '成都'), { levelId: 2, createdAt: ago(demo, 830) })
  const below = { levelId: 2, parentId: DEMO_AGENTS.first }
  agent(DEMO_AGENTS.below, companyName(random, '东莞'), { ...below, createdAt: ago(demo, 760) })
  agent(DEMO_AGENTS.fresh, companyName(random, '惠州'), { ...below, createdAt: ago(demo, 130) })
  agent(DEMO_AGENTS.gone, companyName(random, '佛山'), {
    ...below,
    enabled: false,
    createdAt: ago(demo, 610),
  })
  const role = (name: string, remark: string, nodeIds: number[]) =>
    history.add(roles, { agentId: DEMO_AGENTS.first, name, remark, nodeIds, createdAt: ago(demo, 880) }).id
  const finance = role('财务', '只看余额变动', WALLET_NODES)
  const sales = role('客户经理', '商户、订单和短信', SALES_NODES)
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const account = (
    agentId: number,
    loginName: string,
    roleId: number | null,
    signedIn: string | null,
    dataScope: DataScope = 'all',
  ) => {
    const { id, name, mobile } = history.add(
      accounts,
      accountRow({
        agentId,
        loginName,
        name: personName(random),
        mobile: `1390000${loginName.slice(-4)}`,
        passwordHash,
        isOwner: roleId === null,
        roleId,
        dataScope,
        lastLoginAt: signedIn,
        createdAt: ago(demo, agentId === DEMO_AGENTS.fresh ? 130 : 880),
      }),
    )
    const people = peopleIn(demo).get(agentId) ?? []
    peopleIn(demo).set(agentId, people)
    people.push({
      id,
      name,
      mobile,
      agentId,
      company: companies.get(agentId) ?? '',
      sells: roleId !== finance,
    })
  }
  account(VENDOR.operator, '10001', null, workHour(demo, 1))
  account(VENDOR.staff, '10090', null, workHour(demo, 1))
  account(DEMO_AGENTS.first, '20001', null, workHour(demo, 1))
  account(DEMO_AGENTS.first, '2000101', finance, workHour(demo, 3))
  account(DEMO_AGENTS.other, '20002', null, workHour(demo, 2))
  account(DEMO_AGENTS.below, '20003', null, workHour(demo, 1))
  account(DEMO_AGENTS.first, '2000102', sales, workHour(demo, 1), 'own')
  account(DEMO_AGENTS.first, '2000103', sales, workHour(demo, 2))
  history.add(
    accounts,
    accountRow({
      agentId: DEMO_AGENTS.first,
      loginName: '2000104',
      name: '周晓梅',
      mobile: '13900000104',
      wechat: 'zhouxm_kefu',
      remark: '已离职，商户已移交',
      passwordHash,
      roleId: sales,
      enabled: false,
      lastLoginAt: ago(demo, 96),
      createdAt: ago(demo, 420),
    }),
  )
  account(DEMO_AGENTS.fresh, '20004', null, workHour(demo, 4))
  account(DEMO_AGENTS.gone, '20005', null, ago(demo, 210))
}

/** The agent's own account. */
export function demoOwner(demo: Demo, agentId: number): Person {
  const [owner] = peopleIn(demo).get(agentId) ?? []
  if (!owner) throw new Error(`agent ${agentId} has no owner`)
  return owner
}

export const demoOperator = (demo: Demo) => demoOwner(demo, VENDOR.operator)
export const demoStaff = (demo: Demo) => demoOwner(demo, VENDOR.staff)

/** Somebody of the agent who sells. */
export function demoSeller(demo: Demo, agentId: number): Person {
  return demo.random.pick((peopleIn(demo).get(agentId) ?? []).filter(({ sells }) => sells))
}
