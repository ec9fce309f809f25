// Gifts of SMS credit, what was taken away again (screen 15), and the changes on one account.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { undoSmsOrder } from './server-undo.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 1_000, sms: 500 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id, { shop_name: '蓝湾面馆' })
})

const give = (pieces: number, remark = '') => me.sms.gift({ merchantId: shop, pieces, remark })
const undo = (orderNo: string) => acting(office, cookie, ctx => undoSmsOrder(ctx, orderNo, '送错了'))

test('a gift goes from the agent to the shop and costs nothing', async () => {
  const given = await give(120, '开业活动')
  assert.deepEqual([given.smsBefore, given.smsAfter, given.agentSms], [0, 120, 380])
  assert.deepEqual(await me.ledger.wallet(), { tokenCents: 100_000, sms: 380 })
  const { rows, totalCents, totalPieces, giftPieces } = await me.smsDesk.orders({ kind: 'gift' })
  assert.deepEqual([totalCents, totalPieces, giftPieces], [0, 0, 120])
  assert.deepEqual(
    [rows[0]?.orderNo, rows[0]?.payMethod, rows[0]?.status, rows[0]?.remark, rows[0]?.name],
    [given.orderNo, 'gift', 'given', '开业活动', '赠送短信'],
  )
  await office.verifyLedger()
})

const REFUSED: [title: string, pieces: number, remark: string, code: string][] = [
  ['nothing', 0, '', 'GIFT_REQUIRED'],
  ['half a piece', 1.5, '', 'GIFT_REQUIRED'],
  ['less than nothing', -5, '', 'GIFT_REQUIRED'],
  ['more than a gift may be', 1_000_001, '', 'GIFT_TOO_MANY'],
  ['more than the agent holds', 501, '', 'GIFT_SHORT'],
  ['a remark too long', 1, '备'.repeat(51), 'REMARK_TOO_LONG'],
]
for (const [title, pieces, remark, code] of REFUSED)
  test(`a gift of ${title} is refused and leaves nothing`, async () => {
    assert.equal(await refusalOf(give(pieces, remark)), code)
    assert.equal((await me.smsDesk.orders({})).total, 0)
    assert.equal((await me.ledger.wallet()).sms, 500)
  })

test('a refused gift says how much is missing', async () => {
  await assert.rejects(give(620), {
    code: 'GIFT_SHORT',
    data: { field: 'pieces', asset: 'sms', missing: 120 },
  })
})

test('a gift to a disabled shop and to another agent’s shop is refused', async () => {
  const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
  assert.equal(await refusalOf(me.sms.gift({ merchantId: disabled, pieces: 1 })), 'MERCHANT_DISABLED')
  const other = await makeMerchant(office, (await makeAgent(office)).id)
  assert.equal(await refusalOf(me.sms.gift({ merchantId: other, pieces: 1 })), 'NOT_FOUND')
})

test('two gifts of the last pieces: one is given', async () => {
  const codes = await Promise.all([refusalOf(give(400)), refusalOf(give(400))])
  assert.equal(codes.filter(code => code === 'accepted').length, 1, String(codes))
  assert.equal((await me.ledger.wallet()).sms, 100)
  await office.verifyLedger()
})

test('a gift is taken back whole, to the agent, while the shop holds it', async () => {
  const { orderNo } = await give(200)
  await undo(orderNo)
  assert.equal((await me.ledger.wallet()).sms, 500)
  const spent = await give(200)
  await me.sms.recall({ merchantId: shop, pieces: 1 })
  assert.equal(await refusalOf(undo(spent.orderNo)), 'SMS_SPENT')
  await office.verifyLedger()
})

test('change orders are recalls and undone orders, with the credit around the change, and every filter works', async () => {
  const gift = await give(200)
  await give(100)
  const recall = await me.sms.recall({ merchantId: shop, pieces: 50 })
  await undo(gift.orderNo)
  const all = await me.smsDesk.changes({})
  assert.deepEqual(
    all.rows.map(row => [row.orderNo, row.kind, row.changeBefore, row.pieces, row.changeAfter]),
    [
      [gift.orderNo, 'withdrawn', 250, 200, 50],
      [recall.orderNo, 'recalled', 300, 50, 250],
    ],
  )
  assert.deepEqual([all.total, all.totalPieces], [2, 250])
  const only = async (input: Parameters<Client['smsDesk']['changes']>[0]) =>
    (await me.smsDesk.changes(input)).rows.map(row => row.orderNo)
  assert.deepEqual(await only({ kind: 'withdrawn' }), [gift.orderNo])
  assert.deepEqual(await only({ kind: 'recalled' }), [recall.orderNo])
  assert.deepEqual(await only({ search: recall.orderNo.slice(-8) }), [recall.orderNo])
  assert.deepEqual(await only({ search: '蓝湾' }), [gift.orderNo, recall.orderNo])
  assert.deepEqual(await only({ search: String(shop) }), [gift.orderNo, recall.orderNo])
  await office.owner.query(`update sms_orders set changed_at = '2026-01-05T16:00:00Z' where order_no = $1`, [
    recall.orderNo,
  ])
  assert.deepEqual(await only({ from: '2026-01-06', to: '2026-01-06' }), [recall.orderNo])
  assert.deepEqual(await only({ to: '2026-01-05' }), [])
})

test('the changes of an account show what came and went, with what it held', async () => {
  const gift = await give(200)
  const recall = await me.sms.recall({ merchantId: shop, pieces: 50 })
  const own = await me.smsDesk.merchantChanges({})
  assert.deepEqual(
    own.rows.map(row => [row.orderNo, row.kind, row.before, row.pieces, row.after]).slice(0, 2),
    [
      [recall.orderNo, 'sms-recall', 300, 50, 350],
      [gift.orderNo, 'sms-gift', 500, -200, 300],
    ],
  )
  assert.deepEqual([own.income, own.spent], [550, 200])
  const ofShop = await me.smsDesk.merchantChanges({ merchantId: shop })
  assert.deepEqual(
    ofShop.rows.map(row => [row.kind, row.before, row.pieces, row.after]),
    [
      ['sms-recall', 200, -50, 150],
      ['sms-gift', 0, 200, 200],
    ],
  )
  assert.equal((await me.smsDesk.merchantChanges({ kind: 'sms-gift' })).total, 1)
  assert.equal((await me.smsDesk.merchantChanges({ search: gift.orderNo.slice(-8) })).total, 1)
  assert.equal((await me.smsDesk.merchantChanges({ search: String(shop) })).total, 2)
  assert.equal((await me.smsDesk.merchantChanges({ to: '2026-01-01' })).total, 0)
  const other = office.as(await office.login((await makeAgent(office)).loginName))
  assert.equal((await other.smsDesk.merchantChanges({ merchantId: shop })).total, 0)
})

test('files hold what is filtered', async () => {
  await give(200)
  await me.sms.recall({ merchantId: shop, pieces: 50 })
  const sheet = async (url: string) => {
    const answer = await office.app.http.inject({ url, headers: { cookie } })
    assert.equal(answer.statusCode, 200)
    const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
    return sheets[0]?.data ?? sheets
  }
  assert.deepEqual(await sheet('/api/sms/changes.xlsx?columns=kind,changeBefore,pieces,changeAfter'), [
    ['类型', '变动前（条）', '变动（条）', '变动后（条）'],
    ['短信回收', 200, 50, 150],
  ])
  assert.deepEqual(
    await sheet('/api/sms/merchant-changes.xlsx?kind=sms-gift&columns=kind,name,before,pieces,after'),
    [
      ['类型', '套餐名称', '变动前（条）', '变动（条）', '变动后（条）'],
      ['赠送短信', '赠送短信', 500, -200, 300],
    ],
  )
})
