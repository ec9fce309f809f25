import assert from 'node:assert/strict'
import test from 'node:test'
import { channelOf, PAY_CHANNELS } from '#kit/channels.ts'
import {
  flawOf,
  type IntentStatus,
  outTradeNoOf,
  pollAnswer,
  refundNoOf,
  refuseAmount,
  refuseBillDay,
  refuseNote,
  refuseOver,
  refusePackage,
  refusePieces,
  refusePrice,
  refuseRefund,
  refuseRefundReason,
  refuseTokens,
  secondsUntilAsked,
  smsAmountFen,
  tokenAmountFen,
} from './rules.ts'

test('an amount is rounded up once to whole fen', () => {
  const cases: [number, number, number][] = [
    [100, 500, 500],
    [1, 500, 5],
    [1, 499, 5],
    [199, 499, 994],
    [1_000_000, 500, 5_000_000],
  ]
  for (const [pieces, hundredFen, amountFen] of cases)
    assert.equal(smsAmountFen(pieces, hundredFen), amountFen, `${pieces} pieces at ${hundredFen}`)
  assert.equal(tokenAmountFen(12_345, 100), 12_345)
  assert.equal(tokenAmountFen(1, 95), 1)
  assert.equal(tokenAmountFen(10_000_000, 100), 10_000_000)
})

test('a count is required, whole and within its limit', () => {
  for (const nothing of [null, 0, -1, 0.5, Number.NaN])
    assert.equal(refusePieces(nothing), 'COUNT_REQUIRED', String(nothing))
  assert.equal(refusePieces(1), null)
  assert.equal(refusePieces(1_000_000), null)
  assert.equal(refusePieces(1_000_001), 'COUNT_TOO_LARGE')
  assert.equal(refuseTokens(null), 'COUNT_REQUIRED')
  assert.equal(refuseTokens(1), null)
  assert.equal(refuseTokens(10_000_001), 'TOKENS_TOO_LARGE')
  assert.equal(refuseAmount(10_000_000), null)
  assert.equal(refuseAmount(10_000_001), 'AMOUNT_TOO_LARGE')
})

test('a poll is answered as the documents say', () => {
  const cases: [IntentStatus, boolean, number, number, string][] = [
    ['paid', false, 1, 1, '支付成功'],
    ['waiting', false, 0, 0, '等待支付'],
    ['expired', true, 0, 0, '等待支付'],
    ['expired', false, -1, 0, '您的订单已过期失效'],
    ['failed', false, -1, 0, '请刷新重试'],
  ]
  for (const [status, isBeingEnded, action, code, msg] of cases)
    assert.deepEqual(pollAnswer(status, isBeingEnded), { action, status: code, msg }, status)
})

test('an intent takes payments from its QR only while it waits and has time left', () => {
  assert.equal(refuseOver({ status: 'waiting', remainingSeconds: 1 }), null)
  assert.equal(refuseOver({ status: 'waiting', remainingSeconds: 0 }), 'ORDER_ENDED')
  assert.equal(refuseOver({ status: 'expired', remainingSeconds: 0 }), 'ORDER_ENDED')
  assert.equal(refuseOver({ status: 'failed', remainingSeconds: 9 }), 'ORDER_ENDED')
  assert.equal(refuseOver({ status: 'paid', remainingSeconds: 9 }), 'ORDER_PAID')
})

test('a channel is asked every 3 s while somebody watches, then ever more rarely, and for 7 days', () => {
  const cases: [number, boolean, number | null][] = [
    [0, true, 3],
    [500, true, 3],
    [0, false, 5],
    [40, false, 10],
    [120, false, 30],
    [240, false, 60],
    [86_400, false, 3_600],
    [7 * 86_400, false, 3_600],
    [7 * 86_400 + 1, false, null],
  ]
  for (const [age, isWatched, seconds] of cases)
    assert.equal(secondsUntilAsked(age, isWatched), seconds, `${age} s`)
})

test('no two channels share a number, and none has one of a refund', () => {
  const suffixes = PAY_CHANNELS.map(name => channelOf(name).suffix)
  assert.equal(new Set(suffixes).size, suffixes.length)
  for (const suffix of suffixes) assert.match(suffix, /^[A-QS-Z]$/)
})

test('numbers of attempts and refunds are fixed and at most 32 characters', () => {
  const id = '2026112016000000000001'
  assert.equal(outTradeNoOf(id, 'wechat'), `${id}W`)
  assert.equal(outTradeNoOf(id, 'alipay'), `${id}A`)
  assert.equal(refundNoOf(outTradeNoOf(id, 'alipay')), `${id}AR`)
  assert.ok(refundNoOf(outTradeNoOf(`${id}99999999`, 'wechat')).length <= 32)
})

test('a success with another amount or currency is no success', () => {
  assert.equal(flawOf({ amountFen: 100, currency: 'CNY' }, { amountFen: 100 }), null)
  assert.match(String(flawOf({ amountFen: 99, currency: 'CNY' }, { amountFen: 100 })), /金额不符/)
  assert.match(String(flawOf({ amountFen: null, currency: 'CNY' }, { amountFen: 100 })), /金额不符/)
  assert.match(String(flawOf({ amountFen: 100, currency: 'USD' }, { amountFen: 100 })), /币种不符/)
})

test('what staff type is checked', () => {
  assert.equal(refuseRefund({ status: 'paid', isRefunded: false }), null)
  assert.equal(refuseRefund({ status: 'paid', isRefunded: true }), 'REFUNDED')
  assert.equal(refuseRefund({ status: 'expired', isRefunded: false }), 'NOT_PAID')
  assert.equal(refuseRefundReason('  '), 'REASON_REQUIRED')
  assert.equal(refuseRefundReason('误'.repeat(51)), 'REASON_TOO_LONG')
  assert.equal(refuseRefundReason('误'.repeat(50)), null)
  assert.equal(refuseBillDay('2026-11-20', '2026-11-21'), null)
  assert.equal(refuseBillDay('2026-11-21', '2026-11-21'), 'DAY_OPEN')
  assert.equal(refuseNote(''), 'NOTE_REQUIRED')
  assert.equal(refuseNote('注'.repeat(201)), 'NOTE_TOO_LONG')
  for (const price of [0, -1, 1.5, 10_000_001])
    assert.equal(refusePrice(price), 'PRICE_INVALID', String(price))
  assert.equal(refusePrice(1), null)
  const pack = { name: '大包', pieces: 100, priceFen: 500 }
  assert.equal(refusePackage(pack), null)
  assert.equal(refusePackage({ ...pack, name: ' ' }), 'NAME_REQUIRED')
  assert.equal(refusePackage({ ...pack, name: '包'.repeat(31) }), 'NAME_TOO_LONG')
  assert.equal(refusePackage({ ...pack, pieces: 0 }), 'PIECES_INVALID')
  assert.equal(refusePackage({ ...pack, priceFen: 0 }), 'PRICE_INVALID')
})
