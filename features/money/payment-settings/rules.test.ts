import assert from 'node:assert/strict'
import test from 'node:test'
import type { PayChannelName } from '#kit/ports/channels.ts'
import {
  brokenValues,
  identityOf,
  refuseRemove,
  refuseSignKey,
  refuseSwitchOn,
  type Standing,
} from './rules.ts'

const WECHAT = {
  appid: 'wx0123456789abcdef',
  mchid: '1900000003',
  serial: '4A5B6C7D8E9F0011',
  privateKey: 'a key',
  apiV3Key: '0123456789abcdef0123456789ABCDEF',
}
const ALIPAY = { appId: '2021000000000001', privateKey: 'a key', alipayPublicKey: 'a key', signType: 'RSA2' }

const CASES: [
  what: string,
  channel: PayChannelName,
  given: Record<string, string>,
  kept: string[],
  broken: string[],
][] = [
  ['all that WeChat needs', 'wechat', WECHAT, [], []],
  ['all that Alipay needs', 'alipay', ALIPAY, [], []],
  [
    'nothing',
    'wechat',
    {},
    [],
    ['请输入AppID', '请输入商户号', '请输入商户证书序列号', '请输入商户私钥', '请输入APIv3 密钥'],
  ],
  [
    'secrets that stay',
    'wechat',
    { ...WECHAT, privateKey: '', apiV3Key: ' ' },
    ['privateKey', 'apiV3Key'],
    [],
  ],
  [
    'an open text does not stay',
    'alipay',
    { ...ALIPAY, alipayPublicKey: '' },
    ['alipayPublicKey'],
    ['请输入支付宝公钥'],
  ],
  ['spaces around', 'wechat', { ...WECHAT, mchid: ' 1900000003 ' }, [], []],
  ['an appid that is none', 'wechat', { ...WECHAT, appid: '2021000000000001' }, [], ['AppID以 wx 开头']],
  [
    'a merchant number with letters',
    'wechat',
    { ...WECHAT, mchid: '19000000a3' },
    [],
    ['商户号为 8 至 10 位数字'],
  ],
  ['a number too long', 'wechat', { ...WECHAT, mchid: '19000000031' }, [], ['商户号不得超过10个字符']],
  [
    'an APIv3 key too short',
    'wechat',
    { ...WECHAT, apiV3Key: 'short' },
    [],
    ['APIv3 密钥为 32 位字母或数字'],
  ],
  [
    'a public key id',
    'wechat',
    { ...WECHAT, publicKeyId: '4A5B' },
    [],
    ['微信支付公钥ID以 PUB_KEY_ID_ 开头'],
  ],
  ['RSA of before', 'alipay', { ...ALIPAY, signType: 'RSA' }, [], ['请选择签名类型']],
  ['no sign type', 'alipay', { ...ALIPAY, signType: '' }, [], ['请选择签名类型']],
  [
    'a seller that is none',
    'alipay',
    { ...ALIPAY, sellerId: '1234' },
    [],
    ['商户PID以 2088 开头，共 16 位数字'],
  ],
]
for (const [what, channel, given, kept, broken] of CASES)
  test(`${channel}: ${what}`, () =>
    assert.deepEqual(
      brokenValues(channel, given, new Set(kept)).map(({ message }) => message),
      broken,
    ))

test('another appid or merchant number is another merchant, another key is not', () => {
  const before = identityOf('wechat', WECHAT)
  assert.equal(identityOf('wechat', { ...WECHAT, serial: 'FF', apiV3Key: 'x' }), before)
  assert.notEqual(identityOf('wechat', { ...WECHAT, mchid: '1900000004' }), before)
  assert.notEqual(
    identityOf('alipay', { ...ALIPAY, appId: '2021000000000002' }),
    identityOf('alipay', ALIPAY),
  )
})

const GOOD: Standing = { payEnabled: true, version: 3, checkedVersion: 3, checkResult: 'right' }
const SWITCHES: [Partial<Standing>, string | null][] = [
  [{}, null],
  [{ payEnabled: false }, 'PAY_DISABLED'],
  [{ version: null }, 'NOT_SET'],
  [{ checkedVersion: null, checkResult: null }, 'NOT_CHECKED'],
  [{ version: 4 }, 'CHECK_STALE'],
  [{ checkResult: 'wrong' }, 'CHECK_WRONG'],
  [{ checkResult: 'unknown' }, 'CHECK_WRONG'],
]
for (const [standing, code] of SWITCHES)
  test(`switching on with ${JSON.stringify(standing)}: ${code}`, () =>
    assert.equal(refuseSwitchOn({ ...GOOD, ...standing }), code))

test('settings are removed once they are off, and what was open has ended', () => {
  assert.equal(refuseRemove({ enabled: true, offSeconds: null }), 'SWITCHED_ON')
  assert.equal(refuseRemove({ enabled: false, offSeconds: 1_799 }), 'STILL_SETTLING')
  assert.equal(refuseRemove({ enabled: false, offSeconds: 1_800 }), null)
  assert.equal(refuseRemove({ enabled: false, offSeconds: null }), null)
})

test('a sign key is 8 to 64 letters and digits', () => {
  assert.equal(refuseSignKey(' '), 'SIGN_KEY_REQUIRED')
  assert.equal(refuseSignKey('short'), 'SIGN_KEY_INVALID')
  assert.equal(refuseSignKey('with-dash-in-it'), 'SIGN_KEY_INVALID')
  assert.equal(refuseSignKey('a'.repeat(65)), 'SIGN_KEY_INVALID')
  assert.equal(refuseSignKey('abcd1234'), null)
})
