import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Effect } from '#providers/simulator.ts'
import { GIVEN_UP_AFTER_MS, untilMet } from '#test/patience.ts'
import { aRefund, openWechatPay, refused, unknown } from '#test/wechat-pay.ts'
import type { WechatPaySettings } from './client.ts'
import { makeWechatPayKeys } from './simulator.ts'

const keys = makeWechatPayKeys()
const { simulator, channel, anOrder, orderOf, fault, post } = await openWechatPay(keys)
after(() => simulator.stop())

describe('an answer that nobody can believe', () => {
  const effects: [string, Effect][] = [
    ['no connection', { kind: 'reset-before' }],
    ['a connection cut after the work', { kind: 'reset-after' }],
    ['a server error', { kind: 'status', status: 502, body: 'bad gateway' }],
    ['a server error in the form of a refusal', { kind: 'status', status: 503, body: '{"code":"NO_AUTH"}' }],
    ['a page that is no JSON', { kind: 'status', status: 403, body: '<html>' }],
    ['half an answer', { kind: 'malformed' }],
    ['a wrong signature', { kind: 'wrong-signature' }],
    ['a stale timestamp', { kind: 'stale-timestamp' }],
    ['SYSTEM_ERROR', { kind: 'error', code: 'SYSTEM_ERROR' }],
  ]
  for (const [what, effect] of effects)
    test(`is unknown, and the identical order then works: ${what}`, async () => {
      const wechat = channel()
      const order = anOrder()
      fault('native', effect)
      await assert.rejects(wechat.create(order), unknown)
      const { codeUrl } = await wechat.create(order)
      simulator.pay({ code: codeUrl })
      fault('query', effect)
      await assert.rejects(wechat.query(order.outTradeNo), unknown)
      assert.equal((await wechat.query(order.outTradeNo)).state, 'paid')
      const refund = aRefund(order)
      fault('refund', effect)
      await assert.rejects(wechat.refund(refund), unknown)
      await wechat.refund(refund)
      fault('close', effect)
      await assert.rejects(wechat.close(order.outTradeNo), unknown)
      const kept = orderOf(order.outTradeNo)
      assert.equal(kept?.refunds.length, 1)
    })

  test('a time-out is unknown', async () => {
    const wechat = channel({}, {}, { timeoutMs: GIVEN_UP_AFTER_MS })
    fault('native', { kind: 'silence' })
    await assert.rejects(wechat.create(anOrder()), unknown)
    await untilMet(simulator.control.faults)
  })
})

describe('a refusal', () => {
  const codes: [Effect, string, string?][] = [
    [{ kind: 'error', code: 'PARAM_ERROR', message: '参数错误' }, 'PARAM_ERROR'],
    [{ kind: 'quota-exhausted' }, 'FREQUENCY_LIMITED', '268447840'],
    [{ kind: 'token-revoked' }, 'NO_AUTH'],
  ]
  for (const [effect, code, reference] of codes)
    test(`carries WeChat Pay’s code: ${code}`, async () => {
      fault('native', effect)
      await assert.rejects(channel().create(anOrder()), refused(code, reference))
    })

  test('of an older spelling means the same', async () => {
    const wechat = channel()
    fault('query', { kind: 'error', code: 'ORDERNOTEXIST' })
    assert.equal((await wechat.query('Tnobody2')).state, 'waiting')
    fault('close', { kind: 'error', code: 'ORDERPAID' })
    assert.equal(await wechat.close('Tnobody3'), 'paid')
    fault('query', { kind: 'error', code: 'SYSTEMERROR' })
    await assert.rejects(wechat.query('Tnobody4'), unknown)
  })

  const wrongSettings: [string, Partial<WechatPaySettings>, string, string][] = [
    ['another merchant’s key', { merchantKeyPem: keys.partner.privateKeyPem }, 'SIGN_ERROR', '268443699'],
    [
      'an appid of somebody else',
      { merchant: { kind: 'direct', mchid: keys.direct.mchid, appid: 'wx0000000000000000' } },
      'APPID_MCHID_NOT_MATCH',
      '268445527',
    ],
  ]
  for (const [what, changes, code, reference] of wrongSettings)
    test(`follows from ${what}`, async () => {
      await assert.rejects(
        channel({ mode: 'public-key' }, changes).create(anOrder()),
        refused(code, reference),
      )
    })

  test('follows from a sub-merchant that is missing or another’s', async () => {
    const { mchid: spMchid, appid: spAppid } = keys.partner
    const of = (subMchid: string) =>
      channel(
        { merchant: 'partner' },
        { merchant: { kind: 'partner', spMchid, spAppid, subMchid, subAppid: null } },
      )
    await assert.rejects(of('').create(anOrder()), refused('PARAM_ERROR', '268443704'))
    await assert.rejects(of('1900009999').create(anOrder()), refused('NO_AUTH', '268443701'))
  })
})

describe('keys', () => {
  test('a new platform certificate is fetched when its serial appears', async () => {
    const wechat = channel()
    await wechat.query('Tnobody5')
    let downloads = 0
    const counting = channel(
      {},
      {},
      {
        fetch: (url, init) => {
          if (String(url).endsWith('/v3/certificates')) downloads++
          return fetch(url, init)
        },
      },
    )
    await counting.query('Tnobody5')
    await counting.query('Tnobody5')
    assert.equal(downloads, 1)
    await post('keys', { rotate: true })
    await counting.query('Tnobody5')
    assert.equal(downloads, 2)
    assert.equal((await wechat.query('Tnobody5')).state, 'waiting')
  })

  test('invented serials do not make us ask for certificates each time', async () => {
    let downloads = 0
    const wechat = channel(
      {},
      {},
      {
        fetch: (url, init) => {
          downloads++
          return fetch(url, init)
        },
      },
    )
    for (let tries = 0; tries < 5; tries++)
      await assert.rejects(
        wechat.readCallback(
          {
            'Wechatpay-Timestamp': String(Math.floor(simulator.control.now().getTime() / 1000)),
            'Wechatpay-Nonce': 'n',
            'Wechatpay-Signature': 'c2ln',
            'Wechatpay-Serial': `F00${tries}`,
          },
          Buffer.from('{}'),
        ),
        /serial is not known/,
      )
    assert.equal(downloads, 1)
  })

  test('invented serials do not make us ask each time while certificates cannot be had', async () => {
    let downloads = 0
    let movedMs = 0
    const wechat = channel(
      {},
      {},
      {
        now: () => new Date(simulator.control.now().getTime() + movedMs),
        fetch: async () => {
          downloads++
          throw new TypeError('fetch failed')
        },
      },
    )
    const callback = (serial: string) =>
      wechat.readCallback(
        {
          'Wechatpay-Timestamp': String(Math.floor((simulator.control.now().getTime() + movedMs) / 1000)),
          'Wechatpay-Nonce': 'n',
          'Wechatpay-Signature': 'c2ln',
          'Wechatpay-Serial': serial,
        },
        Buffer.from('{}'),
      )
    for (let tries = 0; tries < 5; tries++) await assert.rejects(callback(`F01${tries}`), unknown)
    assert.equal(downloads, 1)
    movedMs = 5_001
    await assert.rejects(callback('F02'), unknown)
    assert.equal(downloads, 2, 'a while later it is tried again')
  })

  test('both kinds are accepted while a merchant changes over', async () => {
    const wechat = channel({ mode: 'public-key' }, { acceptCertificates: true })
    const mixed = channel(
      { mode: 'public-key' },
      { acceptCertificates: true },
      {
        // Whoever does not say which key it knows is answered with the certificate.
        fetch: (url, init) => {
          const headers = new Headers(init?.headers)
          headers.delete('wechatpay-serial')
          return fetch(url, { ...init, headers })
        },
      },
    )
    assert.equal((await wechat.query('Tnobody6')).state, 'waiting')
    assert.equal((await mixed.query('Tnobody6')).state, 'waiting')
    const strict = channel(
      { mode: 'public-key' },
      {},
      {
        fetch: (url, init) => {
          const headers = new Headers(init?.headers)
          headers.delete('wechatpay-serial')
          return fetch(url, { ...init, headers })
        },
      },
    )
    await assert.rejects(strict.query('Tnobody6'), unknown)
  })

  test('of a wrong length or form are refused before anything is sent', () => {
    assert.throws(() => channel({}, { apiV3Key: 'short' }), /32 bytes/)
    assert.throws(() => channel({}, { merchantKeyPem: 'nonsense' }))
  })

  test('an order that was placed is not called refused because certificates cannot be had', async () => {
    fault('certificates', { kind: 'error', code: 'NO_AUTH' })
    await assert.rejects(channel().create(anOrder()), unknown)
  })
})
