// Demo rows of partners in each state: one whose contract ends soon, one that is suspended, and one that was invited and has not come.
import { createHash } from 'node:crypto'
import { demoStaff } from '#features/office/access/demo.ts'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { companyName, personName } from '#features/office/agents/sample.ts'
import { agents } from '#features/office/agents/tables.ts'
import { MASKED_CODE } from '#features/shops/messages/rules.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { ago, type Demo } from '#server/demo.ts'
import { INVITATION_HOURS } from './rules.ts'
import { partnerInvitations } from './tables.ts'

/** After those of access. */
const MORE = { suspended: 106, invited: 107 } as const

export function demo(demo: Demo): void {
  const { random } = demo
  const taken = (id: number, city: string, more: Partial<typeof agents.$inferInsert>, loginName: string) => {
    const contactName = personName(random)
    const mobile = `1380000${String(id).padStart(4, '0')}`
    const agent = demo.history.add(
      agents,
      agentRow({
        id,
        companyName: companyName(random, city),
        contactName,
        mobile,
        levelId: 2,
        createdAt: ago(demo, 300),
        ...more,
      }),
    )
    const account = demo.history.add(
      accounts,
      accountRow({
        agentId: id,
        loginName,
        name: contactName,
        mobile,
        passwordHash: '',
        isOwner: true,
        createdAt: agent.createdAt,
        enabled: id === MORE.suspended,
        lastLoginAt: id === MORE.suspended ? ago(demo, 40) : null,
      }),
    )
    return { ...agent, account }
  }
  taken(
    MORE.suspended,
    '武汉',
    {
      status: 'suspended',
      districtCode: '420111',
      suspendedFor: '合同款逾期未付，付清后恢复',
      suspendedAt: ago(demo, 12),
    },
    '20006',
  )
  const createdAt = ago(demo, 1.2)
  const { companyName: company, account } = taken(
    MORE.invited,
    '长沙',
    { createdAt, districtCode: '430104' },
    '20007',
  )
  const by = demoStaff(demo)
  const expiresAt = new Date(Date.parse(createdAt) + INVITATION_HOURS * 3_600_000).toISOString()
  demo.history.add(partnerInvitations, {
    agentId: MORE.invited,
    accountId: account.id,
    tokenHash: createHash('sha256').update('demo').digest(),
    phone: account.mobile,
    createdAt,
    createdByName: by.name,
    expiresAt,
  })
  const address = 'https://partner.example.com/invite/'
  demo.history.add(outboxMessages, {
    agentId: MORE.invited,
    kind: 'invitation',
    phone: account.mobile,
    template: 'invitation',
    text: `${account.name}，您好！${company}已开通合作伙伴账号 ${account.loginName}，请在72小时内打开 ${address}${MASKED_CODE} 设置登录密码。请勿转发。`,
    params: { name: account.name, company, account: account.loginName, address, code: MASKED_CODE },
    status: 'delivered',
    segments: 2,
    fee: 2,
    payer: 'vendor',
    priority: 0,
    notBefore: createdAt,
    expiresAt,
    provider: 'aliyun',
    claimedAt: createdAt,
    submittedAt: createdAt,
    reportedAt: createdAt,
    createdBy: by.id,
    createdByName: by.name,
    createdAt,
  })
}
