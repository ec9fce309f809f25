// Demo rows of agents and the people who belong to them.

import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { companyName, personName } from '#features/office/agents/sample.ts'
import { agents } from '#features/office/agents/tables.ts'
import { formatDay } from '#kit/time.ts'
import { ago, type Demo, drawPicture, kept, workHour } from '#server/demo.ts'
import { hashPassword } from '#server/secrets.ts'
import { accountRow } from './rows.ts'
import { type DataScope, HOME_NODE_ID } from './rules.ts'
import { DEMO_PASSWORD } from './sample.ts'
import { accounts, roles } from './tables.ts'

/** Partners: the one most is shown of, another, one below the first, a new one below it, and one that has given up. */
export const DEMO_AGENTS = { first: 101, other: 102, below: 103, fresh: 104, gone: 105 } as const
/** Whose hands an office is in. */
export const VENDOR = { operator: 1, staff: 90 } as const
const WALLET_NODES = [HOME_NODE_ID, 41, 412, 51]
/** Shops and their orders, renewals and messages. */
const SALES_NODES = [
  ...[HOME_NODE_ID, 22, 23, 24, 25, 29, 31, 32, 34, 51],
  ...[211, 213, 220, 221, 223, 224, 225, 226, 230, 251, 252, 311, 2281],
]

/** Looks after shops that are there, and spends nothing. */
const SERVICE_NODES = [HOME_NODE_ID, 22, 23, 31, 51, 211, 213, 220]

/** Of all that sign in, shops too: it is slow to make. */
export const demoPasswordHash = kept(() => [] as string[])

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
  const drawn = (svg: string, purpose: string) =>
    drawPicture(demo, svg, { agentId: DEMO_AGENTS.first, purpose, createdBy: 0, createdAt: ago(demo, 870) })
  const logoId = await drawn(LOGO, 'logo')
  const [her, his] = [
    await drawn(portrait(24, true), 'portrait'),
    await drawn(portrait(212, false), 'portrait'),
  ]
  agent(VENDOR.operator, '运营中心', OPERATOR)
  agent(VENDOR.staff, '厂商服务部', { isVendorStaff: true, accountFormat: 'any' })
  agent(DEMO_AGENTS.first, '深圳鑫源信息技术有限公司', {
    levelId: 3,
    mobile: '13900000001',
    telephone: '0755-00000000',
    districtCode: '440305',
    address: '高新南一道 1 号 8 层',
    domainLabel: 'xinyuan',
    hotline: '400-000-0000',
    qq: '100000001',
    wechat: 'xinyuan_fuwu',
    logoId,
  })
  agent(DEMO_AGENTS.other, companyName(random, '成都'), {
    levelId: 2,
    createdAt: ago(demo, 830),
    contractFrom: formatDay(ago(demo, 345)),
    contractTo: formatDay(ago(demo, -20)),
  })
  const below = { levelId: 2, parentId: DEMO_AGENTS.first }
  agent(DEMO_AGENTS.below, companyName(random, '东莞'), { ...below, createdAt: ago(demo, 760) })
  agent(DEMO_AGENTS.fresh, companyName(random, '惠州'), { ...below, createdAt: ago(demo, 130) })
  agent(DEMO_AGENTS.gone, companyName(random, '佛山'), {
    ...below,
    status: 'closed',
    createdAt: ago(demo, 610),
  })
  const role = (name: string, remark: string, nodeIds: number[]) =>
    history.add(roles, { agentId: DEMO_AGENTS.first, name, remark, nodeIds, createdAt: ago(demo, 880) }).id
  const finance = role('财务', '只看余额变动', WALLET_NODES)
  const sales = role('客户经理', '商户、订单和短信', SALES_NODES)
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  demoPasswordHash(demo).push(passwordHash)
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
  const service = role('客服', '查商户和订单，不花钱', SERVICE_NODES)
  const manager = role('店长', '商户、订单、短信和余额', [...new Set([...SALES_NODES, ...WALLET_NODES])])
  const colleague = (loginName: string, name: string, more: Partial<typeof accounts.$inferInsert>) =>
    history.add(
      accounts,
      accountRow({
        agentId: DEMO_AGENTS.first,
        loginName,
        name,
        mobile: `1390000${loginName.slice(-4)}`,
        passwordHash,
        createdAt: ago(demo, 300),
        ...more,
      }),
    )
  const [cared, managed] = [workHour(demo, 1), workHour(demo, 5)]
  colleague('2000105', '林巧云', { roleId: service, portraitId: her, wechat: 'lin_kefu', lastLoginAt: cared })
  colleague('2000106', '何志远', {
    roleId: manager,
    portraitId: his,
    remark: '分管龙岗',
    lastLoginAt: managed,
  })
  // Has not come yet since the password was made.
  colleague('2000107', '邓嘉欣', { roleId: service, mustChangePassword: true, createdAt: ago(demo, 2) })
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="520" height="140" viewBox="0 0 520 140">
  <g fill="none" stroke="#0e7c66" stroke-width="14" stroke-linecap="round"><path d="M24 96 62 40l38 56"/><path d="M48 96h28"/></g>
  <circle cx="62" cy="40" r="10" fill="#f0a42b"/>
  <g fill="none" stroke="#17324d" stroke-width="11" stroke-linecap="round" stroke-linejoin="round">
    <path d="m148 52 30 40m0-40-30 40M210 52v40M242 92V52l30 40V52M304 52l16 20 16-20m-16 20v20"/>
    <path d="M368 52v26a14 14 0 0 0 28 0V52M424 92l16-40 16 40m-26-13h20M482 92V52l24 40V52"/>
  </g></svg>`

/** Somebody in general. */
function portrait(hue: number, longHair: boolean): string {
  const hair = `hsl(${hue} 30% 24%)`
  const sides = longHair
    ? `<path d="M104 150c-6-90 158-90 152 0v96h-30V150h-92v96h-30z" fill="${hair}"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360"><rect width="360" height="360" fill="hsl(${hue} 45% 88%)"/>
    <path d="M60 360c0-80 54-112 120-112s120 32 120 112z" fill="hsl(${hue} 45% 46%)"/>${sides}
    <ellipse cx="180" cy="164" rx="62" ry="74" fill="#f2cfb3"/><path d="M116 156c0-96 128-96 128 0-30-6-44-30-52-44-14 24-40 40-76 44z" fill="${hair}"/></svg>`
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
