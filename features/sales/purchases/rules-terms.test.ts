// Until when a shop runs after a purchase, and what its rest is worth in another version.
import assert from 'node:assert/strict'
import test from 'node:test'
import { termsWithout } from '#features/sales/orders/rules.ts'
import { converted, termFrom, yearCentsOf } from '#features/shops/versions/rules.ts'
import { makeRandom } from '#kit/random.ts'
import {
  ADVANCED,
  type Asked,
  branch,
  CHAIN,
  LATER,
  NOW,
  PACK,
  PAST,
  PERMANENT,
  planned,
  shop,
  version,
} from '#test/make-plans.ts'
import { periodsFixed, restOf, type ShopFacts, standsAsPlanned, termAfter, waysOf } from './rules.ts'

const YEAR = { scope: 'all', term: 'year', periods: 1, shops: 1 } as const
const [one, two] = [branch(21), branch(22, { expiresAt: PAST })]
const chainHead = shop({ versionId: CHAIN, shopsBought: 4 })
const forever = shop({ versionId: PERMANENT, expiresAt: null, shopsBought: 2 })

const TERMS: [string, ShopFacts, number, Asked, string | null][] = [
  ['early renewal starts where the term ends', shop(), ADVANCED, {}, '2028-03-10T02:30:00.000Z'],
  ['an ended term starts now', shop({ expiresAt: PAST }), ADVANCED, {}, '2027-11-21T04:00:00.000Z'],
  [
    'months are months of the calendar',
    shop({ expiresAt: '2027-01-31T02:00:00.000Z' }),
    ADVANCED,
    { term: 'month' },
    '2027-02-28T02:00:00.000Z',
  ],
  ['more branches change no term', chainHead, CHAIN, { scope: 'addBranches' }, LATER],
  ['a lifetime has no end', shop(), PERMANENT, {}, null],
  ['more shops for life leave it so', forever, PERMANENT, {}, null],
  ['a lifetime version with an end loses it', shop({ versionId: PERMANENT }), PERMANENT, {}, null],
]
for (const [name, of, versionId, asked, expected] of TERMS)
  test(`term: ${name}`, () => {
    const [effect] = planned(of, versionId, asked).effects
    assert.deepEqual([effect?.expiresBefore, effect?.expiresAfter], [of.expiresAt, expected])
  })

/** A random number of 0 up to `below`, the same in every run. */
function seeded(seed: number) {
  const random = makeRandom(seed)
  return (below: number) => random.whole(below)
}

/** The shop after so many months, bought in one of the ways that there are. */
function renewed(of: ShopFacts, months: number, now: string): ShopFacts {
  const isYears = months % 12 === 0
  const wanted = { scope: 'head', term: isYears ? 'year' : 'month', shops: 1 } as const
  const periods = isYears ? months / 12 : months
  return { ...of, ...termAfter(of, 'extended', { ...wanted, periods }, now) }
}

const begins = (day: string) => new Date(`${day}T20:30:00+08:00`).toISOString()
const DAYS = [
  '2027-01-31',
  '2028-01-31',
  '2028-02-29',
  '2027-02-28',
  '2027-12-30',
  '2028-08-31',
  '2027-05-15',
]

for (const day of DAYS)
  test(`any way to buy n months of a term that began on ${day} gives the same end`, () => {
    const next = seeded(Date.parse(begins(day)) % 100_000)
    for (let run = 0; run < 200; run++) {
      const months = 1 + next(60)
      const now = begins(day)
      const at = { ...shop(), ...termFrom(now, 0) }
      const together = termFrom(now, months)
      let present: ShopFacts = at
      for (let left = months; left > 0; ) {
        const some = 1 + next(Math.min(left, 12))
        const longer = renewed(present, some, begins('2026-12-01'))
        // Some are undone and bought again, some come after days that were given and taken back.
        if (next(4) === 0) {
          const effect = planned(present, ADVANCED, { term: 'month', periods: some }).effects[0]
          assert.ok(effect)
          const undone = termsWithout(effect, longer)
          assert.deepEqual([undone.expiresAt, undone.termDay], [present.expiresAt, present.termDay])
        } else {
          present = longer
          left -= some
        }
      }
      assert.deepEqual(
        [present.expiresAt, present.termDay],
        [together.expiresAt, together.termDay],
        `${months} months from ${day}`,
      )
    }
  })

test('a term that begins with another version: its months one by one end where they end together', () => {
  const now = '2027-11-30T04:00:00.000Z'
  const of = shop({ expiresAt: '2027-12-20T04:00:00.000Z', termDay: 31 })
  const asked = { scope: 'head', term: 'month', shops: 1 } as const
  const together = termAfter(of, 'restarted', { ...asked, periods: 3 }, now, 20)
  let present: ShopFacts = { ...of, ...termAfter(of, 'restarted', { ...asked, periods: 1 }, now, 20) }
  assert.equal(present.expiresAt, '2028-01-20T04:00:00.000Z')
  for (const _ of [1, 2]) present = renewed(present, 1, now)
  assert.deepEqual([present.expiresAt, present.termDay], [together.expiresAt, together.termDay])
})

/** [what, end, remembered day, a month later, the day remembered then]. */
const KEPT: [string, string, number | null, string, number][] = [
  ['the 31st stands behind the end of February', '2027-02-28', 31, '2027-03-31', 31],
  ['and behind the 30th', '2027-04-30', 31, '2027-05-31', 31],
  ['a term that is not remembered keeps the day of its end', '2027-02-28', null, '2027-03-28', 28],
  ['days that were given move the day', '2027-03-03', 31, '2027-04-03', 3],
  ['days that lead back to it do not', '2027-03-31', 31, '2027-04-30', 31],
  ['nor does an end of February that the day leads to', '2028-02-29', 30, '2028-03-30', 30],
]
for (const [what, end, termDay, later, day] of KEPT)
  test(`the day of a term: ${what}`, () => {
    const month = renewed(shop({ expiresAt: begins(end), termDay }), 1, NOW)
    assert.deepEqual([month.expiresAt, month.termDay], [begins(later), day])
  })

test('an ended term begins anew, on the day of its renewal', () => {
  const { effects } = planned(shop({ expiresAt: PAST, termDay: 31 }), ADVANCED, { term: 'month' })
  assert.deepEqual([effects[0]?.termDayBefore, effects[0]?.termDayAfter], [31, 21])
})

test('each shop is renewed from its own end; the head is left alone where only branches are', () => {
  const whole = planned(chainHead, CHAIN, { scope: 'all', branches: [one, two] })
  assert.deepEqual(
    whole.effects.map(({ merchantId, expiresAfter }) => [merchantId, expiresAfter]),
    [
      [7, '2028-03-10T02:30:00.000Z'],
      [21, '2028-03-10T02:30:00.000Z'],
      [22, '2027-11-21T04:00:00.000Z'],
    ],
  )
  const some = planned(chainHead, CHAIN, { scope: 'branches', branches: [two], branchCount: 2 })
  assert.deepEqual(
    some.effects.map(({ merchantId }) => merchantId),
    [22],
  )
})

/** [what, shop, version, asked] -> [days left, days that they become, new end]. LATER is 108 whole days after NOW. */
const CHANGES: [string, ShopFacts, number, Asked, [number, number, string]][] = [
  ['a dearer version: fewer days', shop(), PACK, { periods: 2 }, [108, 64, '2029-01-24T04:00:00.000Z']],
  ['more shops: fewer days', shop(), CHAIN, { shops: 4 }, [108, 20, '2027-12-11T04:00:00.000Z']],
  [
    'a cheaper one: no day more than were left',
    chainHead,
    ADVANCED,
    { shops: 2 },
    [108, 108, '2028-03-09T04:00:00.000Z'],
  ],
  [
    'a head whose branches keep their own rest brings only its own',
    chainHead,
    ADVANCED,
    { shops: 2, branchCount: 3 },
    [108, 72, '2028-02-01T04:00:00.000Z'],
  ],
  [
    'and loses no day where it buys for itself alone',
    chainHead,
    ADVANCED,
    { branchCount: 3 },
    [108, 108, '2028-03-09T04:00:00.000Z'],
  ],
  [
    'nor do branches of a head of another version add to its rest',
    shop({ shopsBought: 4 }),
    PACK,
    { branchCount: 3 },
    [108, 64, '2028-01-24T04:00:00.000Z'],
  ],
  [
    'a version for months is compared by its year',
    chainHead,
    ADVANCED,
    { term: 'month', shops: 8 },
    [108, 72, '2027-03-01T04:00:00.000Z'],
  ],
  [
    'five years for one shop are not five years for ten',
    shop({ expiresAt: '2031-11-21T04:00:00.000Z' }),
    PACK,
    { shops: 10 },
    [1826, 109, '2028-03-10T04:00:00.000Z'],
  ],
  [
    'a version without a price per year counts as the new one',
    shop({ versionId: PERMANENT }),
    ADVANCED,
    { shops: 2 },
    [108, 54, '2028-01-14T04:00:00.000Z'],
  ],
  [
    'a branch with 2 shops brings and pays for both',
    branch(21, { shopsBought: 2 }),
    PACK,
    {},
    [108, 86, '2028-02-15T04:00:00.000Z'],
  ],
  ['an ended term has no rest', shop({ expiresAt: PAST }), PACK, {}, [0, 0, '2027-11-21T04:00:00.000Z']],
]
for (const [name, of, versionId, asked, expected] of CHANGES)
  test(`another version: ${name}`, () => {
    const { conversion, effects } = planned(of, versionId, asked)
    assert.deepEqual(
      [conversion?.remainingDays, conversion?.convertedDays, effects[0]?.expiresAfter],
      expected,
    )
  })

test('a branch of another version takes its head’s for what its own days are worth, whoever renews it', () => {
  const other = branch(23, { versionId: ADVANCED })
  for (const [scope, branches] of [
    ['all', [one, other]],
    ['branches', [other]],
  ] as const) {
    const { effects, branchConversions } = planned(chainHead, CHAIN, { scope, branches: [...branches] })
    const rest = { yearCents: yearCentsOf(version(ADVANCED)), shops: 1 }
    const bought = { yearCents: yearCentsOf(version(CHAIN)), shops: 1 }
    const worth = converted(LATER, rest, bought, NOW)
    assert.deepEqual(branchConversions, [{ merchantId: 23, ...worth }])
    assert.ok(worth.convertedDays < worth.remainingDays)
    const effect = effects.find(({ merchantId }) => merchantId === 23)
    const begins = new Date(Date.parse(NOW) + worth.convertedDays * 86_400_000)
    assert.deepEqual(
      [effect?.versionBefore, effect?.versionAfter, effect?.expiresAfter],
      [ADVANCED, CHAIN, termFrom(begins, 12).expiresAt],
    )
    if (scope === 'all')
      assert.equal(effects[1]?.expiresAfter, termAfter(one, 'extended', YEAR, NOW).expiresAt)
  }
})

test('only another yearly version converts', () => {
  assert.equal(planned(shop(), ADVANCED).conversion, null)
  assert.equal(planned(shop(), PERMANENT).conversion, null)
  assert.equal(planned(chainHead, CHAIN, { scope: 'addBranches' }).conversion, null)
})

test('a free version takes the days as they are, and large amounts stay exact', () => {
  const rest = restOf(shop(), 0, version(ADVANCED))
  assert.deepEqual(rest, { yearCents: 29_800, shops: 1 })
  assert.equal(converted(LATER, rest, { yearCents: 0, shops: 3 }, NOW).convertedDays, 108)
  const huge = { yearCents: 9_007_199_254_740, shops: 999 }
  assert.equal(converted(LATER, { ...huge, shops: 998 }, huge, NOW).convertedDays, 107)
})

const FIXED: [string, string | null, number | null][] = [
  ['a day', '2026-11-22T04:00:00.000Z', 1],
  ['a year to the moment', '2027-11-21T04:00:00.000Z', 1],
  ['a year and a second', '2027-11-21T04:00:01.000Z', 2],
  ['six years and a bit', '2032-12-01T00:00:00.000Z', 7],
]
for (const [name, expiresAt, years] of FIXED)
  test(`more branches of a head that runs ${name}: ${years}`, () => {
    const of = shop({ versionId: CHAIN, expiresAt })
    const way = waysOf(of, 0, version(CHAIN)).find(({ scope }) => scope === 'addBranches')
    assert.ok(way)
    assert.equal(periodsFixed(way, of, NOW), years)
  })

test('a planned effect stands only where version, end and shops are as they were', () => {
  const [effect] = planned(shop(), ADVANCED).effects
  assert.ok(effect)
  assert.equal(standsAsPlanned(effect, shop()), true)
  assert.equal(standsAsPlanned(effect, shop({ expiresAt: '2027-03-10T10:30:00+08:00' })), true)
  for (const moved of [{ expiresAt: PAST }, { expiresAt: null }, { versionId: PACK }, { shopsBought: 2 }])
    assert.equal(standsAsPlanned(effect, shop(moved)), false, JSON.stringify(moved))
})
