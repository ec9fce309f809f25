// A look through another's account: read-only, for half an hour, told and logged; one's own session goes on.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { call, everyOperation, soon, type Walked } from '#test/walk.ts'

let office: Office
let operator: MadeAgent
let partner: MadeAgent
let staff: { loginName: string; accountId: number }
before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  partner = await makeAgent(office, { tokens: 1_000 })
  staff = await makeAccount(office, partner.id, { nodeIds: [22], dataScope: 'own' })
  await makeMerchant(office, partner.id, { shop_name: '店' })
})
after(() => office.stop())

const OPERATIONS = everyOperation()
const operation = (name: string) => OPERATIONS.find(one => one.name === name) as Walked

/** The browser's cookies while one looks; `own` is the session it began in. */
async function look(own: string, name: 'viewAs.agent' | 'viewAs.staff', id: number): Promise<string> {
  const answer = await call(office.app, own, operation(name), { id })
  assert.equal(answer.status, 200, answer.code)
  const set = ([answer.headers['set-cookie']].flat() as string[]).find(cookie => cookie.startsWith('view='))
  assert.match(set ?? '', /HttpOnly/)
  return `${own}; ${set?.split(';', 1)[0]}`
}

test('the operator sees what the agent sees, reads alone, and is itself again', async () => {
  const own = await office.login(operator.loginName)
  const cookies = await look(own, 'viewAs.agent', partner.id)
  const seen = office.as(cookies)
  const current = await seen.access.current()
  assert.deepEqual([current.agentId, current.userType, current.isOperator], [partner.id, 0, false])
  const minutes = (Date.parse(current.viewedUntil ?? '') - Date.now()) / 60_000
  assert.ok(minutes > 29 && minutes <= 30)
  assert.deepEqual(
    (await seen.merchants.list({})).rows.map(row => row.agentId),
    [partner.id],
  )
  const [shop] = (await seen.merchants.list({})).rows
  await assert.rejects(seen.merchants.setRemark({ id: shop?.id as number, remark: '改' }), {
    code: 'VIEW_ONLY',
  })
  const file = await call(office.app, cookies, operation('merchants.list (file)'))
  assert.deepEqual([file.status, file.code], [403, 'VIEW_ONLY'])
  assert.equal((await office.as(own).access.current()).viewedUntil, null)
  const ended = await call(office.app, cookies, operation('viewAs.end'))
  assert.match(String([ended.headers['set-cookie']].flat()), /view=;/)
  assert.ok(
    await soon(
      async () => (await call(office.app, cookies, operation('access.current'))).code === 'VIEW_ENDED',
    ),
  )
  assert.equal((await office.as(own).access.current()).isOperator, true)
})

test('it is over after half an hour, when one signs out, and when the account is disabled', async () => {
  const gone = async (cookies: string) => {
    const isOver = async () =>
      (await call(office.app, cookies, operation('access.current'))).code === 'VIEW_ENDED'
    assert.ok(await soon(isOver))
  }
  const own = await office.login(operator.loginName)
  const late = await look(own, 'viewAs.agent', partner.id)
  await office.owner.query(
    `update sessions set expires_at = now() - interval '1 second' where viewed_by is not null`,
  )
  await office.owner.query('notify access_changed')
  await gone(late)
  const left = await look(own, 'viewAs.agent', partner.id)
  await office.as(own).signIn.logout()
  await gone(left)
  const owner = await office.login(partner.loginName)
  const someone = await makeAccount(office, partner.id, { nodeIds: [22] })
  const cookies = await look(owner, 'viewAs.staff', someone.accountId)
  await office.owner.query('update accounts set enabled = false where id = $1', [someone.accountId])
  await gone(cookies)
  await assert.rejects(office.as(owner).viewAs.staff({ id: someone.accountId }), { code: 'VIEW_DISABLED' })
})

test('an owner sees what its staff sees, own shops alone; nobody else looks', async () => {
  const owner = await office.login(partner.loginName)
  const seen = office.as(await look(owner, 'viewAs.staff', staff.accountId))
  assert.equal((await seen.merchants.list({})).total, 0)
  await assert.rejects(office.as(owner).viewAs.staff({ id: partner.accountId }), { code: 'VIEW_SELF' })
  await assert.rejects(office.as(owner).viewAs.agent({ id: operator.id }), { code: 'FORBIDDEN' })
  await assert.rejects(office.as(owner).viewAs.staff({ id: operator.accountId }), { code: 'NOT_FOUND' })
  const able = await makeAccount(office, partner.id, { nodeIds: [512] })
  const colleague = office.as(await office.login(able.loginName))
  await assert.rejects(colleague.viewAs.staff({ id: staff.accountId }), { code: 'VIEW_OWNER_ONLY' })
})

test('the person is told, both sides have it in their log, and no session of theirs is listed', async () => {
  const own = await office.login(operator.loginName)
  await look(own, 'viewAs.agent', partner.id)
  const me = office.as(await office.login(partner.loginName))
  const [notice] = (await me.notices.list({})).rows
  assert.equal(notice?.title, '您的账号正被查看')
  const { rows } = await office.owner.query(
    `select account_id::int, agent_id::int, about_agent_id::int from operation_logs where title = '以代理商身份查看' order by id desc limit 1`,
  )
  assert.deepEqual(rows, [
    { account_id: operator.accountId, agent_id: operator.id, about_agent_id: partner.id },
  ])
  const listed = await me.signIn.sessions()
  const { rows: views } = await office.owner.query('select id::int from sessions where viewed_by is not null')
  assert.ok(views.length > 0)
  for (const { id } of views) assert.ok(!listed.rows.some(row => row.id === id))
})
