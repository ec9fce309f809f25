import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import pg from 'pg'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { times } from '#test/lane.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { MY_MERCHANTS } from './fields.ts'

let office: Office
let agent: MadeAgent
let me: Client
let staff: Client

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
})

type Filters = Parameters<Client['merchants']['list']>[0]

const make = (columns: Record<string, unknown> = {}) => makeMerchant(office, agent.id, columns)
const today = formatDay(new Date())
/** An instant of a Shanghai day that lies some days from today, so many seconds after its start. */
const at = (days: number, seconds = 0) =>
  new Date(startOfDay(addDays(today, days)).getTime() + seconds * 1_000).toISOString()

async function found(filters: Filters, client = me): Promise<number[]> {
  const { rows, total } = await client.merchants.list({ size: 100, ...filters })
  assert.equal(total, rows.length, JSON.stringify(filters))
  return rows.map(row => row.id).sort((a, b) => a - b)
}

test('a row has every column of the list', async () => {
  await office.owner.query(
    `update accounts set label_id = (select id from manager_labels where name = '客服') where id = $1`,
    [agent.accountId],
  )
  const id = await make({
    store_kind: 'branch',
    version_id: 3,
    shops_bought: 6,
    referrer: '王五',
    manager_id: agent.accountId,
    remark: '备注',
    signature: '签名',
    verification_status: 'failed',
    verification_refusal: '照片不清晰',
    last_login_at: '2026-01-02T03:04:05.000Z',
    account: '18099990001',
  })
  const { rows } = await me.merchants.list({})
  const { registeredAt, expiresAt, ...row } = rows[0] as (typeof rows)[number]
  assert.ok(registeredAt && expiresAt)
  assert.deepEqual(row, {
    id,
    agentId: agent.id,
    agentName: `代理商${agent.id}`,
    storeKind: 'branch',
    shopName: '测试店铺',
    shortName: '店铺',
    personName: '王小明',
    account: '18099990001',
    versionId: 3,
    versionName: '连锁版',
    shopsBought: 6,
    industryName: '餐饮美食',
    status: 'normal',
    lastLoginAt: '2026-01-02T03:04:05.000Z',
    smsBalance: 0,
    referrer: '王五',
    managerName: '姓名',
    managerLabel: '客服',
    remark: '备注',
    signature: '签名',
    verificationStatus: 'failed',
    verificationRefusal: '照片不清晰',
  })
})

test('each filter keeps what it names, and together they keep what all of them name', async () => {
  await office.owner.query(`insert into agent_payment_methods values ($1, 3)`, [agent.id])
  const plain = await make()
  const other = await make({
    status: 'disabled',
    store_kind: 'branch',
    version_id: 1,
    industry_id: 5,
    payment_method_id: 3,
  })
  const cases: [Filters, Filters][] = [
    [{ status: 'normal' }, { status: 'disabled' }],
    [{ storeKind: 'head' }, { storeKind: 'branch' }],
    [{ versionId: 12 }, { versionId: 1 }],
    [{ industryId: 2 }, { industryId: 5 }],
  ]
  for (const [keepsPlain, keepsOther] of cases) {
    assert.deepEqual(await found(keepsPlain), [plain], JSON.stringify(keepsPlain))
    assert.deepEqual(await found(keepsOther), [other], JSON.stringify(keepsOther))
  }
  assert.deepEqual(await found({ paymentMethodId: 3 }), [other])
  assert.deepEqual(await found({ paymentMethodId: 0 }), [])
  assert.deepEqual(await found(Object.assign({ paymentMethodId: 3 }, ...cases.map(([, keeps]) => keeps))), [
    other,
  ])
  assert.deepEqual(await found({ status: 'normal', storeKind: 'branch' }), [])
})

test('filters answer in every combination of two, without each, and all together, in whatever order they come on one connection', async () => {
  const single = await openOffice({ settings: { POOL_SIZE: '2' } })
  try {
    const lone = await makeAgent(single)
    const client = single.as(await single.login(lone.loginName))
    const id = await makeMerchant(single, lone.id, {
      payment_method_id: 0,
      last_login_at: new Date().toISOString(),
    })
    const far = { from: '2020-01-01', to: '2035-01-01' }
    const filters: Filters[] = [
      { storeKind: 'head', versionId: 12, industryId: 2 },
      { paymentMethodId: 0 },
      { registeredFrom: far.from },
      { registeredTo: far.to },
      { expiresFrom: far.from },
      { expiresTo: far.to },
      { lastLoginDays: 0 },
      { search: '测试' },
      { regionCode: 44, smsLeft: 10, source: 'backOffice', verificationStatus: 'unverified' },
    ]
    const every = 2 ** filters.length
    const bits = filters.map((_, at) => 1 << at)
    const pairs = bits.flatMap(one => [every - 1 - one, ...bits.map(other => one | other)])
    const masks = new Set([
      0,
      every - 1,
      ...pairs,
      ...Array.from({ length: times(0, every) }, (_, mask) => mask),
    ])
    for (const mask of masks) {
      const chosen = Object.assign({ status: 'normal' }, ...filters.filter((_, bit) => mask & (1 << bit)))
      const { rows, total } = await client.merchants.list(chosen)
      assert.deepEqual([rows.map(row => row.id), total], [[id], 1], JSON.stringify(chosen))
    }
  } finally {
    await single.stop()
  }
})

test('dates filter by the days of Shanghai, both ends included', async () => {
  const first = await make({
    registered_at: '2026-03-09T16:00:00.000Z',
    expires_at: '2026-05-09T16:00:00.000Z',
  })
  const last = await make({
    registered_at: '2026-03-11T15:59:59.999Z',
    expires_at: '2026-05-11T15:59:59.999Z',
  })
  const early = await make({
    registered_at: '2026-03-09T15:59:59.999Z',
    expires_at: '2026-05-09T15:59:59.999Z',
  })
  const late = await make({
    registered_at: '2026-03-11T16:00:00.000Z',
    expires_at: '2026-05-11T16:00:00.000Z',
  })
  const forLife = await make({ registered_at: '2026-03-20T00:00:00.000Z', expires_at: null })
  assert.deepEqual(await found({ registeredFrom: '2026-03-10', registeredTo: '2026-03-11' }), [first, last])
  assert.deepEqual(await found({ registeredTo: '2026-03-09' }), [early])
  assert.deepEqual(await found({ registeredFrom: '2026-03-12' }), [late, forLife])
  assert.deepEqual(await found({ expiresFrom: '2026-05-10', expiresTo: '2026-05-11' }), [first, last])
  assert.deepEqual(await found({ expiresTo: '2026-05-09' }), [early])
  assert.deepEqual(await found({ expiresFrom: '2026-05-12' }), [late])
  assert.equal(await refusalOf(me.merchants.list({ registeredFrom: '2026-02-30' })), 'INPUT_INVALID')
})

test('last login: 0 is today, N is not for N days or never', async () => {
  const byDaysAgo = new Map<number, number>()
  for (const days of [0, 1, 2, 3, 6, 7, 30, 365])
    byDaysAgo.set(days, await make({ last_login_at: at(-days, days === 0 ? 0 : 86_399) }))
  const never = await make({ last_login_at: null })
  const olderThan = (days: number) =>
    [...byDaysAgo]
      .filter(([ago]) => ago >= days)
      .map(([, id]) => id)
      .concat(never)
      .sort((a, b) => a - b)
  assert.deepEqual(await found({ lastLoginDays: 0 }), [byDaysAgo.get(0)])
  for (const days of [1, 3, 7, 30, 90, 365])
    assert.deepEqual(await found({ lastLoginDays: days }), olderThan(days), `${days}`)
})

test('every sort, both ways, takes an empty login for the oldest and an empty end for the latest, and ties in the order of ids', async () => {
  const instants = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z', null]
  for (const instant of instants)
    await make({
      registered_at: instant ?? '2026-01-03T00:00:00.000Z',
      expires_at: instant,
      last_login_at: instant,
    })
  for (const sort of MY_MERCHANTS.sorts) {
    const ascending = (await me.merchants.list({ sort, order: 'asc' })).rows
    const descending = (await me.merchants.list({ sort, order: 'desc' })).rows
    assert.deepEqual(
      ascending.map(row => row.id),
      descending.map(row => row.id).reverse(),
      sort,
    )
    const values = ascending.map(row => row[sort] ?? (sort === 'lastLoginAt' ? '0000' : '9999'))
    assert.deepEqual(values, [...values].sort(), sort)
    const tied = ascending.filter(row => row[sort] === instants[0]).map(row => row.id)
    assert.equal(tied.length, 2)
    assert.deepEqual(
      tied,
      tied.toSorted((a, b) => a - b),
      `${sort}: ties by id`,
    )
  }
  assert.equal(await refusalOf(me.merchants.list({ sort: 'account' as 'expiresAt' })), 'INPUT_INVALID')
})

test('pages follow each other without gaps or repeats, also where all values are equal', async () => {
  const made: number[] = []
  for (let i = 0; i < 25; i++)
    made.push(
      await make({
        registered_at: '2026-01-01T00:00:00Z',
        expires_at: i % 2 ? null : '2027-01-01T00:00:00Z',
      }),
    )
  for (const sort of MY_MERCHANTS.sorts)
    for (const order of ['asc', 'desc'] as const) {
      const seen: number[] = []
      for (const page of [1, 2, 3]) {
        const { rows, total } = await me.merchants.list({ sort, order, page, size: 10 })
        assert.equal(total, 25)
        assert.equal(rows.length, page === 3 ? 5 : 10)
        seen.push(...rows.map(row => row.id))
      }
      assert.deepEqual(
        [...new Set(seen)].sort((a, b) => a - b),
        made,
        `${sort} ${order}`,
      )
    }
  assert.deepEqual((await me.merchants.list({ page: 4 })).rows, [])
  for (const wrong of [{ page: 0 }, { size: 11 }, { size: 1_000 }])
    assert.equal(await refusalOf(me.merchants.list(wrong)), 'INPUT_INVALID')
})

test('a search finds by id, name, shop, account and referrer, whole or in part, in any case', async () => {
  const id = await make({
    shop_name: '广州越秀茶楼Tea',
    short_name: '越秀茶',
    person_name: '欧阳小凤',
    account: '18123450077',
    referrer: '陈大文',
  })
  // With an account of its own: one that is counted may hold the digits of the other's id.
  await make({ shop_name: '别家', account: '18199999999' })
  for (const search of [
    String(id),
    String(id).slice(2),
    '越秀茶楼',
    'tEA',
    '欧阳',
    '1812345',
    '大文',
    '凤',
    ' 欧阳 ',
  ])
    assert.deepEqual(await found({ search }), [id], search)
  assert.deepEqual(await found({ search: '茶欧' }), [])
  assert.deepEqual(await found({ search: '18123450077 ' }), [id])
  assert.equal((await found({ search: '' })).length, 2)
  assert.equal((await found({ search: '  ' })).length, 2)
})

test('a number of one digit again and again is found, and nothing that has it once', async () => {
  const id = await make({ account: '13899999999' })
  await make({ account: '13899812399' })
  for (const search of ['99999999', '9999', '899999']) assert.deepEqual(await found({ search }), [id], search)
  assert.deepEqual(await found({ search: '999999999' }), [])
})

test('one character asks its own index, also on a connection that looked for two before', async t => {
  const id = await make({ shop_name: '龘灥店' })
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  const sent = () => mock.calls.map(({ arguments: [asked] }) => JSON.stringify(asked)).join()
  for (let at = 0; at < 8; at++)
    for (const search of ['龘灥', '龘']) {
      mock.resetCalls()
      assert.deepEqual(await found({ search }), [id])
      assert.match(sent(), search === '龘' ? / letters\(/ : / bigrams\(/)
    }
})

test('what a pattern would take for a wildcard is only a character of the search', async () => {
  const odd = await make({ referrer: '50%_\\a' })
  await make({ referrer: '500xxa' })
  for (const search of ['50%', '%_', '_\\', '\\a', '%', '_', '\\'])
    assert.deepEqual(await found({ search }), [odd], search)
  for (const search of ['%%', '__', "';--", '5_%']) assert.deepEqual(await found({ search }), [], search)
})

test('a search is lowered as the texts are, and a letter beyond the first plane is one character', async () => {
  const id = await make({ shop_name: 'İSTANBUL烤肉', referrer: '𠮷' })
  assert.deepEqual(await found({ search: 'İSTANBUL' }), [id])
  assert.deepEqual(await found({ search: '𠮷' }), [id])
  assert.equal(await refusalOf(staff.merchants.list({ search: '𠮷' })), 'SEARCH_TOO_SHORT')
  assert.deepEqual((await staff.merchants.find({ search: '𠮷' })).rows, [])
})

test('staff search all agents with two characters or more, and one agent’s shops with one', async () => {
  const id = await make({ shop_name: '鑫鑫齉店' })
  const stranger = await makeAgent(office)
  const other = await makeMerchant(office, stranger.id, { shop_name: '鑫鑫齉楼' })
  assert.deepEqual(await found({ search: '鑫齉' }, staff), [id, other])
  assert.deepEqual(await found({ search: '鑫齉', agentId: agent.id }, staff), [id])
  assert.deepEqual(await found({ search: '齉', agentId: agent.id }, staff), [id])
  assert.deepEqual(await found({ agentId: stranger.id }, staff), [other])
  assert.equal(await refusalOf(staff.merchants.list({ search: '齉' })), 'SEARCH_TOO_SHORT')
  assert.equal(await refusalOf(staff.merchants.overdue({ search: '齉' })), 'SEARCH_TOO_SHORT')
  assert.deepEqual((await staff.merchants.find({ search: '齉' })).rows, [])
  assert.deepEqual(await found({ search: '齉' }), [id])
  assert.deepEqual(await found({ agentId: stranger.id }), [])
})

test('overdue shops are those expired since 2017-01-01, the latest first; the bell shows five', async () => {
  const expired: number[] = []
  for (let i = 6; i >= 1; i--) expired.unshift(await make({ expires_at: at(-i) }))
  const oldest = await make({ expires_at: '2016-12-31T16:00:00.000Z' })
  await make({ expires_at: '2016-12-31T15:59:59.999Z' })
  await make({ expires_at: new Date(Date.now() + 60_000).toISOString() })
  await make({ expires_at: null })
  const list = await me.merchants.overdue({})
  assert.deepEqual(
    list.rows.map(row => row.id),
    [...expired, oldest],
  )
  assert.equal(list.total, 7)
  const ascending = await me.merchants.overdue({ order: 'asc' })
  assert.deepEqual(
    ascending.rows.map(row => row.id),
    [oldest, ...expired.toReversed()],
  )
  assert.deepEqual((await me.merchants.overdue({ search: String(oldest) })).total, 1)
  const preview = await me.merchants.overduePreview()
  assert.equal(preview.total, 7)
  assert.deepEqual(
    preview.rows.map(row => row.id),
    expired.slice(0, 5),
  )
  assert.deepEqual(Object.keys(preview.rows[0] as object).sort(), [
    'account',
    'agentId',
    'expiresAt',
    'id',
    'shopName',
    'versionId',
  ])
})

test('the palette finds at most eight shops', async () => {
  for (let i = 0; i < 9; i++) await make({ shop_name: '连锁茶铺' })
  const one = await make({ shop_name: '独一家' })
  assert.equal((await me.merchants.find({ search: '茶铺' })).rows.length, 8)
  assert.deepEqual((await me.merchants.find({ search: '独一' })).rows, [
    { id: one, shopName: '独一家', account: (await me.merchants.details({ id: one })).account },
  ])
  assert.deepEqual((await me.merchants.find({ search: '无此店' })).rows, [])
  assert.equal(await refusalOf(me.merchants.find({ search: ' ' })), 'INPUT_INVALID')
})

test('a sub-user with the permission sees its agent’s shops, another agent none of them', async () => {
  const id = await make()
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [22] })
  assert.deepEqual(await found({}, office.as(await office.login(loginName))), [id])
  const child = await makeAgent(office, { parentId: agent.id })
  const childs = await makeMerchant(office, child.id)
  assert.deepEqual(await found({}, office.as(await office.login(child.loginName))), [childs])
  assert.deepEqual(await found({}), [id])
})

// The last, since it leaves thousands of shops.
test('the total without filters is exact right after a change, a filtered one is counted up to the cap', async () => {
  for (let expected = 1; expected <= 3; expected++) {
    await make()
    const { total, totalCapped } = await me.merchants.list({})
    assert.deepEqual([total, totalCapped], [expected, false])
  }
  await makeMerchants(office, agent.id, COUNT_CAP - 3, n => ({ account: `bulk${n}` }))
  assert.deepEqual(await totalOf({ status: 'normal' }), [COUNT_CAP, false])
  await make()
  assert.deepEqual(await totalOf({ status: 'normal' }), [COUNT_CAP, true])
  assert.deepEqual(await totalOf({}), [COUNT_CAP + 1, false])
  assert.deepEqual(await totalOf({ status: 'normal', total: false }), [0, false])
  await searchesMany()
  const removed = await removeBulk()
  assert.equal(removed, 500)
  assert.deepEqual(await totalOf({}), [COUNT_CAP + 1 - removed, false])
})

/** Hits that are all looked at, and so many that they are found along their order. */
async function searchesMany(): Promise<void> {
  const { rows } = await me.merchants.list({ size: 50 })
  const ids = (page: number, of = rows) => of.slice((page - 1) * 20, page * 20).map(({ id }) => id)
  const searched = async (search: string, page: number) =>
    (await me.merchants.list({ search, page, size: 20 })).rows.map(({ id }) => id)
  const bulk = rows.filter(({ account }) => account.startsWith('bulk'))
  assert.deepEqual(await totalOf({ search: 'bulk' }), [COUNT_CAP - 3, false])
  assert.deepEqual(await totalOf({ search: '1' }), [COUNT_CAP, true])
  for (const page of [1, 2]) {
    for (const search of ['bulk', 'u'])
      assert.deepEqual(await searched(search, page), ids(page, bulk), search)
    assert.deepEqual(await searched('1', page), ids(page))
  }
}

/** Some of them: what one transaction counts takes longer with each shop. */
async function removeBulk(): Promise<number> {
  const { rowCount } = await office.owner.query(
    `delete from merchants where id in
       (select id from merchants where agent_id = $1 and account like 'bulk%' limit 500)`,
    [agent.id],
  )
  return rowCount ?? 0
}

async function totalOf(filters: Filters): Promise<[number, boolean]> {
  const { total, totalCapped } = await me.merchants.list(filters)
  return [total, totalCapped]
}
