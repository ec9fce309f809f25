// What every room of a payment channel must hold, whichever it is.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { OWN_SETTINGS, PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import type { Surroundings } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { ROOMS, roomOf } from './rooms.ts'
import { SIMULATED_CHANNELS, type Simulators, startSimulators } from './simulators.ts'

const SURROUNDINGS: Surroundings = {
  fetch,
  now: () => new Date(),
  nonce: () => 'n'.repeat(32),
  timeoutMs: ANSWERED_WITHIN_MS,
}
let simulators: Simulators

before(async () => {
  simulators = await startSimulators({
    keysFile: null,
    signature: '测试签名',
    templates: { aliyun: [], tencent: [] },
  })
})
after(() => simulators.stop())

const clientOf = (name: PayChannelName) => roomOf(name).make(simulators.settings[name], SURROUNDINGS)
const phoneWith = (code: string) =>
  fetch(`${simulators.phoneUrl}?code=${encodeURIComponent(code)}`, { redirect: 'manual' })

test('no two are told apart by the same beginning', () => {
  const beginnings = [
    PAY_CHANNELS.map(name => roomOf(name).prefix),
    SIMULATED_CHANNELS.map(name => roomOf(name).simulated?.codes ?? ''),
  ]
  for (const all of beginnings)
    for (const [i, one] of all.entries()) {
      assert.notEqual(one, '')
      assert.ok(!all.some((other, j) => i !== j && other.startsWith(one)), one)
    }
})

describe('an agent’s own account', () => {
  for (const name of PAY_CHANNELS)
    test(`is for ${name} where its record says what is given, and nowhere else`, () => {
      assert.equal(roomOf(name).own !== undefined, OWN_SETTINGS[name] !== undefined)
    })

  for (const name of SIMULATED_CHANNELS)
    test(`of ${name} at its simulator is what its record takes`, () => {
      const asked = OWN_SETTINGS[name] ?? {}
      const given: Readonly<Record<string, string>> = simulators.own[name] ?? {}
      for (const [key, value] of Object.entries(given)) {
        const { pattern = '', words = { [value]: '' } } = asked[key] ?? assert.fail(`${key} is not asked for`)
        assert.match(value, new RegExp(pattern), key)
        assert.ok(value in words, key)
      }
      for (const [key, { required }] of Object.entries(asked)) assert.ok(key in given || !required, key)
    })
})

for (const name of SIMULATED_CHANNELS)
  describe(`${name} at its simulator`, () => {
    test('is connected by the environment as by the simulator’s own word', () => {
      const { prefix, read, simulated } = roomOf(name)
      const settings = simulators.settings[name]
      const environment = simulated?.environment(settings) ?? {}
      assert.ok(Object.keys(environment).every(key => key.startsWith(prefix)))
      const may = (key: string) => environment[prefix + key]
      const need = (key: string) => may(key) ?? assert.fail(`${prefix}${key} is needed`)
      assert.deepEqual(read({ need, may }), settings)
    })

    test('makes a code that the phone knows as its own, and is paid by it', async () => {
      const client = clientOf(name)
      const { codeUrl } = await client.create({
        outTradeNo: `T${name}1`,
        amountFen: 100,
        subject: '短信',
        expiresAt: new Date(Date.now() + 600_000).toISOString(),
        notifyUrl: 'http://127.0.0.1:9/none',
      })
      const led = await phoneWith(codeUrl)
      assert.equal(led.status, 302)
      const page = await fetch(led.headers.get('location') ?? '')
      assert.equal(new URL(page.url).origin, simulators.payUrls[name])
      assert.match(await page.text(), /支付/)
      simulators.paying(name).payCode(codeUrl)
      assert.equal((await client.query(`T${name}1`)).state, 'paid')
      assert.throws(() => simulators.paying(name).payCode(`${codeUrl}x`))
    })
  })

test('the phone refuses in words what no simulated channel has made', async () => {
  for (const code of ['third://pay/1', 'https://office.example/pay/1', '']) {
    const answer = await phoneWith(code)
    assert.equal(answer.status, 404, code)
    assert.match(await answer.text(), /^没有模拟手机能付这个码/)
  }
  assert.throws(() => simulators.paying('third' as PayChannelName), /third is not simulated/)
})

test('the phone opens an address to sign at where it leads', async () => {
  const url = `${simulators.payUrls.wechat}/public/apply4ec_sign/s?applymentId=1&sign=unknown`
  const response = await phoneWith(url)
  assert.equal(response.headers.get('location'), url)
  assert.equal((await fetch(url)).status, 403)
})

test('merchant accounts are opened under a service provider, and under no merchant', () => {
  const { wechat } = simulators.settings
  assert.equal(ROOMS.wechat.onboarding(wechat, SURROUNDINGS)?.name, 'wechat')
  const merchant = { kind: 'direct', mchid: '1900000001', appid: 'wx1' } as const
  assert.equal(ROOMS.wechat.onboarding({ ...wechat, merchant }, SURROUNDINGS), null)
})
