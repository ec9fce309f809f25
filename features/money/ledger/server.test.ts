import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { LIMITS, type PayMethod } from './rules.ts'

const CHANGES_NODE = 41
/** Transfers in one call: the longer the list, the longer each. */
const AT_ONCE = 200

let office: Office
let operating: MadeAgent
let operator: Client
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  operating = await makeAgent(office, { operator: true })
  operator = office.as(await office.login(operating.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
})

const prepay = (changes: object = {}) => ({
  agentId: agent.id,
  asset: 'token' as const,
  amount: 100_000,
  reason: '预付款到账',
  ...changes,
})

/** Books a change of an agent's tokens; `at` sets its time, which leaves the chain broken. */
async function book(change: {
  amount: number
  payMethod: PayMethod
  actorId: number
  description?: string
  remark?: string
  document?: string
  merchantId?: number
  at?: string
}): Promise<void> {
  const { amount, at, ...rest } = change
  const mine = { kind: 'agent', id: agent.id }
  const vendor = { kind: 'vendor', book: 'payment-clearing' }
  const movement = {
    kind: 'credit',
    asset: 'token',
    amount: Math.abs(amount),
    from: amount > 0 ? vendor : mine,
    to: amount > 0 ? mine : vendor,
    document: 'D1',
    agentId: agent.id,
    actorName: '经手人',
    description: '测试变动',
    ...rest,
  }
  const { rows } = await office.owner.query('select ledger_post($1::jsonb) as ids', [
    JSON.stringify([movement]),
  ])
  if (at === undefined) return
  await office.owner.query('update ledger_transfers set created_at = $2 where id = $1', [rows[0].ids[0], at])
  await office.owner.query('update ledger_entries set created_at = $2 where transfer_id = $1', [
    rows[0].ids[0],
    at,
  ])
}

test('the operator credits tokens and SMS credit with a reason; the wallet, the list and the log show it', async () => {
  const tokens = await operator.ledger.credit(prepay())
  const sms = await operator.ledger.credit(prepay({ asset: 'sms', amount: 250 }))
  assert.deepEqual([tokens.balanceAfter, sms.balanceAfter], [100_000, 250])
  assert.deepEqual(await me.ledger.wallet(), { tokenCents: 100_000, sms: 250 })
  const { rows } = await me.ledger.changes({})
  const { id, createdAt, ...row } = rows[0] as (typeof rows)[number]
  assert.ok(id && createdAt)
  assert.deepEqual(row, {
    orderNo: tokens.documentNo,
    agentId: agent.id,
    agentName: `代理商${agent.id}`,
    merchantId: null,
    description: '运营充值',
    payMethod: 'gift',
    amountCents: 100_000,
    balanceBeforeCents: 0,
    balanceAfterCents: 100_000,
    actorName: '姓名',
    requestedByName: null,
    priceCents: null,
    orderRemark: null,
    remark: '预付款到账',
  })
  assert.equal(rows.length, 1, 'SMS credit is no change of tokens')
  const logs = await office.owner.query(
    `select subject, changes, account_id::int as by from operation_logs where title = '代理商充值' order by id desc limit 1`,
  )
  assert.deepEqual(logs.rows, [
    {
      subject: `代理商${agent.id} (${agent.id})`,
      by: operating.accountId,
      changes: [
        { name: '短信', before: null, after: '250 条' },
        { name: '原因', before: null, after: '预付款到账' },
      ],
    },
  ])
  await office.verifyLedger()
})

test('a credit that is sent twice is booked once, and its key serves no other amount', async () => {
  const context = { key: randomUUID() }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => operator.ledger.credit(prepay(), { context })),
  )
  assert.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
  assert.equal((await me.ledger.wallet()).tokenCents, 100_000)
  assert.equal(await refusalOf(operator.ledger.credit(prepay({ amount: 1 }), { context })), 'KEY_REUSED')
})

test('credits at once each tell the balance that they left', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => operator.ledger.credit(prepay({ amount: 100 }))),
  )
  assert.deepEqual(
    answers.map(answer => answer.balanceAfter).sort((a, b) => a - b),
    Array.from({ length: 10 }, (_, i) => (i + 1) * 100),
  )
})

test('a wrong credit is refused in words and writes nothing', async () => {
  const before = await rowsOfAllTables(office)
  for (const [changes, code, message] of [
    [{ amount: 0 }, 'AMOUNT_REQUIRED', '请输入大于0的数额'],
    [{ amount: -5 }, 'AMOUNT_REQUIRED', '请输入大于0的数额'],
    [{ amount: LIMITS.creditMax.token + 1 }, 'AMOUNT_TOO_LARGE', '单次充值不得超过1,000万'],
    [{ asset: 'sms', amount: 10_000_001 }, 'AMOUNT_TOO_LARGE', '单次充值不得超过1,000万'],
    [{ reason: '  ' }, 'REASON_REQUIRED', '请输入充值原因'],
    [{ reason: '因'.repeat(51) }, 'REASON_TOO_LONG', '充值原因不得超过50字'],
    [{ agentId: 999_999 }, 'AGENT_UNKNOWN', '请选择代理商'],
    [{ amount: 1.5 }, 'INPUT_INVALID', '须为整数'],
  ] as const) {
    const error = await operator.ledger.credit(prepay(changes)).then(
      () => assert.fail('it was accepted'),
      (failure: ORPCError<string, unknown>) => failure,
    )
    assert.deepEqual([error.code, error.message], [code, message])
  }
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('nobody but the operator credits: no staff, no agent, none with the unfiltered menu, no sub-user of the operator without a role', async () => {
  const staff = await makeAgent(office, { staff: true })
  const full = await makeAgent(office)
  await office.owner.query('update agents set has_full_menu = true where id = $1', [full.id])
  const assistant = await makeAccount(office, operating.id, { nodeIds: [] })
  const before = await rowsOfAllTables(office)
  for (const { loginName } of [staff, full, agent, assistant]) {
    const client = office.as(await office.login(loginName))
    assert.equal(await refusalOf(client.ledger.credit(prepay())), 'FORBIDDEN', loginName)
  }
  const {
    ledger_accounts: accounts,
    ledger_transfers: transfers,
    ledger_entries: entries,
  } = await rowsOfAllTables(office)
  assert.deepEqual(
    [accounts, transfers, entries],
    [before.ledger_accounts, before.ledger_transfers, before.ledger_entries],
  )
})

test('changes are filtered by method, operator, days of Shanghai and text, and the totals are of what is filtered', async () => {
  const other = await makeAccount(office, agent.id)
  await book({
    amount: 50_000,
    payMethod: 'alipay',
    actorId: agent.accountId,
    // Holds the id of the shop below, which a search for the shop must not find.
    document: '2026030910000777000031',
    at: '2026-03-09T15:59:59.999Z',
  })
  await book({ amount: 20_000, payMethod: 'wechat', actorId: other.accountId, at: '2026-03-09T16:00:00Z' })
  await book({
    amount: -30_000,
    payMethod: 'balance',
    actorId: agent.accountId,
    description: '新增商户 面馆',
    merchantId: 10_000_777,
    document: '2026031000000042',
    at: '2026-03-10T15:59:59.999Z',
  })
  await book({
    amount: 1,
    payMethod: 'gift',
    actorId: other.accountId,
    remark: '活动 100%',
    at: '2026-03-10T16:00:00Z',
  })
  const sums = async (filters: Parameters<Client['ledger']['changes']>[0]) => {
    const { rows, total, incomeCents, spentCents } = await me.ledger.changes(filters)
    assert.equal(rows.length, total)
    return [total, incomeCents, spentCents]
  }
  assert.deepEqual(await sums({}), [4, 70_001, 30_000])
  assert.deepEqual(await sums({ payMethod: 'alipay' }), [1, 50_000, 0])
  assert.deepEqual(await sums({ payMethod: 'interface' }), [0, 0, 0])
  assert.deepEqual(await sums({ actorId: other.accountId }), [2, 20_001, 0])
  assert.deepEqual(await sums({ from: '2026-03-10', to: '2026-03-10' }), [2, 20_000, 30_000])
  assert.deepEqual(await sums({ from: '2026-03-11' }), [1, 1, 0])
  assert.deepEqual(await sums({ to: '2026-03-09' }), [1, 50_000, 0])
  for (const search of ['面馆', '000042', '2026031', '10000777'])
    assert.deepEqual(await sums({ search }), [1, 0, 30_000], search)
  assert.deepEqual(await sums({ search: '100%' }), [1, 1, 0])
  // Pieces of both texts have one index; what would begin in one and end in the other is in neither.
  for (const search of ['增商', '户 面', '新增商户 面馆', '馆'])
    assert.deepEqual(await sums({ search }), [1, 0, 30_000], search)
  assert.deepEqual(await sums({ search: '动 100' }), [1, 1, 0])
  assert.deepEqual(await sums({ search: '馆活' }), [0, 0, 0])
  assert.deepEqual(await sums({ search: '增商', payMethod: 'wechat' }), [0, 0, 0])
  for (const search of ['%%', '_', '1000077']) assert.deepEqual(await sums({ search }), [0, 0, 0], search)
  assert.deepEqual(await sums({ payMethod: 'wechat', actorId: agent.accountId }), [0, 0, 0])
  const { rows } = await me.ledger.changes({})
  assert.deepEqual(
    rows.map(row => [row.amountCents, row.balanceBeforeCents, row.balanceAfterCents]),
    [
      [1, 40_000, 40_001],
      [-30_000, 70_000, 40_000],
      [20_000, 50_000, 70_000],
      [50_000, 0, 50_000],
    ],
  )
})

test('pages of changes follow each other without gaps or repeats, and a long list is counted up to the cap', async () => {
  for (let i = 0; i < 23; i++)
    await book({ amount: 1, payMethod: 'gift', actorId: 1, at: '2026-03-09T16:00:00Z' })
  const seen = new Set<number>()
  for (const page of [1, 2, 3]) {
    const { rows, total } = await me.ledger.changes({ page })
    assert.equal(total, 23)
    for (const row of rows) seen.add(row.id)
  }
  assert.equal(seen.size, 23)
  assert.deepEqual((await me.ledger.changes({ page: 4 })).rows, [])
  const movement = { kind: 'credit', asset: 'token', amount: 1, from: { kind: 'vendor', book: 'issued' } }
  const transfer = JSON.stringify({
    ...movement,
    to: { kind: 'agent', id: agent.id },
    document: 'BULK',
    payMethod: 'gift',
    agentId: agent.id,
    actorId: 1,
    actorName: '测试',
    description: '批量',
  })
  for (let left = COUNT_CAP + 1; left > 0; left -= AT_ONCE)
    await office.owner.query(
      'select ledger_post((select jsonb_agg($1::jsonb) from generate_series(1, $2::int)))',
      [transfer, Math.min(left, AT_ONCE)],
    )
  for (const search of [undefined, '批量']) {
    const { total, totalCapped, incomeCents } = await me.ledger.changes(search ? { search } : {})
    assert.deepEqual([total, totalCapped, incomeCents], [COUNT_CAP, true, COUNT_CAP], search)
  }
})

test('staff search all agents at all times by order number, its last eight characters or shop, and more within bounds', async () => {
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  const document = `20260310000000${String(10_000_000 + agent.id)}`
  await book({
    amount: 5,
    payMethod: 'gift',
    actorId: 1,
    document,
    merchantId: 20_000_000 + agent.id,
    description: '新增商户 齉面馆',
    at: '2026-03-10T04:00:00Z',
  })
  const found = async (filters: Parameters<Client['ledger']['changes']>[0], client = staff) =>
    (await client.ledger.changes(filters)).rows.map(row => row.orderNo)
  for (const search of [document, document.slice(-8), String(20_000_000 + agent.id)])
    assert.deepEqual(await found({ search }), [document], search)
  for (const search of [document.slice(0, 20), document.slice(-7), '齉面馆']) {
    assert.deepEqual(await found({ search }), [], search)
    assert.deepEqual(await found({ search, from: '2026-03-10' }), [], search)
    assert.deepEqual(await found({ search, agentId: agent.id }), [document], search)
    assert.deepEqual(await found({ search }, me), [document], search)
  }
  assert.deepEqual(await found({ search: '齉面馆', from: '2026-03-10', to: '2026-03-10' }), [document])
})

test('an agent sees its own changes, staff everybody’s or one agent’s', async () => {
  const stranger = await makeAgent(office, { tokens: 7 })
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  await credit(office, agent.id, 'token', 300)
  assert.deepEqual(
    (await me.ledger.changes({})).rows.map(row => row.amountCents),
    [300],
  )
  assert.equal((await me.ledger.changes({ agentId: stranger.id })).total, 0)
  assert.deepEqual(
    (await staff.ledger.changes({ agentId: stranger.id })).rows.map(row => row.amountCents),
    [700],
  )
  const all = new Set((await staff.ledger.changes({ size: 100 })).rows.map(row => row.agentId))
  assert.ok(all.has(agent.id) && all.has(stranger.id))
})

test('a purchase is a change with its order, shop and buyer; the operator filter offers the agent’s own people', async () => {
  await credit(office, agent.id, 'token', 100_000)
  const colleague = await makeAccount(office, agent.id, { nodeIds: [CHANGES_NODE] })
  const quote = await me.selling.quote(newMerchantForm({ shopName: '流水面馆' }))
  const { id } = await me.selling.add({ orderNo: quote.orderNo })
  const [row] = (await me.ledger.changes({ payMethod: 'balance' })).rows
  assert.deepEqual(
    [row?.orderNo, row?.merchantId, row?.description, row?.amountCents, row?.actorName],
    [quote.orderNo, id, '新增商户 流水面馆', -29_800, '姓名'],
  )
  const { rows: people } = await me.ledger.changeActors()
  assert.deepEqual(
    people.map(person => person.id),
    [agent.accountId, colleague.accountId],
  )
  const client = office.as(await office.login(colleague.loginName))
  assert.equal((await client.ledger.changes({})).total, 2)
  assert.equal(await refusalOf(client.ledger.wallet()), 'FORBIDDEN')
})

test('a change tells the price, who asked for it, and the remarks of its order and of itself', async () => {
  const mine = office.as(await office.login(agent.loginName))
  const shop = await makeMerchant(office, agent.id)
  await credit(office, agent.id, 'token', 100_000)
  const { orderNo } = await mine.sms.buy({
    merchantId: shop,
    packageId: 1,
    totalCents: 2_000,
    remark: '首单',
  })
  await mine.settlement.undo({ kind: 'sms', orderNo, reason: '买错了' })
  await office.owner.query(
    `insert into undo_requests (agent_id, kind, order_no, total_cents, reason, state, requested_by, requested_by_name, requested_at)
     values ($1, 'sms', $2, 2000, '买错了', 'approved', $3, '申请的人', now())`,
    [agent.id, orderNo, agent.accountId],
  )
  const { rows } = await mine.ledger.changes({ search: orderNo })
  assert.deepEqual(
    rows.map(row => [row.amountCents, row.priceCents, row.requestedByName, row.orderRemark, row.remark]),
    [
      [2_000, 2_000, '申请的人', '首单', '买错了'],
      [-2_000, 2_000, '姓名', '首单', ''],
    ],
  )
})
