import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { sendCode } from '#test/make-codes.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { SMS_REFUSALS } from './rules.ts'

let office: Office
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  // Level 3 pays 60 %.
  agent = await makeAgent(office, { tokens: 1_000, sms: 50, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id)
})

const buy = (packageId = 1, totalCents = 1_200, more: object = {}, context: { key?: string } = {}) =>
  me.sms.buy({ merchantId: shop, packageId, totalCents, ...more }, { context })
const recall = (pieces: number, more: object = {}) => me.sms.recall({ merchantId: shop, pieces, ...more })
const creditOf = async () => (await me.sms.recallable({ merchantId: shop })).credit

test('a package is paid in tokens and its pieces are the shop’s, in one posting with the order', async () => {
  const shown = await me.sms.packages({ merchantId: shop })
  assert.deepEqual(
    shown.rows.map(row => [row.pieces, row.priceCents, row.totalCents]),
    [
      [200, 2_000, 1_200],
      [500, 4_500, 2_700],
      [1_000, 8_000, 4_800],
      [5_000, 35_000, 21_000],
      [10_000, 60_000, 36_000],
    ],
  )
  assert.deepEqual([shown.credit, shown.balanceCents, shown.refusal], [0, 100_000, null])
  const first = await buy(1, 1_200, { remark: '节日群发' })
  assert.deepEqual([first.smsBefore, first.smsAfter, first.balanceAfterCents], [0, 200, 98_800])
  const second = await buy(3, 4_800)
  assert.deepEqual([second.smsBefore, second.smsAfter], [200, 1_200])
  assert.deepEqual(await me.ledger.wallet(), { tokenCents: 94_000, sms: 50 })
  const list = await me.smsDesk.orders({})
  assert.deepEqual([list.total, list.totalCents, list.totalPieces], [2, 6_000, 1_200])
  assert.deepEqual(
    list.rows.map(row => [
      row.orderNo,
      row.kind,
      row.name,
      row.smsBefore,
      row.pieces,
      row.smsAfter,
      row.status,
    ]),
    [
      [second.orderNo, 'package', '短信包1000条', 200, 1_000, 1_200, 'paid'],
      [first.orderNo, 'package', '短信包200条', 0, 200, 200, 'paid'],
    ],
  )
  assert.deepEqual([list.rows[1]?.remark, list.rows[1]?.shopName], ['节日群发', '测试店铺'])
  const { rows } = await office.owner.query(
    `select asset, amount::int, kind, created_at from ledger_transfers where document = $1 order by id`,
    [first.orderNo],
  )
  assert.deepEqual(
    rows.map(row => [row.asset, row.amount, row.kind]),
    [
      ['token', 1_200, 'sms-package'],
      ['sms', 200, 'sms-package'],
    ],
  )
  assert.equal(rows[0].created_at.getTime(), rows[1].created_at.getTime())
  await office.verifyLedger()
})

test('every refusal of a package has its message and writes nothing', async () => {
  const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
  const stranger = await makeAgent(office)
  const theirs = await makeMerchant(office, stranger.id)
  await office.owner.query('update sms_packages set enabled = false where id = 2')
  const before = await rowsOfAllTables(office)
  const cases: [string, () => Promise<unknown>][] = [
    ['MERCHANT_DISABLED', () => buy(1, 1_200, { merchantId: disabled })],
    ['NOT_FOUND', () => buy(1, 1_200, { merchantId: theirs })],
    ['PACKAGE_UNKNOWN', () => buy(99, 1_200)],
    ['PACKAGE_UNKNOWN', () => buy(2, 2_700)],
    ['PRICE_CHANGED', () => buy(1, 2_000)],
    ['REMARK_TOO_LONG', () => buy(1, 1_200, { remark: '长'.repeat(51) })],
  ]
  for (const [code, call] of cases) {
    const error = (await call().catch(refused => refused)) as ORPCError<string, unknown>
    assert.equal(error.code, code)
    if (code in SMS_REFUSALS) assert.equal(error.message, SMS_REFUSALS[code as keyof typeof SMS_REFUSALS])
  }
  assert.deepEqual(await rowsOfAllTables(office), before)
  await office.owner.query('update sms_packages set enabled = true where id = 2')
  const poor = await makeAgent(office, { levelId: 3 })
  await credit(office, poor.id, 'token', 1_000)
  const asPoor = office.as(await office.login(poor.loginName))
  const own = await makeMerchant(office, poor.id)
  const error = (await asPoor.sms
    .buy({ merchantId: own, packageId: 1, totalCents: 1_200 })
    .catch(refused => refused)) as ORPCError<string, { missing: number }>
  assert.deepEqual([error.code, error.message, error.data.missing], ['INSUFFICIENT', '余额不足，请充值', 200])
})

test('a double press buys once; two buyers with tokens for one: one buys', async () => {
  const context = { key: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 6 }, () => buy(1, 1_200, {}, context)))
  assert.equal(new Set(answers.map(answer => answer.orderNo)).size, 1)
  assert.equal(await creditOf(), 200)
  for (let round = 0; round < 5; round++) {
    const poor = await makeAgent(office, { levelId: 3 })
    await credit(office, poor.id, 'token', 1_200)
    const client = office.as(await office.login(poor.loginName))
    const shops = await Promise.all([makeMerchant(office, poor.id), makeMerchant(office, poor.id)])
    const codes = await Promise.all(
      shops.map(merchantId => refusalOf(client.sms.buy({ merchantId, packageId: 1, totalCents: 1_200 }))),
    )
    assert.deepEqual(codes.sort(), ['INSUFFICIENT', 'accepted'])
    assert.equal((await client.smsDesk.orders({})).totalPieces, 200)
  }
  await office.verifyLedger()
})

test('before and after of packages bought at once follow each other', async () => {
  await Promise.all(Array.from({ length: 6 }, () => buy()))
  const { rows } = await me.smsDesk.orders({})
  assert.deepEqual(
    rows.map(row => row.smsBefore).sort((a, b) => Number(a) - Number(b)),
    [0, 200, 400, 600, 800, 1_000],
  )
  for (const row of rows) assert.equal(row.smsAfter, Number(row.smsBefore) + 200)
})

test('credit that is recalled returns to the agent and stands in the list', async () => {
  await buy()
  const answer = await recall(150)
  assert.deepEqual([answer.smsBefore, answer.smsAfter, answer.agentSms], [200, 50, 200])
  assert.deepEqual(await me.ledger.wallet(), { tokenCents: 98_800, sms: 200 })
  const list = await me.smsDesk.orders({ kind: 'recall' })
  assert.deepEqual([list.total, list.recalledPieces, list.totalPieces, list.totalCents], [1, 150, 0, 0])
  assert.deepEqual([list.rows[0]?.name, list.rows[0]?.status], ['短信回收', 'paid'])
  assert.equal(await refusalOf(recall(51)), 'RECALL_TOO_MANY')
  assert.equal(await refusalOf(recall(0)), 'RECALL_TOO_FEW')
  assert.equal(await refusalOf(recall(0.5)), 'RECALL_TOO_FEW')
  await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
  assert.equal(await refusalOf(recall(1)), 'MERCHANT_DISABLED')
  await office.verifyLedger()
})

test('two recalls of all that is left: one is done, and nothing is ever below zero', async () => {
  await buy()
  const codes = await Promise.all([recall(200), recall(200)].map(refusalOf))
  assert.deepEqual(codes.sort(), ['RECALL_EMPTY', 'accepted'])
  assert.equal(await creditOf(), 0)
  await office.verifyLedger()
})

test('a shop that asks for a code gives credit back only with the one that was sent, once', async () => {
  await buy()
  const account = `139${String(Math.trunc(Math.random() * 1e8)).padStart(8, '0')}`
  await office.owner.query('update merchants set needs_recovery_code = true, account = $2 where id = $1', [
    shop,
    account,
  ])
  const shown = await me.sms.recallable({ merchantId: shop })
  assert.deepEqual([shown.needsRecoveryCode, shown.phone.includes('****')], [true, true])
  assert.equal(await refusalOf(recall(10)), 'RECOVERY_CODE_REQUIRED')
  await sendCode(office, me, shop, 'recovery')
  const { rows } = await office.owner.query(
    `select text from outbox_messages where merchant_id = $1 order by id desc limit 1`,
    [shop],
  )
  const code = /\d{6}/.exec(rows[0].text)?.[0] as string
  const wrong = code === '000000' ? '000001' : '000000'
  const key = randomUUID()
  const tries = (typed: string) =>
    refusalOf(me.sms.recall({ merchantId: shop, pieces: 10, code: typed }, { context: { key } }))
  assert.equal(await tries(wrong), 'CODE_WRONG')
  assert.equal(await creditOf(), 200)
  assert.equal(await tries(code), 'accepted', 'the dialog keeps its key after a wrong code')
  assert.equal(await creditOf(), 190)
  assert.equal(await refusalOf(recall(10, { code })), 'CODE_WRONG')
  await office.verifyLedger()
})

test("vendor staff see another agent's shop and its orders, and neither buy nor recall for it", async () => {
  await buy()
  const staff = await makeAgent(office, { staff: true, tokens: 1_000 })
  const asStaff = office.as(await office.login(staff.loginName))
  assert.equal((await asStaff.sms.packages({ merchantId: shop })).refusal?.code, 'NOT_OWN_SHOP')
  assert.equal((await asStaff.sms.recallable({ merchantId: shop })).credit, 200)
  assert.equal(
    await refusalOf(asStaff.sms.buy({ merchantId: shop, packageId: 1, totalCents: 2_000 })),
    'NOT_OWN_SHOP',
  )
  assert.equal(await refusalOf(asStaff.sms.recall({ merchantId: shop, pieces: 1 })), 'RECALL_NOT_OWN')
  assert.equal((await asStaff.smsDesk.orders({ agentId: agent.id })).total, 1)
})
