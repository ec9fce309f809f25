// An agent's own accounts: saved without ever being shown, checked by the services themselves, and used once they are right.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test, { after, before } from 'node:test'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type Client, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { openTill, type Till } from '#test/make-payments.ts'
import { REFUSALS } from './rules.ts'

let till: Till
let agent: MadeAgent
let me: Client
type Given = Record<string, string>
type Channel = 'wechat' | 'alipay'
let own: Record<Channel, Given>

before(async () => {
  till = await openTill()
  own = till.outside.simulators.own
  ;({ agent, me } = await partner())
})
after(() => till.stop())

async function partner() {
  const made = await makeAgent(till.office)
  await till.staff.paymentSettings.allow({ id: made.id, enabled: true })
  return { agent: made, me: till.office.as(await till.office.login(made.loginName)) }
}
const standingOf = async (client: Client, channel: PayChannelName) => {
  const standing = (await client.paymentSettings.settings()).channels.find(one => one.channel === channel)
  assert.ok(standing)
  return standing
}
const strangersKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

test('where the operator has not allowed it, nothing is saved, and the words say whom to ask', async () => {
  const other = await makeAgent(till.office)
  const them = till.office.as(await till.office.login(other.loginName))
  assert.equal((await them.paymentSettings.settings()).payEnabled, false)
  const calls = [
    () => them.paymentSettings.save({ channel: 'alipay', values: own.alipay }),
    () => them.paymentSettings.check({ channel: 'alipay' }),
    () => them.paymentSettings.switch({ channel: 'alipay', enabled: true }),
    () => them.paymentSettings.setSignKey({ signKey: 'abcd1234' }),
  ]
  for (const call of calls)
    await assert.rejects(call(), { code: 'PAY_DISABLED', message: REFUSALS.PAY_DISABLED })
})

test('secrets go in and never come out, nor into the log; they lie encrypted', async () => {
  await me.paymentSettings.save({ channel: 'wechat', values: own.wechat })
  const answer = JSON.stringify(await me.paymentSettings.settings())
  const { rows: log } = await till.office.owner.query(
    `select title, changes::text from operation_logs where agent_id = $1 and title = '保存支付设置'`,
    [agent.id],
  )
  const { rows: kept } = await till.office.owner.query(
    `select v.name, v.open, v.sealed from payment_setting_values v where agent_id = $1`,
    [agent.id],
  )
  for (const name of ['privateKey', 'apiV3Key', 'appSecret']) {
    const secret = (own.wechat[name] ?? '').split('\n')[1] ?? own.wechat[name] ?? ''
    assert.ok(!answer.includes(secret) && !JSON.stringify(log).includes(secret), name)
    const row = kept.find(value => value.name === name)
    assert.equal(row.open, null)
    assert.ok(!row.sealed.includes(secret))
  }
  const { values } = await standingOf(me, 'wechat')
  assert.equal(values.find(({ name }) => name === 'mchid')?.value, own.wechat.mchid)
  const secret = values.find(({ name }) => name === 'apiV3Key')
  assert.equal(secret?.value, null)
  assert.ok(secret?.setByName && Date.parse(secret.setAt) > Date.now() - 60_000)
  assert.match(log[0].changes, /APIv3 密钥/)
  assert.match(log[0].changes, /已设置/)
})

test('an empty secret stays, another is noted as changed alone, and removing is said', async () => {
  const blank = { ...own.wechat, privateKey: '', apiV3Key: '', appSecret: '' }
  const before = await standingOf(me, 'wechat')
  const same = await me.paymentSettings.save({ channel: 'wechat', values: blank })
  assert.equal(same.version, before.version)
  const other = 'Q'.repeat(32)
  await me.paymentSettings.save({ channel: 'wechat', values: { ...blank, apiV3Key: other } })
  const changes = async () =>
    (
      await till.one<{ changes: unknown }>(
        `select changes from operation_logs where agent_id = $1 and title = '保存支付设置' order by id desc limit 1`,
        [agent.id],
      )
    ).changes
  assert.deepEqual(await changes(), [{ name: 'APIv3 密钥', before: '已设置', after: '已更换' }])
  await me.paymentSettings.save({ channel: 'wechat', values: blank, remove: ['appSecret'] })
  assert.deepEqual(await changes(), [{ name: 'AppSecret', before: '已设置', after: '已删除' }])
  const { values } = await standingOf(me, 'wechat')
  assert.ok(!values.some(({ name }) => name === 'appSecret'))
  assert.equal(
    await refusalOf(me.paymentSettings.save({ channel: 'wechat', values: blank, remove: ['apiV3Key'] })),
    'VALUE_INVALID',
  )
})

test('a key that cannot be read is refused in words, without the key', async () => {
  const cases: [Channel, Given, RegExp][] = [
    ['wechat', { privateKey: 'no key at all' }, /^商户私钥无法识别/],
    ['wechat', { publicKey: own.wechat.privateKey ?? '' }, /^微信支付公钥无法识别/],
    ['wechat', { publicKey: '' }, /公钥与公钥ID须一同填写/],
    ['alipay', { alipayPublicKey: 'bm8ga2V5' }, /^支付宝公钥无法识别/],
  ]
  for (const [channel, wrong, words] of cases)
    await assert.rejects(
      me.paymentSettings.save({ channel, values: { ...own[channel], ...wrong } }),
      (error: Error & { code: string }) => error.code === 'KEY_UNREADABLE' && words.test(error.message),
    )
})

/** Each is saved and asked about at the service, which alone knows what is wrong. */
const WRONG: [channel: Channel, what: string, wrong: () => Given, result: string, words: RegExp][] = [
  ['wechat', 'all right', () => ({}), 'right', /均正确/],
  [
    'wechat',
    "a stranger's key",
    () => ({ privateKey: strangersKey().privateKey }),
    'wrong',
    /商户私钥不正确/,
  ],
  ['wechat', 'another serial', () => ({ serial: 'AB'.repeat(20) }), 'wrong', /证书序列号不正确/],
  ['wechat', 'another APIv3 key', () => ({ apiV3Key: 'Z'.repeat(32) }), 'wrong', /APIv3 密钥不正确/],
  ['wechat', 'another merchant number', () => ({ mchid: '1900009999' }), 'wrong', /商户号不存在/],
  ['wechat', 'another appid', () => ({ appid: 'wxffffffffffffffff' }), 'wrong', /AppID 与商户号未绑定/],
  [
    'wechat',
    "a stranger's public key",
    () => ({ publicKey: strangersKey().publicKey }),
    'wrong',
    /微信支付公钥或公钥ID不正确/,
  ],
  ['alipay', 'all right', () => ({}), 'right', /均正确/],
  [
    'alipay',
    "a stranger's key",
    () => ({ privateKey: strangersKey().privateKey }),
    'wrong',
    /应用私钥不正确/,
  ],
  ['alipay', 'another app', () => ({ appId: '2021999999999999' }), 'wrong', /应用ID不正确/],
  [
    'alipay',
    'the own public key',
    () => ({ alipayPublicKey: strangersKey().publicKey }),
    'wrong',
    /支付宝公钥不正确/,
  ],
]
for (const [channel, what, wrong, result, words] of WRONG)
  test(`${channel} with ${what} is checked as ${result}`, async () => {
    const someone = await partner()
    await someone.me.paymentSettings.save({ channel, values: { ...own[channel], ...wrong() } })
    const answer = await someone.me.paymentSettings.check({ channel })
    assert.equal(answer.result, result)
    assert.match(answer.words, words)
    const turn = () => someone.me.paymentSettings.switch({ channel, enabled: true })
    if (result === 'right') assert.deepEqual(await turn(), { enabled: true })
    else assert.equal(await refusalOf(turn()), 'CHECK_WRONG')
  })

/** WeChat Pay signs its answers to such a merchant with a certificate, which the client downloads and opens with the APIv3 key. */
async function withCertificates<T>(work: () => Promise<T>): Promise<T> {
  const set = (what: object) =>
    fetch(`${till.outside.simulators.wechat.url}/__sim/keys`, { method: 'POST', body: JSON.stringify(what) })
  await set({ mode: 'certificate' })
  try {
    return await work()
  } finally {
    await set({ mode: 'public-key' })
  }
}
const certificateValues = (wrong: Given = {}): Given => {
  const { publicKeyId: _id, publicKey: _key, ...others } = own.wechat
  return { ...others, ...wrong }
}

const BY_CERTIFICATE: [what: string, given: () => Given, result: string, words: RegExp][] = [
  ['all right', () => certificateValues(), 'right', /均正确/],
  [
    "a stranger's key",
    () => certificateValues({ privateKey: strangersKey().privateKey }),
    'wrong',
    /商户私钥不正确/,
  ],
  ['another serial', () => certificateValues({ serial: 'AB'.repeat(20) }), 'wrong', /证书序列号不正确/],
  [
    'another APIv3 key',
    () => certificateValues({ apiV3Key: 'Z'.repeat(32) }),
    'wrong',
    /APIv3 密钥不正确：无法解密/,
  ],
  [
    'another appid',
    () => certificateValues({ appid: 'wxffffffffffffffff' }),
    'wrong',
    /AppID 与商户号未绑定/,
  ],
  ['a public key besides', () => own.wechat, 'right', /均正确/],
]
for (const [what, given, result, words] of BY_CERTIFICATE)
  test(`wechat by platform certificate with ${what} is checked as ${result}`, () =>
    withCertificates(async () => {
      const someone = await partner()
      await someone.me.paymentSettings.save({ channel: 'wechat', values: given() })
      const answer = await someone.me.paymentSettings.check({ channel: 'wechat' })
      assert.deepEqual([answer.result, words.test(answer.words)], [result, true], answer.words)
      const turn = someone.me.paymentSettings.switch({ channel: 'wechat', enabled: true })
      if (result === 'right') assert.deepEqual(await turn, { enabled: true })
      else assert.equal(await refusalOf(turn), 'CHECK_WRONG')
    }))

test('a platform certificate that was changed since the last check is downloaded anew', () =>
  withCertificates(async () => {
    const { me: them } = await partner()
    await them.paymentSettings.save({ channel: 'wechat', values: certificateValues() })
    const check = () => them.paymentSettings.check({ channel: 'wechat' })
    assert.equal((await check()).result, 'right')
    const keys = `${till.outside.simulators.wechat.url}/__sim/keys`
    await fetch(keys, { method: 'POST', body: JSON.stringify({ rotate: true }) })
    assert.equal((await check()).result, 'right')
  }))

test('a merchant without a public key, for whom WeChat Pay has no certificate, is told to give the key', async () => {
  const { me: them } = await partner()
  const { faults } = till.outside.simulators.wechat.control
  faults.push({ match: 'certificates', times: 1, effect: { kind: 'error', code: 'RESOURCE_NOT_EXISTS' } })
  await them.paymentSettings.save({ channel: 'wechat', values: certificateValues() })
  const answer = await them.paymentSettings.check({ channel: 'wechat' })
  assert.deepEqual([answer.result, /请填写微信支付公钥/.test(answer.words)], ['wrong', true], answer.words)
})

test('without an answer nothing is said to be wrong', async () => {
  const someone = await partner()
  await someone.me.paymentSettings.save({ channel: 'alipay', values: own.alipay })
  const { faults } = till.outside.simulators.alipay.control
  faults.push({ match: 'query', times: 9, effect: { kind: 'status', status: 502 } })
  const answer = await someone.me.paymentSettings.check({ channel: 'alipay' })
  faults.length = 0
  assert.equal(answer.result, 'unknown')
  assert.match(answer.words, /暂时无法判断/)
  assert.equal(
    await refusalOf(someone.me.paymentSettings.switch({ channel: 'alipay', enabled: true })),
    'CHECK_WRONG',
  )
})

test('only these very settings count as checked, and a change switches a channel off', async () => {
  const { me: them, agent: they } = await partner()
  await them.paymentSettings.save({ channel: 'alipay', values: own.alipay })
  const turn = () => them.paymentSettings.switch({ channel: 'alipay', enabled: true })
  assert.equal(await refusalOf(turn()), 'NOT_CHECKED')
  await them.paymentSettings.check({ channel: 'alipay' })
  await turn()
  const blank = { ...own.alipay, privateKey: '' }
  const saved = await them.paymentSettings.save({
    channel: 'alipay',
    values: { ...blank, serviceProviderId: '2088000000000001' },
  })
  assert.deepEqual(saved, { version: 2, enabled: false })
  assert.equal(await refusalOf(turn()), 'CHECK_STALE')
  await them.paymentSettings.check({ channel: 'alipay' })
  await turn()
  assert.equal((await standingOf(them, 'alipay')).enabled, true)
  const { count } = await till.one<{ count: number }>(
    `select count(*)::int as count from operation_logs where agent_id = $1 and title in ('检测支付设置', '启停在线收款') and jsonb_array_length(changes::jsonb) > 0`,
    [they.id],
  )
  assert.equal(count, 4)
})

test('another merchant has another address for callbacks, and the old one keeps its keys for what is under way', async () => {
  const { me: them, agent: they } = await partner()
  await them.paymentSettings.save({ channel: 'alipay', values: own.alipay })
  await them.paymentSettings.save({ channel: 'alipay', values: { ...own.alipay, appId: '2021999999999998' } })
  const { rows } = await till.office.owner.query<{ callback_key: string; replaced: boolean; values: number }>(
    `select callback_key, replaced_at is not null as replaced,
       (select count(*)::int from payment_setting_values v where v.settings_id = s.id) as values
     from payment_settings s where agent_id = $1 order by id`,
    [they.id],
  )
  assert.deepEqual(
    rows.map(row => [row.replaced, row.values]),
    [
      [true, 5],
      [false, 5],
    ],
  )
  assert.notEqual(rows[0]?.callback_key, rows[1]?.callback_key)
})

test('settings are removed whole, once what was open has ended', async () => {
  const { me: them, agent: they } = await partner()
  await them.paymentSettings.save({ channel: 'alipay', values: own.alipay })
  await them.paymentSettings.check({ channel: 'alipay' })
  await them.paymentSettings.switch({ channel: 'alipay', enabled: true })
  const remove = () => them.paymentSettings.remove({ channel: 'alipay' })
  assert.equal(await refusalOf(remove()), 'SWITCHED_ON')
  await them.paymentSettings.switch({ channel: 'alipay', enabled: false })
  assert.equal(await refusalOf(remove()), 'STILL_SETTLING')
  await till.office.owner.query(
    `update payment_settings set off_at = off_at - interval '30 minutes' where agent_id = $1`,
    [they.id],
  )
  assert.deepEqual(await remove(), { removed: true })
  assert.deepEqual((await standingOf(them, 'alipay')).values, [])
  const { count } = await till.one<{ count: number }>(
    'select count(*)::int as count from payment_setting_values where agent_id = $1',
    [they.id],
  )
  assert.equal(count, 0)
})

test('the operator allows and ends it, and the log of both says so', async () => {
  const { me: them, agent: they } = await partner()
  await till.staff.paymentSettings.allow({ id: they.id, enabled: false })
  assert.equal((await them.paymentSettings.settings()).payEnabled, false)
  const { rows } = await till.staff.partnerDesk.list({ search: String(they.id) })
  assert.equal(rows[0]?.payEnabled, false)
  assert.equal(await refusalOf(them.paymentSettings.allow({ id: they.id, enabled: true })), 'FORBIDDEN')
})

test('a sign key is kept, replaced and removed without being shown', async () => {
  await me.paymentSettings.setSignKey({ signKey: 'abcd1234efgh' })
  const { signKey } = await me.paymentSettings.settings()
  assert.deepEqual(Object.keys(signKey ?? {}).sort(), ['setAt', 'setByName'])
  await me.paymentSettings.removeSignKey()
  assert.equal((await me.paymentSettings.settings()).signKey, null)
})
