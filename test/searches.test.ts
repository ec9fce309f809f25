// A search that finds more than is counted: its page is read along the order of the list, also behind row-level security, where the database
// knows nothing of how often a text is met.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { recordStatements } from '../bench/statements.ts'
import { acting } from './acting.ts'
import { type Client, type Office, openOffice } from './app.ts'
import { type MadeAgent, makeAgent } from './make.ts'

const MET = '盘点扫码'
const ROWS = 2 * (COUNT_CAP + 50)

let office: Office
let cookie: string
let staff: Client

before(async () => {
  office = await openOffice()
  const operator = await makeAgent(office, { operator: true })
  const agent: MadeAgent = await makeAgent(office)
  cookie = await office.login(operator.loginName)
  staff = office.as(cookie)
  await office.owner.query(
    `insert into work_orders (agent_id, kind, urgency, title, state, created_by, created_by_name, due_at, pressing_at, last_at, created_at)
     select $1, 'fault', 'normal', case n % 2 when 0 then $2 else '会员储值' end, 'closed', $3, '', at, at, at, at
     from generate_series(1, $4::int) n cross join lateral (select now() - n * interval '1 minute' as at) as timed`,
    [agent.id, MET, agent.accountId, ROWS],
  )
  await office.owner.query('vacuum analyze work_orders')
})
after(() => office.stop())

test('neither sorts all that it finds nor reads all rows for a page', async () => {
  const { sent, result } = await recordStatements(() =>
    staff.workOrders.all({ search: MET, sort: 'lastAt', order: 'desc' }),
  )
  assert.deepEqual(
    [result.rows.length, result.total, result.totalCapped, new Set(result.rows.map(({ title }) => title))],
    [10, COUNT_CAP, true, new Set([MET])],
  )
  const moments = result.rows.map(({ lastAt }) => lastAt)
  assert.deepEqual(moments, moments.toSorted().toReversed())
  const pages = sent.filter(({ text }) => /^select "id" from "work_orders" .* order by /.test(text))
  assert.equal(pages.length, 1)
  const plan = await acting(office, cookie, async ctx => {
    const [page] = pages
    const { rows } = await ctx.client.query(`explain (costs off) ${page?.text}`, page?.values)
    return rows.map(row => Object.values(row)[0]).join('\n')
  })
  assert.match(plan, /Index Scan Backward using work_orders_last_at/)
  assert.doesNotMatch(plan, /Sort|Seq Scan/)
})
