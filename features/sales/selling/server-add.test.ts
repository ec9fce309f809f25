import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { ORDER_REFUSALS } from '#features/sales/orders/rules.ts'
import { amountText } from '#kit/money.ts'
import { addMonths } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { writePrice } from '#test/make-purchases.ts'
import { rowsOfAllTables } from '#test/rows.ts'

const ADD_NODE = 21

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
// Each test has an agent of its own: level 3 pays 60 % of the list price.
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 10_000, sms: 500, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})

type Told = { code: string; message: string; data: Record<string, unknown> | undefined }

async function refusal(call: Promise<unknown>): Promise<Told> {
  const error = await call.then(
    () => assert.fail('it was accepted'),
    (failure: ORPCError<string, Record<string, unknown>>) => failure,
  )
  return { code: error.code, message: error.message, data: error.data }
}

async function buy(changes: Parameters<typeof newMerchantForm>[0] = {}) {
  const quote = await me.selling.quote(newMerchantForm(changes))
  return { quote, added: await me.selling.add({ orderNo: quote.orderNo }) }
}

async function one<T extends Record<string, unknown>>(query: string, ...values: unknown[]): Promise<T> {
  const { rows } = await office.owner.query<T>(query, values)
  assert.equal(rows.length, 1, query)
  return rows[0] as T
}

const SALES = [
  {
    name: 'years of one shop',
    form: { versionId: 12, term: 'year', periods: 2, shops: 1 },
    total: 35_760,
    shops: 1,
    months: 24,
    content: '高级版',
  },
  {
    name: 'months of three shops',
    form: { versionId: 12, term: 'month', periods: 7, shops: 3 },
    total: 63_000,
    shops: 3,
    months: 7,
    content: '高级版',
  },
  {
    name: 'a chain with four branches',
    form: { versionId: 3, term: 'year', periods: 1, shops: 1, branches: 4 },
    total: 119_400,
    shops: 5,
    months: 12,
    content: '连锁版',
  },
  {
    name: 'two shops for life',
    form: { versionId: 1, term: 'lifetime', periods: 1, shops: 2 },
    total: 237_600,
    shops: 2,
    months: null,
    content: '永久版',
  },
] as const

for (const sale of SALES)
  test(`${sale.name}: what was quoted is booked, and the shop has what was bought`, async () => {
    const { quote, added } = await buy(sale.form)
    assert.equal(quote.totalCents, sale.total)
    assert.equal(quote.discountBasisPoints, 6_000)
    assert.equal(quote.balanceBeforeCents, 1_000_000)
    assert.equal(quote.balanceAfterCents, 1_000_000 - sale.total)
    assert.equal(added.totalCents, sale.total)
    assert.equal((await me.ledger.wallet()).tokenCents, 1_000_000 - sale.total)
    const shop = await me.merchants.details({ id: added.id })
    const bought = sale.months === null ? null : addMonths(shop.registeredAt, sale.months).toISOString()
    assert.equal(added.expiresAt, bought)
    assert.equal(shop.expiresAt && new Date(shop.expiresAt).toISOString(), bought)
    assert.equal(shop.shopsBought, sale.shops)
    assert.equal(shop.versionName, sale.content)
    assert.equal(shop.status, 'normal')
    const order = await one('select * from version_orders where order_no = $1', quote.orderNo)
    assert.equal(order.status, 'paid')
    assert.equal(Number(order.merchant_id), added.id)
    assert.equal(order.draft, null)
    assert.ok(order.paid_at)
    await office.verifyLedger()
  })

test('SMS credit moves from the agent to the shop with the purchase', async () => {
  const { quote, added } = await buy({ smsCount: 120 })
  assert.equal(quote.smsBefore, 500)
  assert.equal((await me.ledger.wallet()).sms, 380)
  assert.equal((await me.merchants.details({ id: added.id })).smsBalance, 120)
  await office.verifyLedger()
})

test('a purchase is in the operation log with order and price', async () => {
  const { added } = await buy({ shopName: '日志面馆' })
  const row = await one(`select * from operation_logs where agent_id = $1 and title = '新增商户'`, agent.id)
  assert.equal(row.subject, `日志面馆 (${added.id})`)
  assert.deepEqual(row.changes, [
    { name: '订单号', before: null, after: added.orderNo },
    { name: '结算', before: null, after: amountText(added.totalCents, '代币') },
  ])
})

test('what a version does not ask for is not sold with it', async () => {
  const perShop = await buy({ versionId: 12, shops: 1, branches: 998 })
  assert.equal(perShop.quote.totalCents, 17_880)
  assert.equal((await me.merchants.details({ id: perShop.added.id })).shopsBought, 1)
  const perBranch = await buy({ versionId: 3, shops: 999, branches: 0 })
  assert.equal(perBranch.quote.totalCents, 23_880)
  assert.equal((await me.merchants.details({ id: perBranch.added.id })).shopsBought, 1)
  const forLife = await buy({ versionId: 1, term: 'lifetime', periods: 3_000_000_000, branches: -7 })
  const order = await one(
    'select periods, branches from version_orders where order_no = $1',
    forLife.quote.orderNo,
  )
  assert.deepEqual(order, { periods: 1, branches: 0 })
})

test('payment secrets and passwords are sealed in the database and in no answer', async () => {
  await office.owner.query('insert into agent_payment_methods values ($1, 3)', [agent.id])
  const secret = 'sign-key-7f3a9c'
  const form = newMerchantForm({
    password: 'shop-password-1',
    paymentMethodId: 3,
    paymentConfig: { mercId: 'M-1001', signKey: secret, other: 'not a field' },
  })
  const quote = await me.selling.quote(form)
  const added = await me.selling.add({ orderNo: quote.orderNo })
  const shop = await me.merchants.details({ id: added.id })
  assert.deepEqual(shop.paymentConfig, { mercId: 'M-1001' })
  assert.deepEqual(shop.paymentSecretsSet, ['signKey'])
  assert.equal(shop.payEnabled, true)
  const list = await me.merchants.list({ search: form.account })
  for (const answer of [quote, added, shop, list])
    for (const hidden of [secret, form.password, 'argon2'])
      assert.ok(!JSON.stringify(answer).includes(hidden), hidden)
  const kept = await office.owner.query(
    `select t::text as text from merchants t union all select t::text from version_orders t
     union all select t::text from operation_logs t union all select t::text from idempotency_keys t`,
  )
  const texts = kept.rows.map(row => row.text as string).join('\n')
  for (const plain of [
    secret,
    form.password,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64'),
  ])
    assert.ok(!texts.includes(plain), plain)
  const row = await one<{ payment_config: Buffer }>(
    'select payment_config from merchants where id = $1',
    added.id,
  )
  assert.deepEqual(JSON.parse(office.app.services.secrets.decrypt(row.payment_config)), {
    mercId: 'M-1001',
    signKey: secret,
  })
})

test('an account number is taken once over all agents', async () => {
  const stranger = await makeAgent(office)
  await makeMerchant(office, stranger.id, { account: '18012340001' })
  const told = await refusal(me.selling.quote(newMerchantForm({ account: '18012340001' })))
  assert.deepEqual(told, { code: 'ACCOUNT_TAKEN', message: '账号已存在', data: { field: 'account' } })
  const quote = await me.selling.quote(newMerchantForm({ account: '18012340002' }))
  await makeMerchant(office, stranger.id, { account: '18012340002' })
  const before = await rowsOfAllTables(office)
  assert.equal((await refusal(me.selling.add({ orderNo: quote.orderNo }))).code, 'ACCOUNT_TAKEN')
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('of confirms that race for one account number, one gets it and the others leave nothing', async () => {
  const other = await makeAgent(office, { tokens: 10_000 })
  const others = office.as(await office.login(other.loginName))
  const form = newMerchantForm({ account: '18012340009' })
  const quotes = await Promise.all(
    [me, others, me, others, me, others].map(async client => ({
      client,
      quote: await client.selling.quote(form),
    })),
  )
  const answers = await Promise.all(
    quotes.map(({ client, quote }) => refusalOf(client.selling.add({ orderNo: quote.orderNo }))),
  )
  assert.deepEqual(answers.sort(), [...Array(5).fill('ACCOUNT_TAKEN'), 'accepted'])
  await one('select id from merchants where account = $1', '18012340009')
  const paid = `select sum(o.total_cents)::int as cents, count(*)::int as orders from version_orders o
    where o.status = 'paid' and o.agent_id in ($1, $2)`
  const { cents, orders } = await one<{ cents: number; orders: number }>(paid, agent.id, other.id)
  assert.equal(orders, 1)
  const left = (await me.ledger.wallet()).tokenCents + (await others.ledger.wallet()).tokenCents
  assert.equal(left, 2_000_000 - cents)
  await office.verifyLedger()
})

test('want of tokens is refused with what is missing, and nothing is written; the same quote passes after a top-up', async () => {
  const poor = await makeAgent(office, { tokens: 100, sms: 10 })
  const client = office.as(await office.login(poor.loginName))
  const quote = await client.selling.quote(newMerchantForm({ smsCount: 5 }))
  assert.equal(quote.balanceAfterCents, 10_000 - 29_800)
  const before = await rowsOfAllTables(office)
  const key = randomUUID()
  const told = await refusal(client.selling.add({ orderNo: quote.orderNo }, { context: { key } }))
  assert.deepEqual(told, {
    code: 'INSUFFICIENT',
    message: '账户余额不足',
    data: { asset: 'token', balance: 10_000, missing: 19_800, owner: 'agent' },
  })
  assert.deepEqual(await rowsOfAllTables(office), before)
  await credit(office, poor.id, 'token', 19_800)
  await client.selling.add({ orderNo: quote.orderNo }, { context: { key } })
  assert.deepEqual(await client.ledger.wallet(), { tokenCents: 0, sms: 5 })
  await office.verifyLedger()
})

test('want of SMS credit is refused with what is missing, and nothing is written', async () => {
  const quote = await me.selling.quote(newMerchantForm({ smsCount: 501 }))
  const before = await rowsOfAllTables(office)
  const told = await refusal(me.selling.add({ orderNo: quote.orderNo }))
  assert.deepEqual(told, {
    code: 'SMS_INSUFFICIENT',
    message: '充值失败，短信余额不足',
    data: { asset: 'sms', balance: 500, missing: 1, owner: 'agent' },
  })
  assert.deepEqual(await rowsOfAllTables(office), before)
})

const KEPT: [name: string, change: () => Promise<unknown>, undo: () => Promise<unknown>][] = [
  ['a higher price', () => priceOfYear(30_000), () => priceOfYear(29_800)],
  ['a lower price', () => priceOfYear(100), () => priceOfYear(29_800)],
  ['another level', () => levelOf(2), () => levelOf(3)],
]
const priceOfYear = (cents: number) =>
  writePrice((text, values) => office.owner.query(text, values), {
    book: 'version',
    item: 12,
    part: 'year',
    cents,
  })
const levelOf = (id: number) =>
  office.owner.query('update agents set level_id = $2 where id = $1', [agent.id, id])

for (const [name, change, undo] of KEPT)
  test(`a quote keeps the price that it showed after ${name}`, async () => {
    const quote = await me.selling.quote(newMerchantForm())
    await change()
    try {
      const next = await me.selling.quote(newMerchantForm())
      assert.notEqual(next.totalCents, quote.totalCents)
      const done = await me.selling.add({ orderNo: quote.orderNo })
      assert.equal(done.totalCents, quote.totalCents)
    } finally {
      await undo()
    }
    await office.verifyLedger()
  })

const RETIRED: [name: string, change: string, undo: string, code: string, message: string][] = [
  [
    'a version that was retired a second ago',
    'update versions set enabled = false where id = 12',
    'update versions set enabled = true where id = 12',
    'VERSION_RETIRED',
    '该版本已停售，请刷新后重新选择',
  ],
  [
    'a version that is others’ to sell by now',
    `update versions set sellers = 'only' where id = 12`,
    `update versions set sellers = 'all' where id = 12`,
    'VERSION_NOT_AUTHORIZED',
    '您未获授权销售该版本，如需销售请联系厂商',
  ],
]
for (const [name, change, undo, code, message] of RETIRED)
  test(`${name} is told as such, before the quote and after`, async () => {
    const quote = await me.selling.quote(newMerchantForm())
    await office.owner.query(change)
    try {
      const before = await rowsOfAllTables(office)
      for (const call of [
        () => me.selling.quote(newMerchantForm()),
        () => me.selling.add({ orderNo: quote.orderNo }),
      ]) {
        const told = await refusal(call())
        assert.deepEqual([told.code, told.message], [code, message])
      }
      assert.deepEqual(await rowsOfAllTables(office), before)
    } finally {
      await office.owner.query(undo)
    }
    assert.equal(await refusalOf(me.selling.add({ orderNo: quote.orderNo })), 'accepted')
  })

test('a quote is its maker’s, once, for a day', async () => {
  const colleague = await makeAccount(office, agent.id, { nodeIds: [ADD_NODE] })
  const stranger = await makeAgent(office, { tokens: 1_000 })
  const quote = await me.selling.quote(newMerchantForm())
  for (const { loginName } of [colleague, stranger]) {
    const client = office.as(await office.login(loginName))
    const told = await refusal(client.selling.add({ orderNo: quote.orderNo }))
    assert.deepEqual([told.code, told.message], ['QUOTE_UNKNOWN', ORDER_REFUSALS.QUOTE_UNKNOWN])
  }
  assert.equal(await refusalOf(me.selling.add({ orderNo: '0'.repeat(22) })), 'QUOTE_UNKNOWN')
  const aged = (hours: number) =>
    office.owner.query(
      `update version_orders set created_at = now() - make_interval(hours => $2) where order_no = $1`,
      [quote.orderNo, hours],
    )
  await aged(24)
  assert.equal(await refusalOf(me.selling.add({ orderNo: quote.orderNo })), 'QUOTE_UNKNOWN')
  await aged(23)
  assert.equal(await refusalOf(me.selling.add({ orderNo: quote.orderNo })), 'accepted')
  assert.equal(await refusalOf(me.selling.add({ orderNo: quote.orderNo })), 'QUOTE_USED')
})

test('a double submit gives one shop and the same answer, one after the other and at once', async () => {
  const quote = await me.selling.quote(newMerchantForm())
  const context = { key: randomUUID() }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => me.selling.add({ orderNo: quote.orderNo }, { context })),
  )
  answers.push(await me.selling.add({ orderNo: quote.orderNo }, { context }))
  assert.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
  assert.equal((await me.merchants.list({})).total, 1)
  assert.equal((await me.ledger.wallet()).tokenCents, 1_000_000 - quote.totalCents)
  const other = await me.selling.quote(newMerchantForm())
  assert.equal(await refusalOf(me.selling.add({ orderNo: other.orderNo }, { context })), 'KEY_REUSED')
  assert.equal(
    await refusalOf(me.selling.add({ orderNo: other.orderNo }, { context: { key: 'short' } })),
    'KEY_MALFORMED',
  )
  await office.verifyLedger()
})

test('two keys on one quote give one shop', async () => {
  const quote = await me.selling.quote(newMerchantForm())
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => refusalOf(me.selling.add({ orderNo: quote.orderNo }))),
  )
  assert.deepEqual(answers.sort(), ['QUOTE_USED', 'QUOTE_USED', 'QUOTE_USED', 'accepted'])
  assert.equal((await me.merchants.list({})).total, 1)
})

test('a sub-user without the permission can neither quote nor confirm, one with it can', async () => {
  const blocked = await makeAccount(office, agent.id, { nodeIds: [] })
  const allowed = await makeAccount(office, agent.id, { nodeIds: [ADD_NODE] })
  const client = office.as(await office.login(blocked.loginName))
  const told = await refusal(client.selling.quote(newMerchantForm()))
  assert.deepEqual([told.code, told.message], ['FORBIDDEN', '您没有操作权限!'])
  assert.equal(await refusalOf(client.selling.add({ orderNo: '0'.repeat(22) })), 'FORBIDDEN')
  const seller = office.as(await office.login(allowed.loginName))
  const quote = await seller.selling.quote(newMerchantForm())
  await seller.selling.add({ orderNo: quote.orderNo })
  assert.equal((await me.merchants.list({})).total, 1)
})

test('the agent’s account format decides which account numbers it may give', async () => {
  for (const [format, account, expected] of [
    ['standard', '12345678', 'ACCOUNT_FORMAT'],
    ['long', '12345678', 'accepted'],
    ['long', '9234', 'ACCOUNT_FORMAT'],
    ['any', '9234', 'accepted'],
  ] as const) {
    await office.owner.query('update agents set account_format = $2 where id = $1', [agent.id, format])
    assert.equal(
      await refusalOf(me.selling.quote(newMerchantForm({ account }))),
      expected,
      `${format} ${account}`,
    )
  }
})
