// A partner is suspended while a campaign is being sent and a renewal that a shop has paid waits: neither goes on, nothing is lost, and
// both come to their end once it is resumed.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { workOnRenewals } from '#features/sales/shop-pages/server-work.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { sent, workThrough } from '#test/make-campaigns.ts'
import { sendAll } from '#test/make-messages.ts'
import { giveAccount, openTill, type Till } from '#test/make-payments.ts'
import { makeShopCode, offerRenewals } from '#test/make-shop-pages.ts'

let till: Till
let agent: MadeAgent
before(async () => {
  till = await openTill()
  agent = await makeAgent(till.office, { tokens: 10_000, sms: 20 })
  await giveAccount(till, agent.id, 'wechat')
  await offerRenewals(till.office, agent.id, 39_900, [1])
})
after(() => till.stop())

test('what was under way waits, and ends once the partner is resumed', async () => {
  const { office, staff } = till
  const me = office.as(await office.login(agent.loginName))
  const expiresAt = new Date(Date.now() + 9 * 86_400_000).toISOString()
  const shop = { account: '13711110001', expires_at: expiresAt, version_id: 12 }
  const merchantId = await makeMerchant(office, agent.id, shop)
  const { id: campaign } = await sent(me)
  await workThrough(office)
  const code = await makeShopCode(office, agent.id, merchantId)
  const { orderNo } = await office
    .as(null)
    .shopPages.renew({ code, versionId: 12, years: 1, amountFen: 39_900 })
  const { id: intent } = await till.one<{ id: string }>(
    'select intent_id as id from online_renewals where order_no = $1',
    [orderNo],
  )
  await till.open(intent, 'wechat')
  await till.pay(intent, 'wechat')
  await till.work()

  const renewal = () =>
    till.one<{ state: string }>('select state from online_renewals where order_no = $1', [orderNo])
  const messages = async () => {
    const { rows } = await office.owner.query<{ status: string }>(
      'select status from outbox_messages where campaign_id = $1',
      [campaign],
    )
    return rows.map(({ status }) => status)
  }
  const goOn = async () => {
    await workOnRenewals(office.app.services)
    await workThrough(office)
    await sendAll(office)
    await workThrough(office)
  }

  await staff.partners.suspend({ id: agent.id, reason: '合同款逾期未付' })
  await goOn()
  assert.deepEqual([(await renewal()).state, await messages()], ['paid', ['queued']])
  assert.equal((await me.ledger.wallet()).tokenCents, 1_000_000)
  assert.equal((await me.campaigns.details({ id: campaign })).status, 'sending')

  await staff.partners.resume({ id: agent.id })
  await goOn()
  assert.deepEqual([(await renewal()).state, await messages()], ['renewed', ['submitted']])
  assert.ok((await me.ledger.wallet()).tokenCents < 1_000_000)
  assert.equal((await me.campaigns.details({ id: campaign })).status, 'done')
  await office.verifyLedger()
})
