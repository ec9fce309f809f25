// An office with a clock of its own judges and records by it, whatever day it is.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { formatDay } from '#kit/time.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { SYSTEM_CLOCK } from './clock.ts'
import { actAsSystem } from './system.ts'

const DAYS_AHEAD = 40
const now = () => new Date(Date.now() + DAYS_AHEAD * 86_400_000)

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  office = await openOffice({ clock: { now } })
  agent = await makeAgent(office, { tokens: 10_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})
after(() => office.stop())

test('today is the day of its clock', async () => {
  assert.equal((await me.dashboard.figures()).today, formatDay(now()))
})

test('a shop that it sells begins by it, and counts among those of its today', async () => {
  const before = (await me.dashboard.figures()).tiles.merchants.today
  const { orderNo } = await me.selling.quote(newMerchantForm())
  const { id } = await me.selling.add({ orderNo })
  const { rows } = await office.owner.query('select registered_at from merchants where id = $1', [id])
  assert.equal(formatDay(rows[0].registered_at), formatDay(now()))
  assert.equal((await me.dashboard.figures()).tiles.merchants.today, before + 1)
})

test('a shop whose term ends tomorrow of ours has ended for it', async () => {
  const overdue = async () => (await me.merchants.overdue({})).rows.map(({ id }) => id)
  const shop = await makeMerchant(office, agent.id, {
    expires_at: new Date(SYSTEM_CLOCK.now().getTime() + 86_400_000).toISOString(),
  })
  assert.deepEqual(await overdue(), [shop])
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
  assert.equal(formatDay(ofProgram), formatDay(now()))
})
