// A shop's SMS signature that somebody changed is told to those who show it.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { openPage, type Page } from '#test/sockets.ts'

let office: Office
before(async () => {
  office = await openOffice({ listen: true })
})
after(() => office.stop())

let agent: MadeAgent
let shop: number
let pages: Page[]
beforeEach(async () => {
  agent = await makeAgent(office)
  shop = await makeMerchant(office, agent.id, { shop_name: '老字号', signature: '旧签名' })
  pages = []
})
test.afterEach(() => {
  for (const page of pages) page.close()
})

async function open(loginName: string): Promise<Page> {
  const page = await openPage({ url: office.url, cookie: await office.login(loginName) })
  pages.push(page)
  return page
}

test('by the vendor’s staff, to the agent’s accounts that may see the shop, on their open pages', async () => {
  const staff = await makeAgent(office, { staff: true })
  const blind = await makeAccount(office, agent.id, { nodeIds: [27] })
  const stranger = await makeAgent(office)
  const [owner, other] = [await open(agent.loginName), await open(stranger.loginName)]
  const asStaff = office.as(await office.login(staff.loginName))
  await asStaff.merchants.setSignature({ id: shop, signature: '新签名' })
  const [message] = await owner.hears(1)
  assert.equal(message?.topicName, 'Refresh_Signature_Notify')
  assert.deepEqual(message?.argsObj, { merchantId: shop, signature: '新签名' })
  assert.equal(message?.body, '老字号：「旧签名」改为「新签名」，修改人 姓名')
  assert.equal(message?.link, `/admin/merchant/merchantDetails?user_id=${shop}`)
  assert.equal(other.heard.length, 0)
  const { rows } = await office.owner.query(
    'select account_id::int as id from notices where args ->> $1 = $2',
    ['merchantId', String(shop)],
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    [agent.accountId],
    `neither ${blind.accountId} nor whoever changed it`,
  )
})

test('not when it stays what it was, and not to who changed it', async () => {
  const staff = await makeAgent(office, { staff: true })
  const [mine, theirs] = [await open(staff.loginName), await open(agent.loginName)]
  const me = office.as(await office.login(staff.loginName))
  await me.merchants.setSignature({ id: shop, signature: '旧签名' })
  await me.merchants.setSignature({ id: shop, signature: '改过的' })
  const heard = await theirs.hears(1)
  assert.deepEqual(
    heard.map(({ argsObj }) => argsObj),
    [{ merchantId: shop, signature: '改过的' }],
  )
  assert.equal(mine.heard.length, 0, 'whoever changed it knows')
})

test('an agent does not set it, since it asks for approval', async () => {
  const me = office.as(await office.login(agent.loginName))
  await assert.rejects(me.merchants.setSignature({ id: shop, signature: '自己改' }), {
    code: 'SIGNATURE_BY_APPROVAL',
    message: '短信签名须提交审批，通过后生效',
  })
  assert.equal((await me.merchants.details({ id: shop })).signature, '旧签名')
})
