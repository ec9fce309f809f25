import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeChain } from '#test/make-purchases.ts'
import { WINDOWS, type Window } from './rules.ts'

const DAY_MS = 86_400_000
/** Noon of a day of Asia/Shanghai so many days from today. */
const inDays = (days: number) =>
  new Date(Date.parse(`${formatDay(new Date())}T12:00:00+08:00`) + days * DAY_MS).toISOString()

let office: Office
let agent: MadeAgent
let other: MadeAgent
let me: Client
let staff: Client
let soon: number
let later: number
let lapsed: number
let manager: { accountId: number }

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  other = await makeAgent(office)
  manager = await makeAccount(office, agent.id)
  me = office.as(await office.login(agent.loginName))
  staff = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  soon = await makeMerchant(office, agent.id, {
    shop_name: '将到期店',
    expires_at: inDays(3),
    manager_id: manager.accountId,
    last_login_at: new Date().toISOString(),
  })
  later = await makeMerchant(office, agent.id, {
    shop_name: '稍后到期店',
    expires_at: inDays(50),
    shops_bought: 6,
  })
  lapsed = await makeMerchant(office, agent.id, { shop_name: '已过期店', expires_at: inDays(-10) })
  await makeMerchant(office, agent.id, { shop_name: '久过期店', expires_at: inDays(-200) })
  await makeMerchant(office, agent.id, { shop_name: '永久店', expires_at: null, version_id: 1 })
  await makeMerchant(office, agent.id, { shop_name: '禁用店', expires_at: inDays(2), status: 'disabled' })
  await makeMerchant(office, other.id, { shop_name: '别家店', expires_at: inDays(4) })
})
after(() => office.stop())

const key = () => ({ context: { key: randomUUID() } })
const names = async (input: Parameters<Client['renewals']['desk']>[0]) =>
  (await me.renewals.desk(input)).rows.map(row => row.shopName)

test('each window holds the enabled shops whose term ends in it, and no others', async () => {
  assert.deepEqual(await names({ window: '7' }), ['将到期店'])
  assert.deepEqual((await names({ window: '60' })).toSorted(), ['将到期店', '稍后到期店'].toSorted())
  assert.deepEqual(await names({ window: 'lapsed' }), ['已过期店'])
})

test('a row tells days left, why it stands there, and the last mark', async () => {
  const { rows, total, totalCapped } = await me.renewals.desk({ window: '7' })
  assert.deepEqual([total, totalCapped], [1, false])
  const row = rows[0] as (typeof rows)[number]
  assert.equal(row.daysLeft, 3)
  assert.deepEqual(row.reasons, ['剩3天', '近7天在用'])
  assert.equal(row.managerName, '姓名')
  assert.equal(row.mark, null)
  const gone = (await me.renewals.desk({ window: 'lapsed' })).rows[0]
  assert.equal(gone?.daysLeft, -10)
})

test('a mark is kept with its history, moves the shop, and filters', async () => {
  const today = formatDay(new Date())
  await me.renewals.mark({ merchantId: later, state: 'contacted', note: '电话无人接', nextOn: null }, key())
  await me.renewals.mark({ merchantId: later, state: 'promised', note: '月底付款', nextOn: today }, key())
  const { rows } = await me.renewals.marks({ merchantId: later })
  assert.deepEqual(
    rows.map(({ state, note, nextOn }) => [state, note, nextOn]),
    [
      ['promised', '月底付款', today],
      ['contacted', '电话无人接', null],
    ],
  )
  assert.deepEqual(await names({ window: '60', orderBy: 'rank' }), ['稍后到期店', '将到期店'])
  assert.deepEqual(
    await names({ window: '60' }),
    ['将到期店', '稍后到期店'],
    'by date, unless asked otherwise',
  )
  assert.deepEqual(await names({ window: '60', mark: 'promised' }), ['稍后到期店'])
  assert.deepEqual(await names({ window: '60', mark: 'due' }), ['稍后到期店'])
  assert.deepEqual(await names({ window: '60', mark: 'contacted' }), [])
  assert.deepEqual(await names({ window: '60', mark: 'none' }), ['将到期店'])
})

test('the same key marks once; a lost shop needs a reason', async () => {
  const call = { context: { key: randomUUID() } }
  const input = { merchantId: lapsed, state: 'contacted', note: '', nextOn: null } as const
  const first = await me.renewals.mark(input, call)
  assert.deepEqual(await me.renewals.mark(input, call), first)
  assert.equal((await me.renewals.marks({ merchantId: lapsed })).rows.length, 1)
  assert.equal(await refusalOf(me.renewals.mark({ ...input, state: 'lost' }, key())), 'LOST_WHY')
})

test('a mark counts for 180 days, and only while the shop is the agent’s that made it', async () => {
  const id = await makeMerchant(office, agent.id, { shop_name: '旧跟进店', expires_at: inDays(80) })
  const marked = async () => {
    const row = (await me.renewals.desk({ window: '90', search: '旧跟进店' })).rows[0]
    const none = await names({ window: '90', mark: 'none' })
    return [row?.mark?.state ?? null, none.includes('旧跟进店')]
  }
  await me.renewals.mark({ merchantId: id, state: 'promised', note: '', nextOn: null }, key())
  assert.deepEqual(await marked(), ['promised', false])
  await office.owner.query(
    `update renewal_marks set created_at = now() - interval '181 days' where merchant_id = $1`,
    [id],
  )
  assert.deepEqual(await marked(), [null, true])
  assert.deepEqual((await names({ window: '90', mark: 'promised' })).includes('旧跟进店'), false)
  assert.equal((await me.renewals.marks({ merchantId: id })).rows.length, 1, 'the history keeps it')
  await office.owner.query(
    `update renewal_marks set created_at = now() - interval '179 days' where merchant_id = $1`,
    [id],
  )
  assert.deepEqual(await marked(), ['promised', false])
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [id, other.id])
  const seen = (await staff.renewals.desk({ window: '90', search: '旧跟进店' })).rows[0]
  assert.deepEqual([seen?.agentId, seen?.mark], [other.id, null])
  await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [id])
})

test('the search asks for two characters over all agents, and digits name one shop there', async () => {
  assert.equal(await refusalOf(staff.renewals.desk({ window: '60', search: '店' })), 'SEARCH_TOO_SHORT')
  const found = async (who: Client, search: string, agentId?: number) =>
    (await who.renewals.desk({ window: '7', search, agentId })).rows.map(row => row.shopName)
  assert.deepEqual(await found(me, '店'), ['将到期店'])
  assert.deepEqual(await found(staff, '到期'), ['将到期店'])
  assert.deepEqual(await found(staff, '店', agent.id), ['将到期店'])
  const row = (await me.renewals.desk({ window: '7' })).rows[0]
  assert.deepEqual(await found(staff, String(soon)), ['将到期店'])
  assert.deepEqual(await found(staff, row?.account ?? ''), ['将到期店'])
  assert.deepEqual(await found(staff, String(soon).slice(0, -1)), [])
  assert.deepEqual(await found(me, (row?.account ?? '').slice(-5)), ['将到期店'])
})

test('filters by manager, by no manager and by text', async () => {
  assert.deepEqual(await names({ window: '60', managerId: manager.accountId }), ['将到期店'])
  assert.deepEqual(await names({ window: '60', managerId: 0 }), ['稍后到期店'])
  assert.deepEqual(await names({ window: '60', search: '稍后' }), ['稍后到期店'])
})

test('counts of windows and managers are those of the list', async () => {
  const { windows } = await me.renewals.counts({})
  assert.deepEqual(
    windows.flatMap(row => (row.window.endsWith('Month') ? [] : [[row.window, row.count, row.capped]])),
    [
      ['7', 1, false],
      ['15', 1, false],
      ['30', 1, false],
      ['60', 2, false],
      ['90', 2, false],
      ['lapsed', 1, false],
    ],
  )
  for (const month of ['thisMonth', 'nextMonth'] as const) {
    const counted = windows.find(row => row.window === month)?.count
    assert.equal(counted, (await me.renewals.desk({ window: month })).total, month)
  }
  for (const window of WINDOWS)
    for (const row of (await me.renewals.counts({ window })).managers) {
      const { managerId } = row
      assert.equal(row.due, (await names({ window, managerId })).length)
      for (const mark of ['contacted', 'promised', 'lost'] as const)
        assert.equal(row[mark], (await names({ window, managerId, mark })).length, `${window} ${mark}`)
    }
})

test('a manager without a shop in the window is not counted, and a mark only in its shop’s window', async () => {
  const managersOf = async (window: Window) =>
    (await me.renewals.counts({ window })).managers.map(({ managerId, due, promised }) => [
      managerId,
      due,
      promised,
    ])
  assert.deepEqual(await managersOf('30'), [[manager.accountId, 1, 0]])
  assert.deepEqual(await managersOf('60'), [
    [0, 1, 1],
    [manager.accountId, 1, 0],
  ])
})

test('staff see every agent’s shops, or one agent’s with its managers', async () => {
  const all = await staff.renewals.desk({ window: '7' })
  assert.deepEqual(all.rows.map(row => row.shopName).toSorted(), ['别家店', '将到期店'].toSorted())
  assert.deepEqual((await staff.renewals.counts({})).managers, [])
  const one = await staff.renewals.desk({ window: '7', agentId: other.id })
  assert.deepEqual(
    one.rows.map(row => row.shopName),
    ['别家店'],
  )
  assert.ok((await staff.renewals.counts({ agentId: agent.id })).managers.length > 0)
})

test('months count new shops and ending terms, and follow every change of a term', async () => {
  const month = (at: string) => formatDay(at).slice(0, 7)
  const expiring = async (at: string) =>
    (await me.renewals.months({})).expiring.find(row => row.month === month(at))?.count ?? 0
  const target = inDays(300)
  const before = await expiring(target)
  const id = await makeMerchant(office, agent.id, { expires_at: target })
  assert.equal(await expiring(target), before + 1)
  await office.owner.query('update merchants set expires_at = null where id = $1', [id])
  assert.equal(await expiring(target), before)
  const { registered } = await me.renewals.months({})
  assert.equal(registered.length, 12)
  assert.equal(registered.at(-1)?.count, 7)
})

test('the timeline tells edits, status, marks and orders, newest first, page by page', async () => {
  const id = await makeMerchant(office, agent.id)
  for (let i = 0; i < 35; i++) await me.merchants.setRemark({ id, remark: `备注${i}` })
  await me.merchants.disable({ id })
  await me.renewals.mark({ merchantId: id, state: 'contacted', note: '回访', nextOn: null }, key())
  const first = await me.renewals.timeline({ merchantId: id })
  assert.equal(first.rows.length, 30)
  assert.deepEqual(
    first.rows.slice(0, 3).map(row => [row.kind, row.title, row.detail]),
    [
      ['mark', '已联系', '回访'],
      ['status', '禁用商户', ''],
      ['edit', '修改商户备注', '备注：备注33 → 备注34'],
    ],
  )
  const second = await me.renewals.timeline({ merchantId: id, before: first.next as string })
  assert.equal(second.rows.length, 7)
  assert.equal(second.next, null)
  assert.equal(new Set([...first.rows, ...second.rows].map(row => row.key)).size, 37)
  const marks = await me.renewals.timeline({ merchantId: id, kind: 'mark' })
  assert.deepEqual(
    marks.rows.map(row => row.kind),
    ['mark'],
  )
})

test('another agent’s shop is not found', async () => {
  const theirs = office.as(await office.login(other.loginName))
  for (const call of [
    () => theirs.renewals.marks({ merchantId: soon }),
    () => theirs.renewals.timeline({ merchantId: soon }),
    () => theirs.renewals.mark({ merchantId: soon, state: 'contacted', note: '', nextOn: null }, key()),
  ])
    assert.equal(await refusalOf(call()), 'NOT_FOUND')
})

test('what renewing a head costs is said without its branches, each of which is said by itself', async () => {
  const mine = await makeAgent(office, { tokens: 10_000 })
  const client = office.as(await office.login(mine.loginName))
  const ends = { expires_at: inDays(12) }
  const [chain, single] = [
    await makeChain(office, mine.id, 3, ends),
    await makeChain(office, mine.id, 2, { ...ends, version_id: 12, shops_bought: 5 }),
  ]
  const branches = [...chain.branches, ...single.branches]
  await office.owner.query('update merchants set expires_at = $2 where id = any($1)', [branches, inDays(13)])
  const { rows } = await client.renewals.desk({ window: '30' })
  const said = new Map(rows.map(({ id, yearCents }) => [id, yearCents]))
  const quoted = await client.purchases.bulkQuote({
    merchantIds: [chain.head, single.head, ...branches],
    term: 'year',
    periods: 1,
    remark: '',
  })
  assert.deepEqual(new Map(quoted.lines.map(line => [line.merchantId, line.totalCents])), said)
  assert.deepEqual([said.get(chain.head), said.get(single.head)], [39_800, 3 * 29_800])
})
