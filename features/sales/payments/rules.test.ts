import assert from 'node:assert/strict'
import test from 'node:test'
import { type Conditions, FULL, NO_CONDITIONS } from '#features/office/prices/rules.ts'
import { channelOf, PAY_CHANNELS } from '#kit/ports/channels.ts'
import {
  flawOf,
  type IntentStatus,
  outTradeNoOf,
  packPrice,
  pollAnswer,
  type RechargePrice,
  type RechargeTerms,
  refundNoOf,
  refuseAmount,
  refuseBillDay,
  refuseNote,
  refuseOver,
  refusePieces,
  refusePrice,
  refuseRefund,
  refuseRefundReason,
  refuseTokens,
  secondsUntilAsked,
  smsPrice,
  tokenPrice,
} from './rules.ts'

const PLAIN = { discountBasisPoints: FULL, conditions: NO_CONDITIONS }
const PACK = { pieces: 4_000, priceFen: 20_000 }

test('an amount is rounded up once to whole fen', () => {
  const cases: [number, number, number][] = [
    [100, 500, 500],
    [1, 500, 5],
    [1, 499, 5],
    [199, 499, 994],
    [1_000_000, 500, 5_000_000],
  ]
  for (const [pieces, hundredFen, amountFen] of cases)
    assert.equal(
      smsPrice(pieces, hundredFen, PLAIN).amountFen,
      amountFen,
      `${pieces} pieces at ${hundredFen}`,
    )
  assert.equal(tokenPrice(12_345, 100, PLAIN).amountFen, 12_345)
  assert.equal(tokenPrice(1, 95, PLAIN).amountFen, 1)
  assert.equal(tokenPrice(10_000_000, 100, PLAIN).amountFen, 10_000_000)
})

type Offer = Conditions['offers'][number]
const offer = (given: Partial<Offer>): Offer => ({
  ...{ name: '充值节', part: null, basisPoints: null, cents: null },
  ...{ bonusBasisPoints: null, bonusPieces: null },
  ...given,
})
const OFFERS: [
  what: string,
  price: (terms: RechargeTerms) => RechargePrice,
  offers: Offer[],
  told: unknown[],
][] = [
  ['a package without an offer', terms => packPrice(PACK, terms), [], [20_000, 0, undefined]],
  [
    'a package with pieces beside it',
    terms => packPrice(PACK, terms),
    [offer({ bonusBasisPoints: 1_000 })],
    [20_000, 400, '充值节'],
  ],
  [
    'a package for less',
    terms => packPrice(PACK, terms),
    [offer({ basisPoints: 9_500 })],
    [19_000, 0, '充值节'],
  ],
  [
    'a package at a price of its own',
    terms => packPrice(PACK, terms),
    [offer({ part: 'pack', cents: 15_000 })],
    [15_000, 0, '充值节'],
  ],
  [
    'of two, by which one costs least: 4,000 for 180 rather than 4,400 for 200',
    terms => packPrice(PACK, terms),
    [offer({ name: '送', bonusBasisPoints: 1_000 }), offer({ name: '减', cents: 18_000, part: 'pack' })],
    [18_000, 0, '减'],
  ],
  [
    'and 4,800 for 200 rather than 4,000 for 180',
    terms => packPrice(PACK, terms),
    [offer({ name: '送', bonusBasisPoints: 2_000 }), offer({ name: '减', cents: 18_000, part: 'pack' })],
    [20_000, 800, '送'],
  ],
  [
    'a package with so many pieces beside it',
    terms => packPrice(PACK, terms),
    [offer({ part: 'pack', bonusPieces: 300 })],
    [20_000, 300, '充值节'],
  ],
  [
    'of a share and a number of pieces, what gives more',
    terms => packPrice(PACK, terms),
    [offer({ name: '送', bonusBasisPoints: 1_000 }), offer({ name: '条', part: 'pack', bonusPieces: 401 })],
    [20_000, 401, '条'],
  ],
  [
    'no number of pieces with pieces that are typed',
    terms => smsPrice(1_000, 500, terms),
    [offer({ bonusPieces: 300 })],
    [5_000, 0, undefined],
  ],
  [
    'nor with tokens',
    terms => tokenPrice(10_000, 100, terms),
    [offer({ bonusPieces: 300 })],
    [10_000, 0, undefined],
  ],
  [
    'pieces that are typed, rounded down',
    terms => smsPrice(109, 500, terms),
    [offer({ part: 'smsHundred', bonusBasisPoints: 1_000 })],
    [545, 10, '充值节'],
  ],
  [
    'too few for one to be given',
    terms => smsPrice(9, 500, terms),
    [offer({ bonusBasisPoints: 1_000 })],
    [45, 0, undefined],
  ],
  [
    'tokens',
    terms => tokenPrice(10_000, 100, terms),
    [offer({ part: 'token', bonusBasisPoints: 500 })],
    [10_000, 500, '充值节'],
  ],
  [
    "another part's is not this one's",
    terms => tokenPrice(10_000, 100, terms),
    [offer({ part: 'pack', bonusBasisPoints: 500 })],
    [10_000, 0, undefined],
  ],
  [
    'money is rounded up',
    terms => smsPrice(1, 333, terms),
    [offer({ basisPoints: 9_000 })],
    [3, 0, '充值节'],
  ],
]
for (const [what, price, offers, told] of OFFERS)
  test(`an offer on recharge: ${what}`, () => {
    const found = price({ discountBasisPoints: FULL, conditions: { minimums: {}, offers } })
    assert.deepEqual([found.amountFen, found.bonus, found.offer], told)
  })

test('nothing is given that would make a package cheaper than its minimum', () => {
  const given = (pack: number) =>
    packPrice(PACK, {
      discountBasisPoints: FULL,
      conditions: { minimums: { pack }, offers: [offer({ bonusBasisPoints: 2_500 })] },
    })
  assert.deepEqual([given(16_000).bonus, given(16_001).bonus], [1_000, 0])
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
  assert.equal(
    flawOf({ amountFen: 99, currency: 'CNY' }, { amountFen: 100 }),
    '金额不符：渠道 0.99 元，应付 1.00 元',
  )
  assert.equal(
    flawOf({ amountFen: null, currency: 'CNY' }, { amountFen: 100 }),
    '金额不符：渠道 未知，应付 1.00 元',
  )
  assert.match(String(flawOf({ amountFen: 100, currency: 'USD' }, { amountFen: 100 })), /币种不符/)
})

test('each part that goes back has a number of its own, and what goes back at once the one it always had', () => {
  assert.deepEqual(
    [refundNoOf('1W'), refundNoOf('1W', 1), refundNoOf('1W', 2), refundNoOf('1W', 3)],
    ['1WR', '1WR', '1WR2', '1WR3'],
  )
})

test('what staff type is checked', () => {
  assert.equal(refuseRefund({ status: 'paid', isRefunded: false, asset: 'sms' }), null)
  assert.equal(refuseRefund({ status: 'paid', isRefunded: true, asset: 'sms' }), 'REFUNDED')
  assert.equal(refuseRefund({ status: 'expired', isRefunded: false, asset: 'sms' }), 'NOT_PAID')
  assert.equal(refuseRefund({ status: 'paid', isRefunded: false, asset: 'deposit' }), 'DEPOSIT_APART')
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
})
