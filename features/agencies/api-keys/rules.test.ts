import assert from 'node:assert/strict'
import test from 'node:test'
import { addressesIn, brokenKey, type KeyForm, leftOf, reachText, refuseTouch } from './rules.ts'

const TODAY = '2026-11-23'
const FORM: KeyForm = {
  name: 'ERP 对接',
  nodeIds: [22],
  addresses: ['203.0.113.7', '2001:db8::/32'],
  perMinute: 120,
  expiresOn: '2027-02-21',
}
const FORMS: [string, Partial<KeyForm>, string[]][] = [
  ['as it should be', {}, []],
  ['without addresses', { addresses: [] }, []],
  ['today as its last day', { expiresOn: TODAY }, []],
  ['a year', { expiresOn: '2027-11-24' }, []],
  ['a day more', { expiresOn: '2027-11-25' }, ['expiresOn EXPIRY_TOO_LATE']],
  ['yesterday', { expiresOn: '2026-11-22' }, ['expiresOn EXPIRY_PAST']],
  ['no name', { name: '  ' }, ['name KEY_NAME_REQUIRED']],
  ['20 characters', { name: '密'.repeat(20) }, []],
  ['21 characters', { name: '密'.repeat(21) }, ['name KEY_NAME_TOO_LONG']],
  ['symbols in the name', { name: '<b>' }, ['name KEY_NAME_SYMBOLS']],
  ['another limit', { perMinute: 121 }, ['perMinute RATE_UNKNOWN']],
  ['a name as an address', { addresses: ['erp.example.com'] }, ['addresses ADDRESS_FORMAT']],
  ['21 addresses', { addresses: Array(21).fill('203.0.113.7') }, ['addresses ADDRESSES_TOO_MANY']],
  ['no verb', { nodeIds: [] }, ['nodeIds VERBS_REQUIRED']],
  ['nothing right', { name: '', nodeIds: [] }, ['name KEY_NAME_REQUIRED', 'nodeIds VERBS_REQUIRED']],
]
for (const [name, more, broken] of FORMS)
  test(`${name}: ${broken.join(', ') || 'accepted'}`, () =>
    assert.deepEqual(
      brokenKey({ ...FORM, ...more }, TODAY).map(({ field, code }) => `${field} ${code}`),
      broken,
    ))

test('a day that the key has already may stay, another may not', () => {
  const far = { ...FORM, expiresOn: '2028-01-01' }
  assert.deepEqual(brokenKey(far, TODAY, { expiresOn: '2028-01-01' }), [])
  assert.equal(brokenKey(far, TODAY, { expiresOn: '2028-01-02' }).length, 1)
})

test('addresses are read as they are pasted, each once', () => {
  const text = '203.0.113.7\n203.0.113.0/24，2001:db8::1; 203.0.113.7 \n\n'
  assert.deepEqual(addressesIn(text), ['203.0.113.7', '203.0.113.0/24', '2001:db8::1'])
  assert.deepEqual(addressesIn(' \n'), [])
})

const OWNER = { accountId: 1, isOwner: true }
const MAKER = { accountId: 2, isOwner: false }
const OTHER = { accountId: 3, isOwner: false }
const TOUCHES: [string, Parameters<typeof refuseTouch>, string | null][] = [
  ['its maker changes it', ['change', MAKER, { accountId: 2, isOver: false }], null],
  ['its maker ends it', ['end', MAKER, { accountId: 2, isOver: false }], null],
  ['an owner ends it', ['end', OWNER, { accountId: 2, isOver: false }], null],
  ['an owner changes it', ['change', OWNER, { accountId: 2, isOver: false }], 'KEY_OTHERS'],
  ['a colleague ends it', ['end', OTHER, { accountId: 2, isOver: false }], 'KEY_OTHERS'],
  ['its maker changes one that is over', ['change', MAKER, { accountId: 2, isOver: true }], 'KEY_OVER'],
  ['an owner ends one that is over', ['end', OWNER, { accountId: 2, isOver: true }], 'KEY_OVER'],
]
for (const [name, [deed, me, key], refusal] of TOUCHES)
  test(`${name}: ${refusal ?? 'may be'}`, () => assert.equal(refuseTouch(deed, me, key), refusal))

const REACHES: [Parameters<typeof reachText>[0], string][] = [
  [{ reads: true, files: false, deeds: [] }, '读取数据'],
  [{ reads: false, files: true, deeds: [] }, '下载文件'],
  [{ reads: true, files: false, deeds: ['购买', '报价'] }, '读取数据，可以购买、报价'],
  [{ reads: false, files: false, deeds: [] }, ''],
]
for (const [reach, text] of REACHES) test(`says “${text}”`, () => assert.equal(reachText(reach), text))

/** What was in the bucket after the call, whether the call took one, calls a minute: what the caller is told. */
const LEFT: [tokens: number, isTaken: boolean, perMinute: number, told: ReturnType<typeof leftOf>][] = [
  [59, true, 60, { remaining: 59, fullInS: 1, retryInS: null }],
  [0, true, 60, { remaining: 0, fullInS: 60, retryInS: null }],
  [0.999, true, 60, { remaining: 0, fullInS: 60, retryInS: null }],
  [1, true, 60, { remaining: 1, fullInS: 59, retryInS: null }],
  [119.5, true, 120, { remaining: 119, fullInS: 1, retryInS: null }],
  [0, false, 60, { remaining: 0, fullInS: 60, retryInS: 1 }],
  [0.999, false, 60, { remaining: 0, fullInS: 60, retryInS: 1 }],
  [0, false, 600, { remaining: 0, fullInS: 60, retryInS: 1 }],
  [0, false, 30, { remaining: 0, fullInS: 60, retryInS: 2 }],
]
for (const [tokens, isTaken, perMinute, told] of LEFT)
  test(`${tokens} left of ${perMinute} a minute after a call that was ${isTaken ? 'let in' : 'refused'}`, () =>
    assert.deepEqual(leftOf({ tokens, isTaken }, perMinute), told))
