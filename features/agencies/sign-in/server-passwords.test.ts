import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { type Office, openOffice, PASSWORD, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { codeOf, makeTotp } from '#test/make-factors.ts'
import { call, everyOperation, soon } from '#test/walk.ts'

const NEW = 'lanhai-4471'
const LOGIN = { method: 'POST', path: '/session' }

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const isSignedIn = async (cookie: string) =>
  (await call(office.app, cookie, { method: 'GET', path: '/session' })).status === 200
const statusOf = async (loginName: string, password: string) =>
  (await call(office.app, null, LOGIN, { loginName, password })).status
const changed = (more: Partial<Record<'oldPassword' | 'newPassword' | 'confirmation', string>> = {}) => ({
  oldPassword: PASSWORD,
  newPassword: NEW,
  confirmation: more.newPassword ?? NEW,
  ...more,
})

describe('changing the password', () => {
  test('each rule has its own refusal at its field, in the order of the documents', async () => {
    const agent = await makeAgent(office)
    const me = office.as(await office.login(agent.loginName))
    for (const [more, code, field, message] of [
      [{ oldPassword: ' ', newPassword: '' }, 'OLD_PASSWORD_REQUIRED', 'oldPassword', '密码不能为空'],
      [{ newPassword: ' ' }, 'NEW_PASSWORD_REQUIRED', 'newPassword', '新密码不能为空'],
      [{ oldPassword: 'abc' }, 'PASSWORD_FORMAT', 'oldPassword', '密码格式错误'],
      [{ newPassword: '12 456' }, 'PASSWORD_FORMAT', 'newPassword', '密码格式错误'],
      [{ newPassword: PASSWORD }, 'PASSWORD_REPEATED', 'newPassword', '新旧密码重复'],
      [{ newPassword: 'woaini1314' }, 'PASSWORD_GUESSED', 'newPassword', '该密码很容易被猜到，请换一个'],
      [{ confirmation: 'lanhai-4472' }, 'CONFIRMATION_DIFFERS', 'confirmation', '两次密码不一致'],
      [{ oldPassword: 'wrong-1' }, 'PASSWORD_WRONG', 'oldPassword', '原密码错误'],
      [{ newPassword: 'p@ssw0rd1' }, 'PASSWORD_GUESSED', 'newPassword', '该密码很容易被猜到，请换一个'],
      [{ newPassword: agent.loginName }, 'PASSWORD_GUESSED', 'newPassword', '该密码很容易被猜到，请换一个'],
    ] as const)
      await assert.rejects(me.signIn.changePassword(changed(more)), error => {
        const refused = error as { code: string; message: string; data: { field: string } }
        assert.deepEqual([refused.code, refused.data.field, refused.message], [code, field, message])
        return true
      })
    assert.equal(await statusOf(agent.loginName, PASSWORD), 200)
  })

  test('it ends all other sessions, keeps one’s own, and the old password is nobody’s', async () => {
    const agent = await makeAgent(office)
    const [mine, other] = [await office.login(agent.loginName), await office.login(agent.loginName)]
    assert.deepEqual(await office.as(mine).signIn.changePassword(changed()), { changed: true })
    assert.ok(await soon(async () => !(await isSignedIn(other))))
    assert.ok(await isSignedIn(mine))
    assert.deepEqual(
      [await statusOf(agent.loginName, PASSWORD), await statusOf(agent.loginName, NEW)],
      [409, 200],
    )
  })

  test('a session alone does not find the password: ten wrong tries and no more', async () => {
    const guarded = await openOffice({ settings: { LOGIN_FAILURES_MAX: '10' } })
    try {
      const agent = await makeAgent(guarded)
      const cookie = await guarded.login(agent.loginName)
      const attempt = async (oldPassword: string) => {
        await guarded.owner.query(`update login_failures set created_at = created_at - interval '31 seconds'`)
        return call(guarded.app, cookie, { method: 'PUT', path: '/password' }, changed({ oldPassword }))
      }
      for (let i = 0; i < 10; i++) assert.equal((await attempt('wrong-1')).code, 'PASSWORD_WRONG')
      const answer = await attempt(PASSWORD)
      assert.deepEqual([answer.status, answer.code], [429, 'LOGIN_THROTTLED'])
    } finally {
      await guarded.stop()
    }
  })

  test('nothing of it stands in the log or in what is stored but as a hash', async () => {
    const agent = await makeAgent(office)
    await office.as(await office.login(agent.loginName)).signIn.changePassword(changed())
    const { rows } = await office.owner.query(
      `select row_to_json(o)::text as row from operation_logs o where account_id = $1
       union all select row_to_json(k)::text from idempotency_keys k where account_id = $1`,
      [agent.accountId],
    )
    assert.ok(rows.length > 0)
    for (const { row } of rows) assert.ok(!row.includes(NEW) && !row.includes(PASSWORD))
  })
})

describe('a password that another has made', () => {
  let agent: MadeAgent
  let cookie: string
  before(async () => {
    agent = await makeAgent(office)
    await office.owner.query('update accounts set must_change_password = true where id = $1', [
      agent.accountId,
    ])
    cookie = await office.login(agent.loginName)
  })

  test('lets nothing be done but changing it, leaving, and being told so', async () => {
    const open = ['access.current', 'signIn.logout', 'signIn.changePassword']
    for (const operation of everyOperation()) {
      if (operation.permission === 'public' || open.includes(operation.name)) continue
      const answer = await call(office.app, cookie, operation)
      assert.deepEqual([answer.status, answer.code], [403, 'PASSWORD_CHANGE_REQUIRED'], operation.name)
    }
    const files = await office.app.http.inject({ url: '/api/files/x', headers: { cookie } })
    assert.equal(files.json().code, 'PASSWORD_CHANGE_REQUIRED')
    const me = await office.as(cookie).access.current()
    assert.equal(me.mustChangePassword, true)
  })

  test('holds back a session that is open already, at once', async () => {
    const other = await makeAgent(office)
    const open = await office.login(other.loginName)
    assert.equal((await call(office.app, open, { method: 'GET', path: '/sessions' })).status, 200)
    await office.owner.query('update accounts set must_change_password = true where id = $1', [
      other.accountId,
    ])
    assert.ok(
      await soon(async () => {
        const { code } = await call(office.app, open, { method: 'GET', path: '/sessions' })
        return code === 'PASSWORD_CHANGE_REQUIRED'
      }),
    )
  })

  test('is over once it is changed, in the same session', async () => {
    await office.as(cookie).signIn.changePassword(changed())
    const sessions = async () => (await call(office.app, cookie, { method: 'GET', path: '/sessions' })).status
    assert.ok(await soon(async () => (await sessions()) === 200))
  })
})

describe('a forgotten password', () => {
  const anyone = () => office.as(null)
  const ask = async (loginName: string) =>
    anyone().signIn.sendResetCode({ loginName, captcha: await makePass(office, 'reset', loginName) })
  /** The code in the last message to the phone of an account. */
  async function codeFor(loginName: string): Promise<string> {
    let text = ''
    await soon(async () => {
      const { rows } = await office.owner.query<{ text: string }>(
        `select text from outbox_messages where kind = 'account-code'
           and phone = (select mobile from accounts where login_name = $1) order by id desc limit 1`,
        [loginName],
      )
      text = rows[0]?.text ?? ''
      return text !== ''
    })
    return /\b\d{6}\b/.exec(text)?.[0] ?? assert.fail('no code was sent')
  }
  const reset = (loginName: string, code: string, newPassword = NEW) =>
    anyone().signIn.resetPassword({ loginName, code, newPassword, confirmation: newPassword })
  /** Of its own phone, so that its codes are nobody else's. */
  let phones = 0
  async function somebody() {
    const agent = await makeAgent(office)
    await office.owner.query('update accounts set mobile = $2 where id = $1', [
      agent.accountId,
      `1370000${String(++phones).padStart(4, '0')}`,
    ])
    return agent
  }

  test('a code to the phone makes a new one, ends all sessions, and is used up', async () => {
    const agent = await somebody()
    const cookie = await office.login(agent.loginName)
    await office.owner.query('update accounts set must_change_password = true where id = $1', [
      agent.accountId,
    ])
    await ask(agent.loginName)
    const code = await codeFor(agent.loginName)
    assert.deepEqual(await reset(agent.loginName, code), { changed: true })
    assert.ok(await soon(async () => !(await isSignedIn(cookie))))
    assert.deepEqual(
      [await statusOf(agent.loginName, PASSWORD), await statusOf(agent.loginName, NEW)],
      [409, 200],
    )
    const { rows } = await office.owner.query(
      'select must_change_password as must from accounts where id = $1',
      [agent.accountId],
    )
    assert.deepEqual(rows, [{ must: false }])
    assert.equal(await refusalOf(reset(agent.loginName, code, 'lanhai-4472')), 'CODE_WRONG')
  })

  test('it begins no session, and the second factor is asked for as before', async () => {
    const agent = await somebody()
    const { secret } = await makeTotp(office, await office.login(agent.loginName))
    await ask(agent.loginName)
    const answer = await call(
      office.app,
      null,
      { method: 'POST', path: '/password/resets' },
      {
        loginName: agent.loginName,
        code: await codeFor(agent.loginName),
        newPassword: NEW,
        confirmation: NEW,
      },
    )
    assert.equal(answer.status, 200)
    assert.ok([answer.headers['set-cookie']].flat().every(cookie => !String(cookie).startsWith('session=')))
    const { step } = await anyone().signIn.login({ loginName: agent.loginName, password: NEW })
    assert.ok(step?.hasTotp)
    await anyone().signIn.prove({ token: step.token, proof: { code: codeOf(secret) } })
  })

  test('without a solved puzzle nothing is sent', async () => {
    const agent = await somebody()
    assert.equal(
      await refusalOf(anyone().signIn.sendResetCode({ loginName: agent.loginName })),
      'CAPTCHA_REQUIRED',
    )
    const forAnother = await makePass(office, 'reset', 'somebody-else')
    assert.equal(
      await refusalOf(anyone().signIn.sendResetCode({ loginName: agent.loginName, captcha: forAnother })),
      'CAPTCHA_WRONG',
    )
  })

  test('where no service sends codes that is said, of whatever name', async () => {
    for (const loginName of [(await somebody()).loginName, 'nobody-at-all']) {
      const captcha = await makePass(office, 'reset', loginName)
      const { services } = office.app
      services.providers = { ...services.providers, sms: null }
      assert.equal(
        await refusalOf(anyone().signIn.sendResetCode({ loginName, captcha })),
        'CODES_UNCONNECTED',
      )
    }
  })

  test('names that no account has, or a disabled one, are answered as any other', async () => {
    const agent = await somebody()
    const gone = await somebody()
    await office.owner.query('update accounts set enabled = false where id = $1', [gone.accountId])
    const answers = []
    for (const name of [agent.loginName, 'no-such-account', gone.loginName]) {
      const sent = await ask(name)
      const tries = []
      for (let i = 0; i < 6; i++) tries.push(await refusalOf(reset(name, '000000')))
      answers.push({ sent, tries })
    }
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    assert.deepEqual(answers[0]?.tries.slice(-2), ['CODE_SPENT', 'CODE_SPENT'])
  })

  test('a code that is too old, or whose new password would be guessed, changes nothing; the latter can be used again', async () => {
    const agent = await somebody()
    await ask(agent.loginName)
    const code = await codeFor(agent.loginName)
    assert.equal(await refusalOf(reset(agent.loginName, code, 'p@ssw0rd1')), 'PASSWORD_GUESSED')
    await office.owner.query(`update account_codes set expires_at = expires_at - interval '10 minutes'`)
    assert.equal(await refusalOf(reset(agent.loginName, code)), 'CODE_WRONG')
    await office.owner.query(`update account_codes set expires_at = expires_at + interval '10 minutes'`)
    assert.deepEqual(await reset(agent.loginName, code), { changed: true })
  })

  test('one phone gets ten codes a day, whatever accounts it has', async () => {
    const agents = [await somebody(), await somebody()]
    await office.owner.query(`update accounts set mobile = '13799990000' where id = any ($1)`, [
      agents.map(agent => agent.accountId),
    ])
    for (let i = 0; i < 12; i++) await ask(agents[i % 2]?.loginName as string)
    const sent = async () =>
      Number(
        (
          await office.owner.query(
            `select count(*) from outbox_messages where phone = '13799990000' and kind = 'account-code'`,
          )
        ).rows[0].count,
      )
    assert.ok(await soon(async () => (await sent()) === 10), `${await sent()}`)
  })
})
