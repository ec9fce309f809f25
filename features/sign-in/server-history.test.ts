import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { call, soon } from '#test/walk.ts'

const LOGIN = { method: 'POST', path: '/session' }
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const fromPhone = (loginName: string, password = PASSWORD) =>
  call(office.app, null, LOGIN, { loginName, password }, { headers: { 'user-agent': PHONE } })

test('who came to the door is kept with device, place and outcome, for the account alone', async () => {
  const agent = await makeAgent(office)
  await fromPhone(agent.loginName, 'wrong-1')
  await fromPhone(agent.loginName)
  const me = office.as(await office.login(agent.loginName))
  const { rows, more } = await me.signIn.history({})
  assert.equal(more, false)
  assert.deepEqual(
    rows.map(({ outcome, device, place }) => [outcome, device, place]),
    [
      ['done', '未知设备', '本机'],
      ['done', 'iPhone · Safari', '本机'],
      ['password', 'iPhone · Safari', '本机'],
    ],
  )
  const other = await makeAgent(office)
  const theirs = await office.as(await office.login(other.loginName)).signIn.history({})
  assert.equal(theirs.rows.length, 1)
})

test('older ones come by twenties', async () => {
  const agent = await makeAgent(office)
  const me = office.as(await office.login(agent.loginName))
  await office.owner.query(
    `insert into sign_ins (account_id, agent_id, outcome, ip, device, created_at)
     select $1, $2, 'done', '10.0.0.1', 'x', now() from generate_series(1, 24)`,
    [agent.accountId, agent.id],
  )
  const first = await me.signIn.history({})
  const last = await me.signIn.history({ before: first.rows.at(-1)?.id })
  assert.deepEqual([first.rows.length, first.more, last.rows.length, last.more], [20, true, 5, false])
})

test('an account that signs in with a new browser is told, the first one and a known one are no news', async () => {
  const agent = await makeAgent(office)
  const told = async () =>
    (
      await office.owner.query<{ title: string; body: string }>(
        `select title, body from notices where account_id = $1 and topic = 'SignIn_Notify'`,
        [agent.accountId],
      )
    ).rows
  await fromPhone(agent.loginName)
  assert.deepEqual(await told(), [])
  const cookie = await office.login(agent.loginName)
  assert.equal((await told()).length, 1)
  assert.match((await told())[0]?.body ?? '', /未知设备（本机 127\.0\.0\.1）/)
  await office.login(agent.loginName)
  assert.equal((await told()).length, 1)
  assert.equal((await office.as(cookie).signIn.sessions()).rows[0]?.device, '未知设备')
})

test('all other sessions end at once, and it says how many', async () => {
  const agent = await makeAgent(office)
  const others = [await office.login(agent.loginName), await office.login(agent.loginName)]
  const me = office.as(await office.login(agent.loginName))
  assert.deepEqual(await me.signIn.endOtherSessions(), { ended: 2 })
  for (const cookie of others)
    assert.ok(
      await soon(
        async () => (await call(office.app, cookie, { method: 'GET', path: '/session' })).status === 401,
      ),
    )
  assert.deepEqual(await me.signIn.endOtherSessions(), { ended: 0 })
})
