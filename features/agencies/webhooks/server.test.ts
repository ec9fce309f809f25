// Endpoints, their secrets, and what is sent because somebody asks for it.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { clearPast } from '#server/keeping.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import type { Receiver } from '#test/changes/receiver.ts'
import { webhookScene } from '#test/changes/webhooks.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { nodeId } from '#test/make-api-keys.ts'
import { feature } from './feature.ts'
import { deliverWebhooks } from './server-deliver.ts'

const SHOP_CHANGED = ['shop.changed' as const]
let office: Office
let agent: MadeAgent
let mine: Client
let receiver: Receiver
const scene = webhookScene(
  opened => {
    ;({ office, agent, mine } = opened)
  },
  opened => {
    receiver = opened
  },
)
const { run, settle, rename, listen, deliveries } = scene

describe('what is asked for again', () => {
  test('one delivery, with the id that it had', async () => {
    const id = await listen()
    await rename(await makeMerchant(office, agent.id), '再发')
    await settle()
    const [row] = await deliveries(id)
    await mine.webhooks.resend({ id: row?.id as number })
    assert.equal(await refusalOf(mine.webhooks.resend({ id: row?.id as number })), 'DELIVERY_WAITS')
    await settle()
    assert.deepEqual(new Set(receiver.messages.map(message => message.id)).size, 1)
    assert.equal(receiver.messages.length, 2)
  })

  test('everything since a time in its order, also what changed while the endpoint was off', async () => {
    const id = await listen()
    const shop = await makeMerchant(office, agent.id)
    const since = new Date().toISOString()
    await rename(shop, '一')
    await settle()
    await mine.webhooks.setEnabled({ id, enabled: false })
    await rename(shop, '二')
    await rename(shop, '三')
    await settle()
    assert.equal(receiver.messages.length, 1)
    assert.equal(await refusalOf(mine.webhooks.replay({ id, since })), 'ENDPOINT_OFF')
    await mine.webhooks.setEnabled({ id, enabled: true })
    await settle()
    receiver.messages.length = 0
    assert.deepEqual(await mine.webhooks.replay({ id, since }), { queued: 3 })
    await settle()
    const seqs = receiver.messages.map(({ seq }) => seq as number)
    assert.equal(seqs.length, 3)
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    )
  })

  test('no more than so many, and nothing of the future', async () => {
    const id = await listen()
    const since = new Date(Date.now() - 3_600_000).toISOString()
    await run(
      `insert into shop_changes (seq, merchant_id, agent_id, topic, data, at)
       select e.last + n, 1, $1, 'shop.changed', '{}', now() from generate_series(1, 10001) n, shop_change_ends e`,
      agent.id,
    )
    await run('update shop_change_ends set last = last + 10001')
    await run('update webhook_cursor set seq = (select last from shop_change_ends)')
    assert.equal(await refusalOf(mine.webhooks.replay({ id, since })), 'REPLAY_TOO_MANY')
    assert.equal((await deliveries(id)).length, 0)
    const future = new Date(Date.now() + 3_600_000).toISOString()
    assert.equal(await refusalOf(mine.webhooks.replay({ id, since: future })), 'SINCE_FUTURE')
    await run('delete from shop_changes where merchant_id = 1')
  })
})

describe('what was sent', () => {
  test('is found by its shop, its change, what the receiver knows it by, and its address', async () => {
    const id = await listen()
    const [one, two] = [await makeMerchant(office, agent.id), await makeMerchant(office, agent.id)]
    for (const shop of [one, two]) await rename(shop, '找得到')
    const { deliveryId } = await mine.webhooks.sendTest({ id })
    await settle()
    const rows = await deliveries(id)
    const ofOne = rows.find(({ merchantId }) => merchantId === one)
    const found = async (search: string) =>
      (await mine.webhooks.deliveries({ endpointId: id, search })).rows.map(row => row.id)
    for (const search of [`${one}`, `${ofOne?.seq}`, `change_${ofOne?.seq}`])
      assert.deepEqual(await found(search), [ofOne?.id], search)
    assert.deepEqual(await found(`test_${deliveryId}`), [deliveryId])
    assert.deepEqual(
      await found(receiver.url.slice(7, -4).toUpperCase()),
      rows.map(row => row.id),
    )
    for (const search of ['change_0', `test_${ofOne?.id}`, 'elsewhere.example.com', '%', '9'.repeat(15)])
      assert.deepEqual(await found(search), [], search)
  })
})

describe('an endpoint', () => {
  test('has its secret told once, and kept sealed', async () => {
    const { id, secret } = await mine.webhooks.add({
      url: 'https://pos.example.com/once',
      topics: SHOP_CHANGED,
    })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { rows } = await run('select e::text as row, secret from webhook_endpoints e where id = $1', id)
    assert.ok(!rows[0].row.includes(secret))
    assert.equal(office.app.services.secrets.decrypt(rows[0].secret), secret)
    assert.ok(!JSON.stringify(await mine.webhooks.list({})).includes(secret))
    const logged = await run('select changes::text || subject as row from operation_logs')
    assert.ok(!logged.rows.some(({ row }) => row.includes(secret)))
  })

  test('stands once, and an agency has so many', async () => {
    const add = (url: string) => mine.webhooks.add({ url, topics: SHOP_CHANGED })
    for (let n = 0; n < 10; n++) await add(`https://pos.example.com/${n}`)
    assert.equal(await refusalOf(add('https://pos.example.com/more')), 'ENDPOINTS_FULL')
    const [first, second] = (await mine.webhooks.list({})).rows
    assert.equal(
      await refusalOf(
        mine.webhooks.edit({ id: first?.id as number, url: second?.url as string, topics: SHOP_CHANGED }),
      ),
      'URL_TAKEN',
    )
    await mine.webhooks.remove({ id: first?.id as number })
    await add('https://pos.example.com/more')
  })

  test('is set up by nobody who sees some of the shops alone', async () => {
    const nodeIds = ['webhooks.list', 'webhooks.edit'].map(nodeId)
    const narrow = await makeAccount(office, agent.id, { nodeIds, dataScope: 'own' })
    const theirs = office.as(await office.login(narrow.loginName))
    const id = await listen()
    const shops = [
      await makeMerchant(office, agent.id, { manager_id: narrow.accountId }),
      await makeMerchant(office, agent.id),
    ]
    for (const shop of shops) await rename(shop, '各看各的')
    await settle()
    assert.equal(
      await refusalOf(theirs.webhooks.add({ url: 'https://a.example.com', topics: SHOP_CHANGED })),
      'WEBHOOK_OWN_SHOPS',
    )
    assert.equal(
      await refusalOf(theirs.webhooks.edit({ id, url: 'https://a.example.com', topics: SHOP_CHANGED })),
      'WEBHOOK_OWN_SHOPS',
    )
    const seen = (await theirs.webhooks.deliveries({ endpointId: id })).rows.map(
      ({ merchantId }) => merchantId,
    )
    assert.deepEqual(seen, [shops[0]])
  })

  test('loses what is older than changes are kept', async () => {
    const id = await listen()
    await rename(await makeMerchant(office, agent.id), '旧')
    await settle()
    await clearPast(office.owner, feature.clearing, 1)
    assert.equal((await deliveries(id)).length, 1)
    await run(
      `update webhook_deliveries set queued_at = now() - interval '31 days' where endpoint_id = $1`,
      id,
    )
    await clearPast(office.owner, feature.clearing, 1)
    assert.deepEqual(await deliveries(id), [])
  })
})

test('an office that does not let this machine be sends nothing to it', async () => {
  const closed = await openOffice()
  const staff = await makeAgent(closed)
  const client = closed.as(await closed.login(staff.loginName))
  const refused = (url: string) => refusalOf(client.webhooks.add({ url, topics: SHOP_CHANGED }))
  for (const url of [receiver.url, 'https://127.0.0.1/hooks', 'https://localhost/hooks', 'https://[::1]/'])
    assert.match(await refused(url), /^URL_(CLOSED|FORMAT)$/)
  const { id } = await client.webhooks.add({ url: 'https://pos.example.com/hooks', topics: SHOP_CHANGED })
  await closed.owner.query('update webhook_endpoints set url = $2 where id = $1', [id, receiver.url])
  await client.webhooks.sendTest({ id })
  while (await deliverWebhooks(closed.app.services));
  assert.equal((await client.webhooks.deliveries({})).rows[0]?.problem, '接收地址不在公网上，没有发送')
  assert.deepEqual([receiver.messages, receiver.forged], [[], []])
  await closed.stop()
})
