// Messages of one template in which every shop has a text of its own: one call takes many, and each is still for itself.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Office } from '#test/app.ts'
import {
  ageMessages,
  becomes,
  messageRows,
  phoneFor,
  queueCampaign,
  sendAll,
  smsOf,
  statuses,
} from '#test/make-messages.ts'
import { type Outside, startOutside } from '#test/outside.ts'
import { sendingScene } from '#test/sending.ts'

let outside: Outside
let office: Office

const { agentWith, queueOwn, fault, accepted, calls, gotBy, textsOf } = sendingScene(opened => {
  office = opened.office
  outside = opened.outside
})
const BATCH = { match: 'SendBatchSms' }
const phonesFor = (length: number) => Array.from({ length }, () => phoneFor())

describe('a hundred texts', () => {
  test('go in one call, each to its number, and are told about by receipts one by one', async () => {
    const { id } = await agentWith(200)
    outside.receiptsTo(office)
    const phones = [phoneFor('0001'), phoneFor('0003'), ...phonesFor(98)]
    const ids = await queueOwn(id, phones)
    const before = calls()
    await sendAll(office)
    assert.equal(calls() - before, 1)
    await becomes(office, ids, ['failed', ...Array(99).fill('delivered')])
    const texts = await textsOf(phones)
    for (const n of [0, 1, 42, 99])
      assert.match(texts[n] as string, new RegExp(`店${n}(?!\\d)`), `the text of ${n}`)
    const rows = await messageRows(office, ids)
    assert.equal(new Set(rows.map(row => row.provider_id)).size, 1)
    assert.deepEqual(
      rows.slice(0, 3).map(row => row.charged),
      [0, 2, 1],
    )
    assert.equal(await smsOf(office, 'agent', id), 100)
  })

  test('and one more are two calls; the same text for a hundred is a call of its own', async () => {
    const { id } = await agentWith(400)
    const own = await queueOwn(id, phonesFor(101))
    const same = await queueCampaign(office, id, { phones: phonesFor(100) })
    const before = calls()
    await sendAll(office)
    assert.equal(calls() - before, 3)
    assert.deepEqual(new Set(await statuses(office, [...own, ...same.ids])), new Set(['submitted']))
  })
})

describe('a shop whose text the provider refuses', () => {
  test('fails alone: the others of its call are sent once', async () => {
    const { id } = await agentWith(20)
    const phones = phonesFor(9)
    const ids = await queueOwn(id, phones, n => (n === 4 ? '赌博' : n === 7 ? '长'.repeat(36) : `店${n}`))
    const before = accepted()
    await sendAll(office)
    const rows = await messageRows(office, ids)
    assert.deepEqual(
      rows.map(row => row.status),
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map(n => (n === 4 || n === 7 ? 'failed' : 'submitted')),
    )
    assert.equal(rows[4]?.error_text, '内容含敏感词')
    assert.equal(rows[7]?.error_code, 'isv.PARAM_LENGTH_LIMIT')
    assert.equal(accepted() - before, 7)
    assert.deepEqual(
      await gotBy(phones),
      phones.map((_, n) => (n === 4 || n === 7 ? 0 : 1)),
    )
    assert.equal(await smsOf(office, 'agent', id), 13)
  })

  test('does not end the sending of the others where a half of the call has no answer', async () => {
    const { id } = await agentWith(20)
    const phones = phonesFor(4)
    const ids = await queueOwn(id, phones, n => (n === 3 ? '赌博' : `店${n}`))
    fault({ kind: 'error', code: 'isv.BLACK_KEY_CONTROL_LIMIT' }, BATCH)
    fault({ kind: 'reset-after' }, BATCH)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['unknown', 'unknown', 'submitted', 'failed'])
    await wait(400)
    await ageMessages(office, ids, 40)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids.slice(0, 2)), ['delivered', 'delivered'])
    assert.deepEqual(await gotBy(phones), [1, 1, 1, 0])
  })

  test('with the text of all others fails with them at once: halves would be refused as well', async () => {
    const { id } = await agentWith(20)
    const { ids } = await queueCampaign(office, id, {
      phones: phonesFor(5),
      params: { shop: '赌博', time: '今晚' },
    })
    const before = calls()
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), Array(5).fill('failed'))
    assert.equal(calls() - before, 1)
    assert.equal(await smsOf(office, 'agent', id), 20)
  })

  test('for its number does not fail the others that have its text', async () => {
    const { id } = await agentWith(20)
    const phones = ['10038001234', ...phonesFor(3)]
    const { ids } = await queueCampaign(office, id, { phones })
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['failed', 'submitted', 'submitted', 'submitted'])
    assert.equal((await messageRows(office, ids))[0]?.error_code, 'isv.MOBILE_NUMBER_ILLEGAL')
  })
})

describe('a call for many texts', () => {
  test('that was cut after it was done is unknown as a whole, never repeated, and asked about one by one', async () => {
    const { id } = await agentWith(20)
    fault({ kind: 'reset-after' }, BATCH)
    const phones = [phoneFor(), phoneFor('0001'), phoneFor('0002')]
    const ids = await queueOwn(id, phones)
    const before = accepted()
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), Array(3).fill('unknown'))
    assert.equal(await smsOf(office, 'agent', id), 17, 'what may have been sent stays charged')
    await wait(400)
    await ageMessages(office, ids, 40)
    await sendAll(office)
    await becomes(office, ids, ['delivered', 'failed', 'submitted'])
    assert.equal(accepted() - before, 3, 'sent once each')
  })

  test('that is refused for having too many, or for want of the vendor’s balance, is made again later', async () => {
    const { id } = await agentWith(20)
    fault({ kind: 'error', code: 'Throttling.User' }, BATCH)
    const ids = await queueOwn(id, phonesFor(3))
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), Array(3).fill('queued'))
    await ageMessages(office, ids, 11)
    fault({ kind: 'quota-exhausted' }, BATCH)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), Array(3).fill('queued'))
    await ageMessages(office, ids, 11)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), Array(3).fill('submitted'))
    assert.equal(await smsOf(office, 'agent', id), 17)
  })

  test('never holds what somebody waits for: such goes by itself', async () => {
    const { id } = await agentWith(20)
    const before = calls()
    for (const n of [1, 2, 3])
      await queueCampaign(office, id, {
        phones: [phoneFor()],
        kind: 'password-reset',
        params: { shop: `店${n}`, time: '今晚' },
      })
    await sendAll(office)
    assert.equal(calls() - before, 3)
  })
})

test('the other service has no such call: each text goes by itself', async t => {
  const other = await startOutside({ sms: 'tencent' })
  t.after(() => other.stop())
  const { id } = await agentWith(20)
  const ids = await queueOwn(id, phonesFor(3))
  const { services } = office.app
  const before = other.simulators.tencent.counts().calls as number
  await sendAll({ ...office, app: { ...office.app, services: { ...services, providers: other.providers } } })
  assert.deepEqual(await statuses(office, ids), Array(3).fill('submitted'))
  assert.equal((other.simulators.tencent.counts().calls as number) - before, 3)
})
