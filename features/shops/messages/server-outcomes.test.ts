// What two writers of outcomes count at once.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { formatDay } from '#kit/time.ts'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { phoneFor, queueCampaign, statuses } from '#test/make-messages.ts'
import { tellOutcomes } from './server-outcomes.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

test('shops of the same agents, new on the day here and known there, are counted by two at once', async () => {
  const day = formatDay(new Date())
  const agents = [(await makeAgent(office)).id, (await makeAgent(office)).id] as const
  const known = [await makeMerchant(office, agents[0]), await makeMerchant(office, agents[1])] as const
  const fresh = [await makeMerchant(office, agents[0]), await makeMerchant(office, agents[1])] as const
  for (const place of [0, 1] as const)
    await office.owner.query(`insert into sms_days values ('merchant', $1, $2, $3, 1, 1)`, [
      known[place],
      day,
      agents[place],
    ])
  const sendingFor = async (shop: number, agentId: number) => {
    const { ids } = await queueCampaign(office, agentId, {
      phones: [phoneFor()],
      payer: 'vendor',
    })
    await office.owner.query(
      `update outbox_messages set status = 'sending', payer = 'merchant', payer_id = $2, charged = segments where id = any ($1)`,
      [ids, shop],
    )
    return ids
  }
  const first = [...(await sendingFor(known[0], agents[0])), ...(await sendingFor(fresh[1], agents[1]))]
  const second = [...(await sendingFor(known[1], agents[1])), ...(await sendingFor(fresh[0], agents[0]))]
  const submit = (ids: number[]) =>
    tellOutcomes(
      office.app.services,
      ids.map(id => ({ id, status: 'submitted', at: new Date().toISOString(), providerId: `${id}` })),
    )

  // Both are held where they sum over the agents, each at its first, and then let go.
  const holder = new pg.Client({ connectionString: office.ownerUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from sms_agent_days where day = $1 for update', [day])
  const writing = Promise.all([submit(first), submit(second)])
  await untilWaiting(2)
  await holder.query('commit')
  await holder.end()
  await writing

  assert.deepEqual(await statuses(office, [...first, ...second]), Array(4).fill('submitted'))
  const { rows } = await office.owner.query(
    `select messages::int from sms_agent_days where day = $1 and agent_id = any ($2) order by agent_id`,
    [day, agents],
  )
  assert.deepEqual(rows, [{ messages: 3 }, { messages: 3 }])
})

/** So many statements of this office wait for a lock. */
async function untilWaiting(wanted: number): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    const { rows } = await office.owner.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows[0]?.count === wanted) return
    await new Promise(done => setTimeout(done, 20))
  }
  assert.fail('they never came so far')
}
