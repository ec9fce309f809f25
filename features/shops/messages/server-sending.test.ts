// The sender against the simulated SMS services over HTTP: what is sent is sent once, and what may have been sent is asked about.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { Services } from '#server/ctx.ts'
import type { Office } from '#test/app.ts'
import { makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { sendCode } from '#test/make-codes.ts'
import {
  ageMessages,
  becomes,
  giveSms,
  messageRows,
  phoneFor,
  queueCampaign,
  sendAll,
  smsOf,
  statuses,
  transfersOf,
} from '#test/make-messages.ts'
import type { Outside } from '#test/outside.ts'
import { sendingScene } from '#test/sending.ts'
import { sendQueued } from './server-sending.ts'

let outside: Outside
let office: Office

const { agentWith, accepted, calls, fault } = sendingScene(opened => {
  office = opened.office
  outside = opened.outside
})
const usedOn = async (agentId: number) =>
  (
    await office.owner.query(
      `select messages::int, segments::int from sms_days where payer = 'agent' and payer_id = $1`,
      [agentId],
    )
  ).rows

describe('a message', () => {
  test('is charged when it is queued, sent once, and delivered by its receipt', async () => {
    const { id } = await agentWith(10)
    outside.receiptsTo(office)
    const phones = [phoneFor(), phoneFor(), phoneFor()]
    const { ids, documentNo } = await queueCampaign(office, id, { phones })
    assert.equal(await smsOf(office, 'agent', id), 7)
    const before = calls()
    await sendAll(office)
    assert.equal(calls() - before, 1, 'the same text to three numbers is one call')
    await becomes(office, ids, ['delivered', 'delivered', 'delivered'])
    assert.equal(await smsOf(office, 'agent', id), 7)
    assert.deepEqual(await transfersOf(office, documentNo), [['sms-send', 3]])
    assert.deepEqual(await usedOn(id), [{ messages: 3, segments: 3 }])
    const [row] = await messageRows(office, ids)
    assert.ok(row?.provider_id && row.submitted_at && row.reported_at)
  })

  test('that the carrier refuses is paid back, one segment more is charged, and a lost receipt changes nothing', async () => {
    const { id } = await agentWith(10)
    outside.receiptsTo(office)
    const phones = [phoneFor('0000'), phoneFor('0001'), phoneFor('0002'), phoneFor('0003')]
    const { ids, documentNo } = await queueCampaign(office, id, { phones })
    await sendAll(office)
    await becomes(office, ids, ['failed', 'failed', 'submitted', 'delivered'])
    assert.deepEqual(
      (await messageRows(office, ids)).map(row => [row.charged, row.error_code]),
      [
        [0, 'MOBILE_IN_BLACK'],
        [0, 'MOBILE_NOT_ON_SERVICE'],
        [1, ''],
        [2, ''],
      ],
    )
    assert.equal(await smsOf(office, 'agent', id), 7)
    const moved = await transfersOf(office, documentNo)
    assert.deepEqual(moved[0], ['sms-send', 4])
    assert.equal(
      moved.reduce((sum, [kind, amount]) => sum + (kind === 'sms-send' ? amount : -amount), 0),
      3,
    )
    assert.deepEqual(await usedOn(id), [{ messages: 2, segments: 3 }])
  })

  test('charges more segments only as far as the payer holds credit', async () => {
    const { id } = await agentWith(1)
    outside.receiptsTo(office)
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor('0003')] })
    await sendAll(office)
    await becomes(office, ids, ['delivered'])
    const [row] = await messageRows(office, ids)
    assert.deepEqual([row?.charged, row?.fee], [1, 2])
    assert.equal(await smsOf(office, 'agent', id), 0)
  })

  test('stands once in a call for its number, whatever the texts', async () => {
    const { id } = await agentWith(10)
    const phone = phoneFor()
    const before = calls()
    const same = await queueCampaign(office, id, { phones: [phone, phone, phoneFor()] })
    const other = await queueCampaign(office, id, {
      phones: [phone],
      params: { shop: '别家', time: '今晚23点' },
    })
    await sendAll(office)
    assert.equal(calls() - before, 3)
    assert.deepEqual(await statuses(office, [...same.ids, ...other.ids]), Array(4).fill('submitted'))
  })

  test('that is not due waits', async () => {
    const { id } = await agentWith(10)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor()], notBefore: later })
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['queued'])
    await ageMessages(office, ids, 3_601)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['submitted'])
  })

  test('that is too late is not sent, and paid back', async () => {
    const { id } = await agentWith(10)
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor()] })
    await ageMessages(office, ids, 73 * 3_600)
    const before = accepted()
    await sendAll(office)
    const [row] = await messageRows(office, ids)
    assert.deepEqual([row?.status, row?.charged, row?.error_code], ['expired', 0, 'EXPIRED'])
    assert.equal(accepted(), before)
    assert.equal(await smsOf(office, 'agent', id), 10)
  })

  test('waits while the vendor’s own account is refused, and the operator is told once', async () => {
    const operator = await makeAgent(office, { operator: true })
    const blind = await makeAccount(office, operator.id, { nodeIds: [27] })
    const { id } = await agentWith(10)
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor(), phoneFor()] })
    const refuse = () => fault({ kind: 'error', code: 'isv.AMOUNT_NOT_ENOUGH', message: '账户余额不足' })
    for (const _ of [1, 2]) {
      refuse()
      await sendQueued(office.app.services)
      const rows = await messageRows(office, ids)
      assert.deepEqual(
        rows.map(({ status, charged }) => [status, charged]),
        ids.map(() => ['queued', 1]),
      )
      await office.owner.query(
        `update outbox_messages set not_before = now() - interval '1 second' where id = any ($1)`,
        [ids],
      )
    }
    const { rows: told } = await office.owner.query(
      'select topic, body from notices where account_id = any ($1)',
      [[operator.accountId, blind.accountId]],
    )
    assert.deepEqual(
      told.map(({ topic }) => topic),
      ['SmsTrouble_Notify'],
    )
    assert.match(told[0].body, /^短信通道余额不足（isv.AMOUNT_NOT_ENOUGH）/)
    await sendAll(office)
    assert.deepEqual(await statuses(office, ids), ['submitted', 'submitted'])
  })

  test('is not sent to a number that got fifty on the day', async () => {
    const { id } = await agentWith(100)
    const phone = phoneFor()
    const { ids } = await queueCampaign(office, id, { phones: Array(52).fill(phone) })
    await sendAll(office)
    const rows = await messageRows(office, ids)
    assert.equal(rows.filter(({ status }) => status === 'submitted').length, 50)
    assert.deepEqual(
      rows.filter(({ status }) => status === 'failed').map(row => [row.error_code, row.charged]),
      [
        ['RATE_LIMITED', 0],
        ['RATE_LIMITED', 0],
      ],
    )
    assert.equal(await smsOf(office, 'agent', id), 50)
  })

  test('whose template was taken away fails and is paid back', async () => {
    const { id } = await agentWith(5)
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor()] })
    await office.owner.query(`update sms_templates set enabled = false where key = 'maintenance'`)
    await sendAll(office)
    await office.owner.query(`update sms_templates set enabled = true where key = 'maintenance'`)
    const [row] = await messageRows(office, ids)
    assert.deepEqual([row?.status, row?.error_code, row?.charged], ['failed', 'NO_TEMPLATE', 0])
  })
})

describe('a code', () => {
  test('goes before what waits, and its value stands nowhere any more', async () => {
    const { id, loginName } = await agentWith(10)
    const shop = await makeMerchant(office, id, { account: phoneFor() })
    const { ids } = await queueCampaign(office, id, { phones: [phoneFor()] })
    await sendCode(office, office.as(await office.login(loginName)), shop)
    const { rows } = await office.owner.query(
      'select id::int, text, priority from outbox_messages where merchant_id = $1',
      [shop],
    )
    const code = /\d{6}/.exec(rows[0].text)?.[0] as string
    assert.equal(rows[0].priority, 0)
    await sendAll(office)
    const [row] = await messageRows(office, [rows[0].id])
    assert.equal(row?.status, 'submitted')
    assert.ok(!JSON.stringify(row).includes(code), 'the code is gone')
    assert.match(row?.text as string, /验证码是 \*{6}，/)
    assert.deepEqual(await statuses(office, ids), ['submitted'])
    assert.equal(await smsOf(office, 'agent', id), 9, 'the code is paid by the vendor')
  })

  test('that is over is not sent, and is forgotten too', async () => {
    const { id, loginName } = await agentWith(10)
    const shop = await makeMerchant(office, id, { account: phoneFor() })
    await sendCode(office, office.as(await office.login(loginName)), shop)
    const { rows } = await office.owner.query(
      'select id::int, params from outbox_messages where merchant_id = $1',
      [shop],
    )
    await ageMessages(office, [rows[0].id], 601)
    const before = accepted()
    await sendAll(office)
    const [row] = await messageRows(office, [rows[0].id])
    assert.equal(row?.status, 'expired')
    assert.equal(accepted(), before)
    assert.ok(!JSON.stringify(row).includes(rows[0].params.code))
  })
})

test('two senders at once send each message once', async () => {
  const { id } = await agentWith(400)
  const phones = Array.from({ length: 300 }, () => phoneFor())
  const groups = await Promise.all(
    [0, 1, 2].map(n =>
      queueCampaign(office, id, {
        phones: phones.slice(n * 100, n * 100 + 100),
        params: { shop: `店${n}`, time: '今晚' },
      }),
    ),
  )
  const before = accepted()
  const services: Services[] = [1, 2, 3].map(() => ({ ...office.app.services }))
  await Promise.all(
    services.map(async one => {
      for (let round = 0; round < 30; round++) await sendQueued(one)
    }),
  )
  const ids = groups.flatMap(group => group.ids)
  assert.deepEqual(new Set(await statuses(office, ids)), new Set(['submitted']))
  assert.equal(accepted() - before, 300)
  const numbers = await messageRows(office, ids)
  assert.equal(new Set(numbers.map(({ phone }) => phone)).size, 300)
  assert.equal(await smsOf(office, 'agent', id), 100)
})

test('queueing more than the credit suffices for is refused with what is missing, and writes nothing', async () => {
  const { id } = await agentWith(2)
  const before = await office.owner.query('select count(*)::int as n from outbox_messages')
  await assert.rejects(queueCampaign(office, id, { phones: [phoneFor(), phoneFor(), phoneFor()] }), {
    code: 'SMS_INSUFFICIENT',
    data: { asset: 'sms', balance: 2, missing: 1, owner: 'agent' },
  })
  const after = await office.owner.query('select count(*)::int as n from outbox_messages')
  assert.deepEqual(after.rows, before.rows)
  assert.equal(await smsOf(office, 'agent', id), 2)
})

test('a message of a shop is paid by the shop', async () => {
  const { id } = await agentWith(10)
  const shop = await makeMerchant(office, id, { account: phoneFor() })
  await giveSms(office, { agentId: id, merchantId: shop, pieces: 3 })
  const { ids } = await queueCampaign(office, id, {
    phones: [phoneFor('0001')],
    kind: 'member',
    merchantId: shop,
    payer: 'merchant',
    payerId: shop,
  })
  assert.equal(await smsOf(office, 'merchant', shop), 2)
  outside.receiptsTo(office)
  await sendAll(office)
  await becomes(office, ids, ['failed'])
  assert.equal(await smsOf(office, 'merchant', shop), 3)
})
