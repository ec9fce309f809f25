import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchants } from '#test/make.ts'

const SHOPS = 2_015
let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  // Every third shop is permanent and every fifth never logged in; registrations share a moment in threes.
  const now = Date.now()
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  await makeMerchants(office, agent.id, SHOPS, n => ({
    shopName: `店铺${n + 1}`,
    registeredAt: inMinutes(-Math.floor((n + 1) / 3)),
    expiresAt: (n + 1) % 3 > 0 ? inMinutes(((n + 1) * 7_919) % 5_000) : null,
    lastLoginAt: (n + 1) % 5 > 0 ? inMinutes(-(((n + 1) * 104_729) % 9_000)) : null,
  }))
})
after(() => office.stop())

const ORDERS = [
  ['registeredAt', 'desc', 'registered_at desc, id desc'],
  ['registeredAt', 'asc', 'registered_at asc, id asc'],
  ['expiresAt', 'desc', 'expires_at desc nulls first, id desc'],
  ['expiresAt', 'asc', 'expires_at asc nulls last, id asc'],
  ['lastLoginAt', 'desc', 'last_login_at desc nulls last, id desc'],
  ['lastLoginAt', 'asc', 'last_login_at asc nulls first, id asc'],
] as const

for (const [sort, order, written] of ORDERS)
  test(`pages near and far show the rows in one order: ${sort} ${order}`, async () => {
    const { rows } = await office.owner.query<{ id: string }>(
      `select id from merchants where agent_id = $1 order by ${written}`,
      [agent.id],
    )
    const ids = rows.map(row => Number(row.id))
    for (const page of [1, 2, 50, 51, 60, 101, 102]) {
      const list = await me.merchants.list({ page, size: 20, sort, order })
      assert.deepEqual(
        list.rows.map(row => row.id),
        ids.slice((page - 1) * 20, page * 20),
        `page ${page}`,
      )
      assert.equal(list.total, SHOPS)
    }
  })
