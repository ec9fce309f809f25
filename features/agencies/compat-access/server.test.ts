import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type Office, openOffice, PASSWORD, refusalOf } from '#test/app.ts'
import { signed } from '#test/compat/client.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { LIMITS, signedTexts } from './rules.ts'
import { keyOfAct } from './server-door.ts'

let office: Office
let agent: MadeAgent
let cookie: string

before(async () => {
  office = await openOffice({ settings: { COMPAT_CALLS: 'on' } })
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
})
after(() => office.stop())

const request = (more: Partial<Record<'userName' | 'timestamp' | 'nonce' | 'signature', string>> = {}) => {
  const { userName = agent.loginName, timestamp = String(Date.now()), nonce = randomUUID() } = more
  return { userName, timestamp, nonce, signature: signed(PASSWORD, timestamp, nonce), ...more }
}
const enter = (more = {}) => office.as(null).compatAccess.enter(request(more))
const open = () => office.as(cookie).compatAccess.open({ password: PASSWORD, days: 'd30' })

test('nobody comes in until the person has opened it, nor once it is closed', async () => {
  assert.equal(await refusalOf(enter()), 'LOGIN_FAILED')
  assert.equal(
    await refusalOf(office.as(cookie).compatAccess.open({ password: 'wrong-1234', days: 'd30' })),
    'PASSWORD_WRONG',
  )
  await open()
  assert.equal(await refusalOf(open()), 'ALREADY_OPEN')
  const { token, userType } = await enter()
  assert.equal(userType, 0)
  const bearer = `Bearer ${token}`
  assert.ok((await office.as(bearer).merchants.list({})).total >= 0)
  // What asks a person for a second factor or for themselves is not theirs.
  assert.equal(await refusalOf(office.as(bearer).team.addRole({ name: '店长', remark: '' })), 'KEY_STEP_UP')
  assert.equal(await refusalOf(office.as(bearer).compatAccess.close()), 'KEY_CLOSED')
  await office.as(cookie).compatAccess.close()
  assert.equal(await refusalOf(enter()), 'LOGIN_FAILED')
  assert.equal(await refusalOf(office.as(bearer).merchants.list({})), 'KEY_INVALID')
  const { rows } = await office.owner.query('select 1 from compat_accesses')
  assert.equal(rows.length, 0)
})

test('a signature is taken once, within five minutes, and by both readings of the documents', async () => {
  await open()
  const once = request()
  await office.as(null).compatAccess.enter(once)
  assert.equal(await refusalOf(office.as(null).compatAccess.enter(once)), 'NONCE_USED')
  assert.equal(await refusalOf(enter({ timestamp: String(Date.now() - 6 * 60_000) })), 'CLOCK_ASTRAY')
  assert.equal(await refusalOf(enter({ timestamp: 'yesterday' })), 'CLOCK_ASTRAY')
  assert.equal(await refusalOf(enter({ signature: 'A'.repeat(32) })), 'LOGIN_FAILED')
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1_000)), 'mixedCase-1']
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  for (const [i, text] of signedTexts(md5(PASSWORD), { timestamp, nonce }).entries()) {
    await office.owner.query('delete from compat_nonces')
    await enter({ timestamp, nonce, signature: i % 2 === 0 ? md5(text) : md5(text).toUpperCase() })
  }
})

test('the verifier is sealed, and void once the password is another', async () => {
  const { rows } = await office.owner.query<{ verifier: Buffer }>('select verifier from compat_accesses')
  const [kept] = rows
  const md5 = createHash('md5').update(PASSWORD).digest()
  assert.ok(kept && !kept.verifier.includes(md5) && !kept.verifier.includes(md5.toString('hex')))
  const newPassword = 'Another-2026-pw!'
  await office
    .as(cookie)
    .signIn.changePassword({ oldPassword: PASSWORD, newPassword, confirmation: newPassword })
  assert.equal(await refusalOf(enter()), 'LOGIN_FAILED')
  assert.equal((await office.as(cookie).compatAccess.standing()).access?.isVoid, true)
})

test('the operator sees who comes in, and nobody else does', async () => {
  const operator = await office.login((await makeAgent(office, { operator: true })).loginName)
  const { rows } = await office.as(operator).compatAccess.uses({})
  assert.deepEqual(
    rows.map(({ call, state }) => [call, state]),
    [['AppLogin', 'open']],
  )
  await office.as(operator).compatAccess.setCall({ call: 'AppLogin', closed: true })
  const closed = await office.as(operator).compatAccess.uses({ state: 'closed' })
  assert.equal(closed.total, 1)
  assert.equal(
    await refusalOf(office.as(operator).compatAccess.setCall({ call: 'NoSuch', closed: true })),
    'CALL_UNKNOWN',
  )
  assert.equal(await refusalOf(office.as(cookie).compatAccess.uses({})), 'FORBIDDEN')
})

test('what is sent again within three seconds is one act, whichever process is asked', async () => {
  const { services } = office.app
  const [first, again] = await Promise.all([keyOfAct(services, 'one'), keyOfAct(services, 'one')])
  assert.equal(again, first)
  assert.equal(await keyOfAct(services, 'one'), first)
  assert.notEqual(await keyOfAct(services, 'another'), first)
  await office.owner.query(
    `update compat_acts set begun_at = begun_at - interval '${LIMITS.oneActS} seconds'`,
  )
  assert.notEqual(await keyOfAct(services, 'one'), first)
})
