// An office with a clock of its own judges and records by it, whatever day it is.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { formatDay } from '#kit/time.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openBeside, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { actAsSystem } from './system.ts'

/** Far from the days on which these tests run. */
const DAY = '2031-07-15'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  office = await openOffice({ on: DAY })
  agent = await makeAgent(office, { tokens: 10_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})
after(() => office.stop())

test('today is the day of its clock', async () => {
  assert.equal((await me.dashboard.figures()).today, DAY)
})

test('a shop that it sells begins by it, and counts among those of its today', async () => {
  const before = (await me.dashboard.figures()).tiles.merchants.today
  const { orderNo } = await me.selling.quote(newMerchantForm())
  const { id } = await me.selling.add({ orderNo })
  const { rows } = await office.owner.query('select registered_at from merchants where id = $1', [id])
  assert.equal(formatDay(rows[0].registered_at), DAY)
  assert.equal((await me.dashboard.figures()).tiles.merchants.today, before + 1)
})

test('a shop whose term ends in the years between has ended for it', async () => {
  const overdue = async () => (await me.merchants.overdue({})).rows.map(({ id }) => id)
  const shop = await makeMerchant(office, agent.id, {
    expires_at: '2031-07-14T00:00:00Z',
  })
  assert.deepEqual(await overdue(), [shop])
})

test('its database has the same moment: in statements, in functions with a path of their own, for who sees own shops alone', async () => {
  const today = 'select shanghai_day(now())::text as day'
  const { database } = office.app.services
  for (const ownShops of [undefined, { managerId: agent.accountId, views: true, policies: true }]) {
    const identity = { agentId: agent.id, scope: 'own', ...(ownShops && { ownShops }) } as const
    const { rows } = await database.read(identity, ({ client }) => client.query(today))
    assert.deepEqual(rows, [{ day: DAY }])
  }
  const { rows: logged } = await office.owner.query(
    'select distinct shanghai_day(created_at)::text as day from operation_logs',
  )
  assert.deepEqual(logged, [{ day: DAY }])
})

test('what a start makes anew of functions and policies keeps to it', async () => {
  const policies = async () => {
    const { rows } = await office.owner.query<{ count: number }>(
      `select count(*)::int as count from pg_depend
       where classid = 'pg_policy'::regclass and refobjid = 'clock.now()'::regprocedure`,
    )
    return rows[0]?.count ?? 0
  }
  const before = await policies()
  assert.ok(before > 0)
  await office.owner.query(`update drizzle.again set hash = 'of before'`)
  const beside = await openBeside(office)
  await beside.stop()
  assert.equal(await policies(), before)
  const { orderNo } = await me.selling.quote(newMerchantForm())
  await me.selling.add({ orderNo })
  const { rows } = await office.owner.query(
    'select distinct shanghai_day(created_at)::text as day from ledger_transfers',
  )
  assert.deepEqual(rows, [{ day: DAY }])
})

test('an operation has one moment, however long it takes; the next has its own', async () => {
  const moments = () =>
    acting(office, cookie, async ctx => {
      const began = ctx.now
      await pause(2)
      assert.equal(ctx.now, began)
      return began.getTime()
    })
  const first = await moments()
  assert.ok((await moments()) > first)
  const ofProgram = await actAsSystem(office.app.services, 'test', async ctx => ctx.now)
  assert.equal(formatDay(ofProgram), DAY)
})
