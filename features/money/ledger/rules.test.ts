import assert from 'node:assert/strict'
import test from 'node:test'
import { METHOD_NAMES, PAY_CHANNELS } from '#kit/ports/channels.ts'
import {
  CREDITED_ASSETS,
  LEDGER_REFUSALS,
  type LedgerRefusal,
  PAY_METHODS,
  refuseCredit,
  TOP_UP_FAILED,
} from './rules.ts'

const CREDITS: [name: string, amount: number, reason: string, LedgerRefusal | null][] = [
  ['1', 1, '预付', null],
  ['0', 0, '预付', 'AMOUNT_REQUIRED'],
  ['-1', -1, '预付', 'AMOUNT_REQUIRED'],
  ['a fraction', 1.5, '预付', 'AMOUNT_REQUIRED'],
  ['no number', Number.NaN, '预付', 'AMOUNT_REQUIRED'],
  ['without end', Number.POSITIVE_INFINITY, '预付', 'AMOUNT_REQUIRED'],
  ['without a reason', 1, '', 'REASON_REQUIRED'],
  ['with a blank reason', 1, ' \t', 'REASON_REQUIRED'],
  ['with a reason of 50 characters', 1, '因'.repeat(50), null],
  ['with a reason of 50 characters and blanks around', 1, ` ${'因'.repeat(50)} `, null],
  ['with a reason of 51 characters', 1, '因'.repeat(51), 'REASON_TOO_LONG'],
  ['of 0 without a reason', 0, '', 'AMOUNT_REQUIRED'],
]

for (const [name, amount, reason, expected] of CREDITS)
  test(`a credit ${name} is ${expected === null ? 'accepted' : LEDGER_REFUSALS[expected]}`, () => {
    for (const asset of CREDITED_ASSETS) assert.equal(refuseCredit({ asset, amount, reason }), expected)
  })

test('at most ten million tokens or pieces of SMS are credited at once', () => {
  for (const [asset, most] of [
    ['token', 1_000_000_000],
    ['sms', 10_000_000],
  ] as const) {
    assert.equal(refuseCredit({ asset, amount: most, reason: '预付' }), null, asset)
    assert.equal(refuseCredit({ asset, amount: most + 1, reason: '预付' }), 'AMOUNT_TOO_LARGE', asset)
  }
})

test('want of balance is told in the documents’ words, which name a top-up for nothing else', () => {
  assert.equal(LEDGER_REFUSALS.INSUFFICIENT, '账户余额不足')
  assert.equal(TOP_UP_FAILED, '充值失败，短信余额不足')
  assert.equal(LEDGER_REFUSALS.SMS_INSUFFICIENT, '短信余额不足')
})

test('the payment methods of a change are those of the documents', () => {
  const later: string[] = PAY_CHANNELS.slice(2).map(name => METHOD_NAMES[name])
  assert.deepEqual(
    Object.values(PAY_METHODS).filter(word => !later.includes(word)),
    ['支付宝', '微信支付', '余额', '接口订单', '免费赠送'],
  )
})
