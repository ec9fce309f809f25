// A page and the counts over many thousand rows that wait: each kind is read by an index, and no further than is shown.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { INBOX as SOURCES } from '#app/joined.ts'
import type { Ctx } from '#server/ctx.ts'
import { acting } from '#test/acting.ts'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { listDecided } from './server-decided.ts'
import { countItems, pageOfItems, sourcesFor } from './server-sources.ts'

const ROWS = 20_000
/** Of a page and its counts, whatever waits. */
const FEW = 2_500
/** Kinds that are one line, and hours that were promised. */
const FOLDED = new Set(SOURCES.flatMap(({ key, folded }) => (folded ? [key] : [])))
const HOURS = new Map(SOURCES.flatMap(({ key, within }) => (within ? [[key, 24] as const] : [])))

let office: Office
let staff: MadeAgent
let agent: MadeAgent

before(async () => {
  office = await openOffice()
  await makeAgent(office, { operator: true })
  staff = await makeAgent(office, { operator: true })
  agent = await makeAgent(office)
  const shop = await makeMerchant(office, agent.id)
  const client = await office.owner.connect()
  const fill = (statement: string, values: unknown[] = []) => client.query(statement, values)
  // Neither triggers nor foreign keys: what stands here need not hold together.
  await fill(`set session_replication_role = 'replica'`)
  await fill('drop index approval_requests_open')
  await fill(
    `insert into approval_requests (agent_id, merchant_id, kind, content, content_before, shop_name, state, created_by, created_by_name, created_at, handled_at, handled_by_name)
     select $1, $2, 'signature', 'x', '', '', case when n % 2 = 0 then 'pending' else 'approved' end, 0, '', now() - n * interval '1 minute',
       case when n % 2 = 1 then now() end, case when n % 2 = 1 then '李审核' else '' end
     from generate_series(1, $3::int) n`,
    [agent.id, shop, ROWS],
  )
  await fill(
    `insert into consultations (name, mobile, ip_hash, contacted, created_at, contacted_at, contacted_by_name)
     select 'x', '13700000000', 'x', n % 2 = 0, now() - n * interval '1 minute', case when n % 2 = 0 then now() end,
       case when n % 2 = 0 then '李审核' else '' end from generate_series(1, $1::int) n`,
    [ROWS],
  )
  await fill(
    `insert into documents (agent_id, merchant_id, kind, sha256, state, expires_on, created_by, created_by_name, created_at)
     select $1, $2, 'permit', n::text, 'current', current_date + n % 400, 0, '', now() from generate_series(1, $3::int) n`,
    [agent.id, shop, ROWS],
  )
  await fill('drop index verifications_merchant_id, threads_search, demands_search, verifications_search')
  await fill(
    `insert into threads (agent_id, merchant_id, kind, title, state, desk, last_at, waiting_since, created_at)
     select $1, $2, 'shop', 'x', case when n % 4 < 2 then 'awaiting' else 'closed' end, case when n % 2 = 0 then 'vendor' else 'agent' end,
       now(), now() - n * interval '1 minute', now()
     from generate_series(1, $3::int) n`,
    [agent.id, shop, ROWS],
  )
  await fill(
    `insert into demands (title, merchant_id, owner_id, priority, type, client, industry_id, status, deadline, oldest_asked_at,
       weight_rank, created_by, created_by_name, created_at)
     select 'x', $1, $2, 'normal', 'bug', 'pcWeb', 2, (array['feedbacked', 'developing', 'online', 'rejected'])[1 + n % 4],
       now() + (${ROWS / 2} - n) * interval '1 minute', now(), 0, 0, '', now() - n * interval '1 minute'
     from generate_series(1, $3::int) n`,
    [shop, staff.accountId, ROWS],
  )
  await fill(
    `insert into verifications (agent_id, merchant_id, state, saved_by, saved_by_name, saved_at, submitted_at, handled_at, handled_by_name)
     select $1, $2, case when n % 2 = 0 then 'reviewing' else 'verified' end, 0, '', now(), now() - n * interval '1 minute',
       case when n % 2 = 1 then now() end, case when n % 2 = 1 then '李审核' else '' end
     from generate_series(1, $3::int) n`,
    [agent.id, shop, ROWS],
  )
  await fill(
    `insert into inbox_items (agent_id, source, item_id, assignee_id, snoozed_until, changed_at)
     select a.id, 'approvals.signature', n * 2, $1, case when n % 2 = 0 then now() + interval '1 day' end, now()
     from generate_series(1, 2000) n, (select id from agents where is_operator order by id limit 1) a`,
    [staff.accountId],
  )
  await fill('analyze')
  client.release(true)
})
after(() => office.stop())

/** The plans of what waits is asked by. */
function plansOf(who: MadeAgent, whose: 'waiting' | 'mine' | 'snoozed', order: 'asc' | 'desc', page: number) {
  return plansWhile(who, async ctx => {
    const sources = sourcesFor(ctx)
    for (const sort of ['stake', 'since'] as const)
      for (const folded of [new Set<string>(), FOLDED])
        await pageOfItems(ctx, sources, { whose, sort, order, page, size: 20, folded, hours: HOURS })
    await countItems(ctx, sources, whose, 100)
  })
}

/** The plans of what is asked while `work` runs. */
async function plansWhile(who: MadeAgent, work: (ctx: Ctx) => Promise<unknown>) {
  return acting(office, await office.login(who.loginName), async ctx => {
    const asked: { text: string; values: unknown[] }[] = []
    const { client } = ctx
    const query = client.query.bind(client) as (...sent: unknown[]) => Promise<{ rows: object[] }>
    client.query = ((config: { text: string; values?: unknown[] }, values?: unknown[]) => {
      asked.push({ text: config.text, values: values ?? config.values ?? [] })
      return query(config, values)
    }) as typeof client.query
    try {
      await work(ctx)
    } finally {
      client.query = query as typeof client.query
    }
    const plans: string[] = []
    for (const { text, values } of asked.filter(({ text }) => text.includes('union all'))) {
      const { rows } = await query(`explain (analyze, costs off) ${text}`, values)
      plans.push(rows.map(row => Object.values(row)[0]).join('\n'))
    }
    return plans
  })
}

/** The most rows that one step of a plan has read, or passed over. */
const mostRows = (plan: string) =>
  Math.max(
    ...[...plan.matchAll(/(?:actual time=\S+ rows=|Rows Removed by \w+(?: \w+)?: )(\d+)/g)].map(([, rows]) =>
      Number(rows),
    ),
  )

for (const [name, who] of [
  ['vendor staff', () => staff],
  ['an agent', () => agent],
] as const)
  for (const order of ['asc', 'desc'] as const)
    test(`a page of ${name} ${order} is read by indexes, no further than it shows`, async () => {
      for (const page of [1, 3]) {
        const plans = await plansOf(who(), 'waiting', order, page)
        assert.equal(plans.length, 5)
        for (const plan of plans) {
          assert.ok(mostRows(plan) < FEW, plan)
        }
      }
    })

test('what was done is read by indexes, of each kind the latest alone', async () => {
  for (const page of [1, 3]) {
    const plans = await plansWhile(staff, ctx => listDecided(ctx, { page, size: 20 }))
    assert.equal(plans.length, 2)
    for (const plan of plans) {
      assert.ok(mostRows(plan) < FEW, plan)
    }
  }
})

test('what one has taken or put off is looked up, not searched for', async () => {
  for (const whose of ['mine', 'snoozed'] as const)
    for (const plan of await plansOf(staff, whose, 'asc', 1)) {
      assert.ok(mostRows(plan) < FEW, plan)
    }
})
