// What a shop is handed over with, and the message that tells it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { smsOf } from '#test/make-messages.ts'
import { connectSms } from '#test/silent-sms.ts'

const LOGIN = 'https://pos.example.com/login'
let office: Office
let agent: MadeAgent
let mine: Client
let staff: Client

before(async () => {
  office = await openOffice({ settings: { SHOP_LOGIN_URL: LOGIN } })
  agent = await makeAgent(office, { sms: 10 })
  mine = office.as(await office.login(agent.loginName))
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())

test('without an SMS service nothing is sent, and it is said what to do instead', async () => {
  const id = await shopOf({ account: '13900007777' })
  const { refusal, sending } = (await mine.shopAccess.handOver({ id })).sms
  assert.match(refusal?.message ?? '', /没有接入短信服务.*复制资料/)
  assert.equal(sending, null)
  assert.equal(await refusalOf(send(mine, id)), 'SMS_UNCONNECTED')
  assert.deepEqual(await messagesOf(id), [])
  connectSms(office)
})

const shopOf = (columns: Record<string, unknown> = {}) =>
  makeMerchant(office, agent.id, { expires_at: '2027-11-21T04:00:00Z', ...columns })
const send = (client: Client, id: number, key = randomUUID()) =>
  client.shopAccess.sendHandOver({ id }, { context: { key } })
const messagesOf = async (id: number) =>
  (
    await office.owner.query(
      'select kind, phone, text, payer, charged from outbox_messages where merchant_id = $1',
      [id],
    )
  ).rows

test('a hand-over tells where to log in, as whom and until when, and what the message costs', async () => {
  const id = await shopOf({ account: '13900001111', shop_name: '老张面馆' })
  const { sms, ...told } = await mine.shopAccess.handOver({ id })
  assert.deepEqual(told, {
    id,
    shopName: '老张面馆',
    account: '13900001111',
    status: 'normal',
    versionName: '高级版',
    shopsBought: 1,
    expiresAt: '2027-11-21T04:00:00.000Z',
    loginUrl: LOGIN,
  })
  assert.equal(
    sms.text,
    `商户「老张面馆」已开通高级版，有效期至2027-11-21。登录地址：${LOGIN}，账号：13900001111，初始密码请向服务商获取。`,
  )
  assert.deepEqual([sms.pieces, sms.balance, sms.refusal], [2, 10, null])
})

test('its message is charged to the agent once, and holds no password', async () => {
  const id = await shopOf({ account: '13900002222' })
  const { sms } = await mine.shopAccess.handOver({ id })
  const before = await smsOf(office, 'agent', agent.id)
  const key = randomUUID()
  assert.deepEqual(await send(mine, id, key), { id, pieces: sms.pieces })
  assert.deepEqual(await send(mine, id, key), { id, pieces: sms.pieces })
  assert.equal(await smsOf(office, 'agent', agent.id), before - sms.pieces)
  assert.deepEqual(await messagesOf(id), [
    { kind: 'hand-over', phone: '13900002222', text: sms.text, payer: 'agent', charged: sms.pieces },
  ])
  const sending = async () => (await mine.shopAccess.handOver({ id })).sms.sending
  assert.deepEqual(await sending(), { state: 'waiting', words: '短信正在发往 13900002222。' })
  const becomes = (status: string) =>
    office.owner.query('update outbox_messages set status = $2 where merchant_id = $1', [id, status])
  await becomes('submitted')
  assert.equal((await sending())?.state, 'sent')
  await becomes('failed')
  assert.match((await sending())?.words ?? '', /没有发到/)
  await office.verifyLedger()
})

test('the vendor pays what its staff send', async () => {
  const id = await shopOf({ account: '13900003333' })
  assert.equal((await staff.shopAccess.handOver({ id })).sms.pieces, 0)
  assert.deepEqual(await send(staff, id), { id, pieces: 0 })
  assert.equal((await messagesOf(id))[0].payer, 'vendor')
})

test('nothing is sent to a shop without a mobile number, to a disabled one, or without credit', async () => {
  const poor = await makeAgent(office)
  const theirs = office.as(await office.login(poor.loginName))
  const ofPoor = await makeMerchant(office, poor.id, { account: '13900004444' })
  const landline = await shopOf({ account: '1391234567' })
  const disabled = await shopOf({ status: 'disabled' })
  const cases: [Client, number, string][] = [
    [mine, landline, 'PHONE_NOT_MOBILE'],
    [mine, disabled, 'MERCHANT_DISABLED'],
    [theirs, ofPoor, 'SMS_INSUFFICIENT'],
    [theirs, landline, 'NOT_FOUND'],
  ]
  for (const [client, id, code] of cases) {
    assert.equal(await refusalOf(send(client, id)), code)
    assert.deepEqual(await messagesOf(id), [])
  }
  assert.equal((await mine.shopAccess.handOver({ id: landline })).sms.refusal?.code, 'PHONE_NOT_MOBILE')
  assert.equal(await refusalOf(theirs.shopAccess.handOver({ id: landline })), 'NOT_FOUND')
})
