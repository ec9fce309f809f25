import assert from 'node:assert/strict'
import test from 'node:test'
import { SERVICES } from './reference.ts'
import {
  type Asked,
  type Holding,
  holdingAfter,
  LIMITS,
  NO_HOLDING,
  priceOf,
  refuseAsked,
  refuseChoice,
  refuseOffer,
  refuseSale,
  refuseShop,
  SERVICE_REFUSALS,
  type SoldService,
  stateOf,
} from './rules.ts'

const NOW = '2026-03-10T04:00:00.000Z'
const yearly: SoldService = { unit: 'year', unitCents: 29_800, headOnly: false }
const seat: SoldService = { unit: 'piece', unitCents: 10_000, headOnly: true }
const until = (expiresAt: string | null, termDay: number | null = null): Holding => ({
  ...{ quantity: 1, expiresAt, termDay },
})
const pieces = (quantity: number): Holding => ({ ...NO_HOLDING, quantity })
const days = (count: number) => new Date(Date.parse(NOW) + count * 86_400_000).toISOString()

const sold = { enabled: true, renewable: true, renewUntil: null }
const retired = { ...sold, enabled: false }
const SALES: [string, Parameters<typeof refuseSale>[0], Holding, ReturnType<typeof refuseSale>][] = [
  ['sold', { ...yearly, ...sold }, NO_HOLDING, null],
  ['retired, and never opened', { ...yearly, ...retired }, NO_HOLDING, 'SERVICE_UNKNOWN'],
  ['retired, and running', { ...yearly, ...retired }, until(days(3)), null],
  ['retired, and ended', { ...yearly, ...retired }, until(days(-3)), null],
  ['retired, and taken back', { ...yearly, ...retired }, pieces(0), 'SERVICE_UNKNOWN'],
  ['retired for all', { ...yearly, ...retired, renewable: false }, until(days(3)), 'SERVICE_UNKNOWN'],
  ['renewed for a day more', { ...yearly, ...retired, renewUntil: days(1) }, until(days(3)), null],
  ['renewed no more', { ...yearly, ...retired, renewUntil: NOW }, until(days(3)), 'SERVICE_UNKNOWN'],
  ['retired pieces', { ...seat, ...retired }, pieces(3), 'SERVICE_UNKNOWN'],
]
for (const [name, service, holding, expected] of SALES)
  test(`sale: ${name} is ${expected ?? 'sold'}`, () =>
    assert.equal(refuseSale(service, holding, NOW), expected))

const OFFERS: [string, SoldService, 'head' | 'branch', Holding, ReturnType<typeof refuseOffer>][] = [
  ['never opened', yearly, 'head', NO_HOLDING, null],
  ['never opened by a branch', yearly, 'branch', NO_HOLDING, null],
  ['31 days left', yearly, 'head', until(days(31)), 'ALREADY_ACTIVE'],
  ['a second over 30 days left', yearly, 'head', until(days(30 + 1 / 86_400)), 'ALREADY_ACTIVE'],
  ['30 days left', yearly, 'head', until(days(30)), null],
  ['a day left', yearly, 'head', until(days(1)), null],
  ['ended', yearly, 'head', until(days(-1)), null],
  ['without end', yearly, 'head', until(null), 'ALREADY_ACTIVE'],
  ['operators of a head shop', seat, 'head', pieces(3), null],
  ['operators of a branch', seat, 'branch', NO_HOLDING, 'HEAD_ONLY'],
  ['all the operators there can be', seat, 'head', pieces(LIMITS.piecesMax), 'PIECES_TOO_MANY'],
]
for (const [name, service, kind, holding, expected] of OFFERS)
  test(`offer: ${name} is ${expected ?? 'sold'}`, () =>
    assert.equal(refuseOffer(service, kind, holding, NOW), expected))

const ASKED: [string, SoldService, Asked, Holding, ReturnType<typeof refuseAsked>][] = [
  ['one year', yearly, { quantity: 1, years: 1 }, NO_HOLDING, null],
  ['five years', yearly, { quantity: 1, years: 5 }, NO_HOLDING, null],
  ['no year', yearly, { quantity: 1, years: 0 }, NO_HOLDING, 'YEARS_OUT_OF_RANGE'],
  ['six years', yearly, { quantity: 1, years: 6 }, NO_HOLDING, 'YEARS_OUT_OF_RANGE'],
  ['half a year', yearly, { quantity: 1, years: 0.5 }, NO_HOLDING, 'YEARS_OUT_OF_RANGE'],
  ['two of a yearly service', yearly, { quantity: 2, years: 1 }, NO_HOLDING, 'PIECES_OUT_OF_RANGE'],
  ['one piece', seat, { quantity: 1, years: 1 }, NO_HOLDING, null],
  ['no piece', seat, { quantity: 0, years: 1 }, NO_HOLDING, 'PIECES_OUT_OF_RANGE'],
  ['less than none', seat, { quantity: -1, years: 1 }, pieces(5), 'PIECES_OUT_OF_RANGE'],
  ['too many pieces', seat, { quantity: 1_000, years: 1 }, NO_HOLDING, 'PIECES_OUT_OF_RANGE'],
  ['too many together', seat, { quantity: 10, years: 1 }, pieces(990), 'PIECES_TOO_MANY'],
  ['as many as there can be together', seat, { quantity: 9, years: 1 }, pieces(990), null],
]
for (const [name, service, asked, holding, expected] of ASKED)
  test(`asked: ${name} is ${expected ?? 'sold'}`, () =>
    assert.equal(refuseAsked(service, asked, holding), expected))

const item = (serviceId: number) => ({ serviceId })
const CHOICES: [string, { serviceId: number }[], string, ReturnType<typeof refuseChoice>][] = [
  ['nothing', [], '', 'NOTHING_CHOSEN'],
  ['one', [item(21)], '', null],
  ['the same twice', [item(21), item(31), item(21)], '', 'CHOSEN_TWICE'],
  ['fifty-one', Array.from({ length: 51 }, (_, id) => item(id)), '', 'TOO_MANY_CHOSEN'],
  ['a remark of fifty', [item(21)], '长'.repeat(50), null],
  ['a remark of fifty-one', [item(21)], '长'.repeat(51), 'REMARK_TOO_LONG'],
]
for (const [name, items, remark, expected] of CHOICES)
  test(`choice: ${name} is ${expected ?? 'taken'}`, () => assert.equal(refuseChoice(items, remark), expected))

const SHOPS: [string, number, 'normal' | 'disabled', ReturnType<typeof refuseShop>][] = [
  ['own and normal', 7, 'normal', null],
  ['own and disabled', 7, 'disabled', 'MERCHANT_DISABLED'],
  ["another agent's", 8, 'normal', 'NOT_OWN_SHOP'],
]
for (const [name, agentId, status, expected] of SHOPS)
  test(`shop: ${name} is ${expected ?? 'served'}`, () =>
    assert.equal(refuseShop({ agentId, status }, 7), expected))

test('the messages are those of the documents', () => {
  assert.equal(SERVICE_REFUSALS.HEAD_ONLY, '分店不允许购买操作员')
  assert.equal(SERVICE_REFUSALS.ALREADY_ACTIVE, '服务已开通，请勿重复购买')
  assert.equal(SERVICE_REFUSALS.INSUFFICIENT, '余额不足，请充值')
  assert.equal(SERVICE_REFUSALS.PRICE_CHANGED, '价格已变动，请重新确认')
  assert.equal(SERVICE_REFUSALS.MERCHANT_DISABLED, '请启用后再进行操作')
})

const PRICES: [SoldService, Asked, number, count: number, original: number, total: number][] = [
  [yearly, { quantity: 1, years: 1 }, 10_000, 1, 29_800, 29_800],
  [yearly, { quantity: 1, years: 3 }, 6_500, 3, 89_400, 58_110],
  [seat, { quantity: 4, years: 9 }, 7_000, 4, 40_000, 28_000],
  // 0.01 x 3 at 5 in 10: 1.5, half up.
  [{ ...seat, unitCents: 1 }, { quantity: 3, years: 1 }, 5_000, 3, 3, 2],
]
for (const [service, asked, discount, count, originalCents, totalCents] of PRICES)
  test(`price of ${count} x ${service.unitCents} at ${discount}`, () =>
    assert.deepEqual(priceOf(service, asked, discount), { count, originalCents, totalCents }))

test('years begin at the present end, or now where it has passed; pieces add up', () => {
  const asked = { quantity: 1, years: 2 }
  assert.deepEqual(holdingAfter(yearly, asked, NO_HOLDING, NOW), until('2028-03-10T04:00:00.000Z', 10))
  assert.deepEqual(
    holdingAfter(yearly, asked, until('2026-03-20T16:30:00.000Z'), NOW),
    until('2028-03-20T16:30:00.000Z', 21),
  )
  assert.deepEqual(holdingAfter(yearly, asked, until(days(-5)), NOW), until('2028-03-10T04:00:00.000Z', 10))
  assert.deepEqual(holdingAfter(seat, { quantity: 4, years: 1 }, pieces(3), NOW), pieces(7))
})

test('years bought one by one end where they end together, and a leap day comes back', () => {
  const leapDay = '2028-02-29T04:00:00.000Z'
  const renewed = (holding: Holding, years: number) =>
    holdingAfter(yearly, { quantity: 1, years }, holding, holding.expiresAt ?? leapDay)
  const begun = holdingAfter(yearly, { quantity: 1, years: 1 }, NO_HOLDING, leapDay)
  assert.deepEqual(begun, until('2029-02-28T04:00:00.000Z', 29))
  const early = { ...begun, expiresAt: begun.expiresAt as string }
  const one = holdingAfter(yearly, { quantity: 1, years: 1 }, early, '2029-02-20T04:00:00.000Z')
  const three = holdingAfter(yearly, { quantity: 1, years: 3 }, early, '2029-02-20T04:00:00.000Z')
  assert.deepEqual(one, until('2030-02-28T04:00:00.000Z', 29))
  assert.deepEqual(three, until('2032-02-29T04:00:00.000Z', 29))
  const two = holdingAfter(yearly, { quantity: 1, years: 2 }, one, '2030-02-20T04:00:00.000Z')
  assert.deepEqual(two, three)
  assert.equal(renewed(two, 1).expiresAt, '2033-02-28T04:00:00.000Z')
})

test('a service is open until its end, and not one moment longer', () => {
  assert.equal(stateOf(NO_HOLDING, NOW), 'none')
  assert.equal(stateOf(until(NOW), NOW), 'expired')
  assert.equal(stateOf(until(days(1)), NOW), 'active')
  assert.equal(stateOf(until(null), NOW), 'active')
})

test('the catalogue: distinct ids and codes, every service in a group, nothing for nothing', () => {
  assert.equal(new Set(SERVICES.map(row => row.id)).size, SERVICES.length)
  assert.equal(new Set(SERVICES.map(row => row.code)).size, SERVICES.length)
  const groups = new Set(SERVICES.filter(row => row.parentId === null).map(row => row.id))
  for (const row of SERVICES)
    if (row.parentId !== null) {
      assert.ok(groups.has(row.parentId), row.name)
      assert.ok(Number.isInteger(row.unitCents) && row.unitCents > 0, row.name)
    }
})
