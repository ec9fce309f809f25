// The plan of income: set by months, never written over, with who changed what.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { SYSTEM } from '#server/db.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { call } from '#test/walk.ts'
import { cohortsPdf } from './server-files.ts'

let office: Office
let operator: MadeAgent
let cookie: string
let staff: Client
before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  cookie = await office.login(operator.loginName)
  staff = office.as(cookie)
})
after(() => office.stop())

const YEAR = 2031
const plan = (cents: number | null, ...more: (number | null)[]) =>
  Array.from({ length: 12 }, (_, at) => (at === 0 ? cents : (more[at - 1] ?? null)))
const months = async (kind: 'service' | 'hardware') => {
  const { kinds } = await staff.insights.income({ year: YEAR })
  return kinds.find(one => one.kind === kind)?.months.map(({ planCents }) => planCents)
}

test('a plan is set by months, and only what changes is written, with who and what stood before', async () => {
  assert.deepEqual(await months('service'), plan(null))
  const first = await staff.insights.setPlan({
    kind: 'service',
    year: YEAR,
    months: plan(100, 200),
    revision: 0,
  })
  assert.equal(first.changed, 2)
  assert.deepEqual(await months('service'), plan(100, 200))
  assert.deepEqual(await months('hardware'), plan(null))
  const { revision } = await staff.insights.plan({ kind: 'service', year: YEAR })
  const next = await staff.insights.setPlan({
    kind: 'service',
    year: YEAR,
    months: plan(null, 200, 0),
    revision,
  })
  assert.equal(next.changed, 2)
  const { changes, months: stands } = await staff.insights.plan({ kind: 'service', year: YEAR })
  assert.deepEqual(stands, plan(null, 200, 0))
  assert.deepEqual(
    changes.map(({ month, beforeCents, cents, setByName }) => [month, beforeCents, cents, setByName]),
    [
      [`${YEAR}-03`, null, 0, '姓名'],
      [`${YEAR}-01`, 100, null, '姓名'],
      [`${YEAR}-02`, null, 200, '姓名'],
      [`${YEAR}-01`, null, 100, '姓名'],
    ],
  )
  const { rows } = await office.owner.query(
    `select subject, changes from operation_logs where title = '修改收入计划' order by id desc limit 1`,
  )
  assert.deepEqual(rows[0], {
    subject: `${YEAR} 年 增值服务`,
    changes: [
      { name: `${YEAR}-01`, before: '1.00 代币', after: null },
      { name: `${YEAR}-03`, before: null, after: '0.00 代币' },
    ],
  })
})

test('of two who change a plan at once the second is told to look again', async () => {
  const set = (cents: number) =>
    staff.insights.setPlan({ kind: 'hardware', year: YEAR, months: plan(cents), revision: 0 })
  const answers = await Promise.allSettled([set(1), set(2), set(3)])
  const refused = answers.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 2)
  for (const one of refused) assert.equal((one as PromiseRejectedResult).reason.code, 'STALE')
})

test('an amount that is none is refused', async () => {
  for (const cents of [-1, 0.5, 1_000_000_000_001])
    assert.equal(
      await refusalOf(
        staff.insights.setPlan({ kind: 'service', year: YEAR + 1, months: plan(cents), revision: 0 }),
      ),
      'PLAN_AMOUNT',
    )
})

test('income and cohorts are files, as they are shown', async () => {
  for (const path of ['income.xlsx', 'income.pdf', 'cohorts.xlsx', 'cohorts.pdf']) {
    const asked = path.startsWith('income') ? { year: YEAR } : { rows: 12 }
    const answer = await call(office.app, cookie, { method: 'GET', path: `/insights/${path}` }, asked)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.bytes.subarray(0, 2).toString(), path.endsWith('pdf') ? '%P' : 'PK', path)
  }
})

test('the paper of the cohorts names the version and the agent that it is of', async () => {
  const { rows } = await office.owner.query(
    `select versions.id as version_id, name, company_name from versions, agents where agents.id = $1
     order by versions.id limit 1`,
    [operator.id],
  )
  const [{ version_id: versionId, name, company_name: companyName }] = rows
  const asked = { unit: 'month', rows: 12, versionId, agentId: operator.id }
  const { facts } = await office.app.services.database.read(SYSTEM, ({ db }) =>
    cohortsPdf.paper({ db, actor: { isVendorStaff: true }, now: new Date() } as never, asked as never),
  )
  assert.deepEqual(facts.slice(2, 4), [
    ['软件版本', name],
    ['代理商', `${companyName}（${operator.id}）`],
  ])
})
