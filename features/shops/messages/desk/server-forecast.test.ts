// How long SMS credit lasts, from what was used in the last 30 days.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { addDays, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { recountUses } from './server-forecast.ts'

let office: Office
let agent: MadeAgent
let mine: Client
let staff: Client
const today = formatDay(new Date())

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())

async function freshAgent(): Promise<void> {
  agent = await makeAgent(office)
  mine = office.as(await office.login(agent.loginName))
}
const used = (payer: 'agent' | 'merchant', payerId: number, daysAgo: number, segments: number) =>
  office.owner.query(
    'insert into sms_days (payer, payer_id, day, agent_id, messages, segments) values ($1, $2, $3, $4, $5, $5)',
    [payer, payerId, addDays(today, -daysAgo), agent.id, segments],
  )
/** A shop that holds so many pieces and used so many on some days. */
async function shopWith(pieces: number, uses: [daysAgo: number, segments: number][], name = '测试店铺') {
  const id = await makeMerchant(office, agent.id, { shop_name: name })
  await office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-open',
        asset: 'sms',
        amount: pieces,
        from: { kind: 'vendor', book: 'sms-supplier' },
        to: { kind: 'merchant', id },
        document: `OPEN${id}`,
        payMethod: 'gift',
        agentId: agent.id,
        merchantId: id,
        actorId: 1,
        actorName: '测试',
        description: '开店',
      },
    ]),
  ])
  for (const [daysAgo, segments] of uses) await used('merchant', id, daysAgo, segments)
  return id
}

test('shops are listed by the days that are left; who used nothing in 30 days is not', async () => {
  await freshAgent()
  const soon = await shopWith(10, [
    [0, 30],
    [29, 30],
  ])
  const later = await shopWith(100, [[3, 30]])
  await shopWith(1, [[30, 900]])
  await shopWith(1, [])
  const { rows, total, dryingUp } = await mine.messageDesk.forecast({})
  assert.deepEqual(
    rows.map(row => [
      row.id,
      row.balance,
      row.used,
      row.perDayTenths,
      row.daysLeft,
      row.driesUp,
      row.lastDay,
    ]),
    [
      [soon, 10, 60, 20, 5, true, addDays(today, 5)],
      [later, 100, 30, 10, 100, false, addDays(today, 100)],
    ],
  )
  assert.deepEqual([total, dryingUp], [2, 1])
  const only = await mine.messageDesk.forecast({ driesUp: true })
  assert.deepEqual([only.rows.map(row => row.id), only.total, only.dryingUp], [[soon], 1, 1])
})

test('what is corrected or taken away counts at once, and a day that passed no more', async () => {
  await freshAgent()
  const shop = await shopWith(60, [
    [0, 10],
    [29, 20],
  ])
  const change = (text: string) => office.owner.query(`${text} where payer_id = $1`, [shop])
  const usedNow = async () => (await mine.messageDesk.forecast({})).rows[0]?.used
  assert.equal(await usedNow(), 30)
  await change('update sms_days set segments = segments + 5')
  assert.equal(await usedNow(), 40)
  await office.owner.query('delete from sms_days where payer_id = $1 and day = $2', [shop, today])
  assert.equal(await usedNow(), 25)
  // As if they had been written yesterday.
  await change('update sms_days set day = day - 1')
  await change('update sms_uses set used = 25, counted_on = counted_on - 1')
  await used('merchant', shop, 0, 30)
  await recountUses(office.owner)
  assert.equal(await usedNow(), 30)
  await office.owner.query('delete from sms_days where payer_id = $1', [shop])
  await change('update sms_uses set counted_on = counted_on - 1')
  await recountUses(office.owner)
  const left = await office.owner.query('select * from sms_uses where payer_id = $1', [shop])
  assert.equal(left.rowCount, 0)
})

test('is found by shop and name, in pages, and is nobody else’s', async () => {
  await freshAgent()
  const ids: number[] = []
  for (let n = 0; n < 12; n++) ids.push(await shopWith(10 + n, [[1, 30]], n === 4 ? '山海酒家' : '测试店铺'))
  const found = async (query: Parameters<Client['messageDesk']['forecast']>[0]) =>
    (await mine.messageDesk.forecast(query)).rows.map(row => row.id)
  assert.deepEqual(await found({ page: 2 }), ids.slice(10))
  assert.deepEqual(await found({ search: '山海' }), [ids[4]])
  assert.deepEqual(await found({ search: String(ids[7]) }), [ids[7]])
  assert.deepEqual(await found({ search: '没有' }), [])
  assert.equal((await staff.messageDesk.forecast({ agentId: agent.id })).total, 12)
  assert.equal(await refusalOf(staff.messageDesk.forecast({ search: '山' })), 'SEARCH_TOO_SHORT')
  const stranger = office.as(await office.login((await makeAgent(office)).loginName))
  assert.equal((await stranger.messageDesk.forecast({})).total, 0)
  const gone = ids[0] as number
  const other = (await makeAgent(office)).id
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [gone, other])
  await office.owner.query(
    `update ledger_accounts set agent_id = $2 where owner_kind = 'merchant' and owner_id = $1`,
    [gone, other],
  )
  assert.deepEqual(await found({ page: 2 }), ids.slice(11))
})

test('an agent sees its own credit, and staff that of all agents', async () => {
  await freshAgent()
  assert.deepEqual((await mine.messageDesk.forecast({})).own, {
    balance: 0,
    used: 0,
    perDayTenths: 0,
    daysLeft: null,
    lastDay: null,
    driesUp: false,
  })
  await credit(office, agent.id, 'sms', 20)
  await used('agent', agent.id, 2, 90)
  const expected = {
    balance: 20,
    used: 90,
    perDayTenths: 30,
    daysLeft: 6,
    lastDay: addDays(today, 6),
    driesUp: true,
  }
  assert.deepEqual((await mine.messageDesk.forecast({})).own, expected)
  const { rows } = await staff.messageDesk.forecast({ of: 'agent', agentId: agent.id })
  const [row] = rows
  assert.deepEqual([rows.length, row?.id, row?.balance, row?.daysLeft], [1, agent.id, 20, 6])
  assert.equal(row?.name, row?.agentName)
  const named = await staff.messageDesk.forecast({ of: 'agent', search: row?.name ?? '' })
  assert.ok(named.rows.some(found => found.id === agent.id))
})
