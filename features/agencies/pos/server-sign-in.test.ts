// Sign-ins of shops as their point-of-sale software has them checked, over HTTP with a key.
import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import test, { after, before, describe } from 'node:test'
import { hashPassword } from '#server/secrets.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { type Answered, soon } from '#test/walk.ts'

let office: Office
let agent: MadeAgent
let keyId: number
let passwordHash: string

const VERBS = ['pos.signIn', 'pos.register', 'pos.write', 'pos.sms']
let ask: ReturnType<typeof posCaller>
const told = ({ status, code, body }: Answered) => [status, code, body]

async function keyOf(loginName: string) {
  const key = await makeKey(office, await office.login(loginName), VERBS)
  await withoutLimit(office, key)
  return key
}

before(async () => {
  office = await openOffice({ settings: { LOGIN_FAILURES_MAX: '10' } })
  agent = await makeAgent(office)
  const key = await keyOf(agent.loginName)
  ask = posCaller(office, key.bearer)
  keyId = key.id
  passwordHash = await hashPassword(PASSWORD)
})
after(() => office.stop())

const one = async (statement: string, values: unknown[]) =>
  (await office.owner.query(statement, values)).rows[0]
const lastLogin = async (id: number) =>
  (await one('select last_login_at from merchants where id = $1', [id])).last_login_at

const REGISTRATION = {
  ...{ source: 'app', versionId: 12, shortName: '新店', shopName: '自己注册的店', personName: '李四' },
  ...{ account: '18699990000', password: PASSWORD, districtCode: '440305', industryId: 2 },
}
const NOTICE = {
  template: 'member-notice',
  messages: [{ phone: '13800000001', params: { content: '积分翻倍' } }],
}

describe('a sign-in', () => {
  let accounts = 0
  let addresses = 0
  const nextIp = () => `198.51.${Math.floor(++addresses / 200)}.${addresses % 200}`
  async function shopWith(columns: object = {}) {
    const account = `1867777${String(++accounts).padStart(4, '0')}`
    return {
      account,
      id: await makeMerchant(office, agent.id, { account, password_hash: passwordHash, ...columns }),
    }
  }
  const signIn = (
    account: string,
    password: string,
    { ip = nextIp(), ...by }: { ip?: string; by?: string } = {},
  ) => ask('pos.signIn', { account, password, ip }, by)
  /** As if they had been some minutes ago. */
  const forget = () =>
    office.owner.query(`update login_failures set created_at = created_at - interval '1 minute'`)

  test('with the right password says which shop it is, and is its last', async () => {
    const { id, account } = await shopWith()
    assert.equal(await lastLogin(id), null)
    const answer = await signIn(account, ` ${PASSWORD} `)
    const { expires_at } = await one('select expires_at from merchants where id = $1', [id])
    assert.deepEqual(answer.body, { shopId: id, status: 'normal', expiresAt: expires_at.toISOString() })
    assert.ok(Date.now() - (await lastLogin(id)).getTime() < 60_000)
    const { revision } = await one('select revision from merchants where id = $1', [id])
    assert.equal(revision, 1)
  })

  /** The hashes of passwords that are made while the work runs. */
  async function hashesIn(work: () => Promise<Answered>): Promise<{ hashes: number; answer: Answered }> {
    let hashes = 0
    const hook = createHook({
      init(_, type) {
        if (/argon2/i.test(type)) hashes++
      },
    }).enable()
    try {
      const answer = await work()
      return { hashes, answer }
    } finally {
      hook.disable()
    }
  }

  test('is answered alike for an account that is unknown, of another agency, or disabled, and for a wrong password', async () => {
    const { account } = await shopWith()
    const disabled = await shopWith({ status: 'disabled' })
    const stranger = await makeAgent(office)
    const theirs = '18688880001'
    await makeMerchant(office, stranger.id, { account: theirs, password_hash: passwordHash })
    const tries: [string, string][] = [
      ['18688889999', PASSWORD],
      [theirs, PASSWORD],
      [account, 'wrong-2026'],
      [disabled.account, 'wrong-2026'],
    ]
    const answers = []
    for (const [tried, password] of tries) {
      const { hashes, answer } = await hashesIn(() => signIn(tried, password))
      // Each verifies a hash, of nobody where there is no shop.
      assert.equal(hashes, 1, tried)
      answers.push(told(answer))
    }
    assert.deepEqual(answers[0]?.slice(0, 2), [409, 'LOGIN_FAILED'])
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    const right = await hashesIn(() => signIn(account, PASSWORD))
    assert.deepEqual([right.hashes, right.answer.status], [1, 200])
  })

  test('of a disabled shop is right and does not count', async () => {
    const { id, account } = await shopWith({ status: 'disabled', expires_at: null })
    const { body } = await signIn(account, PASSWORD)
    assert.deepEqual(body, { shopId: id, status: 'disabled', expiresAt: null })
    assert.equal(await lastLogin(id), null)
  })

  test('that fails often is waited for, then refused for the account, and for nobody else', async () => {
    const { account } = await shopWith()
    for (let times = 0; times < 3; times++) assert.equal((await signIn(account, 'x')).code, 'LOGIN_FAILED')
    const soonAgain = await signIn(account, PASSWORD)
    assert.deepEqual([soonAgain.status, soonAgain.code], [429, 'LOGIN_TOO_SOON'])
    assert.ok(Number(soonAgain.headers['retry-after']) >= 1)
    for (let times = 3; times < 10; times++) {
      await forget()
      assert.equal((await signIn(account, 'x')).code, 'LOGIN_FAILED')
    }
    await forget()
    const refused = await signIn(account, PASSWORD)
    assert.deepEqual([refused.status, refused.code], [429, 'LOGIN_THROTTLED'])
    const other = await shopWith()
    assert.equal((await signIn(other.account, PASSWORD)).status, 200)
  })

  test('that fails often from one address is refused from there', async () => {
    const ip = nextIp()
    const shops = []
    for (let n = 0; n < 10; n++) shops.push(await shopWith())
    for (const { account } of shops) assert.equal((await signIn(account, 'x', { ip })).code, 'LOGIN_FAILED')
    const { account } = await shopWith()
    assert.equal((await signIn(account, PASSWORD, { ip })).code, 'LOGIN_THROTTLED')
    assert.equal((await signIn(account, PASSWORD)).status, 200)
  })

  test('that succeeds counts as no try', async () => {
    const { account } = await shopWith()
    const ip = nextIp()
    for (let times = 0; times < 12; times++)
      assert.equal((await signIn(account, PASSWORD, { ip })).status, 200)
  })

  test('with the key of another agency keeps out none of our shops', async () => {
    const { account } = await shopWith()
    const stranger = await makeAgent(office)
    const { bearer: by } = await keyOf(stranger.loginName)
    for (let times = 0; times < 10; times++) {
      await forget()
      assert.equal((await signIn(account, 'x', { by })).code, 'LOGIN_FAILED')
    }
    assert.equal((await signIn(account, PASSWORD)).status, 200)
  })

  test('goes on while the agency is suspended, and so do the messages of its shops; nothing else does', async () => {
    const suspended = await makeAgent(office, { sms: 10 })
    const { bearer: by } = await keyOf(suspended.loginName)
    const account = '18688880002'
    const id = await makeMerchant(office, suspended.id, { account, password_hash: passwordHash })
    await giveSms(office, { agentId: suspended.id, merchantId: id, pieces: 5 })
    await office.owner.query(`update agents set status = 'suspended', suspended_for = '试' where id = $1`, [
      suspended.id,
    ])
    const contact = { id, revision: 1, shopPhone: '', districtCode: '440305', address: '' }
    const isRefused = async () => (await ask('pos.setContact', contact, { by })).code === 'AGENT_SUSPENDED'
    assert.ok(await soon(isRefused))
    assert.equal((await ask('pos.register', REGISTRATION, { by })).code, 'AGENT_SUSPENDED')
    assert.equal((await signIn(account, PASSWORD, { by })).status, 200)
    assert.equal((await ask('pos.sendMessages', { id, ...NOTICE }, { by })).status, 200)
  })

  test('leaves no row, whatever comes of it, and asks for all it needs', async () => {
    const { account } = await shopWith()
    const count = async () =>
      Number(
        (await one('select count(*) from operation_logs where objects @> array[$1]', [`apiKey:${keyId}`]))
          .count,
      )
    const before = await count()
    await signIn(account, PASSWORD)
    await signIn(account, 'x')
    assert.equal((await signIn(account, PASSWORD, { ip: 'nowhere' })).code, 'INPUT_INVALID')
    assert.equal(await count(), before)
  })
})
