import assert from 'node:assert/strict'
import test from 'node:test'
import {
  LIMITS,
  outcomeText,
  refuseAsk,
  refuseDecision,
  refusePart,
  refusePay,
  refuseReason,
  refuseReceipt,
  refuseRequest,
} from './rules.ts'

const ASKED = { merchantId: 1, amountFen: 100, subject: '扫码机' }

test('what is asked for names a shop, an amount that a channel takes, and what for', () => {
  assert.equal(refuseAsk(ASKED), null)
  for (const [broken, code] of [
    [{ merchantId: null }, 'SHOP_REQUIRED'],
    [{ amountFen: null }, 'AMOUNT_REQUIRED'],
    [{ amountFen: 0 }, 'AMOUNT_REQUIRED'],
    [{ amountFen: Number.NaN }, 'AMOUNT_REQUIRED'],
    [{ amountFen: LIMITS.amountFenMax + 1 }, 'AMOUNT_TOO_LARGE'],
    [{ subject: '  ' }, 'SUBJECT_REQUIRED'],
    [{ subject: '机'.repeat(LIMITS.subjectMax + 1) }, 'SUBJECT_TOO_LONG'],
  ] as const)
    assert.equal(refuseAsk({ ...ASKED, ...broken })?.code, code)
})

test('one request stands at a time, of what is held', () => {
  assert.deepEqual(
    (['waiting', 'held', 'deciding', 'settled', 'cancelled'] as const).map(state => refuseRequest({ state })),
    ['NOT_HELD', null, 'REQUEST_STANDS', 'NOT_HELD', 'NOT_HELD'],
  )
  assert.deepEqual(
    [1, 500, 501, 0, null].map(fen => refusePart(fen, 500)),
    [null, null, 'MORE_THAN_HELD', 'AMOUNT_REQUIRED', 'AMOUNT_REQUIRED'],
  )
})

test('another than who asked decides, once', () => {
  assert.equal(refuseDecision({ state: 'asked', askedBy: 1 }, 2), null)
  assert.equal(refuseDecision({ state: 'asked', askedBy: 1 }, 1), 'OWN_REQUEST')
  assert.equal(refuseDecision({ state: 'done', askedBy: 1 }, 2), 'DECIDED_ALREADY')
})

test('reasons and receipts are there and not too long', () => {
  assert.deepEqual([refuseReason(' '), refuseReason('坏了')], ['REASON_REQUIRED', null])
  assert.equal(refuseReason('坏'.repeat(LIMITS.reasonMax + 1)), 'REASON_TOO_LONG')
  assert.deepEqual([refuseReceipt(''), refuseReceipt('HD1')], ['RECEIPT_REQUIRED', null])
})

test('whoever pays is told why there is nothing to pay', () => {
  assert.deepEqual(
    [refusePay('waiting'), refusePay('cancelled'), refusePay('held')],
    [null, 'DEPOSIT_CANCELLED', 'DEPOSIT_PAID'],
  )
})

test('what is left is said in yuan', () => {
  assert.equal(outcomeText('return', 200, 500), '退还 2.00 元后，剩余押金 3.00 元')
  assert.equal(outcomeText('keep', 500, 500), '扣留 5.00 元后，押金结清')
})
