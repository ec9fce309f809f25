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
  const { rows, total } = await operator.partnerDesk.list({ search: `代理商${agent.id}` })
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
    regionName: '',
    daysLeft: null,
    boughtOn: null,
    idleDays: null,
    invitation: null,
  })
})

test('agents are found by number and by name, wildcards are only characters', async () => {
  const agent = await makeAgent(office)
  await office.owner.query(`update agents set company_name = '五折50%_公司' where id = $1`, [agent.id])
  for (const search of [String(agent.id), '五折', '50%', '%_'])
    assert.deepEqual(
      (await operator.partnerDesk.list({ search })).rows.map(row => row.id),
      [agent.id],
      search,
    )
  for (const search of ['%%', '5_%']) assert.equal((await operator.partnerDesk.list({ search })).total, 0)
})

test('pages of agents follow each other by number', async () => {
  for (let i = 0; i < 21; i++) await makeAgent(office)
  const first = await operator.partnerDesk.list({ size: 20 })
  const second = await operator.partnerDesk.list({ size: 20, page: 2 })
  const ids = [...first.rows, ...second.rows].map(row => row.id)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  )
  assert.equal(ids.length, Math.min(first.total, 40))
})

test('staff see the agents too; an agent does not', async () => {
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  assert.ok((await staff.partnerDesk.list({})).total > 0)
  const agent = office.as(await office.login((await makeAgent(office)).loginName))
  assert.equal(await refusalOf(agent.partnerDesk.list({})), 'FORBIDDEN')
})

test('an agent with the unfiltered menu sees itself and nobody else', async () => {
  const full = await makeAgent(office)
  await office.owner.query('update agents set has_full_menu = true where id = $1', [full.id])
  const client = office.as(await office.login(full.loginName))
  assert.deepEqual(
    (await client.partnerDesk.list({})).rows.map(row => row.id),
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
  const cases: [Parameters<Client['partnerDesk']['list']>[0], number[]][] = [
    [{ parentId: parent.id }, [active.id, suspended.id, closed.id]],
    [{ parentId: parent.id, status: 'active' }, [active.id]],
    [{ parentId: parent.id, status: 'suspended' }, [suspended.id]],
    [{ parentId: parent.id, status: 'closed' }, [closed.id]],
    [{ parentId: parent.id, contractFrom: '2027-01-31', contractTo: '2027-01-31' }, [suspended.id]],
    [{ parentId: parent.id, contractFrom: '2027-02-01' }, []],
    [{ parentId: parent.id, contractTo: '2027-01-30' }, []],
  ]
  for (const [query, ids] of cases) {
    const { rows, total } = await operator.partnerDesk.list(query)
    assert.deepEqual([rows.map(row => row.id), total], [ids, ids.length], JSON.stringify(query))
  }
})

test('agents are filtered by level, region, what their balance lasts and how long they bought nothing', async () => {
  const parent = await makeAgent(office)
  const [idle, spender] = [
    await makeAgent(office, { parentId: parent.id, levelId: 4, tokens: 10 }),
    await makeAgent(office, { parentId: parent.id, levelId: 2, tokens: 1_000 }),
  ]
  await office.owner.query(`update agents set district_code = '440305' where id = $1`, [idle.id])
  await office.owner.query(`update agents set district_code = '420111' where id = $1`, [spender.id])
  const day = (ago: number) => `(now() at time zone 'Asia/Shanghai')::date - ${ago}`
  await office.owner.query(
    `insert into ledger_days (agent_id, day, asset, kind, transfers, income, spent) values ($1, ${day(2)}, 'token', 'version-new', 1, 0, 300000)`,
    [spender.id],
  )
  await office.owner.query(
    `insert into order_days (agent_id, day, kind, orders, cents, fen) values ($1, ${day(40)}, 'version', 1, 100, 0), ($2, ${day(2)}, 'version', 1, 100, 0)`,
    [idle.id, spender.id],
  )
  const both = [idle.id, spender.id]
  const cases: [Parameters<Client['partnerDesk']['list']>[0], number[]][] = [
    [{}, both],
    [{ levelId: 4 }, [idle.id]],
    [{ regionCode: 44 }, [idle.id]],
    [{ regionCode: 4403 }, [idle.id]],
    [{ regionCode: 420111 }, [spender.id]],
    [{ regionCode: 43 }, []],
    [{ lasts: 7 }, []],
    [{ lasts: 15 }, [spender.id]],
    [{ idle: 30 }, [idle.id]],
    [{ idle: 60 }, []],
    [{ sort: 'tokenBalanceCents', order: 'desc' }, [spender.id, idle.id]],
    [{ sort: 'idleDays', order: 'desc' }, both],
    [{ sort: 'daysLeft', order: 'asc' }, [spender.id, idle.id]],
  ]
  for (const [query, ids] of cases) {
    const { rows, total } = await operator.partnerDesk.list({ parentId: parent.id, ...query })
    assert.deepEqual([rows.map(row => row.id), total], [ids, ids.length], JSON.stringify(query))
  }
  const [row] = (await operator.partnerDesk.list({ search: String(spender.id) })).rows
  assert.deepEqual([row?.daysLeft, row?.idleDays, row?.regionName], [10, 2, '湖北省武汉市洪山区'])
  // A page behind the last one still says how many there are.
  const beyond = await operator.partnerDesk.list({ parentId: parent.id, page: 9 })
  assert.deepEqual([beyond.rows, beyond.total], [[], 2])
})
