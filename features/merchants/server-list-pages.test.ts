import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'

const SHOPS = 2_015
let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  // Every third shop is permanent and every fifth never logged in; registrations share a moment in threes.
  await office.owner.query(
    `insert into merchants (id, agent_id, store_kind, short_name, shop_name, person_name, account, password_hash,
       province_code, city_code, district_code, industry_id, version_id, shops_bought, status, registered_at,
       expires_at, last_login_at, verification_status, source)
     select nextval('merchant_ids'), $1, 'head', '店', '店铺' || i, '王小明', 'far' || i, 'none', '44', '4403', '440305',
       2, 12, 1, 'normal', now() - make_interval(mins => i / 3),
       case when i % 3 > 0 then now() + make_interval(mins => (i * 7919) % 5000) end,
       case when i % 5 > 0 then now() - make_interval(mins => (i * 104729) % 9000) end, 'unverified', 'backOffice'
     from generate_series(1, ${SHOPS}) as i`,
    [agent.id],
  )
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
