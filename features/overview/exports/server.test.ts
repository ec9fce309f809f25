import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before, beforeEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import readXlsxFile from 'read-excel-file/node'
import { startExports } from '#app/exports.ts'
import { JOBS } from '#app/jobs.ts'
import { bundleFile } from '#scripts/bundle-file.ts'
import { ROOT } from '#scripts/checks.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { KEPT_HOURS } from './rules.ts'

const MERCHANTS = '/merchants/export.xlsx'
/** Each export starts the program once more: loaded from its sources it takes as long again. */
const BUNDLED = `.cache/export-child-${process.pid}.js`

/** Its queue is worked through. */
let office: Office
/** Nothing of its queue begins by itself. */
let still: Office
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  await bundleFile(ROOT, 'app/export-child.ts', BUNDLED)
  process.env.BUNDLED_EXPORT_CHILD = join(ROOT, BUNDLED)
  office = await openOffice({ exports: true })
  still = await openOffice()
})
after(async () => {
  await office.stop()
  await still.stop()
  delete process.env.BUNDLED_EXPORT_CHILD
  rmSync(join(ROOT, BUNDLED))
})
beforeEach(async () => {
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})

const start = (query: Record<string, string> = {}, by = me) => by.exports.start({ path: MERCHANTS, query })

async function ended(id: number, by = me) {
  for (;;) {
    const { rows } = await by.exports.list({})
    const job = rows.find(row => row.id === id)
    assert.ok(job, `export ${id} is not in the list`)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await pause(50)
  }
}

async function fetchFile(id: number, as = cookie, from = office) {
  const url = `/api/exports/${id}/file`
  const answer = await from.app.http.inject({ method: 'GET', url, headers: { cookie: as } })
  return { answer, code: answer.statusCode === 200 ? null : (answer.json() as { code: string }).code }
}

async function sheetOf(bytes: Buffer): Promise<unknown[][]> {
  const [sheet] = await readXlsxFile(bytes, { trim: false })
  return sheet?.data ?? []
}

const jobRow = async (in_: Office, id: number) =>
  (await in_.owner.query('select * from export_jobs where id = $1', [id])).rows[0]

test('a queued export becomes the same file as the direct one, with the filter and the chosen columns, and the log names who asked and what it held', async () => {
  const shops = [
    await makeMerchant(office, agent.id, { shop_name: '一店' }),
    await makeMerchant(office, agent.id, { shop_name: '二店' }),
  ]
  await makeMerchant(office, agent.id, { shop_name: '停店', status: 'disabled' })
  const query = { status: 'normal', columns: 'shopName,id', sort: 'registeredAt', order: 'asc', search: '店' }
  const job = await me.exports.start({ path: MERCHANTS, query, rowsExpected: 2, conditions: '状态：正常' })
  assert.deepEqual(
    [job.state, job.title, job.conditions, job.rowsExpected],
    ['queued', '商户', '状态：正常', 2],
  )
  const done = await ended(job.id)
  assert.deepEqual([done.state, done.rowsWritten, done.error], ['done', 2, ''])
  assert.ok(done.byteSize && done.expiresAt && done.finishedAt)
  const { answer } = await fetchFile(job.id)
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.rawPayload.length, done.byteSize)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.match(
    String(answer.headers['content-disposition']),
    /^attachment; .*filename\*=UTF-8''%E5%95%86%E6%88%B7-\d{4}-\d\d-\d\d\.xlsx$/,
  )
  const direct = await office.app.http.inject({
    method: 'GET',
    url: `/api${MERCHANTS}`,
    query,
    headers: { cookie },
  })
  const rows = await sheetOf(answer.rawPayload)
  assert.deepEqual(rows, await sheetOf(direct.rawPayload))
  assert.deepEqual(rows, [
    ['店铺名称', '商户ID'],
    ['一店', shops[0]],
    ['二店', shops[1]],
  ])
  assert.ok((await jobRow(office, job.id)).peak_mib > 0, 'the memory it took is noted')
  const { rows: logged } = await office.owner.query(
    'select operation, title, subject, account_id, changes, request_id from operation_logs where agent_id = $1 order by id',
    [agent.id],
  )
  const asked = logged.find(({ title }) => title === '后台导出')
  const made = logged.find(({ request_id }) => request_id === `export-${job.id}`)
  assert.deepEqual(
    [asked.title, asked.subject, Number(asked.account_id)],
    ['后台导出', '商户', agent.accountId],
  )
  assert.deepEqual(asked.changes, [
    { name: '筛选条件', before: null, after: '搜索：店；状态：正常' },
    { name: '列', before: null, after: '店铺名称、商户ID' },
  ])
  assert.deepEqual([made.operation, made.title, made.subject], [MERCHANTS, '导出商户', '商户'])
  assert.deepEqual(made.changes, [...asked.changes, { name: '行数', before: null, after: '2 行' }])
})

test("an agent's file holds its own rows alone, and another agent or colleague neither sees nor fetches it", async () => {
  const id = await makeMerchant(office, agent.id, { shop_name: '我的店' })
  const other = await makeAgent(office)
  await makeMerchant(office, other.id, { shop_name: '别家店' })
  const colleague = await makeAccount(office, agent.id, { nodeIds: [22, 223] })
  const staff = await makeAgent(office, { staff: true })
  const job = await start({ agentId: String(other.id) })
  const whole = await start({ columns: 'id' })
  await ended(job.id)
  const { rowsWritten, rowsExpected } = await ended(whole.id)
  assert.deepEqual(
    [rowsWritten, rowsExpected],
    [1, 1],
    'where the page does not know how many there are, they are counted',
  )
  assert.equal((await sheetOf((await fetchFile(job.id)).answer.rawPayload)).length, 1, 'the header alone')
  assert.deepEqual(await sheetOf((await fetchFile(whole.id)).answer.rawPayload), [['商户ID'], [id]])
  for (const loginName of [other.loginName, colleague.loginName, staff.loginName]) {
    const theirs = await office.login(loginName)
    assert.equal((await fetchFile(whole.id, theirs)).code, 'NOT_FOUND', loginName)
    assert.deepEqual((await office.as(theirs).exports.list({})).rows, [])
    assert.equal(await refusalOf(office.as(theirs).exports.cancel({ id: whole.id })), 'NOT_FOUND')
  }
  const all = await start({ columns: 'id' }, office.as(await office.login(staff.loginName)))
  const asStaff = office.as(await office.login(staff.loginName))
  assert.ok((await ended(all.id, asStaff)).rowsWritten >= 2, 'vendor staff export everyone’s')
})

test('unknown lists, missing rights and wrong filters are refused before anything is queued', async () => {
  const without = await makeAccount(office, agent.id, { nodeIds: [22] })
  const theirs = office.as(await office.login(without.loginName))
  assert.equal(await refusalOf(me.exports.start({ path: '/nothing.xlsx', query: {} })), 'EXPORT_UNKNOWN')
  assert.equal(await refusalOf(me.exports.start({ path: '/exports/{id}/file', query: {} })), 'EXPORT_UNKNOWN')
  assert.equal(await refusalOf(start({}, theirs)), 'FORBIDDEN')
  assert.equal(await refusalOf(start({ status: 'sleeping' })), 'INPUT_INVALID')
  assert.equal((await me.exports.list({})).total, 0)
})

test('a right that is taken while the export waits is missed when it begins', async () => {
  const sub = await makeAccount(still, (await makeAgent(still)).id, { nodeIds: [22, 223] })
  const theirs = still.as(await still.login(sub.loginName))
  const job = await start({}, theirs)
  await still.owner.query(
    'update roles set node_ids = $1 where id = (select role_id from accounts where id = $2)',
    [[22], sub.accountId],
  )
  const runner = secondRunner()
  const failed = await ended(job.id, theirs)
  await runner.stop()
  assert.deepEqual([failed.state, failed.error], ['failed', '您没有操作权限!'])
})

test('three exports may wait, a fourth is refused, also when all come at once', async () => {
  const partner = await makeAgent(still)
  const theirs = still.as(await still.login(partner.loginName))
  const answers = await Promise.all(Array.from({ length: 5 }, () => refusalOf(start({}, theirs))))
  assert.deepEqual(answers.sort(), ['TOO_MANY', 'TOO_MANY', 'accepted', 'accepted', 'accepted'])
  const { rows } = await theirs.exports.list({})
  await theirs.exports.cancel({ id: rows[0]?.id as number })
  assert.equal(await refusalOf(start({}, theirs)), 'accepted')
})

test('an export is cancelled once; its file is not to be had', async () => {
  const stillCookie = await still.login((await makeAgent(still)).loginName)
  const theirs = still.as(stillCookie)
  const { id } = await start({}, theirs)
  assert.equal((await fetchFile(id, stillCookie, still)).code, 'NOT_READY')
  assert.equal((await theirs.exports.cancel({ id })).state, 'cancelled')
  assert.equal(await refusalOf(theirs.exports.cancel({ id })), 'ENDED')
  assert.equal((await fetchFile(id, stillCookie, still)).code, 'FILE_GONE')
})

test('a running export that is cancelled ends its program and leaves nothing behind', async () => {
  await makeManyMerchants(6_000)
  const { id } = await start()
  await until(async () => halves(office).length > 0)
  const pid = office.app.exports?.childPid as number
  await me.exports.cancel({ id })
  await until(async () => !isRunning(pid))
  const row = await jobRow(office, id)
  assert.equal(row.state, 'cancelled')
  assert.deepEqual(
    readdirSync(folderOf(office)).filter(name => name.startsWith(`${id}.`)),
    [],
  )
})

test('an export whose program was killed is begun again and ends whole', async () => {
  await makeManyMerchants(6_000)
  const { id } = await start({ columns: 'id' })
  await until(async () => halves(office).length > 0)
  process.kill(office.app.exports?.childPid as number, 'SIGKILL')
  const done = await ended(id)
  assert.deepEqual([done.state, done.rowsWritten], ['done', 6_000])
  assert.equal(Number((await jobRow(office, id)).attempts), 2)
  assert.equal((await sheetOf((await fetchFile(id)).answer.rawPayload)).length, 6_001)
  assert.deepEqual(halves(office), [])
})

test('an export that another instance left silent is taken over, and given up after three beginnings', async () => {
  const partner = await makeAgent(still)
  const theirs = still.as(await still.login(partner.loginName))
  const jobs = [await start({}, theirs), await start({}, theirs), await start({}, theirs)]
  const leave = (id: number | undefined, attempts: number, seconds: number) =>
    still.owner.query(
      `update export_jobs set state = 'running', attempts = $2, heartbeat_at = now() - make_interval(secs => $3) where id = $1`,
      [id, attempts, seconds],
    )
  await leave(jobs[0]?.id, 1, 61)
  await leave(jobs[1]?.id, 3, 61)
  await leave(jobs[2]?.id, 1, 30)
  const runner = secondRunner()
  const taken = await ended(jobs[0]?.id as number, theirs)
  const spent = await ended(jobs[1]?.id as number, theirs)
  await runner.stop()
  assert.equal(taken.state, 'done')
  assert.equal(Number((await jobRow(still, taken.id)).attempts), 2)
  assert.deepEqual([spent.state, spent.error], ['failed', '导出多次中断，请重新导出'])
  const beating = await jobRow(still, jobs[2]?.id as number)
  assert.deepEqual([beating.state, Number(beating.attempts)], ['running', 1], 'one that beats is left alone')
})

test('stopping the office puts a running export back, not counted as a beginning', async () => {
  const partner = await makeAgent(still)
  await makeManyMerchants(6_000, still, partner.id)
  const { id } = await start({}, still.as(await still.login(partner.loginName)))
  const runner = secondRunner()
  await until(async () => halves(still).length > 0)
  await runner.stop()
  const row = await jobRow(still, id)
  assert.deepEqual([row.state, Number(row.attempts)], ['queued', 0])
  assert.deepEqual(halves(still), [])
})

test('a file is gone when its day is over, and the hourly cleaning takes the row', async () => {
  const { id } = await start()
  await ended(id)
  assert.equal((await fetchFile(id)).code, null)
  await office.owner.query(`update export_jobs set expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ])
  assert.equal((await fetchFile(id)).code, 'FILE_GONE')
  await JOBS[0]?.run(office.owner, office.app.services)
  assert.equal((await me.exports.list({})).total, 0)
  const kept = await start()
  await ended(kept.id)
  await JOBS[0]?.run(office.owner, office.app.services)
  assert.equal((await me.exports.list({})).total, 1)
  assert.ok(existsSync(join(folderOf(office), `${kept.id}.xlsx`)))
})

test('files and what failed are kept for the hours that the operator has set', async () => {
  const operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  const hours = async (value: number) => {
    const { settings } = await operator.referenceData.settings()
    const seen = settings.find(({ key }) => key === KEPT_HOURS.key)?.value ?? assert.fail('no such setting')
    await operator.referenceData.setSetting({ key: KEPT_HOURS.key, seen, value })
  }
  const keptFor = async (id: number) => {
    const { finished_at, expires_at } = await jobRow(office, id)
    return Math.round((expires_at.getTime() - finished_at.getTime()) / 3_600_000)
  }
  const first = await start()
  await ended(first.id)
  assert.equal(await keptFor(first.id), 24)
  await office.owner.query(
    `insert into export_jobs (agent_id, account_id, path, title, query, state, created_at)
     select agent_id, account_id, path, title, query, past.state, now() - make_interval(hours => age)
     from export_jobs, (values ('failed', 2), ('cancelled', 4)) as past (state, age)
     where id = $1`,
    [first.id],
  )
  const states = async () => {
    await JOBS[0]?.run(office.owner, office.app.services)
    return (await me.exports.list({})).rows.map(({ state }) => state).toSorted()
  }
  assert.ok((await states()).includes('cancelled'))
  await hours(3)
  assert.ok(!(await states()).includes('cancelled') && (await states()).includes('failed'))
  await hours(1)
  const short = await start()
  await ended(short.id)
  assert.equal(await keptFor(short.id), 1)
  assert.equal(await keptFor(first.id), 24, 'what was promised a file is kept')
  assert.ok(!(await states()).includes('failed'))
  await hours(KEPT_HOURS.initial)
})

/** Another instance on the quiet office's database. */
function secondRunner() {
  const { services } = still.app
  const url = new URL(still.ownerUrl)
  url.username = 'partner_office_app'
  url.password = services.secrets.databasePassword
  return startExports(services, { databaseUrl: url.toString(), secretKey: TEST_SECRET }, assert.ifError)
}

async function makeManyMerchants(count: number, in_ = office, agentId = agent.id): Promise<void> {
  await makeMerchants(in_, agentId, count, () => ({}))
}

const folderOf = (in_: Office) => join(in_.app.services.env.dataDir, 'exports')

/** Files that are being written. A program that is killed while it hands its file over leaves one of the storage's, too, for an hour. */
function halves(in_: Office): string[] {
  if (!existsSync(folderOf(in_))) return []
  return readdirSync(folderOf(in_)).filter(name => /^\d+\.\d+\.part$/.test(name))
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
