// What nobody sees is no part of any text, at whichever door it comes in.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
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
})

test('an account signs in as it was pasted', async () => {
  assert.ok(await office.login(`\u200e ${agent.loginName}\u200b`))
})
