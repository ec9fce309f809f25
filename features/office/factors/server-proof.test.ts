import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { setImmediate as rest } from 'node:timers/promises'
import { hashing } from '#server/rooms.ts'
import { type Office, openOffice, PASSWORD, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { codeOf, forgetProofs, makeTotp } from '#test/make-factors.ts'
import { call, soon } from '#test/walk.ts'
import { RECOVERY_CODES, WRONG_MAX } from './rules.ts'

const PROVE = { method: 'POST', path: '/factors/proofs' }

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
const stepOf = async ({ loginName }: { loginName: string }) => {
  const { step } = await nobody().signIn.login({ loginName, password: PASSWORD })
  assert.ok(step, 'asked for the second step')
  return step
}

describe('without a factor the password is asked for again', () => {
  const stolen = async () => {
    const who = await person()
    await forgetProofs(office)
    return { ...who, client: office.as(who.cookie) }
  }

  test('a stolen cookie enrols no factor, ends no device, and the password given again opens it for ten minutes', async () => {
    const { client, loginName } = await stolen()
    await office.login(loginName, PASSWORD, 'another')
    const { rows } = await client.signIn.sessions()
    const attempts = () =>
      Promise.all([
        refusalOf(client.factors.startTotp()),
        refusalOf(client.factors.startPasskey()),
        refusalOf(client.signIn.endSession({ id: rows[1]?.id ?? 0 })),
        refusalOf(client.signIn.endOtherSessions()),
      ])
    const closed = ['FACTOR_REQUIRED', 'FACTOR_REQUIRED', 'FACTOR_REQUIRED', 'FACTOR_REQUIRED']
    assert.deepEqual(await attempts(), closed)
    assert.deepEqual(await client.factors.challenge(), {
      hasTotp: false,
      recoveryLeft: 0,
      passkey: null,
      password: true,
    })
    assert.equal(await refusalOf(client.factors.prove({ password: 'wrong-1' })), 'PASSWORD_WRONG')
    assert.deepEqual(await attempts(), closed)
    await client.factors.prove({ password: PASSWORD })
    await office.owner.query(`update factor_proofs set proved_at = now() - interval '9 minutes'`)
    assert.equal(await refusalOf(client.factors.startTotp()), 'accepted')
    await office.owner.query(`update factor_proofs set proved_at = now() - interval '10 minutes'`)
    assert.deepEqual(await attempts(), closed)
  })

  test('signing in a moment ago is such a proof', async () => {
    const who = await person()
    assert.equal(await refusalOf(office.as(who.cookie).factors.startTotp()), 'accepted')
  })

  test('a proof gives the session another token, and the former ends once what was under way is answered', async () => {
    const { cookie, client } = await stolen()
    const answer = await call(office.app, cookie, PROVE, { password: PASSWORD })
    assert.equal(answer.status, 200)
    const [renewed] = [answer.headers['set-cookie']].flat().map(text => String(text).split(';', 1)[0])
    assert.match(String(renewed), /^session=[\w-]{43}$/)
    assert.notEqual(renewed, cookie)
    assert.equal(await refusalOf(client.access.current()), 'accepted')
    await office.owner.query(`update sessions set former_until = now() where former_until is not null`)
    assert.ok(
      await soon(async () => {
        // What was remembered of it is forgotten with any change of access.
        await office.owner.query(`notify access_changed`)
        return (await refusalOf(client.access.current())) === 'UNAUTHENTICATED'
      }),
    )
    const own = office.as(String(renewed))
    assert.equal(await refusalOf(own.factors.startTotp()), 'accepted')
  })

  test(`it is tried ${WRONG_MAX} times, also by many at once`, async () => {
    const { client } = await stolen()
    const tries = await Promise.all(
      Array.from({ length: WRONG_MAX + 2 }, () => refusalOf(client.factors.prove({ password: 'wrong-1' }))),
    )
    assert.equal(tries.filter(code => code === 'PASSWORD_WRONG').length, WRONG_MAX)
    assert.equal(await refusalOf(client.factors.prove({ password: PASSWORD })), 'PASSWORD_THROTTLED')
  })

  test('who has a factor proves it by that alone, and a proof by password opens nothing any more', async () => {
    const who = await person()
    const stale = office.as(await office.login(who.loginName))
    const { secret } = await makeTotp(office, who.cookie)
    assert.ok(await soon(async () => (await stale.access.current()).factor.has))
    assert.equal(await refusalOf(stale.factors.startPasskey()), 'FACTOR_REQUIRED')
    assert.equal(await refusalOf(stale.factors.prove({ password: PASSWORD })), 'FACTOR_WANTED')
    const { token } = await stepOf(who)
    const proof = { password: PASSWORD } as never
    assert.equal(await refusalOf(nobody().signIn.prove({ token, proof })), 'INPUT_INVALID')
    await stale.factors.prove({ code: codeOf(secret) })
    assert.equal(await refusalOf(stale.factors.startPasskey()), 'accepted')
  })

  test('a wrong answer stands in the operation log as refused, and no more of them than may be tried', async () => {
    const { client, accountId } = await stolen()
    for (let i = 0; i < WRONG_MAX + 3; i++) await refusalOf(client.factors.prove({ password: 'wrong-1' }))
    const { rows } = await office.owner.query(
      'select title, outcome, changes from operation_logs where account_id = $1 and outcome = $2',
      [accountId, 'refused'],
    )
    assert.equal(rows.length, WRONG_MAX)
    assert.deepEqual(rows[0], {
      title: '身份验证',
      outcome: 'refused',
      changes: [{ name: '原因', before: null, after: '密码错误' }],
    })
  })
})

test('recovery codes are kept as passwords are, with a salt of their account; those of before still let in', async () => {
  const [who, other] = [await person(), await person()]
  const { recoveryCodes } = await makeTotp(office, who.cookie)
  await makeTotp(office, other.cookie)
  const kept = async () =>
    (
      await office.owner.query<{ salt: Buffer; code_hash: Buffer }>(
        'select salt, code_hash from recovery_codes where account_id = $1 order by id',
        [who.accountId],
      )
    ).rows
  const [first = '', second = ''] = recoveryCodes
  const { secrets } = office.app.services
  const keyed = secrets.digest(`recovery ${first.replace('-', '')}`)
  assert.ok((await kept()).every(({ salt, code_hash }) => salt.length === 16 && !code_hash.equals(keyed)))
  const { rows: salts } = await office.owner.query(
    'select distinct salt from recovery_codes where salt is not null',
  )
  assert.ok(salts.length >= 2)
  await office.owner.query('update recovery_codes set salt = null where account_id = $1', [who.accountId])
  await office.owner.query(
    'update recovery_codes set code_hash = $2 where account_id = $1 and id = (select max(id) from recovery_codes where account_id = $1)',
    [who.accountId, secrets.digest(`recovery ${second.replace('-', '')}`)],
  )
  assert.equal(await refusalOf(office.as(who.cookie).factors.prove({ code: second })), 'accepted')
})

test('recovery codes stand in the line for hashing one after the other', async () => {
  const who = await person()
  let most = 0
  let isMade = false
  const making = makeTotp(office, who.cookie).finally(() => {
    isMade = true
  })
  while (!isMade) {
    most = Math.max(most, hashing.waiting())
    await rest()
  }
  assert.equal((await making).recoveryCodes.length, RECOVERY_CODES)
  assert.equal(most, 0)
})
