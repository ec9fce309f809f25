// Webhooks against a real receiver on loopback, whose signatures the published library judges.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { type Client, type Office, openBeside } from '#test/app.ts'
import type { Receiver } from '#test/changes/receiver.ts'
import { webhookScene } from '#test/changes/webhooks.ts'
import { type MadeAgent, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { soon } from '#test/walk.ts'
import { deliverWebhooks, stopDelivering } from './server-deliver.ts'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let mine: Client
let receiver: Receiver
const scene = webhookScene(
  opened => {
    ;({ office, agent, other, mine } = opened)
  },
  opened => {
    receiver = opened
  },
)
const { run, settle, rename, due, listen, deliveries, endpoint } = scene

describe('what arrives', () => {
  test('is signed as the published library asks, says what changed, and is kept with its answer', async () => {
    const id = await listen()
    const shop = await makeMerchant(office, agent.id)
    await rename(shop, '听见的店')
    await settle()
    assert.deepEqual(receiver.forged, [])
    const [message, ...more] = receiver.messages
    assert.deepEqual(more, [])
    assert.deepEqual(
      [message?.type, message?.shopId, message?.data],
      ['shop.changed', shop, { agentId: agent.id, fields: ['shopName'] }],
    )
    const [row] = await deliveries(id)
    assert.deepEqual([row?.state, row?.attempts, row?.httpCode, row?.problem], ['delivered', 1, 200, ''])
    const kept = await mine.webhooks.delivery({ id: row?.id as number })
    assert.deepEqual([kept.messageId, kept.answer], [message?.id, 'ok'])
    assert.equal(JSON.parse(kept.body).data.shopId, shop)
    assert.equal((await endpoint(id))?.state, 'active')
  })

  test('is of the topics that were chosen, and of nobody else’s shops', async () => {
    await listen(['shop.disabled'])
    const [own, theirs] = [await makeMerchant(office, agent.id), await makeMerchant(office, other.id)]
    for (const shop of [own, theirs]) {
      await rename(shop, '改名')
      await run(`update merchants set status = 'disabled' where id = $1`, shop)
    }
    await settle()
    assert.deepEqual(
      receiver.messages.map(({ type, shopId }) => [type, shopId]),
      [['shop.disabled', own]],
    )
  })

  test('is of all shops for vendor staff', async () => {
    const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
    await listen(['shop.changed'], staff)
    const shops = [await makeMerchant(office, agent.id), await makeMerchant(office, other.id)]
    for (const shop of shops) await rename(shop, '全部')
    await settle()
    assert.deepEqual(receiver.messages.map(({ shopId }) => shopId).sort(), shops.sort())
    assert.deepEqual(receiver.messages.map(({ data }) => data.agentId).sort(), [agent.id, other.id].sort())
  })

  test('carries two signatures while a secret takes the place of another', async () => {
    const id = await listen()
    const shop = await makeMerchant(office, agent.id)
    const { secret } = await mine.webhooks.rotate({ id, overlapHours: 24 })
    await rename(shop, '旧密钥')
    await settle()
    assert.equal(receiver.messages.at(-1)?.signatures, 2)
    receiver.secrets.splice(0, 1, secret)
    await rename(shop, '新密钥')
    await settle()
    await mine.webhooks.endPrevious({ id })
    await rename(shop, '只有新密钥')
    await settle()
    assert.deepEqual(
      receiver.messages.map(({ signatures }) => signatures),
      [2, 2, 1],
    )
    assert.deepEqual(receiver.forged, [])
  })

  test('is a test where somebody asks for one', async () => {
    const id = await listen()
    const { deliveryId } = await mine.webhooks.sendTest({ id })
    await settle()
    assert.deepEqual(
      receiver.messages.map(message => [message.type, message.id]),
      [['webhook.test', `test_${deliveryId}`]],
    )
  })
})

describe('what does not arrive', () => {
  test('is tried again later, and holds back what came after it at the same shop and at no other', async () => {
    const id = await listen()
    const [sick, well] = await makeMerchants(office, agent.id, 2, () => ({}))
    receiver.answer = ({ shopId }) => ({ status: shopId === sick ? 503 : 200, body: '维护中' })
    for (const name of ['一', '二', '三']) for (const shop of [sick, well]) await rename(shop as number, name)
    await settle()
    const of = (shop: number | undefined) => receiver.messages.filter(({ shopId }) => shopId === shop)
    assert.deepEqual([of(sick).length, of(well).length], [1, 3])
    const waiting = (await deliveries(id)).filter(({ state }) => state === 'pending')
    assert.deepEqual(waiting.map(({ attempts }) => attempts).sort(), [0, 0, 1])
    const tried = waiting.find(({ attempts }) => attempts === 1)
    assert.deepEqual(
      [tried?.httpCode, (await mine.webhooks.delivery({ id: tried?.id as number })).answer],
      [503, '维护中'],
    )
    // What arrives at another shop shows that the receiver is there.
    assert.equal((await endpoint(id))?.enabled, true)
    receiver.answer = () => ({ status: 204 })
    await due()
    await settle()
    assert.deepEqual(
      of(sick).map(({ data: _, seq }) => seq),
      [
        of(sick)[0]?.seq,
        ...of(sick)
          .slice(1)
          .map(({ seq }) => seq),
      ].sort((a, b) => Number(a) - Number(b)),
    )
    // The same id at each try: the receiver knows that it has had it.
    assert.equal(of(sick)[0]?.id, of(sick)[1]?.id)
    assert.equal(new Set(of(sick).map(one => one.id)).size, 3)
    assert.equal((await endpoint(id))?.state, 'active')
  })

  test('is tried by one instance at a time, each change once', async () => {
    const id = await listen()
    const beside = await openBeside(office)
    const shops = await makeMerchants(office, agent.id, 40, () => ({}))
    for (const name of ['甲', '乙'])
      await run('update merchants set shop_name = $2 where id = any ($1)', shops, name)
    await sequenceChanges(office.app.services)
    await Promise.all([settle(), settle(beside.app.services)])
    await settle()
    await beside.stop()
    assert.equal(receiver.messages.length, 80)
    for (const shop of shops) {
      const seqs = receiver.messages.flatMap(message =>
        message.shopId === shop ? [message.seq as number] : [],
      )
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b),
      )
    }
    assert.ok((await deliveries(id)).every(({ attempts }) => attempts === 1))
  })

  test('of an endpoint that answers 410 ends it, and its owners are told', async () => {
    const id = await listen()
    receiver.answer = () => ({ status: 410 })
    await rename(await makeMerchant(office, agent.id), '再见')
    await settle()
    assert.deepEqual([(await endpoint(id))?.state, (await endpoint(id))?.enabled], ['gone', false])
    const { rows } = await run(
      'select topic from notices where account_id = $1 order by id desc limit 1',
      agent.accountId,
    )
    assert.deepEqual(rows, [{ topic: 'Webhook_Notify' }])
  })

  test('for a day ends the endpoint; switched on again it gets what waited', async () => {
    const id = await listen()
    receiver.answer = () => ({ status: 500 })
    const shop = await makeMerchant(office, agent.id)
    await rename(shop, '失败')
    await settle()
    await run(`update webhook_endpoints set failing_since = now() - interval '25 hours' where id = $1`, id)
    await due()
    await settle()
    assert.equal((await endpoint(id))?.state, 'dead')
    await due()
    receiver.answer = () => ({ status: 200 })
    receiver.messages.length = 0
    await settle()
    assert.equal(receiver.messages.length, 0)
    await mine.webhooks.setEnabled({ id, enabled: true })
    await settle()
    assert.deepEqual(
      receiver.messages.map(({ shopId }) => shopId),
      [shop],
    )
  })

  test('for three days is given up, and what it held back goes on', async () => {
    const id = await listen()
    const shop = await makeMerchant(office, agent.id)
    receiver.answer = () => ({ status: 500 })
    await rename(shop, '一')
    await settle()
    await rename(shop, '二')
    await settle()
    await run(
      `update webhook_deliveries set queued_at = now() - interval '71 hours', attempts = 40 where attempts = 1 and endpoint_id = $1`,
      id,
    )
    await due()
    await settle()
    receiver.answer = () => ({ status: 200 })
    await due()
    await settle()
    const states = (await deliveries(id)).map(({ state }) => state)
    assert.deepEqual(states.sort(), ['delivered', 'failed'])
  })

  test('because nobody listens, or the address is closed, says so', async () => {
    const id = await listen()
    const shop = await makeMerchant(office, agent.id)
    await receiver.stop()
    await rename(shop, '没人')
    await settle()
    assert.match((await deliveries(id))[0]?.problem ?? '', /ECONNREFUSED/)
    await run(`update webhook_endpoints set url = 'https://10.0.0.1/hooks' where id = $1`, id)
    await due()
    await settle()
    assert.equal((await deliveries(id))[0]?.problem, '接收地址不在公网上，没有发送')
  })

  test('because the program stops is left to the next at once', async () => {
    const id = await listen()
    receiver.answer = () => 'silence'
    await rename(await makeMerchant(office, agent.id), '停')
    await sequenceChanges(office.app.services)
    await deliverWebhooks(office.app.services)
    await soon(async () => receiver.messages.length === 1)
    await stopDelivering(office.app.services)
    const [row] = await deliveries(id)
    assert.deepEqual([row?.state, row?.attempts], ['pending', 0])
    receiver.answer = () => ({ status: 200 })
    await settle()
    assert.equal((await deliveries(id))[0]?.state, 'delivered')
  })
})
