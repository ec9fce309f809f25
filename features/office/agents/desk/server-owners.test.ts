import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { makeTotp } from '#test/make-factors.ts'
import { soon } from '#test/walk.ts'

const CHECKED = '回拨登记的手机号'

let office: Office
let operator: MadeAgent
let desk: Client
before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  desk = office.as(await office.login(operator.loginName))
})
after(() => office.stop())

async function owner() {
  const agent = await makeAgent(office)
  const cookie = await office.login(agent.loginName)
  const ended = () =>
    soon(async () => (await refusalOf(office.as(cookie).access.current())) === 'UNAUTHENTICATED')
  return { ...agent, cookie, ended, which: { id: agent.id, accountId: agent.accountId } }
}

test('an owner who lost the second factor signs in with the password after the operator has checked who asks', async () => {
  const { which, cookie, ended, loginName, accountId, id } = await owner()
  await makeTotp(office, cookie)
  const [row] = (await desk.agentDesk.owners({ id })).rows
  assert.deepEqual(row, { id: accountId, name: '姓名', loginName, hasFactor: true, devices: 1 })
  assert.equal(
    await refusalOf(desk.agentDesk.resetOwnerFactors({ ...which, checked: ' ' })),
    'CHECKED_REQUIRED',
  )
  await desk.agentDesk.resetOwnerFactors({ ...which, checked: CHECKED })
  assert.ok(await ended())
  const again = office.as(await office.login(loginName))
  assert.equal((await again.access.current()).factor.has, false)
  const { rows: notices } = await again.notices.list({})
  assert.ok(notices.some(({ title }) => title === '二次验证已重置'))
  const { rows: logs } = await again.operationLog.list({})
  const logged = logs.find(({ title }) => title === '重置代理商二次验证')
  assert.ok(JSON.stringify(logged).includes(CHECKED), 'both sides read it in their log')
  assert.equal(await refusalOf(desk.agentDesk.resetOwnerFactors({ ...which, checked: CHECKED })), 'NO_FACTOR')
})

test('it ends where an owner is signed in, and leaves no row where nobody is', async () => {
  const { which, ended } = await owner()
  assert.deepEqual(await desk.agentDesk.endOwnerSessions(which), { ended: 1 })
  assert.ok(await ended())
  const logs = async () =>
    (await office.owner.query(`select 1 from operation_logs where title = '下线代理商设备'`)).rows.length
  const before = await logs()
  assert.deepEqual(await desk.agentDesk.endOwnerSessions(which), { ended: 0 })
  assert.equal(await logs(), before)
})

test('not the operator’s own account, not the staff of an agency, and not by an owner', async () => {
  const own = { id: operator.id, accountId: operator.accountId }
  assert.equal(await refusalOf(desk.agentDesk.endOwnerSessions(own)), 'OWNER_SELF')
  assert.equal(await refusalOf(desk.agentDesk.resetOwnerFactors({ ...own, checked: CHECKED })), 'OWNER_SELF')
  const { which, cookie, id } = await owner()
  assert.equal(await refusalOf(desk.agentDesk.endOwnerSessions({ ...own, id })), 'NOT_FOUND')
  assert.equal(await refusalOf(office.as(cookie).agentDesk.endOwnerSessions(which)), 'FORBIDDEN')
})
