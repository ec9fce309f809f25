// Campaigns of more shops than one chunk holds: killed within one, written by two instances at once, cancelled midway.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openBeside, openOffice, refusalOf } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { manyShops, sent, workThrough } from '#test/make-campaigns.ts'
import { workOnCampaigns } from './server-work.ts'

const SHOPS_AT_ONCE = 1_000
const COUNT = 2 * SHOPS_AT_ONCE + 300

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

let agent: MadeAgent
let mine: Client
const services = () => office.app.services
const balance = async () => (await mine.ledger.wallet()).sms

beforeEach(async () => {
  agent = await makeAgent(office, { sms: COUNT })
  mine = office.as(await office.login(agent.loginName))
  await manyShops(office, agent.id, COUNT)
})

const figures = async (id: number) => {
  const { rows } = await office.owner.query(
    `select count(*)::int as messages, count(distinct merchant_id)::int as shops from outbox_messages where campaign_id = $1`,
    [id],
  )
  return rows[0]
}

test('many shops are written chunk by chunk; a program that is killed within one loses nothing and doubles nothing', async () => {
  const { id } = await sent(mine)
  await workOnCampaigns(services())
  assert.deepEqual(await figures(id), { messages: SHOPS_AT_ONCE, shops: SHOPS_AT_ONCE })
  assert.equal(await balance(), COUNT - SHOPS_AT_ONCE)
  // The second chunk has written its messages and waits for the credit, when its connection is cut.
  const holder = await office.owner.connect()
  try {
    await holder.query('begin')
    await holder.query(
      `select 1 from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'sms' for update`,
      [agent.id],
    )
    const chunk = workOnCampaigns(services())
    assert.equal(await waitsFor(holder, chunk), true)
    const cut = assert.rejects(chunk)
    await holder.query(
      `select pg_terminate_backend(pid) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`,
    )
    await cut
    await holder.query('rollback')
  } finally {
    holder.release()
  }
  assert.deepEqual(await figures(id), { messages: SHOPS_AT_ONCE, shops: SHOPS_AT_ONCE })
  assert.equal(await balance(), COUNT - SHOPS_AT_ONCE)
  await workThrough(office)
  assert.deepEqual(await figures(id), { messages: COUNT, shops: COUNT })
  assert.equal(await balance(), 0)
  const { rows } = await office.owner.query(
    `select count(*)::int as transfers from ledger_transfers
    where document = (select document_no from campaigns where id = $1)`,
    [id],
  )
  assert.equal(rows[0].transfers, 3)
  await office.verifyLedger()
})

test('many shops are written once by two instances at once', { timeout: 120_000 }, async ({ signal }) => {
  const { id } = await sent(mine)
  const beside = await openBeside(office)
  // A look that finds nothing to do ends no worker's turn: another may hold the campaign meanwhile.
  const isWritten = async () => (await figures(id)).messages === COUNT
  try {
    const work = async (one: typeof office.app) => {
      while (!signal.aborted && !(await isWritten())) await workOnCampaigns(one.services)
    }
    await Promise.all([work(office.app), work(beside.app), work(office.app)])
  } finally {
    await beside.stop()
  }
  assert.deepEqual(await figures(id), { messages: COUNT, shops: COUNT })
  assert.equal(await balance(), 0)
  await office.verifyLedger()
})

test('messages that wait are taken back by a cancel, with their credit; what went out stays charged', async () => {
  const { id } = await sent(mine)
  await workOnCampaigns(services())
  await office.owner.query(
    `update outbox_messages set status = 'sending', claimed_at = now() where id in (
       select id from outbox_messages where campaign_id = $1 order by id limit 10)`,
    [id],
  )
  assert.equal((await mine.campaigns.cancel({ id })).status, 'cancelled')
  await workThrough(office)
  const row = await mine.campaigns.details({ id })
  assert.deepEqual(
    [row.status, row.messages, row.charged, row.finishedAt],
    ['cancelled', { sending: 10, cancelled: SHOPS_AT_ONCE - 10 }, 10, null],
  )
  assert.equal(await balance(), COUNT - 10)
  // A sender gives its ten back: they are not sent either.
  await office.owner.query(
    `update outbox_messages set status = 'queued', claimed_at = null where campaign_id = $1 and status = 'sending'`,
    [id],
  )
  await workThrough(office)
  const ended = await mine.campaigns.details({ id })
  assert.deepEqual([ended.messages, ended.charged], [{ cancelled: SHOPS_AT_ONCE }, 0])
  assert.notEqual(ended.finishedAt, null)
  assert.equal(await balance(), COUNT)
  assert.equal(await refusalOf(mine.campaigns.cancel({ id })), 'NOT_CANCELLABLE')
  await office.verifyLedger()
})
