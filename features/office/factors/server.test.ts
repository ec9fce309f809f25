import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { acting } from '#test/acting.ts'
import { type Office, openOffice, PASSWORD, refusalOf } from '#test/app.ts'
import { makeAuthenticator } from '#test/authenticator.ts'
import { makeAccount, makeAgent } from '#test/make.ts'
import { codeOf, forgetProofs, makePasskey, makeTotp, originOf } from '#test/make-factors.ts'
import { soon } from '#test/walk.ts'
import { RECOVERY_CODES, WRONG_MAX } from './rules.ts'
import { resetFactors } from './server.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

async function person() {
  const agent = await makeAgent(office)
  return { ...agent, cookie: await office.login(agent.loginName) }
}
const nobody = () => office.as(null)
const login = ({ loginName }: { loginName: string }) =>
  nobody().signIn.login({ loginName, password: PASSWORD })
const stepOf = async (who: { loginName: string }) => {
  const { step } = await login(who)
  assert.ok(step, 'asked for the second step')
  return step
}
/** The cookie that the second step answers with. */
async function entered(path: string, payload: object): Promise<string> {
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'x-requested-with': 'partner-office' },
    payload,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const [cookie] = answer.cookies
  return `${cookie?.name}=${cookie?.value}`
}

describe('an authenticator app', () => {
  test('signs in after the password: the password alone begins no session', async () => {
    const who = await person()
    const { secret } = await makeTotp(office, who.cookie)
    const answer = await office.app.http.inject({
      method: 'POST',
      url: '/api/session',
      headers: { 'x-requested-with': 'partner-office' },
      payload: { loginName: who.loginName, password: PASSWORD },
    })
    assert.deepEqual(answer.cookies, [])
    const { step } = answer.json()
    assert.deepEqual([step.hasTotp, step.recoveryLeft, step.passkey], [true, RECOVERY_CODES, null])
    const cookie = await entered('/session/proof', { token: step.token, proof: { code: codeOf(secret) } })
    const { factor } = await office.as(cookie).access.current()
    assert.deepEqual(factor, { has: true, dueAt: null })
    const code = codeOf(secret, 1)
    assert.equal(
      await refusalOf(nobody().signIn.prove({ token: step.token, proof: { code } })),
      'FACTOR_EXPIRED',
    )
  })

  test('the token of the half-way session is no session', async () => {
    const who = await person()
    await makeTotp(office, who.cookie)
    const { token } = await stepOf(who)
    for (const cookie of [`session=${token}`, `session=${token}`.slice(0, 51)])
      assert.equal(await refusalOf(office.as(cookie).access.current()), 'UNAUTHENTICATED')
  })

  test('a code is taken once, also by many at the same time', async () => {
    const who = await person()
    const { secret } = await makeTotp(office, who.cookie)
    const code = codeOf(secret)
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => refusalOf(office.as(who.cookie).factors.prove({ code }))),
    )
    assert.deepEqual(tries.sort(), ['CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'accepted'])
  })

  test('the same code, however often at once, is one try', async () => {
    const who = await person()
    await makeTotp(office, who.cookie)
    const client = office.as(who.cookie)
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => refusalOf(client.factors.prove({ code: '000000' }))),
    )
    assert.deepEqual([...new Set(tries)], ['CODE_WRONG'])
    const { rows } = await office.owner.query(
      `select 1 from factor_failures f join accounts a on a.id = f.account_id where a.login_name = $1`,
      [who.loginName],
    )
    assert.ok(rows.length <= 2, 'one of each step that passed meanwhile')
  })

  test('wrong codes leave the recovery codes, and those the codes', async () => {
    const who = await person()
    const { secret, recoveryCodes } = await makeTotp(office, who.cookie)
    const client = office.as(who.cookie)
    for (let i = 0; i < WRONG_MAX; i++)
      assert.equal(await refusalOf(client.factors.prove({ code: `00000${i}` })), 'CODE_WRONG')
    assert.equal(await refusalOf(client.factors.prove({ code: codeOf(secret) })), 'FACTOR_THROTTLED')
    assert.equal(await refusalOf(client.factors.prove({ code: recoveryCodes[0] ?? '' })), 'accepted')
    for (let i = 0; i < WRONG_MAX; i++)
      assert.equal(await refusalOf(client.factors.prove({ code: `AAAAA-AAAA${'BCDEF'[i]}` })), 'CODE_WRONG')
    assert.equal(
      await refusalOf(client.factors.prove({ code: recoveryCodes[1] ?? '' })),
      'RECOVERY_THROTTLED',
    )
    assert.equal(await refusalOf(client.factors.prove({ code: codeOf(secret) })), 'accepted')
  })

  test('a code counts as it is meant: in full width, with a blank in it', async () => {
    const who = await person()
    const { secret } = await makeTotp(office, who.cookie)
    const wide = [...codeOf(secret)].map(digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    const code = `${wide.slice(0, 3).join('')} ${wide.slice(3).join('')}\u200b`
    assert.equal(await refusalOf(office.as(who.cookie).factors.prove({ code })), 'accepted')
  })

  test(`${WRONG_MAX} wrong codes are the last for a while, from wherever, and a passkey still works`, async () => {
    const who = await person()
    const { secret } = await makeTotp(office, who.cookie)
    const { key } = await makePasskey(office, who.cookie)
    const client = office.as(who.cookie)
    const { token } = await stepOf(who)
    for (let i = 0; i < WRONG_MAX; i++) {
      const code = `00000${i}`
      const call = i % 2 ? client.factors.prove({ code }) : nobody().signIn.prove({ token, proof: { code } })
      assert.equal(await refusalOf(call), 'CODE_WRONG')
    }
    const code = codeOf(secret)
    assert.equal(await refusalOf(client.factors.prove({ code })), 'FACTOR_THROTTLED')
    assert.equal(await refusalOf(nobody().signIn.prove({ token, proof: { code } })), 'FACTOR_THROTTLED')
    const { passkey } = await client.factors.challenge()
    assert.ok(passkey)
    assert.equal(await refusalOf(client.factors.prove({ passkey: key.use(passkey) })), 'accepted')
    await office.owner.query(`update factor_failures set created_at = created_at - interval '16 minutes'`)
    assert.equal(await refusalOf(client.factors.prove({ code })), 'accepted')
  })

  test('it is set up with a code of its own, and its secret is kept encrypted', async () => {
    const who = await person()
    const client = office.as(who.cookie)
    const { token, secret } = await client.factors.startTotp()
    assert.equal(await refusalOf(client.factors.addTotp({ token, code: '000000' })), 'CODE_WRONG')
    const other = await person()
    const stolen = { token, code: codeOf(secret) }
    assert.equal(await refusalOf(office.as(other.cookie).factors.addTotp(stolen)), 'FACTOR_EXPIRED')
    const { recoveryCodes } = await client.factors.addTotp(stolen)
    assert.equal(new Set(recoveryCodes).size, RECOVERY_CODES)
    const { rows } = await office.owner.query(
      'select secret, code_hash from factor_totps join recovery_codes using (account_id)',
    )
    for (const kept of rows)
      for (const code of recoveryCodes ?? []) assert.ok(!JSON.stringify(kept).includes(code))
  })
})

test('a recovery code lets in once, also many at the same time; new ones end the old ones', async () => {
  const who = await person()
  const { recoveryCodes } = await makeTotp(office, who.cookie)
  const [first = '', second = '', third = ''] = recoveryCodes
  const { token } = await stepOf(who)
  const cookie = await entered('/session/proof', { token, proof: { code: first.toLowerCase() } })
  const client = office.as(cookie)
  assert.equal((await client.factors.standing()).recoveryLeft, RECOVERY_CODES - 1)
  const tries = await Promise.all([1, 2, 3].map(() => refusalOf(client.factors.prove({ code: second }))))
  assert.deepEqual(tries.sort(), ['CODE_WRONG', 'CODE_WRONG', 'accepted'])
  const renewed = await client.factors.renewRecoveryCodes()
  assert.equal(await refusalOf(client.factors.prove({ code: third })), 'CODE_WRONG')
  assert.equal(await refusalOf(client.factors.prove({ code: renewed.recoveryCodes[0] ?? '' })), 'accepted')
})

describe('a passkey', () => {
  test('is the only step of signing in, once for what it signed', async () => {
    const who = await person()
    const { key } = await makePasskey(office, who.cookie, ' 手机 ')
    const asked = await nobody().signIn.passkeyOptions()
    assert.deepEqual((asked.options.allowCredentials as unknown[]) ?? [], [])
    const answer = key.use(asked)
    const cookie = await entered('/session/passkey', answer)
    assert.equal((await office.as(cookie).access.current()).loginName, who.loginName)
    assert.equal((await office.as(cookie).factors.standing()).passkeys[0]?.name, '手机')
    assert.equal(await refusalOf(nobody().signIn.passkey(answer)), 'FACTOR_EXPIRED')
  })

  test('is the second step after a password, for its own account alone', async () => {
    const [who, other] = [await person(), await person()]
    const { key } = await makePasskey(office, who.cookie)
    await makePasskey(office, other.cookie)
    const { token, passkey } = await stepOf(who)
    assert.ok(passkey)
    const theirs = await stepOf(other)
    const wrong = key.use(theirs.passkey as NonNullable<typeof passkey>)
    assert.equal(
      await refusalOf(nobody().signIn.prove({ token: theirs.token, proof: { passkey: wrong } })),
      'PASSKEY_FAILED',
    )
    await entered('/session/proof', { token, proof: { passkey: key.use(passkey) } })
  })

  test('of another address, copied, or signed by another is refused', async () => {
    const who = await person()
    const { key } = await makePasskey(office, who.cookie)
    const client = office.as(who.cookie)
    const attempt = async () => {
      const { passkey } = await client.factors.challenge()
      assert.ok(passkey)
      return refusalOf(client.factors.prove({ passkey: key.use(passkey) }))
    }
    assert.equal(await attempt(), 'accepted')
    const { origin } = key
    key.origin = 'https://partner-office.example.net'
    assert.equal(await attempt(), 'PASSKEY_FAILED')
    key.origin = origin
    assert.equal(await attempt(), 'accepted')
    key.counter = 0
    assert.equal(await attempt(), 'PASSKEY_FAILED')
    const stranger = makeAuthenticator(origin)
    const { passkey } = await client.factors.challenge()
    assert.ok(passkey)
    const { response } = stranger.use(passkey)
    const known = key.use(passkey)
    const forged = { ...known, response: { ...response, id: known.response.id, rawId: known.response.rawId } }
    assert.equal(await refusalOf(client.factors.prove({ passkey: forged })), 'PASSKEY_FAILED')
  })

  test('the same one is not added twice, and the last one takes the recovery codes with it', async () => {
    const who = await person()
    const client = office.as(who.cookie)
    const { key, recoveryCodes } = await makePasskey(office, who.cookie)
    assert.equal(recoveryCodes?.length, RECOVERY_CODES)
    const again = { ...key.make(await client.factors.startPasskey()), name: '再次' }
    const other = await person()
    assert.equal(await refusalOf(office.as(other.cookie).factors.addPasskey(again)), 'FACTOR_EXPIRED')
    assert.equal(await refusalOf(client.factors.addPasskey(again)), 'PASSKEY_KNOWN')
    const { passkeys } = await client.factors.standing()
    await client.factors.removePasskey({ id: passkeys[0]?.id ?? 0 })
    assert.equal((await client.factors.standing()).recoveryLeft, 0)
    assert.equal((await login(who)).step, null)
  })
})

test('where keys cannot be used, a passkey is no way around: the password alone lets nobody in', async () => {
  const who = await person()
  await makePasskey(office, who.cookie)
  await office.owner.query('delete from recovery_codes')
  const { services } = office.app
  const { baseUrl } = services
  services.baseUrl = () => 'http://192.168.1.5:3000'
  try {
    const step = await stepOf(who)
    assert.deepEqual([step.hasTotp, step.recoveryLeft, step.passkey], [false, 0, null])
    assert.equal(await refusalOf(nobody().signIn.passkeyOptions()), 'PASSKEYS_ELSEWHERE')
    services.baseUrl = () => 'https://office.example.com/'
    assert.equal(await originOf(office, who.cookie), 'https://office.example.com')
  } finally {
    services.baseUrl = baseUrl
  }
})

test('signing in proves the factor for a few minutes; another factor is added only with a fresh proof', async () => {
  const who = await person()
  const { secret } = await makeTotp(office, who.cookie)
  const { token } = await stepOf(who)
  const cookie = await entered('/session/proof', { token, proof: { code: codeOf(secret) } })
  await office.as(cookie).factors.startPasskey()
  await forgetProofs(office)
  assert.equal(await refusalOf(office.as(cookie).factors.startPasskey()), 'FACTOR_REQUIRED')
})

test('who is obliged has its days of grace, the newcomer its own', async () => {
  const operator = await makeAgent(office, { operator: true })
  const asOperator = office.as(await office.login(operator.loginName))
  const owner = await person()
  const staff = await makeAccount(office, owner.id)
  const asOwner = office.as(owner.cookie)
  const asStaff = office.as(await office.login(staff.loginName))
  const due = async (client: typeof asOwner) => (await client.access.current()).factor.dueAt
  const inDays = (dueAt: number | null) => dueAt && Math.round((dueAt - Date.now()) / 86_400_000)
  try {
    assert.equal(await due(asOwner), null)
    await asOperator.factors.setRules({ rules: [{ kind: 'owners', required: true, graceDays: 7 }] })
    assert.ok(await soon(async () => inDays(await due(asOwner)) === 7))
    assert.equal(await due(asStaff), null)
    assert.equal(
      await refusalOf(
        asOwner.factors.setRules({ rules: [{ kind: 'owners', required: false, graceDays: 0 }] }),
      ),
      'RULE_FOREIGN',
    )
    await asOwner.factors.setRules({ rules: [{ kind: 'ownStaff', required: true, graceDays: 3 }] })
    assert.ok(await soon(async () => inDays(await due(asStaff)) === 3))
    await makeTotp(office, owner.cookie)
    assert.ok(await soon(async () => (await due(asOwner)) === null))
    assert.deepEqual(
      (await asOperator.factors.rules()).rules.map(rule => rule.required),
      [false, true, false],
    )
  } finally {
    await office.owner.query('delete from factor_rules')
  }
})

test('factors that are reset are gone with their sessions, and their owner is told', async () => {
  const who = await person()
  await makeTotp(office, who.cookie)
  const operator = await makeAgent(office, { operator: true })
  const cookie = await office.login(operator.loginName)
  await acting(office, cookie, ctx => resetFactors(ctx, who.accountId))
  assert.ok(
    await soon(async () => (await refusalOf(office.as(who.cookie).access.current())) === 'UNAUTHENTICATED'),
  )
  assert.equal((await login(who)).step, null)
  const { rows } = await office.owner.query('select title from notices where account_id = $1', [
    who.accountId,
  ])
  assert.ok(rows.some(({ title }) => title === '二次验证已重置'))
  assert.equal(await refusalOf(acting(office, cookie, ctx => resetFactors(ctx, who.accountId))), 'NO_FACTOR')
})
