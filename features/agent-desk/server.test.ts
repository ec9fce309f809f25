import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
let operator: Client

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())

test('a row has the agent’s level, parent, balances and number of shops, and a masked phone', async () => {
  const parent = await makeAgent(office)
  const agent = await makeAgent(office, { tokens: 12, sms: 34, levelId: 4, parentId: parent.id })
  await makeMerchant(office, agent.id)
  await makeMerchant(office, agent.id)
  const { rows, total } = await operator.agentDesk.list({ search: `代理商${agent.id}` })
  assert.equal(total, 1)
  const { createdAt, ...row } = rows[0] as (typeof rows)[number]
  assert.ok(createdAt)
  assert.deepEqual(row, {
    id: agent.id,
    companyName: `代理商${agent.id}`,
    contactName: '联系人',
    mobile: '138****1234',
    levelName: '金牌代理',
    discountBasisPoints: 5_000,
    parentName: `代理商${parent.id}`,
    status: 'active',
    payEnabled: false,
    merchantCount: 2,
    tokenBalanceCents: 1_200,
    smsBalance: 34,
    contractTo: null,
  })
})

test('agents are found by number and by name, wildcards are only characters', async () => {
  const agent = await makeAgent(office)
  await office.owner.query(`update agents set company_name = '五折50%_公司' where id = $1`, [agent.id])
  for (const search of [String(agent.id), '五折', '50%', '%_'])
    assert.deepEqual(
      (await operator.agentDesk.list({ search })).rows.map(row => row.id),
      [agent.id],
      search,
    )
  for (const search of ['%%', '5_%']) assert.equal((await operator.agentDesk.list({ search })).total, 0)
})

test('pages of agents follow each other by number', async () => {
  for (let i = 0; i < 21; i++) await makeAgent(office)
  const first = await operator.agentDesk.list({ size: 20 })
  const second = await operator.agentDesk.list({ size: 20, page: 2 })
  const ids = [...first.rows, ...second.rows].map(row => row.id)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  )
  assert.equal(ids.length, Math.min(first.total, 40))
})

test('staff see the agents too; an agent does not', async () => {
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  assert.ok((await staff.agentDesk.list({})).total > 0)
  const agent = office.as(await office.login((await makeAgent(office)).loginName))
  assert.equal(await refusalOf(agent.agentDesk.list({})), 'FORBIDDEN')
})

test('an agent with the unfiltered menu sees itself and nobody else', async () => {
  const full = await makeAgent(office)
  await office.owner.query('update agents set has_full_menu = true where id = $1', [full.id])
  const client = office.as(await office.login(full.loginName))
  assert.deepEqual(
    (await client.agentDesk.list({})).rows.map(row => row.id),
    [full.id],
  )
})

test('agents are filtered by state, parent and the end of their contract', async () => {
  const parent = await makeAgent(office)
  const [active, suspended, closed] = [
    await makeAgent(office, { parentId: parent.id }),
    await makeAgent(office, { parentId: parent.id }),
    await makeAgent(office, { parentId: parent.id }),
  ]
  await office.owner.query(
    `update agents set status = 'suspended', contract_to = '2027-01-31' where id = $1`,
    [suspended.id],
  )
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [closed.id])
  const cases: [Parameters<Client['agentDesk']['list']>[0], number[]][] = [
    [{ parentId: parent.id }, [active.id, suspended.id, closed.id]],
    [{ parentId: parent.id, status: 'active' }, [active.id]],
    [{ parentId: parent.id, status: 'suspended' }, [suspended.id]],
    [{ parentId: parent.id, status: 'closed' }, [closed.id]],
    [{ parentId: parent.id, contractFrom: '2027-01-31', contractTo: '2027-01-31' }, [suspended.id]],
    [{ parentId: parent.id, contractFrom: '2027-02-01' }, []],
    [{ parentId: parent.id, contractTo: '2027-01-30' }, []],
  ]
  for (const [query, ids] of cases) {
    const { rows, total } = await operator.agentDesk.list(query)
    assert.deepEqual([rows.map(row => row.id), total], [ids, ids.length], JSON.stringify(query))
  }
})
