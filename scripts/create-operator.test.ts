import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { refuseOperator } from './operator.ts'

/** As npm starts it. */
const QUICK = `--import=${new URL('./quick-loading.ts', import.meta.url)}`
const SCRIPT = fileURLToPath(new URL('./create-operator.ts', import.meta.url))

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

function run(args: string[], settings: Record<string, string> = {}) {
  const result = spawnSync(process.execPath, [QUICK, SCRIPT, ...args], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: office.ownerUrl,
      SECRET_KEY: TEST_SECRET,
      OPERATOR_PASSWORD: 'first-pass-1',
      ...settings,
    },
  })
  return { status: result.status, said: `${result.stdout}${result.stderr}`.trim() }
}
const GOOD = ['--account', '10001', '--name', '运营']
const agents = async () => Number((await office.owner.query('select count(*) from agents')).rows[0].count)

test('what is wrong is refused in words', () => {
  const good = { account: '10001', name: '运营', mobile: '', password: 'first-pass-1' }
  assert.equal(refuseOperator(good), null)
  for (const [changed, words] of [
    [{ account: 'boss' }, '--account must be 4 to 11 digits'],
    [{ account: '123' }, '--account must be 4 to 11 digits'],
    [{ name: '' }, '--name must have 1 to 20'],
    [{ name: '长'.repeat(21) }, '--name must have 1 to 20'],
    [{ mobile: '123' }, '--mobile must be'],
    [{ password: 'short' }, 'The password must have 6 to 64'],
    [{ password: 'with space' }, 'The password must have 6 to 64'],
  ] as const)
    assert.ok(refuseOperator({ ...good, ...changed })?.startsWith(words), words)
})

test('what is missing is refused in words and makes nothing', async () => {
  for (const [args, settings, words] of [
    [[], {}, 'Usage: npm run create-operator'],
    [GOOD, { OPERATOR_PASSWORD: '' }, 'Set OPERATOR_PASSWORD'],
    [GOOD, { DATABASE_URL: '' }, 'Set DATABASE_URL and SECRET_KEY'],
  ] as const) {
    const { status, said } = run([...args], settings)
    assert.equal(status, 1, said)
    assert.ok(said.includes(words), said)
    assert.ok(!said.includes('    at '), said)
  }
  assert.equal(await agents(), 0)
})

test('the first operator signs in with every permission, and there is no second', async () => {
  const { status, said } = run([...GOOD, '--mobile', '13800001234'])
  assert.deepEqual([status, said], [0, 'Operator 10001 created; sign in with it and its password.'])
  const me = office.as(await office.login('10001', 'first-pass-1'))
  const account = await me.access.current()
  assert.deepEqual([account.agentId, account.isOperator, account.userType], [1, true, 0])
  assert.ok(account.permissions.includes('ledger.credit'))
  await me.ledger.credit({ agentId: 1, asset: 'token', amount: 100, reason: '期初' })
  const again = run(['--account', '10002', '--name', '另一个'])
  assert.deepEqual([again.status, again.said], [1, 'This database has an operator already (account 10001).'])
  assert.equal(await agents(), 1)
})
