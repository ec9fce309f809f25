import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { CODE_LIMITS } from '#features/shops/messages/rules.ts'
import { type Office, openOffice, PASSWORD, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { makePasskey, makeTotp } from '#test/make-factors.ts'
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

describe('what is refused at the door stands in the operation log of the account', () => {
  const refusedOf = async (accountId: number, of = office) =>
    (
      await of.owner.query<{ title: string; subject: string; reason: string }>(
        `select title, subject, changes -> -1 ->> 'after' as reason from operation_logs
         where account_id = $1 and outcome = 'refused' order by id`,
        [accountId],
      )
    ).rows

  test('a wrong password, with its reason and without what was typed', async () => {
    const { loginName, accountId } = await makeAgent(office)
    await fromPhone(loginName, 'wrong-1')
    assert.deepEqual(await refusedOf(accountId), [
      { title: '登录', subject: loginName, reason: '账号或密码错误' },
    ])
    const { rows } = await office.owner.query('select t::text as row from operation_logs t')
    assert.ok(!JSON.stringify(rows).includes('wrong-1'))
    await fromPhone('nobody-at-all', 'wrong-1')
    assert.equal((await refusedOf(accountId)).length, 1)
  })

  test('an account that is disabled', async () => {
    const { loginName, accountId } = await makeAgent(office)
    await office.owner.query('update accounts set enabled = false where id = $1', [accountId])
    await fromPhone(loginName)
    assert.deepEqual(
      (await refusedOf(accountId)).map(({ reason }) => reason),
      ['账号已停用，请联系管理员'],
    )
  })

  test('a wrong second step, in the history too, and no more of them than codes may be wrong', async () => {
    const { loginName, accountId } = await makeAgent(office)
    const cookie = await office.login(loginName)
    await makeTotp(office, cookie)
    const { key } = await makePasskey(office, cookie)
    const nobody = office.as(null)
    for (let i = 0; i < 7; i++) {
      const { step } = await nobody.signIn.login({ loginName, password: PASSWORD })
      assert.ok(step?.passkey)
      key.counter = 0
      const proof = i === 0 ? { code: '000000' } : { passkey: key.use(step.passkey) }
      if (i > 0) proof.passkey?.token && Object.assign(proof.passkey.response, { id: 'unknown' })
      const answer = await refusalOf(nobody.signIn.prove({ token: step.token, proof }))
      assert.equal(answer, i === 0 ? 'CODE_WRONG' : 'PASSKEY_FAILED')
    }
    const rows = await refusedOf(accountId)
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      ['验证码错误或已经用过，请核对后重试', ...Array(4).fill('通行密钥验证失败，请重试')],
    )
    const { rows: history } = await office.as(cookie).signIn.history({})
    assert.equal(history.filter(({ outcome }) => outcome === 'factor').length, 5)
  })

  test('a code to the phone that is wrong, where it was sent for an account', async () => {
    const { loginName, accountId } = await makeAgent(office)
    const nobody = office.as(null)
    await nobody.signIn.sendResetCode({ loginName, captcha: await makePass(office, 'reset', loginName) })
    const reset = { loginName, newPassword: 'corn-Wagon-71', confirmation: 'corn-Wagon-71' }
    for (let i = 0; i < 9; i++)
      await refusalOf(nobody.signIn.resetPassword({ ...reset, code: 'x'.repeat(6) }))
    for (let i = 0; i < 9; i++) await refusalOf(nobody.signIn.resetPassword({ ...reset, code: '000000' }))
    const reasons = (await refusedOf(accountId)).map(({ reason }) => reason)
    assert.ok(reasons.length > 0 && reasons.length <= CODE_LIMITS.wrongTries, `${reasons}`)
    assert.equal(reasons.at(-1), '验证码错误次数过多，请重新获取')
  })

  test('guessing for as long as one likes leaves as many rows as tries are allowed', async () => {
    const guarded = await openOffice({ settings: { LOGIN_FAILURES_MAX: '3' } })
    try {
      const { loginName, accountId } = await makeAgent(guarded)
      for (let i = 0; i < 9; i++) await call(guarded.app, null, LOGIN, { loginName, password: `wrong-${i}` })
      assert.ok((await refusedOf(accountId, guarded)).length <= 3)
    } finally {
      await guarded.stop()
    }
  })
})
