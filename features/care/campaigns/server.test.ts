import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { sendQueued } from '#features/shops/messages/server-sending.ts'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { drafted, manyShops, sent, TEXT, workThrough } from '#test/make-campaigns.ts'
import { type Outside, startOutside } from '#test/outside.ts'

const SIGNATURE = '测试签名'

let outside: Outside
let office: Office
before(async () => {
  outside = await startOutside()
  office = await openOffice({ providers: outside.providers, listen: true })
  outside.receiptsTo(office)
})
after(async () => {
  await office.stop()
  await outside.stop()
})

let agent: MadeAgent
let mine: Client
/** A new agent for every test, with 100 pieces of credit. */
beforeEach(async () => {
  agent = await makeAgent(office, { sms: 100 })
  mine = office.as(await office.login(agent.loginName))
})

const shop = (columns: Record<string, unknown> = {}, of = agent) => makeMerchant(office, of.id, columns)
const services = () => office.app.services

async function messagesOf(id: number) {
  const { rows } = await office.owner.query(
    `select merchant_id::int as "merchantId", phone, text, segments, charged, status, created_by::int as "createdBy"
     from outbox_messages where campaign_id = $1 order by merchant_id`,
    [id],
  )
  return rows
}

const balance = async () => (await mine.ledger.wallet()).sms
const inFuture = () => new Date(Date.now() + 3_600_000).toISOString()
const dueNow = (id: number, ago = '1 second') =>
  office.owner.query(`update campaigns set scheduled_at = now() - $2::interval where id = $1`, [id, ago])

describe('what is previewed', () => {
  test('is what is sent: the shops, their texts, and the pieces', async () => {
    const long = '很长很长的店名'.repeat(6)
    const ids = [await shop(), await shop({ shop_name: long }), await shop({ shop_name: '🍜面馆' })]
    await shop({ status: 'disabled' })
    await shop({ account: `shop-${agent.id}` })
    await shop({}, await makeAgent(office))
    const preview = await mine.campaigns.preview({ ...TEXT, audience: {} })
    assert.deepEqual(
      { ...preview, samples: preview.samples.length },
      {
        shops: 3,
        disabled: 1,
        notMobile: 1,
        segments: 4,
        segmentsMin: 1,
        segmentsMax: 2,
        balance: 100,
        reserved: 0,
        missing: 0,
        samples: 3,
      },
    )
    const { id } = await sent(mine)
    await workThrough(office)
    const messages = await messagesOf(id)
    assert.deepEqual(
      messages.map(({ merchantId, phone, text, segments }) => ({ merchantId, phone, text, segments })),
      preview.samples.map(({ merchantId, phone, text, segments }) => ({ merchantId, phone, text, segments })),
    )
    assert.deepEqual(
      messages.map(({ merchantId }) => merchantId),
      ids,
    )
    assert.ok(messages.every(({ createdBy }) => createdBy === agent.accountId))
    assert.equal(await balance(), 96)
    const row = await mine.campaigns.details({ id })
    assert.deepEqual([row.status, row.queued, row.skipped, row.charged], ['sending', 3, 2, 4])
    assert.equal(row.messages.queued, 3)
    await office.verifyLedger()
  })

  test('follows every filter', async () => {
    const far = new Date(Date.now() + 40 * 86_400_000).toISOString()
    await shop({ version_id: 3, industry_id: 4, verification_status: 'verified', expires_at: far })
    await shop({
      province_code: '11',
      city_code: '1101',
      district_code: '110101',
      manager_id: agent.accountId,
    })
    await shop({ shop_name: '老张面馆', store_kind: 'branch' })
    const count = async (audience: Parameters<Client['campaigns']['preview']>[0]['audience']) =>
      (await mine.campaigns.preview({ ...TEXT, audience })).shops
    assert.equal(await count({}), 3)
    assert.equal(await count({ versionId: 3 }), 1)
    assert.equal(await count({ industryId: 4 }), 1)
    assert.equal(await count({ verificationStatus: 'unverified' }), 2)
    assert.equal(await count({ regionCode: '11' }), 1)
    assert.equal(await count({ regionCode: '1101' }), 1)
    assert.equal(await count({ regionCode: '110102' }), 0)
    assert.equal(await count({ managerId: agent.accountId }), 1)
    assert.equal(await count({ search: '面馆' }), 1)
    assert.equal(await count({ search: '馆' }), 1)
    assert.equal(await count({ storeKind: 'branch' }), 1)
    assert.equal(await count({ expiresTo: formatDay(far) }), 1)
    assert.equal(await count({ registeredTo: '2020-01-01' }), 0)
  })

  test('counts without a template, and tells what is missing', async () => {
    await manyShops(office, agent.id, 101)
    const empty = await mine.campaigns.preview({ templateKey: '', params: {}, audience: {} })
    assert.deepEqual([empty.shops, empty.segments, empty.samples], [101, 0, []])
    const full = await mine.campaigns.preview({ ...TEXT, audience: {} })
    assert.deepEqual([full.segments, full.missing], [101, 1])
  })
})

describe('sending', () => {
  test('reaches the phones, and ends with figures and a notice', async () => {
    await shop()
    await shop()
    const { id } = await sent(mine)
    await workThrough(office)
    assert.equal((await mine.campaigns.details({ id })).status, 'sending')
    for (let round = 0; round < 200; round++) {
      await sendQueued(services())
      await workThrough(office)
      const { messages, status } = await mine.campaigns.details({ id })
      if (status === 'done' && messages.delivered === 2) break
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    const row = await mine.campaigns.details({ id })
    assert.deepEqual([row.status, row.messages, row.charged], ['done', { delivered: 2 }, 2])
    await workThrough(office)
    const { rows } = await office.owner.query('select progress from campaigns where id = $1', [id])
    assert.deepEqual(rows[0].progress, { messages: { delivered: 2 }, charged: 2 })
    const notices = await office.owner.query(
      `select title, body, link from notices where account_id = $1 and topic = 'Campaign_Notify'`,
      [agent.accountId],
    )
    assert.deepEqual(notices.rows, [
      {
        title: '群发已完成',
        body: '「续费优惠」已提交 2 条短信。',
        link: `/admin/merchant/messageEditing?campaign=${id}`,
      },
    ])
    await office.verifyLedger()
  })

  test('is refused with what is missing where the credit does not suffice, and nothing is written', async () => {
    await manyShops(office, agent.id, 101)
    const confirmed = await drafted(mine)
    await assert.rejects(mine.campaigns.send(confirmed), error => {
      const { code, data, message } = error as unknown as { code: string; data: object; message: string }
      assert.deepEqual([code, message], ['SMS_INSUFFICIENT', '短信余额不足，请充值后再发送'])
      assert.equal((data as { missing: number }).missing, 1)
      return true
    })
    await workThrough(office)
    assert.equal((await messagesOf(confirmed.id)).length, 0)
    assert.equal((await mine.campaigns.details({ id: confirmed.id })).status, 'draft')
  })

  test('is refused when more shops fit than were confirmed', async () => {
    await shop()
    const confirmed = await drafted(mine)
    await shop()
    assert.equal(await refusalOf(mine.campaigns.send(confirmed)), 'COST_CHANGED')
    const { shops, segments } = await mine.campaigns.preview({ ...TEXT, audience: {} })
    assert.equal(await refusalOf(mine.campaigns.send({ ...confirmed, shops, segments })), 'accepted')
  })

  test('is refused without shops, without a text, and of a draft that was changed elsewhere', async () => {
    assert.equal(await refusalOf(mine.campaigns.send(await drafted(mine))), 'AUDIENCE_EMPTY')
    await shop()
    assert.equal(await refusalOf(mine.campaigns.send(await drafted(mine, { params: {} }))), 'PARAM_REQUIRED')
    assert.equal(
      await refusalOf(mine.campaigns.send(await drafted(mine, { templateKey: 'renewal-reminder' }))),
      'TEMPLATE_UNKNOWN',
    )
    const confirmed = await drafted(mine)
    const again = { id: confirmed.id, revision: confirmed.revision, name: '改', ...TEXT, audience: {} }
    await mine.campaigns.save({ ...again, scheduledAt: null })
    assert.equal(await refusalOf(mine.campaigns.send(confirmed)), 'STALE')
    assert.equal(await refusalOf(mine.campaigns.save({ ...again, scheduledAt: null })), 'STALE')
  })

  test('happens once, however often the button is pressed', async () => {
    await shop()
    const confirmed = await drafted(mine)
    const key = 'the-same-key-each-time'
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => mine.campaigns.send(confirmed, { context: { key } })),
    )
    assert.ok(answers.every(({ status }) => status === 'queueing'))
    assert.equal(await refusalOf(mine.campaigns.send(confirmed)), 'NOT_DRAFT')
    await workThrough(office)
    assert.equal((await messagesOf(confirmed.id)).length, 1)
  })

  test('stops where the credit ends midway, and says how many were left', async () => {
    const ids = [await shop(), await shop(), await shop(), await shop(), await shop()]
    const first = await sent(mine)
    const second = await sent(mine)
    await mine.sms.gift({ merchantId: ids[0] as number, pieces: 97, remark: '' })
    await workThrough(office)
    const row = await mine.campaigns.details({ id: first.id })
    assert.deepEqual(
      [row.status, row.queued, row.problem],
      ['sending', 3, '短信余额不足，其余 2 家商户未发送'],
    )
    assert.deepEqual(
      (await messagesOf(first.id)).map(({ merchantId }) => merchantId),
      ids.slice(0, 3),
    )
    const refused = await mine.campaigns.details({ id: second.id })
    assert.deepEqual(
      [refused.status, refused.queued, refused.problem],
      ['refused', 0, '短信余额不足，其余 5 家商户未发送'],
    )
    assert.equal(await balance(), 0)
    await office.verifyLedger()
  })
})

describe('a schedule', () => {
  test('waits for its time by the clock of the database', async () => {
    await shop()
    const { id } = await sent(mine, { scheduledAt: inFuture() })
    await workThrough(office)
    assert.deepEqual(
      [(await mine.campaigns.details({ id })).status, (await messagesOf(id)).length],
      ['scheduled', 0],
    )
    assert.equal(await balance(), 100)
    await dueNow(id)
    await workThrough(office)
    assert.equal((await messagesOf(id)).length, 1)
  })

  test('is refused in the past when it is kept, and when its time came before it was sent', async () => {
    await shop()
    const past = new Date(Date.now() - 60_000).toISOString()
    assert.equal(await refusalOf(drafted(mine, { scheduledAt: past })), 'SCHEDULE_PAST')
    const kept = await drafted(mine, { scheduledAt: inFuture() })
    await dueNow(kept.id)
    assert.equal(await refusalOf(mine.campaigns.send(kept)), 'SCHEDULE_PAST')
  })

  test('can be cancelled, and is dropped where it comes a day too late', async () => {
    await shop()
    const first = await sent(mine, { scheduledAt: inFuture() })
    await mine.campaigns.cancel({ id: first.id })
    await dueNow(first.id)
    const late = await sent(mine, { scheduledAt: inFuture() })
    await dueNow(late.id, '25 hours')
    await workThrough(office)
    const statuses = await Promise.all(
      [first, late].map(async ({ id }) => (await mine.campaigns.details({ id })).status),
    )
    assert.deepEqual(statuses, ['cancelled', 'refused'])
    assert.deepEqual([...(await messagesOf(first.id)), ...(await messagesOf(late.id))], [])
  })
})

describe('other agents', () => {
  test('neither see, change, send nor cancel it, and their shops are never reached', async () => {
    await shop({ shop_name: '甲店' })
    const confirmed = await drafted(mine, { name: '甲的群发' })
    const other = await makeAgent(office, { sms: 100 })
    const theirs = office.as(await office.login(other.loginName))
    await shop({}, other)
    assert.deepEqual((await theirs.campaigns.list({})).rows, [])
    const { id, revision } = confirmed
    const change = { id, revision, name: '乙', ...TEXT, audience: {}, scheduledAt: null }
    const attempts = [
      theirs.campaigns.details({ id }),
      theirs.campaigns.save(change),
      theirs.campaigns.discard({ id }),
      theirs.campaigns.send(confirmed),
      theirs.campaigns.cancel({ id }),
    ]
    assert.deepEqual(await Promise.all(attempts.map(refusalOf)), Array(5).fill('NOT_FOUND'))
    const preview = await theirs.campaigns.preview({ ...TEXT, audience: { agentId: agent.id } })
    assert.deepEqual([preview.shops, preview.samples], [0, []])
    const own = await theirs.campaigns.preview({ ...TEXT, audience: {} })
    assert.deepEqual([own.shops, own.samples[0]?.shopName], [1, '测试店铺'])
  })

  test('of the vendor’s staff reach the shops of all or of one, with their own credit', async () => {
    const staff = await makeAgent(office, { staff: true, sms: 50 })
    const asStaff = office.as(await office.login(staff.loginName))
    await shop()
    await shop()
    const audience = { agentId: agent.id }
    const { id } = await sent(asStaff, { audience })
    await workThrough(office)
    assert.equal((await messagesOf(id)).length, 2)
    assert.deepEqual([(await asStaff.ledger.wallet()).sms, await balance()], [48, 100])
    assert.deepEqual((await mine.campaigns.list({})).rows, [])
    const all = await asStaff.campaigns.preview({ ...TEXT, audience: {} })
    assert.ok(all.shops > 2)
    const draft = await drafted(mine)
    assert.equal(await refusalOf(asStaff.campaigns.send(draft)), 'NOT_FOUND')
    await office.verifyLedger()
  })
})

test('the list is filtered by state, name and day, and a draft can be thrown away', async () => {
  await shop()
  const draft = await drafted(mine, { name: '节日问候' })
  await sent(mine, { name: '续费100%优惠' })
  const names = async (input: Parameters<Client['campaigns']['list']>[0]) =>
    (await mine.campaigns.list(input)).rows.map(({ name }) => name)
  assert.deepEqual(await names({}), ['续费100%优惠', '节日问候'])
  assert.deepEqual(await names({ status: 'draft' }), ['节日问候'])
  assert.deepEqual(await names({ search: '100%' }), ['续费100%优惠'])
  assert.deepEqual(await names({ search: '%' }), ['续费100%优惠'])
  assert.deepEqual(await names({ to: '2020-01-01' }), [])
  await mine.campaigns.discard({ id: draft.id })
  assert.deepEqual(await names({ status: 'draft' }), [])
  assert.equal(await refusalOf(mine.campaigns.details({ id: draft.id })), 'NOT_FOUND')
})

test('the pieces of a text are counted with the signature that the vendor sends under', async () => {
  await shop({ shop_name: '店' })
  const { signature } = await mine.messages.templates()
  assert.equal(signature, SIGNATURE)
})
