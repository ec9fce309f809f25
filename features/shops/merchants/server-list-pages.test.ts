import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import readXlsx from 'read-excel-file/node'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { call } from '#test/walk.ts'

const SHOPS = 2_015
const MANY = 22_400
let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  // Every third shop is permanent and every fifth never logged in; registrations share a moment in threes.
  const now = Date.now()
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  await makeMerchants(office, agent.id, SHOPS, n => ({
    shopName: `店铺${n + 1}`,
    registeredAt: inMinutes(-Math.floor((n + 1) / 3)),
    expiresAt: (n + 1) % 3 > 0 ? inMinutes(((n + 1) * 7_919) % 5_000) : null,
    lastLoginAt: (n + 1) % 5 > 0 ? inMinutes(-(((n + 1) * 104_729) % 9_000)) : null,
  }))
})
after(() => office.stop())

const ORDERS = [
  ['registeredAt', 'desc', 'registered_at desc, id desc'],
  ['registeredAt', 'asc', 'registered_at asc, id asc'],
  ['expiresAt', 'desc', 'expires_at desc nulls first, id desc'],
  ['expiresAt', 'asc', 'expires_at asc nulls last, id asc'],
  ['lastLoginAt', 'desc', 'last_login_at desc nulls last, id desc'],
  ['lastLoginAt', 'asc', 'last_login_at asc nulls first, id asc'],
] as const

for (const [sort, order, written] of ORDERS)
  test(`pages near and far show the rows in one order: ${sort} ${order}`, async () => {
    const { rows } = await office.owner.query<{ id: string }>(
      `select id from merchants where agent_id = $1 order by ${written}`,
      [agent.id],
    )
    const ids = rows.map(row => Number(row.id))
    for (const page of [1, 2, 50, 51, 60, 101, 102]) {
      const list = await me.merchants.list({ page, size: 20, sort, order })
      assert.deepEqual(
        list.rows.map(row => row.id),
        ids.slice((page - 1) * 20, page * 20),
        `page ${page}`,
      )
      assert.equal(list.total, SHOPS)
    }
  })

test('pages in the middle of very many are found by the days that are counted, also where terms that never end follow', async () => {
  const { id: agentId, loginName } = await makeAgent(office)
  const client = office.as(await office.login(loginName))
  await makeMany(agentId, MANY)
  for (const [sort, order, written] of ORDERS.slice(0, 4)) {
    const { rows } = await office.owner.query<{ id: string }>(
      `select id from merchants where agent_id = $1 order by ${written}`,
      [agentId],
    )
    const ids = rows.map(row => Number(row.id))
    for (const page of [101, 110, 112, 123, 124]) {
      const list = await client.merchants.list({ page, size: 100, sort, order })
      assert.deepEqual(
        list.rows.map(row => row.id),
        ids.slice((page - 1) * 100, page * 100),
        `${sort} ${order} page ${page}`,
      )
      assert.equal(list.total, MANY)
    }
  }
})

/** Without triggers, keys and searches: what is counted of them is counted once behind all. */
async function makeMany(agentId: number, count: number): Promise<void> {
  const owner = new pg.Pool({
    connectionString: office.ownerUrl,
    options: '-c session_replication_role=replica',
  })
  const day = 86_400_000
  const now = Date.now()
  try {
    await owner.query('drop index merchants_search, merchants_letters')
    await makeMerchants({ owner }, agentId, count, n => ({
      registeredAt: new Date(now - (n % 400) * day).toISOString(),
      expiresAt: n % 20 < 11 ? new Date(now + (n % 700) * day).toISOString() : null,
    }))
    await owner.query(`insert into merchant_days (agent_id, day, registered, expiring)
      select agent_id, day, sum(registered), sum(expiring) from (
        select agent_id, shanghai_day(registered_at) as day, 1 as registered, 0 as expiring from merchants
        union all select agent_id, shanghai_day(expires_at), 0, 1 from merchants where expires_at is not null) as counted
      where agent_id = ${agentId} group by 1, 2`)
    await owner.query(`insert into merchant_counts (agent_id, total) values (${agentId}, ${count})
      on conflict (agent_id) do update set total = excluded.total`)
  } finally {
    await owner.end()
  }
}

test('shops are found by their verification, by platform, by who looks after them, by place and by the SMS credit that is left', async () => {
  const { id: agentId, loginName } = await makeAgent(office, { sms: 50 })
  const cookie = await office.login(loginName)
  const client = office.as(cookie)
  const make = (columns: Record<string, unknown> = {}) => makeMerchant(office, agentId, columns)
  const plain = await make()
  const place = { province_code: '11', city_code: '1101', district_code: '110105' }
  const refusal = { verification_status: 'failed', verification_refusal: '照片不清晰' }
  const { accountId } = await makeAccount(office, agentId)
  const other = await make({ source: 'mobileWebsite', manager_id: accountId, ...refusal, ...place })
  const supplied = await make({ source: 'import' })
  await client.sms.gift({ merchantId: supplied, pieces: 50 })
  const cases: [Parameters<Client['merchants']['list']>[0], number[]][] = [
    [{ verificationStatus: 'failed' }, [other]],
    [{ verificationStatus: 'unverified' }, [plain, supplied]],
    [{ source: 'mobileWebsite' }, [other]],
    [{ source: 'import' }, [supplied]],
    [{ managerId: accountId }, [other]],
    [{ regionCode: 11 }, [other]],
    [{ regionCode: 4403 }, [plain, supplied]],
    [{ regionCode: 440305 }, [plain, supplied]],
    [{ regionCode: 440304 }, []],
    [{ smsLeft: 0 }, [plain, other]],
    [{ smsLeft: 50 }, [plain, other]],
    [{ smsLeft: 100 }, [plain, other, supplied]],
    [{ regionCode: 44, smsLeft: 10, source: 'backOffice', verificationStatus: 'unverified' }, [plain]],
  ]
  for (const [filters, expected] of cases) {
    const { rows, total } = await client.merchants.list(filters)
    const ids = rows.map(row => row.id).sort((a, b) => a - b)
    assert.deepEqual([ids, total], [expected, expected.length], JSON.stringify(filters))
  }
  const FILE = { method: 'GET', path: '/merchants/export.xlsx' }
  const answer = await call(office.app, cookie, FILE, { smsLeft: 10, columns: 'id,smsBalance' })
  const [sheet] = (await readXlsx(answer.bytes)) as unknown as { data: unknown[][] }[]
  assert.deepEqual(sheet?.data, [
    ['商户ID', '短信余额（条）'],
    [other, 0],
    [plain, 0],
  ])
})
