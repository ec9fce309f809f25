// The sums that cohorts are made of stay those of shops and terms, whatever happens to shops at once.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchants } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'
import { FOLD, FOLD_COHORTS } from './jobs.ts'
import type { CohortCell } from './rules.ts'
import { verifyInsights } from './verify.ts'

const SOUND = { sums: 0, terms: 0, cohorts: 0 }
const SHOPS = 24
let office: Office
let staff: Client
let agent: MadeAgent
let other: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  agent = await makeAgent(office, { tokens: 10_000_000 })
  other = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const monthsAgo = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15, 4)).toISOString()
}
const monthOf = (instant: string) => instant.slice(0, 7)

/** Of the shops of an agent that were registered in a month. */
async function cohort(month: string, agentId: number, unit: 'month' | 'year' = 'year') {
  const { rows } = await staff.insights.cohorts({ unit, rows: 36, agentId })
  const row = rows.find(one => one.month === month)
  assert.ok(row, month)
  return row
}

test('shops come and go, move and change at once, and the sums are those of what there is', async () => {
  const registered = monthsAgo(13)
  const ids = await makeMerchants(office, agent.id, SHOPS, n => ({
    registeredAt: registered,
    expiresAt: monthsAgo(n % 3 === 0 ? 1 : -1),
    versionId: 12,
  }))
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  const renewed = await Promise.all(ids.map(id => renewShop(me, id)))
  // Each shop is changed, undone, moved and folded over while others are.
  const settled = await Promise.allSettled([
    ...renewed
      .slice(0, 8)
      .map(({ orderNo }) => me.settlement.undo({ kind: 'version', orderNo, reason: '测试' })),
    ...ids
      .slice(4, 16)
      .map(id => office.owner.query('update merchants set version_id = 3 where id = $1', [id])),
    ...ids
      .slice(2, 12)
      .map(id =>
        office.owner.query(`update merchants set registered_at = $2 where id = $1`, [id, monthsAgo(20)]),
      ),
    ...ids.slice(8, 20).map(id => renewShop(me, id)),
    ...Array.from({ length: 4 }, async () => {
      await office.owner.query(FOLD)
      await office.owner.query(FOLD_COHORTS)
    }),
  ])
  // What is refused is refused for a reason: nobody waits for another for ever.
  for (const one of settled.filter(({ status }) => status === 'rejected')) {
    const { code } = (one as PromiseRejectedResult).reason
    assert.match(String(code), /^[A-Z_]+$/)
    assert.notEqual(code, 'INTERNAL_SERVER_ERROR')
  }
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  await office.owner.query('update merchants set agent_id = $1 where id = any($2)', [
    other.id,
    ids.slice(0, 5),
  ])
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  await office.owner.query(FOLD_COHORTS)
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
  const { rows } = await office.owner.query(
    'select version_id, month, kind, ends from insight_cohorts group by 1, 2, 3, 4 having count(*) > 1',
  )
  assert.deepEqual(rows, [])
})

test('a renewal moves its shop from the lost to those that stay, and its undo takes it back', async () => {
  const own = await makeAgent(office, { tokens: 100_000 })
  const client = office.as(await office.login(own.loginName))
  const registered = monthsAgo(14)
  const [shop] = await makeMerchants(office, own.id, 2, () => ({
    registeredAt: registered,
    expiresAt: monthsAgo(2),
    versionId: 12,
  }))
  const first = async (): Promise<CohortCell | undefined> =>
    (await cohort(monthOf(registered), own.id)).cells[0]
  assert.deepEqual(await first(), { lost: 2, renewed: 0, lapsed: 2 })
  const { orderNo } = await renewShop(client, shop as number)
  assert.deepEqual(await first(), { lost: 1, renewed: 1, lapsed: 1 })
  const [term] = (await staff.insights.renewals({ agentId: own.id })).rows
  assert.deepEqual([term?.merchantId, term?.day, term?.orders], [shop, monthsAgo(2).slice(0, 10), 1])
  await client.settlement.undo({ kind: 'version', orderNo, reason: '测试' })
  assert.deepEqual(await first(), { lost: 2, renewed: 0, lapsed: 2 })
  assert.equal((await staff.insights.renewals({ agentId: own.id })).total, 0)
  assert.deepEqual(await verifyInsights(office.owner), SOUND)
})

test('what is asked wrongly is refused, and an agent sees none of it', async () => {
  assert.equal(await refusalOf(staff.insights.cohorts({ rows: 7 })), 'INPUT_INVALID')
  assert.equal(await refusalOf(staff.merchants.list({ lastsPast: '2026-02-30' })), 'INPUT_INVALID')
  for (const name of ['cohorts', 'renewals', 'income'] as const)
    assert.equal(await refusalOf(me.insights[name]({})), 'FORBIDDEN', name)
})
