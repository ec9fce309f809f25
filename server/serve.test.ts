// The path of an operation that takes an idempotency key (money.md, "Asking for money to move").
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { freshCode } from '#test/make-codes.ts'
import { call } from '#test/walk.ts'

const ADD = { method: 'POST', path: '/merchants' }
const RECALL = { method: 'POST', path: '/merchants/{merchantId}/sms-recalls' }
const CREDIT = { method: 'POST', path: '/agents/{agentId}/credits' }

let office: Office
let agent: MadeAgent
let cookie: string
let operatorCookie: string

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 1_000_000 })
  cookie = await office.login(agent.loginName)
  const operator = await makeAgent(office, { operator: true })
  operatorCookie = await office.login(operator.loginName)
})
after(async () => {
  await office.verifyLedger()
  await office.stop()
})

const quote = async () => (await office.as(cookie).selling.quote(newMerchantForm())).orderNo
const add = (orderNo: string, key: string, as = cookie) => call(office.app, as, ADD, { orderNo }, { key })
const count = async (table: string) =>
  Number((await office.owner.query(`select count(*) from ${table}`)).rows[0].count)

test('without a key, or with one of the wrong shape, nothing happens', async () => {
  const orderNo = await quote()
  const before = await count('merchants')
  for (const key of ['', 'short', 'x'.repeat(65), 'with space in the key', "'; drop table merchants --"]) {
    const answer = await add(orderNo, key)
    assert.deepEqual([answer.status, answer.code], [400, key === '' ? 'KEY_MISSING' : 'KEY_MALFORMED'], key)
  }
  const bare = await office.app.http.inject({
    method: 'POST',
    url: '/api/merchants',
    headers: { cookie, 'x-requested-with': 'partner-office' },
    payload: { orderNo },
  })
  assert.equal(bare.json().code, 'KEY_MISSING')
  assert.equal(await count('merchants'), before)
})

test('the same key and input is answered byte for byte alike and happens once', async () => {
  const orderNo = await quote()
  const key = randomUUID()
  const first = await add(orderNo, key)
  assert.equal(first.status, 200)
  const before = [await count('ledger_transfers'), await count('operation_logs'), await count('merchants')]
  for (let i = 0; i < 3; i++) assert.deepEqual((await add(orderNo, key)).bytes, first.bytes)
  assert.deepEqual(
    [await count('ledger_transfers'), await count('operation_logs'), await count('merchants')],
    before,
  )
})

test('a used key with another input, or for another operation, is refused', async () => {
  const key = randomUUID()
  const credit = { agentId: agent.id, asset: 'token', amount: 100, reason: '预付' }
  const send = (input: Record<string, unknown>) => call(office.app, operatorCookie, CREDIT, input, { key })
  assert.equal((await send(credit)).status, 200)
  const before = await count('ledger_transfers')
  for (const changed of [{ amount: 101 }, { asset: 'sms' }, { reason: '其他' }, { agentId: agent.id + 1 }])
    assert.equal((await send({ ...credit, ...changed })).code, 'KEY_REUSED', JSON.stringify(changed))
  const other = await add('1'.repeat(22), key, operatorCookie)
  assert.equal(other.code, 'KEY_REUSED')
  assert.equal(await count('ledger_transfers'), before)
})

test('a key belongs to its account', async () => {
  const sub = await makeAccount(office, agent.id, { nodeIds: [21] })
  const subCookie = await office.login(sub.loginName)
  const key = randomUUID()
  const first = await add(await quote(), key)
  const others = (await office.as(subCookie).selling.quote(newMerchantForm())).orderNo
  const second = await add(others, key, subCookie)
  assert.equal(second.status, 200)
  assert.notDeepEqual(second.body, first.body)
})

test('eight at once with one key give one shop and one answer', async () => {
  const orderNo = await quote()
  const key = randomUUID()
  const [shops, transfers] = [await count('merchants'), await count('ledger_transfers')]
  const answers = await Promise.all(Array.from({ length: 8 }, () => add(orderNo, key)))
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
  assert.equal(new Set(answers.map(answer => answer.bytes.toString())).size, 1)
  assert.deepEqual([await count('merchants'), await count('ledger_transfers')], [shops + 1, transfers + 1])
})

test('eight at once with a key each give one shop, and seven are told that the order is used', async () => {
  const orderNo = await quote()
  const shops = await count('merchants')
  const answers = await Promise.all(Array.from({ length: 8 }, () => add(orderNo, randomUUID())))
  assert.equal(answers.filter(answer => answer.status === 200).length, 1)
  assert.equal(answers.filter(answer => answer.code === 'QUOTE_USED').length, 7)
  assert.equal(await count('merchants'), shops + 1)
})

test('a refusal frees its key, so that the corrected form can be sent with it', async () => {
  const poor = await makeAgent(office, { tokens: 1 })
  const poorCookie = await office.login(poor.loginName)
  const { orderNo } = await office.as(poorCookie).selling.quote(newMerchantForm())
  const key = randomUUID()
  const before = await count('idempotency_keys')
  assert.equal((await add(orderNo, key, poorCookie)).code, 'INSUFFICIENT')
  assert.equal(await count('idempotency_keys'), before)
  const credit = { agentId: poor.id, asset: 'token', amount: 10_000_000, reason: '预付' }
  await call(office.app, operatorCookie, CREDIT, credit)
  assert.equal((await add(orderNo, key, poorCookie)).status, 200)
})

test('a refusal that keeps what it wrote frees its key too', async () => {
  const shop = await makeMerchant(office, agent.id, { needs_recovery_code: true })
  const mine = office.as(cookie)
  await mine.sms.buy({ merchantId: shop, packageId: 1, totalCents: 2_000 })
  const code = await freshCode(office, mine, shop, 'recovery')
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const key = randomUUID()
  const recall = (typed: string) =>
    call(office.app, cookie, RECALL, { merchantId: shop, pieces: 10, code: typed }, { key })
  assert.equal((await recall(wrong)).code, 'CODE_WRONG')
  const { rows } = await office.owner.query(
    'select failures from verification_codes where merchant_id = $1',
    [shop],
  )
  assert.equal(rows[0].failures, 1)
  assert.equal((await recall(code)).status, 200)
})

test('what the output does not declare never leaves the server', async () => {
  const { merchants } = office.as(cookie)
  const list = await merchants.list({})
  const shop = await merchants.details({ id: list.rows[0]?.id as number })
  for (const name of ['passwordHash', 'password_hash', 'searchText', 'search_text'])
    assert.ok(!(name in shop) && !(name in (list.rows[0] ?? {})), name)
  assert.ok(!JSON.stringify([list, shop]).includes('argon2'))
})

test('a count that is none is refused in words, in an operation and in a file, and never taken for another one', async () => {
  const LIST = { method: 'GET', path: '/merchants' }
  for (const text of ['2.5', '-', '1e3', 'abc', ''])
    for (const path of [LIST.path, '/merchants/export.xlsx']) {
      const answer = await call(office.app, cookie, { ...LIST, path }, { versionId: text })
      assert.deepEqual(
        [answer.status, answer.code, answer.message],
        [422, 'INPUT_INVALID', '须为整数'],
        `${path} ${text}`,
      )
    }
})

test('a value that the database cannot hold is refused as input, in an operation and in a file', async () => {
  const LIST = { method: 'GET', path: '/merchants' }
  for (const query of [{ versionId: 2 ** 40 }, { search: 'a\u0000b' }, { registeredFrom: '0001-01-01' }]) {
    const answer = await call(office.app, cookie, LIST, query)
    assert.deepEqual([answer.status, answer.code], [422, 'INPUT_INVALID'], JSON.stringify(query))
    const file = await call(office.app, cookie, { ...LIST, path: '/merchants/export.xlsx' }, query)
    assert.deepEqual([file.status, file.code], [422, 'INPUT_INVALID'], JSON.stringify(query))
  }
})
