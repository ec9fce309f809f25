// Receipts over HTTP: once, twice, out of order, forged; and the other service, which tells segments at once.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Office, openOffice } from '#test/app.ts'
import { credit, makeAgent } from '#test/make.ts'
import {
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

async function agentWith(office: Office, pieces: number): Promise<number> {
  const { id } = await makeAgent(office)
  await credit(office, id, 'sms', pieces)
  return id
}

describe('a receipt', () => {
  let outside: Outside
  let office: Office

  before(async () => {
    outside = await startOutside()
    office = await openOffice({ providers: outside.providers, listen: true })
  })
  after(async () => {
    await office.verifyLedger()
    await office.stop()
    await outside.stop()
  })

  const pushTo = async (path: string, body: unknown) => {
    const answer = await fetch(`${office.url}/callbacks/sms/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const push = (...receipts: Record<string, unknown>[]) =>
    pushTo(`aliyun/${outside.providers.receiptSecret}`, receipts)

  type Sent = { id: number; phone: string; batchReference: string; providerId: string }
  /** Messages that were taken, with no receipt yet; the simulator pushes none. */
  async function submitted(agentId: number, phones: string[], documentNo?: string): Promise<Sent[]> {
    const made = await queueCampaign(office, agentId, { phones, ...(documentNo ? { documentNo } : {}) })
    await sendAll(office)
    return (await messageRows(office, made.ids)).map(row => ({
      id: Number(row.id),
      phone: row.phone as string,
      batchReference: row.batch_reference as string,
      providerId: row.provider_id as string,
    }))
  }
  const receiptOf = (message: Sent, more: Record<string, unknown> = {}) => ({
    phone_number: message.phone,
    send_time: '2026-06-01 10:00:00',
    report_time: '2026-06-01 10:00:05',
    success: true,
    err_code: 'DELIVERED',
    err_msg: '用户接收成功',
    sms_size: '1',
    biz_id: message.providerId,
    out_id: message.batchReference,
    ...more,
  })
  const failure = { success: false, err_code: 'MOBILE_NOT_ON_SERVICE', err_msg: '停机' }

  test('that comes twice, or after another that decided, changes nothing', async () => {
    const agentId = await agentWith(office, 10)
    const [first, second] = (await submitted(agentId, [phoneFor(), phoneFor()])) as [Sent, Sent]
    const documentNo = String((await messageRows(office, [first.id]))[0]?.document_no)
    for (const receipt of [receiptOf(first, failure), receiptOf(first, failure), receiptOf(first)])
      assert.equal((await push(receipt)).status, 200)
    for (const receipt of [receiptOf(second), receiptOf(second, failure)]) await push(receipt)
    assert.deepEqual(await statuses(office, [first.id, second.id]), ['failed', 'delivered'])
    assert.equal(await smsOf(office, 'agent', agentId), 9)
    assert.deepEqual(await transfersOf(office, documentNo), [
      ['sms-send', 2],
      ['sms-send-return', 1],
    ])
  })

  test('pushed eight times at once pays back once', async () => {
    const agentId = await agentWith(office, 10)
    const sent = await submitted(agentId, [phoneFor(), phoneFor()])
    const receipts = sent.map(message => receiptOf(message, failure))
    const answers = await Promise.all(Array.from({ length: 8 }, () => push(...receipts)))
    assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['{"code":0,"msg":"接收成功"}']))
    assert.equal(await smsOf(office, 'agent', agentId), 10)
  })

  test('of several messages moves one transfer per document', async () => {
    const agentId = await agentWith(office, 10)
    const one = await submitted(agentId, [phoneFor(), phoneFor(), phoneFor()], `ONE${agentId}`)
    const other = await submitted(agentId, [phoneFor()], `TWO${agentId}`)
    await push(...[...one, ...other].map(message => receiptOf(message, failure)))
    assert.deepEqual(await transfersOf(office, `ONE${agentId}`), [
      ['sms-send', 3],
      ['sms-send-return', 3],
    ])
    assert.deepEqual(await transfersOf(office, `TWO${agentId}`), [
      ['sms-send', 1],
      ['sms-send-return', 1],
    ])
  })

  test('corrects segments in both directions, as far as the payer holds credit', async () => {
    const agentId = await agentWith(office, 6)
    const long = { shop: '老张面馆', time: '今'.repeat(33) }
    const made = await queueCampaign(office, agentId, { phones: [phoneFor(), phoneFor()], params: long })
    await sendAll(office)
    const rows = await messageRows(office, made.ids)
    const [first, second] = rows.map(row => ({
      id: Number(row.id),
      phone: row.phone as string,
      batchReference: row.batch_reference as string,
      providerId: row.provider_id as string,
    })) as [Sent, Sent]
    assert.deepEqual(
      rows.map(row => row.segments),
      [2, 2],
    )
    assert.equal(await smsOf(office, 'agent', agentId), 2)
    await push(receiptOf(first, { sms_size: '1' }))
    assert.equal(await smsOf(office, 'agent', agentId), 3)
    await push(receiptOf(second, { sms_size: '9' }))
    assert.equal(await smsOf(office, 'agent', agentId), 0)
    const after = await messageRows(office, made.ids)
    assert.deepEqual(
      after.map(row => [row.fee, row.charged]),
      [
        [1, 1],
        [9, 5],
      ],
    )
    const { rows: days } = await office.owner.query(
      `select messages::int, segments::int from sms_days where payer = 'agent' and payer_id = $1`,
      [agentId],
    )
    assert.deepEqual(days, [{ messages: 2, segments: 10 }])
  })

  test('names its message by the number of the provider where our reference is missing', async () => {
    const agentId = await agentWith(office, 3)
    const [one] = (await submitted(agentId, [phoneFor()])) as [Sent]
    await push(receiptOf(one, { out_id: '' }))
    assert.deepEqual(await statuses(office, [one.id]), ['delivered'])
  })

  test('of another number, or of a message that is not ours, is answered and changes nothing', async () => {
    const agentId = await agentWith(office, 3)
    const [one] = (await submitted(agentId, [phoneFor()])) as [Sent]
    const answer = await push(
      receiptOf(one, { phone_number: phoneFor() }),
      receiptOf(one, { biz_id: 'unknown', out_id: 'unknown' }),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(await statuses(office, [one.id]), ['submitted'])
  })

  test('at an address without the secret, or of another service, is not known; what cannot be read is refused', async () => {
    const agentId = await agentWith(office, 3)
    const [one] = (await submitted(agentId, [phoneFor()])) as [Sent]
    const { receiptSecret } = outside.providers
    for (const path of [
      'aliyun/wrong',
      `aliyun/${receiptSecret}x`,
      `tencent/${receiptSecret}`,
      `other/${receiptSecret}`,
    ])
      assert.equal((await pushTo(path, [receiptOf(one)])).status, 404, path)
    assert.equal((await pushTo(`aliyun/${receiptSecret}`, 'no json')).status, 400)
    assert.equal((await pushTo(`aliyun/${receiptSecret}`, [{ phone_number: 1 }])).status, 400)
    assert.deepEqual(await statuses(office, [one.id]), ['submitted'])
  })

  test('is taken as the service sends it: late, twice and out of order', async () => {
    const agentId = await agentWith(office, 20)
    outside.receiptsTo(office)
    outside.simulators.aliyun.control.faults.push(
      { match: 'receipts', times: 1, effect: { kind: 'callback-reorder' } },
      { match: 'receipts', times: 2, effect: { kind: 'callback-duplicate' } },
    )
    const phones = [phoneFor(), phoneFor('0001'), phoneFor('0003'), phoneFor()]
    const { ids } = await queueCampaign(office, agentId, { phones })
    await sendAll(office)
    await becomes(office, ids, ['delivered', 'failed', 'delivered', 'delivered'])
    await wait(300)
    outside.simulators.aliyun.setReceiptsUrl(null)
    assert.equal(await smsOf(office, 'agent', agentId), 16)
  })
})

test('the other service tells the segments at once and is asked and answered in its own way', async t => {
  const outside = await startOutside({ sms: 'tencent' })
  const office = await openOffice({ providers: outside.providers, listen: true })
  t.after(async () => {
    await office.verifyLedger()
    await office.stop()
    await outside.stop()
  })
  const agentId = await agentWith(office, 10)
  outside.receiptsTo(office)
  const phones = [phoneFor(), phoneFor('0001'), phoneFor('0003')]
  const { ids } = await queueCampaign(office, agentId, { phones })
  await sendAll(office)
  await becomes(office, ids, ['delivered', 'failed', 'delivered'])
  const rows = await messageRows(office, ids)
  assert.deepEqual(
    rows.map(row => [row.provider, row.charged]),
    [
      ['tencent', 1],
      ['tencent', 0],
      ['tencent', Number(rows[2]?.fee)],
    ],
  )
  outside.simulators.tencent.setReceiptsUrl(null)
  outside.simulators.tencent.control.faults.push({
    match: 'SendSms',
    times: 1,
    effect: { kind: 'reset-after' },
  })
  const unknown = await queueCampaign(office, agentId, { phones: [phoneFor()] })
  const before = outside.simulators.tencent.counts().accepted
  await sendAll(office)
  assert.deepEqual(await statuses(office, unknown.ids), ['unknown'])
  await wait(500)
  await office.owner.query(
    `update outbox_messages set ask_at = now() - interval '1 s' where status = 'unknown'`,
  )
  await sendAll(office)
  assert.deepEqual(await statuses(office, unknown.ids), ['delivered'])
  assert.equal(outside.simulators.tencent.counts().accepted, (before as number) + 1)
})
