import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type App, createApp } from '#app/server.ts'
import { hashPassword } from '#server/secrets.ts'
import { type Office, openOffice, PASSWORD, refusalOf } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { patient } from '#test/patience.ts'
import { call, soon } from '#test/walk.ts'

import { SESSIONS_MAX } from './server-sessions.ts'

const LOGIN = { method: 'POST', path: '/session' }
const CURRENT = { method: 'GET', path: '/session' }

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const login = (loginName: string, password: string, where = office) =>
  call(where.app, null, LOGIN, { loginName, password })
const isSignedIn = async (cookie: string, app: App = office.app) =>
  (await call(app, cookie, CURRENT)).status === 200

describe('a session ends at once', () => {
  let second: App
  before(async () => {
    const { env } = office.app.services
    const { clock } = office.app.services
    second = await createApp({ env, clock, ownerUrl: office.ownerUrl, secretKey: TEST_SECRET, jobs: false })
    await second.http.ready()
  })
  after(() => second.stop())

  /** Signed in and remembered by both instances; after `end`, refused by both within a moment. */
  async function endsWith(agent: { loginName: string }, end: (cookie: string) => Promise<unknown>) {
    const cookie = await office.login(agent.loginName)
    for (const app of [office.app, second, office.app, second]) assert.ok(await isSignedIn(cookie, app))
    await end(cookie)
    assert.ok(await soon(async () => !(await isSignedIn(cookie, office.app))), 'still signed in here')
    assert.ok(await soon(async () => !(await isSignedIn(cookie, second))), 'still signed in elsewhere')
  }

  const change = (statement: string, id: unknown) => office.owner.query(statement, [id])

  test('by logging out', async () => {
    await endsWith(await makeAgent(office), cookie => office.as(cookie).signIn.logout())
  })

  test('by ending it from another session, and one of another account cannot be ended', async () => {
    const agent = await makeAgent(office)
    await endsWith(agent, async cookie => {
      const { rows } = await office.as(cookie).signIn.sessions()
      const id = rows.find(row => row.current)?.id as number
      const stranger = office.as(await office.login((await makeAgent(office)).loginName))
      assert.equal(await refusalOf(stranger.signIn.endSession({ id })), 'NOT_FOUND')
      assert.ok(await isSignedIn(cookie))
      await office.as(await office.login(agent.loginName)).signIn.endSession({ id })
    })
  })

  for (const [what, statement] of [
    ['its account is disabled', 'update accounts set enabled = false where id = $1'],
    [
      'its agent is disabled',
      `update agents set status = 'closed' where id = (select agent_id from accounts where id = $1)`,
    ],
  ] as const)
    test(`when ${what}`, async () => {
      const agent = await makeAgent(office)
      await makeAccount(office, agent.id, { nodeIds: [22] })
      await endsWith(agent, () => change(statement, agent.accountId))
    })

  test('when its password is changed, and the old one no longer works', async () => {
    const agent = await makeAgent(office)
    const passwordHash = await hashPassword('another-pass-1')
    await endsWith(agent, () =>
      office.owner.query('update accounts set password_hash = $2 where id = $1', [
        agent.accountId,
        passwordHash,
      ]),
    )
    assert.equal((await login(agent.loginName, PASSWORD)).code, 'LOGIN_FAILED')
    assert.equal((await login(agent.loginName, 'another-pass-1')).status, 200)
  })

  test('but not when its role is another, which applies to it at once', async () => {
    const agent = await makeAgent(office)
    const sub = await makeAccount(office, agent.id, { nodeIds: [22] })
    const other = await makeAccount(office, agent.id, { nodeIds: [41] })
    const cookie = await office.login(sub.loginName)
    const may = async () => (await office.as(cookie).access.current()).permissions.includes('ledger.changes')
    assert.equal(await may(), false)
    await office.owner.query(
      'update accounts set role_id = (select role_id from accounts where id = $2) where id = $1',
      [sub.accountId, other.accountId],
    )
    assert.ok(await soon(may))
  })

  test('and nobody else is looked up again for it', async t => {
    const [neighbour, agent] = [await makeAgent(office), await makeAgent(office)]
    const kept = await office.login(neighbour.loginName)
    const read = t.mock.method(office.app.services.database, 'read')
    const readsOf = async (cookie: string) => {
      const before = read.mock.callCount()
      assert.ok(await isSignedIn(cookie))
      return read.mock.callCount() - before
    }
    for (const end of ['logs out', 'signs in anew'] as const) {
      const cookie = await office.login(agent.loginName)
      assert.ok(await isSignedIn(cookie))
      office.app.services.forgetActors()
      assert.ok(await isSignedIn(kept))
      const remembered = await readsOf(kept)
      if (end === 'logs out') await office.as(cookie).signIn.logout()
      else await call(office.app, cookie, LOGIN, { loginName: agent.loginName, password: PASSWORD })
      assert.ok(await soon(async () => !(await isSignedIn(cookie))), end)
      assert.equal(await readsOf(kept), remembered, end)
    }
  })

  test('and stays ended when the account is enabled again', async () => {
    const agent = await makeAgent(office)
    const cookie = await office.login(agent.loginName)
    await change('update accounts set enabled = false where id = $1', agent.accountId)
    await change('update accounts set enabled = true where id = $1', agent.accountId)
    assert.ok(await soon(async () => !(await isSignedIn(cookie))))
  })

  test('and a permission taken from a role is gone at once in every instance', async () => {
    const agent = await makeAgent(office)
    const sub = await makeAccount(office, agent.id, { nodeIds: [22] })
    const cookie = await office.login(sub.loginName)
    const list = { method: 'GET', path: '/merchants' }
    for (const app of [office.app, second]) assert.equal((await call(app, cookie, list)).status, 200)
    await change(
      `update roles set node_ids = '{27}' where id = (select role_id from accounts where id = $1)`,
      sub.accountId,
    )
    for (const app of [office.app, second])
      assert.ok(await soon(async () => (await call(app, cookie, list)).code === 'FORBIDDEN'))
  })
})

describe('limits of a session', () => {
  const age = (column: string, interval: string, accountId: number) =>
    office.owner.query(
      `update sessions set ${column} = ${column} - interval '${interval}' where account_id = $1`,
      [accountId],
    )
  /** Past what the instance remembers: any change of access anywhere clears it. */
  async function forget() {
    await office.owner.query(`select pg_notify('access_changed', '')`)
    await pause(patient(100))
  }

  test('it ends after eight hours without use, and use keeps it', async () => {
    const agent = await makeAgent(office)
    const cookie = await office.login(agent.loginName)
    await age('last_seen_at', '479 minutes', agent.accountId)
    await forget()
    assert.ok(await isSignedIn(cookie))
    await age('last_seen_at', '479 minutes', agent.accountId)
    await forget()
    assert.ok(await isSignedIn(cookie), 'use kept it')
    await age('last_seen_at', '481 minutes', agent.accountId)
    await forget()
    assert.ok(!(await isSignedIn(cookie)))
  })

  test('what one browser began is listed once, with its latest; ended from elsewhere, all of it ends', async () => {
    const agent = await makeAgent(office)
    const here = await office.login(agent.loginName)
    const there = [await office.login(agent.loginName, PASSWORD, 'another')]
    const { rows: devices } = await office.owner.query(
      'select device_hash from sessions where account_id = $1 order by id desc limit 1',
      [agent.accountId],
    )
    const client = office.as(here)
    await office.login(agent.loginName)
    there.push(await office.login(agent.loginName))
    await office.owner.query(
      'update sessions set device_hash = $2, ip = $3 where account_id = $1 and id = (select max(id) from sessions)',
      [agent.accountId, devices[0].device_hash, '10.1.1.1'],
    )
    const { rows } = await client.signIn.sessions()
    assert.deepEqual(
      rows.map(({ current, ip }) => [current, ip]),
      [
        [true, '127.0.0.1'],
        [false, '10.1.1.1'],
      ],
    )
    await client.signIn.endSession({ id: rows[1]?.id ?? 0 })
    assert.equal((await client.signIn.sessions()).rows.length, 1)
    for (const cookie of there) assert.ok(await soon(async () => !(await isSignedIn(cookie, office.app))))
    assert.ok(await isSignedIn(here))
  })

  test('signing in again in the same browser ends the session that it held', async () => {
    const agent = await makeAgent(office)
    const held = await office.login(agent.loginName)
    const answer = await office.app.http.inject({
      method: 'POST',
      url: '/api/session',
      headers: { 'x-requested-with': 'partner-office', cookie: held },
      payload: { loginName: agent.loginName, password: PASSWORD },
    })
    assert.equal(answer.statusCode, 200)
    assert.ok(await soon(async () => !(await isSignedIn(held, office.app))))
  })

  test(`an account has at most ${SESSIONS_MAX} sessions: the one that was not used for longest ends`, async () => {
    const agent = await makeAgent(office)
    const oldest = await office.login(agent.loginName)
    const next = await office.login(agent.loginName)
    await office.owner.query(
      `insert into sessions (token_hash, account_id, agent_id, ip, user_agent, created_at, last_seen_at, expires_at)
       select sha256(n::text::bytea), $1, $2, '', '', now(), now() + interval '1 minute', now() + interval '1 day'
       from generate_series(1, $3) n`,
      [agent.accountId, agent.id, SESSIONS_MAX - 2],
    )
    await office.login(agent.loginName)
    assert.ok(await soon(async () => !(await isSignedIn(oldest, office.app))))
    assert.ok(await isSignedIn(next))
  })

  test('a session idle for too long is no longer listed', async () => {
    const agent = await makeAgent(office)
    await office.login(agent.loginName)
    await age('last_seen_at', '481 minutes', agent.accountId)
    const { rows } = await office.as(await office.login(agent.loginName)).signIn.sessions()
    assert.deepEqual(
      rows.map(row => row.current),
      [true],
    )
  })

  test('use keeps a session of one idle minute', async () => {
    const brisk = await openOffice({ settings: { SESSION_IDLE_MINUTES: '1' } })
    try {
      const agent = await makeAgent(brisk)
      const cookie = await brisk.login(agent.loginName)
      await brisk.owner.query(`update sessions set last_seen_at = last_seen_at - interval '16 seconds'`)
      assert.ok(await isSignedIn(cookie, brisk.app))
      const { rows } = await brisk.owner.query(
        `select last_seen_at > now() - interval '10 seconds' as fresh from sessions`,
      )
      assert.deepEqual(rows, [{ fresh: true }])
    } finally {
      await brisk.stop()
    }
  })

  test('what cannot be a token is nobody without asking the database, and nobody is not remembered', async t => {
    const read = t.mock.method(office.app.services.database, 'read')
    for (const token of ['x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}!`])
      assert.ok(!(await isSignedIn(`session=${token}`)))
    assert.equal(read.mock.callCount(), 0)
    for (let i = 0; i < 2; i++) assert.ok(!(await isSignedIn(`session=${'x'.repeat(43)}`)))
    assert.equal(read.mock.callCount(), 2)
  })

  test('it ends after seven days however much it is used', async () => {
    const agent = await makeAgent(office)
    const cookie = await office.login(agent.loginName)
    await age('expires_at', '6 days 23 hours', agent.accountId)
    await forget()
    assert.ok(await isSignedIn(cookie))
    await age('expires_at', '2 hours', agent.accountId)
    await forget()
    assert.ok(!(await isSignedIn(cookie)))
    const { rows } = await office.owner.query('select 1 from sessions where account_id = $1', [
      agent.accountId,
    ])
    assert.equal(rows.length, 1, 'clearing it away is the hourly job')
  })
})

test('who is signed in is told with menu, permissions and no more of the phone than its last digits', async () => {
  const agent: MadeAgent = await makeAgent(office, { levelId: 3 })
  const me = await office.as(await office.login(agent.loginName)).access.current()
  assert.deepEqual([me.agentId, me.accountId, me.userType], [agent.id, agent.accountId, 0])
  assert.equal(me.phoneLastFour, '5678')
  assert.ok(!JSON.stringify(me).includes('13900005678'))
  assert.ok(me.permissions.includes('selling.add') && !me.permissions.includes('ledger.credit'))
  assert.deepEqual(me.menu[0]?.path, '/admin/index')
})
