import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { holdersOf, standingSessions } from './server-standing.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const OF_ACCOUNT = '(select account_id from sessions where id = $1)'
for (const [what, statement, stands] of [
  ['as it was begun', 'select $1::bigint', true],
  [
    'nearly left for too long',
    `update sessions set last_seen_at = now() - make_interval(mins => $2 - 1) where id = $1`,
    true,
  ],
  [
    'left for too long',
    `update sessions set last_seen_at = now() - make_interval(mins => $2, secs => 1) where id = $1`,
    false,
  ],
  ['over', `update sessions set expires_at = now() - interval '1 second' where id = $1`, false],
  ['ended', 'delete from sessions where id = $1', false],
  ['of a disabled account', `update accounts set enabled = false where id = ${OF_ACCOUNT}`, false],
  [
    'of an account with a password that another made',
    `update accounts set must_change_password = true where id = ${OF_ACCOUNT}`,
    false,
  ],
  [
    'of a closed agency',
    `update agents set status = 'closed' where id = (select agent_id from accounts where id = ${OF_ACCOUNT})`,
    false,
  ],
] as const)
  test(`a session ${what} ${stands ? 'stands' : 'does not stand'} for its sockets`, async () => {
    const { services } = office.app
    const agent = await makeAgent(office)
    const cookie = await office.login(agent.loginName)
    const { rows } = await office.owner.query<{ id: string }>(
      'select id from sessions where account_id = $1',
      [agent.accountId],
    )
    const sessionId = Number(rows[0]?.id)
    const values = statement.includes('$2') ? [sessionId, services.env.sessionIdleMinutes] : [sessionId]
    await office.owner.query(statement, values)
    const token = cookie.slice(cookie.indexOf('=') + 1)
    const holder = { accountId: agent.accountId, agentId: agent.id, sessionId }
    assert.deepEqual(await holdersOf(services, [token, 'none']), [stands ? holder : null, null])
    assert.deepEqual([...(await standingSessions(services, [sessionId, 0]))], stands ? [sessionId] : [])
  })
