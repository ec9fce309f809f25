// The sums of days that a trigger keeps at commit.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const [EARLY, LATE] = ['2031-03-01', '2031-09-01']
const noon = (day: string) => `${day}T12:00:00+08:00`

test('the rows of two days are locked in the order of the days, whichever way a term moves', async () => {
  const agent = await makeAgent(office)
  const id = await makeMerchant(office, agent.id, { expires_at: noon(LATE) })
  await makeMerchant(office, agent.id, { expires_at: noon(EARLY) })
  const holder = await office.owner.connect()
  const probe = await office.owner.connect()
  try {
    const lock = 'select expiring from merchant_days where agent_id = $1 and day = $2 for update nowait'
    await holder.query('begin')
    await holder.query(lock, [agent.id, EARLY])
    const moved = office.owner.query('update merchants set expires_at = $2 where id = $1', [id, noon(EARLY)])
    assert.ok(await waitsFor(holder, moved))
    await probe.query(lock, [agent.id, LATE])
    await holder.query('commit')
    await moved
  } finally {
    holder.release()
    probe.release()
  }
  const { rows } = await office.owner.query(
    'select day::text, expiring::int from merchant_days where agent_id = $1 and day in ($2, $3) order by day',
    [agent.id, EARLY, LATE],
  )
  assert.deepEqual(rows, [
    { day: EARLY, expiring: 2 },
    { day: LATE, expiring: 0 },
  ])
})

test('a move to another agent takes both days along', async () => {
  const [from, to] = [await makeAgent(office), await makeAgent(office)]
  const id = await makeMerchant(office, from.id, {
    registered_at: noon('2030-01-01'),
    expires_at: noon(EARLY),
  })
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [id, to.id])
  const sums = async (agentId: number) =>
    (
      await office.owner.query(
        'select sum(registered)::int as registered, sum(expiring)::int as expiring from merchant_days where agent_id = $1',
        [agentId],
      )
    ).rows[0]
  assert.deepEqual(
    [await sums(from.id), await sums(to.id)],
    [
      { registered: 0, expiring: 0 },
      { registered: 1, expiring: 1 },
    ],
  )
  await office.owner.query('delete from merchants where id = $1', [id])
  assert.deepEqual(await sums(to.id), { registered: 0, expiring: 0 })
})
