// What nobody sees is no part of any text, at whichever door it comes in.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeKey } from '#test/make-api-keys.ts'
import { call, everyOperation } from '#test/walk.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})
after(() => office.stop())

test('a shop whose name is made of marks that nobody sees has no name', async () => {
  const form = newMerchantForm({ shopName: '\u200b\u3164\ufeff' })
  assert.equal(await refusalOf(me.selling.quote(form)), 'SHOP_NAME_REQUIRED')
})

test('a phone is found as it was copied, with separators, its country and marks around it', async () => {
  const id = await makeMerchant(office, agent.id, { account: '13866660001' })
  for (const search of ['+86 138-6666-0001', '\u202a138 6666 0001\u202c', '１３８６６６６０００１']) {
    const { rows } = await me.merchants.list({ search })
    assert.deepEqual([search, rows.map(row => row.id)], [search, [id]])
  }
  const { bearer } = await makeKey(office, cookie, ['merchants.list'])
  const list = everyOperation().find(({ name }) => name === 'merchants.list')
  assert.ok(list)
  const answer = await call(office.app, bearer, list, { search: '+86 138-6666-0001' })
  assert.deepEqual(
    (answer.body as { rows: { id: number }[] }).rows.map(row => row.id),
    [id],
  )
})

test('a title and a reason of marks that nobody sees are asked for', async () => {
  const order = { kind: 'fault', urgency: 'urgent', title: '\u200b\u3164', text: '换了网线也不行' } as const
  assert.equal(await refusalOf(me.workOrders.create(order)), 'TITLE_REQUIRED')
  const id = await makeMerchant(office, agent.id)
  const request = { merchantId: id, kind: 'signature', content: '\u2060\u2800', note: '' } as const
  assert.equal(await refusalOf(me.approvals.request(request)), 'SIGNATURE_REQUIRED')
})

test('a password is nothing but what was typed', async () => {
  const form = newMerchantForm({ password: 'abc\u200b123' })
  assert.equal(await refusalOf(me.selling.quote(form)), 'PASSWORD_FORMAT')
})

test('an account signs in as it was pasted', async () => {
  assert.ok(await office.login(`\u200e ${agent.loginName}\u200b`))
})
