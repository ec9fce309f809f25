import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import type { App } from '#app/server.ts'
import { hashPassword } from '#server/secrets.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { makeAccount, makeAgent } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { call } from '#test/walk.ts'

const LOGIN = { method: 'POST', path: '/session' }
const CURRENT = { method: 'GET', path: '/session' }

type Try = { at?: Office; device?: string; captcha?: string }

/** One cookie of an answer, as it is sent back. */
function cookieIn(headers: Record<string, unknown>, name: string): string {
  const set = [headers['set-cookie'] ?? []].flat() as string[]
  return set.find(cookie => cookie.startsWith(`${name}=`))?.split(';')[0] ?? ''
}

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const login = (loginName: string, password: string, where = office) =>
  call(where.app, null, LOGIN, { loginName, password })
const isSignedIn = async (cookie: string, app: App = office.app) =>
  (await call(app, cookie, CURRENT)).status === 200

describe('logging in', () => {
  test('account and password are trimmed', async () => {
    const agent = await makeAgent(office)
    const answer = await login(`  ${agent.loginName} `, ` ${PASSWORD} `)
    assert.deepEqual(answer.body, { name: '姓名', step: null })
  })

  test('an unknown account and a wrong password are answered alike', async () => {
    const agent = await makeAgent(office)
    const answers = [await login(agent.loginName, 'wrong-1'), await login('no-such-account', 'wrong-1')]
    for (const { status, code, message, headers } of answers) {
      assert.deepEqual([status, code, message], [409, 'LOGIN_FAILED', '账号或密码错误'])
      assert.equal(headers['set-cookie'], undefined)
    }
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
  })

  test('the account is asked for before the password', async () => {
    assert.equal((await login(' ', '')).code, 'LOGIN_NAME_REQUIRED')
    assert.equal((await login('20001', ' ')).code, 'PASSWORD_REQUIRED')
  })

  test('a disabled account, or one of a disabled agent, is told so after the right password only', async () => {
    const agent = await makeAgent(office)
    const sub = await makeAccount(office, agent.id)
    await office.owner.query('update accounts set enabled = false where id = $1', [sub.accountId])
    assert.equal((await login(sub.loginName, PASSWORD)).code, 'ACCOUNT_DISABLED')
    assert.equal((await login(sub.loginName, 'wrong-1')).code, 'LOGIN_FAILED')
    await office.owner.query(`update agents set status = 'closed' where id = $1`, [agent.id])
    assert.equal((await login(agent.loginName, PASSWORD)).code, 'ACCOUNT_DISABLED')
  })

  test('each login has a token of its own, kept as its hash alone', async () => {
    const agent = await makeAgent(office)
    const cookies = [await office.login(agent.loginName), await office.login(agent.loginName)]
    assert.notEqual(cookies[0], cookies[1])
    const { rows } = await office.owner.query(
      `select encode(token_hash, 'base64') as hash, t::text as row from sessions t where account_id = $1`,
      [agent.accountId],
    )
    assert.equal(rows.length, 2)
    for (const cookie of cookies) {
      const token = cookie.split('=')[1] as string
      assert.ok(Buffer.from(token, 'base64url').length >= 16)
      assert.ok(rows.every(row => !JSON.stringify(row).includes(token)))
    }
  })
})

describe('guessing', () => {
  let guarded: Office
  before(async () => {
    guarded = await openOffice({ settings: { LOGIN_FAILURES_MAX: '10', TRUST_PROXY: '1' } })
  })
  after(() => guarded.stop())

  let address = 0
  const newAddress = () => `10.0.${++address}.1`
  const attempt = (loginName: string, password: string, ip: string, more: Try = {}) =>
    call(
      more.at?.app ?? guarded.app,
      more.device ?? null,
      LOGIN,
      { loginName, password, captcha: more.captcha ?? '' },
      { headers: { 'x-forwarded-for': ip } },
    )
  /** As somebody who waits long enough and solves the puzzle where there is one. */
  async function patient(loginName: string, password: string, ip: string, more: Try = {}) {
    const at = more.at ?? guarded
    await at.owner.query(`update login_failures set created_at = created_at - interval '31 seconds'`)
    const seen = at === guarded ? (ip.split(', ').at(-1) as string) : '127.0.0.1'
    return attempt(loginName, password, ip, {
      ...more,
      captcha: await makePass(at, 'login', loginName, seen),
    })
  }
  /** The device cookie that signing in gives. */
  async function knownDevice(loginName: string, ip = newAddress()): Promise<string> {
    const { headers } = await attempt(loginName, PASSWORD, ip)
    return cookieIn(headers, 'device')
  }

  test('after three failures the next tries wait, longer each time, and a stranger solves a puzzle', async () => {
    const agent = await makeAgent(guarded)
    for (let i = 0; i < 3; i++)
      assert.equal((await attempt(agent.loginName, 'wrong-1', newAddress())).code, 'LOGIN_FAILED')
    const soon = await attempt(agent.loginName, PASSWORD, newAddress())
    assert.deepEqual([soon.status, soon.code, soon.headers['retry-after']], [429, 'LOGIN_TOO_SOON', '1'])
    await guarded.owner.query(`update login_failures set created_at = created_at - interval '2 seconds'`)
    assert.equal((await attempt(agent.loginName, PASSWORD, newAddress())).code, 'CAPTCHA_REQUIRED')
    const here = newAddress()
    const forAnother = await makePass(guarded, 'login', 'somebody-else', here)
    assert.equal(
      (await attempt(agent.loginName, PASSWORD, here, { captcha: forAnother })).code,
      'CAPTCHA_WRONG',
    )
    assert.equal((await patient(agent.loginName, PASSWORD, here)).status, 200)
  })

  test('the eleventh attempt of strangers on an account is refused from anywhere, even with the right password', async () => {
    const agent = await makeAgent(guarded)
    for (let i = 0; i < 10; i++)
      assert.equal((await patient(agent.loginName, 'wrong-1', newAddress())).code, 'LOGIN_FAILED')
    const answer = await patient(agent.loginName, PASSWORD, newAddress())
    assert.deepEqual([answer.status, answer.code], [429, 'LOGIN_THROTTLED'])
    assert.equal(answer.message, '尝试次数过多，请15分钟后再试')
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 15 * 60, `${seconds}`)
    await guarded.owner.query(
      `update login_failures set created_at = created_at - interval '15 minutes 1 second'`,
    )
    assert.equal((await attempt(agent.loginName, PASSWORD, newAddress())).status, 200)
  })

  test('a device that is known goes on while strangers try the account and its network', async () => {
    const agent = await makeAgent(guarded)
    const here = newAddress()
    const device = await knownDevice(agent.loginName, here)
    for (let i = 0; i < 10; i++) await patient(agent.loginName, 'wrong-1', here)
    assert.equal((await patient(agent.loginName, PASSWORD, here)).code, 'LOGIN_THROTTLED')
    assert.equal((await attempt(agent.loginName, PASSWORD, here, { device })).status, 200)
  })

  test('it has a limit of its own, and is a stranger to every other account', async () => {
    const [agent, other] = [await makeAgent(guarded), await makeAgent(guarded)]
    const device = await knownDevice(agent.loginName)
    for (let i = 0; i < 10; i++)
      assert.equal((await patient(agent.loginName, 'wrong-1', newAddress(), { device })).code, 'LOGIN_FAILED')
    assert.equal((await patient(agent.loginName, PASSWORD, newAddress(), { device })).code, 'LOGIN_THROTTLED')
    assert.equal((await patient(agent.loginName, PASSWORD, newAddress())).status, 200)
    for (let i = 0; i < 10; i++) await patient(other.loginName, 'wrong-1', newAddress(), { device })
    assert.equal((await patient(other.loginName, PASSWORD, newAddress(), { device })).code, 'LOGIN_THROTTLED')
  })

  test('a device token that was not signed here, or whose password has changed since, is a stranger’s', async () => {
    const agent = await makeAgent(guarded)
    const device = await knownDevice(agent.loginName)
    for (let i = 0; i < 10; i++) await patient(agent.loginName, 'wrong-1', newAddress())
    const forged = `${device.slice(0, -4)}AAAA`
    assert.equal(
      (await patient(agent.loginName, PASSWORD, newAddress(), { device: forged })).code,
      'LOGIN_THROTTLED',
    )
    await guarded.owner.query('update accounts set password_hash = $2 where id = $1', [
      agent.accountId,
      await hashPassword(PASSWORD),
    ])
    assert.equal((await patient(agent.loginName, PASSWORD, newAddress(), { device })).code, 'LOGIN_THROTTLED')
  })

  test('an account that does not exist is counted like one that does', async () => {
    for (let i = 0; i < 10; i++) await patient('nobody-at-all', 'wrong-1', newAddress())
    assert.equal((await patient('nobody-at-all', 'wrong-1', newAddress())).code, 'LOGIN_THROTTLED')
  })

  test('the eleventh attempt of strangers from an address is refused whatever the account', async () => {
    const agent = await makeAgent(guarded)
    const here = newAddress()
    for (let i = 0; i < 10; i++) await patient(`guess-${i}`, 'wrong-1', here)
    assert.equal((await patient(agent.loginName, PASSWORD, here)).code, 'LOGIN_THROTTLED')
    assert.equal((await attempt(agent.loginName, PASSWORD, newAddress())).status, 200)
  })

  test('a hop that the caller invents makes no other address', async () => {
    const agent = await makeAgent(guarded)
    const here = newAddress()
    for (let i = 0; i < 10; i++) await patient(`hop-${i}`, 'wrong-1', `10.9.9.${i}, ${here}`)
    assert.equal((await patient(agent.loginName, PASSWORD, `10.9.9.99, ${here}`)).code, 'LOGIN_THROTTLED')
  })

  test('without a proxy nothing is believed of where a request says it comes from', async () => {
    const bare = await openOffice({ settings: { LOGIN_FAILURES_MAX: '10' } })
    try {
      for (let i = 0; i < 10; i++) await patient(`bare-${i}`, 'wrong-1', `10.8.8.${i}`, { at: bare })
      assert.equal((await patient('b', 'c', '10.8.8.99', { at: bare })).code, 'LOGIN_THROTTLED')
    } finally {
      await bare.stop()
    }
  })

  test('one network of IPv6 is one address, in whatever words, and its neighbour another', async () => {
    const agent = await makeAgent(guarded)
    for (let i = 0; i < 5; i++) {
      await patient(`six-${i}`, 'wrong-1', `2001:db8:0:7:${i}::1`)
      await patient(`six-${i}`, 'wrong-1', `2001:0DB8::7:${i + 1}:2:3:4`)
    }
    const codeFrom = async (ip: string) => (await patient(agent.loginName, PASSWORD, ip)).code
    assert.equal(await codeFrom('2001:db8:0:7:ffff::9'), 'LOGIN_THROTTLED')
    assert.equal(await codeFrom('2001:db8:0:8::1'), undefined)
    for (let i = 0; i < 10; i++) await patient(`four-${i}`, 'wrong-1', '::ffff:10.7.7.7')
    assert.equal(await codeFrom('::ffff:10.7.7.7'), 'LOGIN_THROTTLED')
    assert.equal(await codeFrom('::ffff:10.7.7.8'), undefined)
  })

  test('thirty guesses at once are three guesses', async () => {
    const agent = await makeAgent(guarded)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => attempt(agent.loginName, 'wrong-1', newAddress())),
    )
    const codes = answers.map(answer => answer.code)
    assert.equal(codes.filter(code => code === 'LOGIN_FAILED').length, 3)
    // Whoever comes more than a second after the third is asked for the puzzle.
    const refused = codes.filter(code => code === 'LOGIN_TOO_SOON' || code === 'CAPTCHA_REQUIRED')
    assert.equal(refused.length, 27)
  })

  test('a login that succeeds counts as no failure', async () => {
    const agent = await makeAgent(guarded)
    const here = newAddress()
    for (let i = 0; i < 12; i++) assert.equal((await attempt(agent.loginName, PASSWORD, here)).status, 200)
  })

  for (const right of ['select', 'insert'])
    test(`a limiter that cannot ${right} refuses everyone, known devices too`, async () => {
      const agent = await makeAgent(guarded)
      const device = await knownDevice(agent.loginName)
      await guarded.owner.query(`revoke ${right} on login_failures from partner_office_app`)
      try {
        for (const password of [PASSWORD, 'wrong-1'])
          for (const more of [{}, { device }]) {
            const answer = await attempt(agent.loginName, password, newAddress(), more)
            assert.deepEqual([answer.status, answer.headers['set-cookie']], [500, undefined])
          }
      } finally {
        await guarded.owner.query(`grant ${right} on login_failures to partner_office_app`)
      }
    })
})

describe('the session cookie', () => {
  test('is for this origin only and out of reach of scripts', async () => {
    const agent = await makeAgent(office)
    const answer = await login(agent.loginName, PASSWORD)
    const [session, device] = answer.headers['set-cookie'] as string[]
    assert.match(String(session), /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.match(
      String(device),
      /^device=[\w-]{32}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('is bound to the host and to TLS where the office has an https address', async () => {
    const secure = await openOffice({ settings: { PUBLIC_URL: 'https://office.example', TRUST_PROXY: '1' } })
    try {
      const agent = await makeAgent(secure)
      const answer = await login(agent.loginName, PASSWORD, secure)
      const [cookie = '', device = ''] = answer.headers['set-cookie'] as string[]
      assert.match(cookie, /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      assert.match(device, /^__Host-device=\S+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      assert.ok(await isSignedIn(cookie.split(';')[0] as string, secure.app))
    } finally {
      await secure.stop()
    }
  })

  test('is cleared by logging out', async () => {
    const agent = await makeAgent(office)
    const cookie = await office.login(agent.loginName)
    const answer = await call(office.app, cookie, { method: 'DELETE', path: '/session' })
    assert.match(String(answer.headers['set-cookie']), /^session=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
  })
})
