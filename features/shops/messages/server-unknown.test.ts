// What may have been sent is never sent again: calls that were cut, refused or made by a sender that is gone.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SURROUNDINGS } from '#app/providers.ts'
import type { SmsSender } from '#kit/ports/providers.ts'
import { makeAliyunSms } from '#providers/aliyun-sms/client.ts'
import type { Effect } from '#providers/simulator.ts'
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
  transfersOf,
} from '#test/make-messages.ts'
import { type Outside, startOutside } from '#test/outside.ts'
import { sendingScene } from '#test/sending.ts'
import { askAboutSent } from './server-details.ts'
import { sendQueued } from './server-sending.ts'

let outside: Outside
let office: Office

const { agentWith, fault, accepted, calls, gotBy, queueOwn } = sendingScene(opened => {
  office = opened.office
  outside = opened.outside
})

describe('a call', () => {
  test('that was cut after it was done is never repeated: the details tell what came of it', async () => {
    const { id } = await agentWith(10)
    fault({ kind: 'reset-after' })
    const phones = [phoneFor(), phoneFor('0001'), phoneFor('0002')]
    const { ids } = await queueCampaign(office, id, { phones })
    const before = accepted()
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['unknown', 'unknown', 'unknown'])
    assert.equal(await smsOf(office, 'agent', id), 7, 'what may have been sent stays charged')
    await wait(400)
    await ageMessages(office, ids, 40)
    await sendAll(office)
    await becomes(office, ids, ['delivered', 'failed', 'submitted'])
    assert.equal(accepted() - before, 3, 'sent once each')
    assert.equal(await smsOf(office, 'agent', id), 8)
  })

  test('that was cut after it was done is told about by receipts too', async () => {
    const { id } = await agentWith(10)
    outside.receiptsTo(office)
    fault({ kind: 'reset-after' })
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor(), phoneFor('0003')] })
    const before = accepted()
    await sendAll(office)
    await becomes(office, ids, ['delivered', 'delivered'])
    assert.equal(accepted() - before, 2)
    assert.equal(await smsOf(office, 'agent', id), 7)
  })

  test('that never arrived is not repeated either, and asked about less and less often for three days', async () => {
    const { id } = await agentWith(10)
    fault({ kind: 'reset-before' })
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor()] })
    const before = accepted()
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['unknown'])
    // Another test's message without an answer would be asked about as time really goes by.
    await office.owner.query(
      `update outbox_messages set ask_at = 'infinity' where id <> all ($1::bigint[]) and ask_at is not null`,
      [ids],
    )
    const asked: number[] = []
    for (let hour = 0; hour < 80; hour++) {
      await ageMessages(office, ids, 3_600)
      const before = calls()
      await askAboutSent({ ...office.app.services })
      asked.push(calls() - before)
    }
    assert.deepEqual(await statuses(office, ids), ['unknown'])
    assert.equal(accepted(), before)
    const times = asked.reduce((sum, count) => sum + count)
    assert.ok(times >= 5 && times <= 30, `asked ${times} times in 80 hours`)
    assert.equal(asked.findLastIndex(count => count > 0) + 1, 72, 'and then no more')
  })

  test('that is refused for having too many is made again later', async () => {
    const { id } = await agentWith(10)
    fault({ kind: 'error', code: 'Throttling.User' })
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor()] })
    await sendQueued({ ...office.app.services })
    assert.deepEqual(await statuses(office, ids), ['queued'])
    assert.equal(await smsOf(office, 'agent', id), 9)
    await ageMessages(office, ids, 11)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['submitted'])
  })

  test('that is refused as a whole fails all its messages, and they are paid back in one transfer', async () => {
    const { id } = await agentWith(10)
    fault({ kind: 'error', code: 'isv.SMS_TEMPLATE_ILLEGAL', message: '模版未审批' }, { times: 9 })
    const { ids, documentNo } = await queueCampaign(office, id, { phones: [phoneFor(), phoneFor()] })
    await sendAll(office)
    assert.deepEqual(
      (await messageRows(office, ids)).map(row => [row.status, row.error_text, row.charged]),
      Array(2).fill(['failed', '短信模板未通过审核', 0]),
    )
    assert.deepEqual(await transfersOf(office, documentNo), [
      ['sms-send', 2],
      ['sms-send-return', 2],
    ])
  })

  test('of a sender that was killed is unknown after a minute, whether it was made or not', async () => {
    const { id } = await agentWith(10)
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor(), phoneFor()] })
    await office.owner.query(
      `update outbox_messages set status = 'sending', claimed_at = now() - interval '59 s', batch_reference = 'gone'
         where id = any ($1::bigint[])`,
      [ids],
    )
    const before = accepted()
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['sending', 'sending'])
    await ageMessages(office, ids, 2)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['unknown', 'unknown'])
    assert.equal(accepted(), before)
  })
})

describe('a sender', () => {
  test('that is killed after the call, before its outcome is written, has sent once: the details tell the rest', async () => {
    const { id } = await agentWith(10)
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor(), phoneFor('0001')] })
    const before = accepted()
    const called = Promise.withResolvers<void>()
    const real = outside.providers.sms as SmsSender
    const killed: SmsSender = {
      ...real,
      async send(batch) {
        await real.send(batch)
        called.resolve()
        return new Promise(() => undefined)
      },
    }
    const { services } = office.app
    void sendQueued({ ...services, providers: { ...services.providers, sms: killed } })
    await called.promise
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['sending', 'sending'])
    await wait(400)
    await ageMessages(office, ids, 61)
    await sendAll(office)
    await ageMessages(office, ids, 31)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['delivered', 'failed'])
    assert.equal(accepted() - before, 2)
    assert.equal(await smsOf(office, 'agent', id), 9)
  })

  test('whose provider is not there keeps its messages, and leaves it alone for a while', async () => {
    const { id } = await agentWith(100)
    const gone = await startOutside()
    await gone.stop()
    const sms = makeAliyunSms(gone.simulators.settings.aliyun, SURROUNDINGS)
    const { services } = office.app
    const stopped = { ...services, providers: { ...services.providers, sms } }
    // A number stands once in a call, so these are twenty.
    const ids = await queueOwn(id, Array(20).fill(phoneFor()))
    for (let round = 0; round < 3; round++) {
      await askAboutSent(stopped)
      await sendQueued(stopped)
    }
    assert.deepEqual(new Set(await statuses(office, ids)), new Set(['queued']))
    const waiting = await messageRows(office, ids)
    const untouched = waiting.filter(row => (row.not_before as Date).getTime() < Date.now())
    assert.ok(untouched.length > 0, 'after some failures the others are not tried')
    await ageMessages(office, ids, 11)
    await sendAll(office)
    assert.deepEqual(new Set(await statuses(office, ids)), new Set(['submitted']))
  })
})

describe('whatever goes wrong with forty calls, no number gets its message twice, and all that was taken is found', () => {
  /** Sends what is queued, among faults of the call, until nothing changes any more; answers the states. */
  async function sendAmongFaults(
    match: string,
    phones: string[],
    queue: (agentId: number) => Promise<number[]>,
  ) {
    const { id } = await agentWith(200)
    const rule = (effect: Effect, times: number) => fault(effect, { match, times })
    rule({ kind: 'reset-before' }, 4)
    rule({ kind: 'status', status: 502 }, 4)
    rule({ kind: 'malformed' }, 4)
    rule({ kind: 'error', code: 'Throttling.User' }, 4)
    rule({ kind: 'reset-after' }, 12)
    const ids = await queue(id)
    for (let round = 0; round < 20; round++) {
      await sendAll(office)
      await ageMessages(office, ids, 31)
    }
    await wait(400)
    for (let round = 0; round < 20; round++) {
      // Not by making them older: the service filed them under the day on which they came.
      await office.owner.query(
        `update outbox_messages set ask_at = ask_at - interval '30 minutes' where id = any ($1::bigint[])`,
        [ids],
      )
      await sendAll(office)
    }
    const found = await statuses(office, ids)
    assert.deepEqual(
      await gotBy(phones),
      found.map(status => (status === 'delivered' ? 1 : 0)),
    )
    assert.deepEqual(new Set(found), new Set(['delivered', 'unknown']))
    const unknown = found.filter(status => status === 'unknown').length
    assert.equal(await smsOf(office, 'agent', id), 200 - phones.length)
    return unknown
  }

  test('of one message each', async () => {
    const phones = Array.from({ length: 40 }, () => phoneFor())
    const unknown = await sendAmongFaults('SendSms', phones, async agentId => {
      const made = []
      for (const [n, phone] of phones.entries())
        made.push(
          ...(
            await queueCampaign(office, agentId, {
              phones: [phone],
              kind: 'password-reset',
              params: { shop: `店${n}`, time: '今晚' },
            })
          ).ids,
        )
      return made
    })
    assert.equal(unknown, 12, 'those that the service never saw')
  })

  test('of three messages each with texts of their own', async () => {
    const phones = Array.from({ length: 120 }, () => phoneFor())
    const unknown = await sendAmongFaults('SendBatchSms', phones, async agentId => {
      const ids: number[] = []
      for (let from = 0; from < phones.length; from += 3) {
        ids.push(...(await queueOwn(agentId, phones.slice(from, from + 3))))
        await sendAll(office)
      }
      return ids
    })
    assert.equal(unknown, 36, 'those that the service never saw')
  })
})
