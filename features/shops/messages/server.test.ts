// The outbox and the renewal reminders (D2 §2 screen 4, §6).
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { sendCode } from '#test/make-codes.ts'

let office: Office
let agent: MadeAgent
let mine: Client
let operator: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  mine = office.as(await office.login(agent.loginName))
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())

const messagesOf = async (merchantId: number) =>
  (await office.owner.query('select * from outbox_messages where merchant_id = $1 order by id', [merchantId]))
    .rows

describe('reminders', () => {
  test('are queued for the shops that may get one, and refused for each of the others', async () => {
    const end = '2031-03-05T04:00:00.000Z'
    const good = await makeMerchant(office, agent.id, { shop_name: '甲店', expires_at: end })
    const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
    const permanent = await makeMerchant(office, agent.id, { expires_at: null })
    const landline = await makeMerchant(office, agent.id, { account: '07557654321' })
    const { rows } = await operator.messageDesk.remind({
      merchantIds: [landline, good, permanent, disabled, good],
    })
    assert.deepEqual(
      rows.map(row => [row.merchantId, row.refusal]),
      [
        [good, null],
        [disabled, 'MERCHANT_DISABLED'],
        [permanent, 'NEVER_EXPIRES'],
        [landline, 'PHONE_NOT_MOBILE'],
      ],
    )
    assert.equal(rows[0]?.shopName, '甲店')
    const [message, ...more] = await messagesOf(good)
    assert.deepEqual(more, [])
    assert.deepEqual([message.kind, Number(message.agent_id)], ['renewal-reminder', agent.id])
    assert.match(message.text, /「甲店」.*将于 2031-03-05 到期/)
    for (const id of [disabled, permanent, landline]) assert.deepEqual(await messagesOf(id), [])
  })

  test('come at most once in 24 hours, also when asked twice at once', async () => {
    const shop = await makeMerchant(office, agent.id)
    const refusals = async () =>
      (await operator.messageDesk.remind({ merchantIds: [shop] })).rows.map(row => row.refusal)
    const both = (await Promise.all([refusals(), refusals()])).flat()
    assert.deepEqual(both.sort(), ['REMINDED_ALREADY', null])
    assert.equal((await messagesOf(shop)).length, 1)
    const setStatus = (status: string) =>
      office.owner.query(`update outbox_messages set status = $2 where merchant_id = $1`, [shop, status])
    await setStatus('failed')
    assert.deepEqual(await refusals(), [null], 'one that never came reminded nobody')
    await office.owner.query(
      `update outbox_messages set created_at = created_at - interval '24 hours' where merchant_id = $1`,
      [shop],
    )
    assert.deepEqual(await refusals(), [null])
  })

  test('are for 1 to 200 shops, and one that does not exist is told in its row', async () => {
    const shop = await makeMerchant(office, agent.id)
    const ask = (merchantIds: number[]) => refusalOf(operator.messageDesk.remind({ merchantIds }))
    assert.equal(await ask([]), 'INPUT_INVALID')
    assert.equal(await ask(Array.from({ length: 201 }, (_, i) => 10_000_001 + i)), 'INPUT_INVALID')
    assert.equal(await ask([99_999_999]), 'NOT_FOUND')
    assert.deepEqual(await messagesOf(shop), [])
    const { rows } = await operator.messageDesk.remind({ merchantIds: [99_999_999, shop] })
    assert.deepEqual(
      rows.map(({ merchantId, refusal }) => [merchantId, refusal]),
      [
        [shop, null],
        [99_999_999, 'SHOP_UNKNOWN'],
      ],
    )
  })

  test("are the operator's alone", async () => {
    const shop = await makeMerchant(office, agent.id)
    assert.equal(await refusalOf(mine.messageDesk.remind({ merchantIds: [shop] })), 'FORBIDDEN')
    const staff = await makeAgent(office, { staff: true })
    const asStaff = office.as(await office.login(staff.loginName))
    assert.equal(await refusalOf(asStaff.messageDesk.remind({ merchantIds: [shop] })), 'FORBIDDEN')
    assert.equal(await refusalOf(asStaff.messageDesk.outbox({})), 'FORBIDDEN')
  })

  test('show in the log with each shop and its outcome', async () => {
    const shops = [
      await makeMerchant(office, agent.id),
      await makeMerchant(office, agent.id, { expires_at: null }),
    ]
    await operator.messageDesk.remind({ merchantIds: shops })
    const { rows } = await office.owner.query('select * from operation_logs order by id desc limit 1')
    assert.equal(rows[0].subject, shops.map(id => `测试店铺 (${id})`).join('、'))
    assert.deepEqual(
      rows[0].changes.map((change: { after: string }) => change.after),
      ['待发送', '该商户为永久版本，无需续费'],
    )
  })
})

describe('the outbox', () => {
  test('shows what was asked for, the latest first, and is found by phone, shop, kind and day', async () => {
    await office.owner.query('delete from outbox_messages')
    const first = await makeMerchant(office, agent.id, { account: '13800000001', shop_name: '第一店' })
    const second = await makeMerchant(office, agent.id, { account: '13800000002' })
    await operator.messageDesk.remind({ merchantIds: [first] })
    await sendCode(office, mine, second)
    await sendCode(office, mine, first, 'recovery')
    await office.owner.query(
      `update outbox_messages set created_at = '2026-01-31T16:00:00Z' where kind = 'renewal-reminder'`,
    )
    const kinds = async (query: Parameters<Client['messageDesk']['outbox']>[0]) => {
      const { rows, total } = await operator.messageDesk.outbox(query)
      assert.equal(total, rows.length)
      return rows.map(row => row.kind)
    }
    assert.deepEqual(await kinds({}), ['recovery-code', 'phone-code', 'renewal-reminder'])
    assert.deepEqual(await kinds({ search: '13800000001' }), ['recovery-code', 'renewal-reminder'])
    assert.deepEqual(await kinds({ search: String(second) }), ['phone-code'])
    assert.deepEqual(await kinds({ search: '1380000' }), [])
    assert.deepEqual(await kinds({ search: '第一店' }), [])
    assert.deepEqual(await kinds({ kind: 'phone-code' }), ['phone-code'])
    assert.deepEqual(await kinds({ from: '2026-02-01', to: '2026-02-01' }), ['renewal-reminder'])
    assert.deepEqual(await kinds({ to: '2026-01-31' }), [])
    const { rows } = await operator.messageDesk.outbox({ search: String(first), kind: 'renewal-reminder' })
    const { id: _, text, ...row } = rows[0] ?? assert.fail()
    assert.deepEqual(row, {
      createdAt: '2026-01-31T16:00:00.000Z',
      kind: 'renewal-reminder',
      merchantId: first,
      shopName: '第一店',
      phone: '13800000001',
      createdByName: '姓名',
      status: 'queued',
    })
    assert.match(text, /第一店/)
  })
})
