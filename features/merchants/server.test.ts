import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, newMerchantForm } from '#test/make.ts'

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 500, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

test('a quote prices, a confirm creates the shop and moves the tokens once', async () => {
  const quote = await me.merchants.quote(newMerchantForm({ periods: 2, smsCount: 100 }))
  assert.equal(quote.originalCents, 59_600)
  assert.equal(quote.totalCents, 35_760)
  const key = 'key-0000-0000-0001'
  const added = await me.merchants.add({ orderNo: quote.orderNo }, { context: { key } })
  const again = await me.merchants.add({ orderNo: quote.orderNo }, { context: { key } })
  assert.deepEqual(again, added)
  assert.equal(await refusalOf(me.merchants.add({ orderNo: quote.orderNo })), 'QUOTE_USED')
  const wallet = await me.ledger.wallet()
  assert.deepEqual(wallet, { tokenCents: 1_000_000 - 35_760, sms: 400 })
  const shop = await me.merchants.details({ id: added.id })
  assert.equal(shop.fullAddress, '广东省深圳市南山区科技园1号')
  assert.equal(shop.smsBalance, 100)
  const list = await me.merchants.list({ search: '老张' })
  assert.equal(list.total, 1)
  const changes = await me.ledger.changes({})
  assert.equal(changes.rows[0]?.amountCents, -35_760)
  await office.verifyLedger()
})
