// A real standby of a real primary: what is read there, when the primary is asked instead, and that nobody sees his own change late.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'
import { checkStandby } from '#scripts/doctor-checks.ts'
import { type Beside, type Office, openBeside, openOffice } from '#test/app.ts'
import { startTestServer, type TestServer } from '#test/database.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey } from '#test/make-api-keys.ts'
import { until } from '#test/patience.ts'
import { type StandbyServer, startStandby } from '#test/standby-server.ts'
import { sentAs } from '#test/walk.ts'
import { SYSTEM_CLOCK } from './clock.ts'
import { openDatabase, SYSTEM } from './db.ts'
import { answerTo } from './serve.ts'
import type { Standby } from './standby.ts'

let server: TestServer
let office: Office
let follower: StandbyServer
let beside: Beside
let agent: MadeAgent
let shop: number
let cookie: string

before(async () => {
  server = await startTestServer()
  office = await openOffice({ server: server.ownerUrl })
  follower = await startStandby(server.ownerUrl)
  const database = new URL(office.ownerUrl).pathname.slice(1)
  beside = await openBeside(office, { readUrl: follower.urlOf(database) })
})
after(async () => {
  await beside?.stop()
  await follower?.stop()
  await office?.stop()
  await server?.stop()
})

const standby = () => beside.app.services.standby as Standby
const caughtUp = () => until(() => standby().catchesUp(1_000), 'the standby does not follow')

beforeEach(async () => {
  await follower.goOn()
  agent = await makeAgent(office)
  shop = await makeMerchant(office, agent.id)
  cookie = await office.login(agent.loginName)
  await caughtUp()
})

type Headers = Record<string, string>
const asked = (method: 'GET' | 'PATCH', path: string, headers: Headers, payload?: object) =>
  beside.app.http.inject({
    method,
    url: `/api${path}`,
    headers: { 'x-requested-with': 'partner-office', 'idempotency-key': crypto.randomUUID(), ...headers },
    ...(payload ? { payload } : {}),
  })
async function remarkSeen(headers: Headers = { cookie }): Promise<string> {
  const answer = await asked('GET', '/merchants', headers)
  assert.equal(answer.statusCode, 200, answer.body)
  return (answer.json() as { rows: { remark: string }[] }).rows[0]?.remark ?? ''
}
/** By a colleague in another browser; answers what that one keeps. */
async function change(remark: string): Promise<string> {
  const answer = await asked('PATCH', `/merchants/${shop}/remark`, { cookie }, { remark })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

test('a list is read at the standby, and whoever has just changed something reads at the primary', async () => {
  await change('先前')
  await caughtUp()
  await follower.pause()
  const kept = await change('此刻')
  assert.match(kept, /^changed=1$/)
  assert.equal(await remarkSeen(), '先前', 'another browser may see it some seconds late')
  assert.equal(await remarkSeen({ cookie: `${cookie}; ${kept}` }), '此刻')
  assert.equal(await remarkSeen({ cookie, 'x-heard': '1' }), '此刻', 'a page that was told of it')
})

test('one that falls behind is not read at until it has caught up', async () => {
  await follower.pause()
  await change('落后')
  await until(async () => (await remarkSeen()) === '落后')
  assert.ok(!standby().isCurrent())
  await follower.goOn()
  await until(() => standby().isCurrent())
})

test('a program that changes and reads is answered by the primary', async () => {
  const { bearer } = await makeKey(office, cookie, ['merchants.list'])
  await change('先前')
  await caughtUp()
  await follower.pause()
  await change('此刻')
  assert.equal(await remarkSeen(sentAs(bearer)), '此刻')
})

const LAGGING = listOps(contract).filter(({ meta }) => meta.mayLag)

test('nothing of a wallet, a price, a quote or a payment may lag', () => {
  assert.ok(LAGGING.length > 20)
  for (const { name, method } of LAGGING) {
    assert.equal(method, 'GET', name)
    assert.doesNotMatch(name, /^(ledger|payment|purchases|selling|settlement|deposits|aftersales|approvals)/)
  }
})

for (const who of ['an agent', 'staff'])
  test(`what may lag is answered to ${who} by a standby as by the primary`, async () => {
    const staff = await makeAgent(office, { operator: true })
    const of = who === 'staff' ? await office.login(staff.loginName) : cookie
    await caughtUp()
    let answered = 0
    for (const { name, path } of LAGGING) {
      const [there, here] = await Promise.all(
        [of, `${of}; changed=1`].map(sent => asked('GET', path, { cookie: sent })),
      )
      assert.equal(there?.body, here?.body, name)
      answered += here?.statusCode === 200 ? 1 : 0
    }
    assert.ok(answered > 10, `${answered} were answered`)
  })

test('a file is read at the standby too', async () => {
  const answer = await asked('GET', '/merchants/export.xlsx', { cookie })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.match(String(answer.headers['content-type']), /spreadsheet/)
})

test('the doctor tells one that follows from one that lags, is none, or is not there', async () => {
  const readUrl = follower.urlOf(new URL(office.ownerUrl).pathname.slice(1))
  const told = async (url: string) => {
    const { level, words } = await checkStandby(office.ownerUrl, url)
    return `${level} ${words}`
  }
  assert.equal(await told(readUrl), 'ok follows the primary')
  assert.match(await told(office.ownerUrl), /^fail .*is no standby/)
  assert.match(await told('postgres://owner:x@127.0.0.1:1/none'), /^fail cannot be asked/)
  await follower.pause()
  await change('落后')
  assert.match(await told(readUrl), /^warn is more than 4 s behind/)
})

test('a change that comes to a standby, whose primary is gone, is told to come again, and its connection is not used again', async () => {
  const database = openDatabase({
    url: follower.urlOf(new URL(office.ownerUrl).pathname.slice(1)),
    sqlPath: SYSTEM_CLOCK.sqlPath,
    poolSize: 1,
    queryTimeoutMs: 10_000,
    onProblem: assert.ifError,
  })
  try {
    const change = database.write(SYSTEM, ({ client }) => client.query('delete from sessions where false'))
    const error = await change.then(
      () => assert.fail('it was written'),
      (error: unknown) => error,
    )
    assert.deepEqual([answerTo(error)?.status, answerTo(error)?.body.code], [503, 'BUSY'])
    assert.equal(database.pool.totalCount, 0)
  } finally {
    await database.close()
  }
})

test('where it is gone the primary answers', async () => {
  await follower.stop()
  await change('无备机')
  assert.equal(typeof (await remarkSeen()), 'string')
  await until(() => !standby().isCurrent())
  assert.equal(await remarkSeen(), '无备机')
})
