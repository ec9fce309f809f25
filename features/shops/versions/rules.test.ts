import assert from 'node:assert/strict'
import test from 'node:test'
import { VERSIONS } from './reference.ts'
import {
  asksBranches,
  forfeited,
  formatDiscount,
  type PricedVersion,
  type PurchaseTerms,
  priceOf,
  refuseNumbers,
  refuseTerm,
  type Term,
  termsOf,
  VERSION_REFUSALS,
  type VersionRefusal,
  yearInstead,
} from './rules.ts'

const UNPRICED = { priceYearCents: null, priceMonthCents: null, priceLifetimeCents: null, isPack: false }
const perShop: PricedVersion = {
  ...UNPRICED,
  kind: 2,
  pricingRule: 'perShopYear',
  priceYearCents: 29_800,
  priceMonthCents: 5_000,
}
const pack: PricedVersion = { ...perShop, isPack: true }
const chain: PricedVersion = {
  ...UNPRICED,
  kind: 2,
  pricingRule: 'perBranchYear',
  priceYearCents: 39_800,
}
const chainOfKind1: PricedVersion = { ...chain, kind: 1 }
const lifetime: PricedVersion = {
  ...UNPRICED,
  kind: 1,
  pricingRule: 'perShopLifetime',
  priceLifetimeCents: 198_000,
}

function terms(term: Term, changes: Partial<PurchaseTerms> = {}): PurchaseTerms {
  return { term, periods: 1, shops: 1, branches: 0, ...changes }
}

type PriceCase = [
  name: string,
  version: PricedVersion,
  terms: PurchaseTerms,
  basisPoints: number,
  expected: {
    unit: string
    unitCents: number
    periods: number
    shops: number
    original: number
    total: number
  },
]

const PRICES: PriceCase[] = [
  [
    'one shop for a year',
    perShop,
    terms('year'),
    10_000,
    { unit: '年', unitCents: 29_800, periods: 1, shops: 1, original: 29_800, total: 29_800 },
  ],
  [
    'unit x years x shops',
    perShop,
    terms('year', { periods: 3, shops: 4 }),
    10_000,
    { unit: '年', unitCents: 29_800, periods: 3, shops: 4, original: 357_600, total: 357_600 },
  ],
  [
    'unit x months x shops',
    perShop,
    terms('month', { periods: 12, shops: 2 }),
    10_000,
    { unit: '月', unitCents: 5_000, periods: 12, shops: 2, original: 120_000, total: 120_000 },
  ],
  [
    'branches mean nothing to a version priced per shop',
    perShop,
    terms('year', { branches: 7 }),
    10_000,
    { unit: '年', unitCents: 29_800, periods: 1, shops: 1, original: 29_800, total: 29_800 },
  ],
  [
    'unit x years x (branches + 1)',
    chain,
    terms('year', { periods: 2, branches: 5 }),
    10_000,
    { unit: '年', unitCents: 39_800, periods: 2, shops: 6, original: 477_600, total: 477_600 },
  ],
  [
    'the order quantity means nothing to a version priced per branch',
    chain,
    terms('year', { shops: 9 }),
    10_000,
    { unit: '年', unitCents: 39_800, periods: 1, shops: 1, original: 39_800, total: 39_800 },
  ],
  [
    'lifetime: price x shops, without periods',
    lifetime,
    terms('lifetime', { periods: 5, shops: 3 }),
    10_000,
    { unit: '个店', unitCents: 198_000, periods: 1, shops: 3, original: 594_000, total: 594_000 },
  ],
  [
    'a discount falls on the line, once',
    perShop,
    terms('year', { periods: 2, shops: 3 }),
    6_000,
    { unit: '年', unitCents: 29_800, periods: 2, shops: 3, original: 178_800, total: 107_280 },
  ],
  [
    'half a cent is rounded up',
    { ...perShop, priceYearCents: 1 },
    terms('year'),
    5_000,
    { unit: '年', unitCents: 1, periods: 1, shops: 1, original: 1, total: 1 },
  ],
  [
    'less than half a cent is rounded down',
    { ...perShop, priceYearCents: 1 },
    terms('year'),
    4_999,
    { unit: '年', unitCents: 1, periods: 1, shops: 1, original: 1, total: 0 },
  ],
  [
    'rounding the line once is not rounding each shop',
    { ...perShop, priceYearCents: 1 },
    terms('year', { shops: 3 }),
    5_000,
    { unit: '年', unitCents: 1, periods: 1, shops: 3, original: 3, total: 2 },
  ],
  [
    'the largest purchase stays exact',
    { ...lifetime, priceLifetimeCents: 99_999_999_999 },
    terms('lifetime', { shops: 999 }),
    3_333,
    {
      unit: '个店',
      unitCents: 99_999_999_999,
      periods: 1,
      shops: 999,
      original: 99_899_999_999_001,
      total: 33_296_669_999_667,
    },
  ],
]

for (const [name, version, wanted, basisPoints, expected] of PRICES)
  test(`price: ${name}`, () => {
    assert.deepEqual(priceOf(version, wanted, basisPoints), {
      unit: expected.unit,
      unitCents: expected.unitCents,
      periods: expected.periods,
      shops: expected.shops,
      originalCents: expected.original,
      discountBasisPoints: basisPoints,
      totalCents: expected.total,
    })
  })

test('a version has no price for a term that it has no unit price for', () => {
  assert.equal(priceOf(chain, terms('month'), 10_000), null)
  assert.equal(priceOf(chain, terms('lifetime'), 10_000), null)
  assert.equal(priceOf(lifetime, terms('year'), 10_000), null)
})

test('a version is sold for the terms that it has prices for, and a pack never by the month', () => {
  const cases: [PricedVersion, Term[]][] = [
    [perShop, ['year', 'month']],
    [pack, ['year']],
    [chain, ['year']],
    [lifetime, ['lifetime']],
    [{ ...lifetime, priceLifetimeCents: null }, []],
    [{ ...perShop, priceYearCents: null }, ['month']],
    [{ ...lifetime, priceYearCents: 1, priceMonthCents: 1 }, ['lifetime']],
  ]
  for (const [version, expected] of cases) assert.deepEqual(termsOf(version), expected)
})

test('only versions priced per branch ask for branches', () => {
  for (const [version, expected] of [
    [perShop, false],
    [chain, true],
    [lifetime, false],
  ] as const)
    assert.equal(asksBranches(version), expected)
})

const TERMS: [string, PricedVersion, PurchaseTerms, VersionRefusal | null][] = [
  ['0 years', perShop, terms('year', { periods: 0 }), 'YEARS_OUT_OF_RANGE'],
  ['1 year', perShop, terms('year', { periods: 1 }), null],
  ['5 years', perShop, terms('year', { periods: 5 }), null],
  ['6 years', perShop, terms('year', { periods: 6 }), 'YEARS_OUT_OF_RANGE'],
  ['half a year', perShop, terms('year', { periods: 1.5 }), 'YEARS_OUT_OF_RANGE'],
  ['no number of years', perShop, terms('year', { periods: Number.NaN }), 'YEARS_OUT_OF_RANGE'],
  ['0 months', perShop, terms('month', { periods: 0 }), 'MONTHS_OUT_OF_RANGE'],
  ['1 month', perShop, terms('month', { periods: 1 }), null],
  ['12 months', perShop, terms('month', { periods: 12 }), null],
  ['13 months', perShop, terms('month', { periods: 13 }), 'MONTHS_OUT_OF_RANGE'],
  ['a pack by the month', pack, terms('month'), 'TERM_REQUIRED'],
  ['a pack by the year', pack, terms('year'), null],
  ['a chain by the month', chain, terms('month'), 'TERM_REQUIRED'],
  ['a yearly version for life', perShop, terms('lifetime'), 'TERM_REQUIRED'],
  ['a lifetime version by the year', lifetime, terms('year'), 'TERM_REQUIRED'],
  ['a lifetime version', lifetime, terms('lifetime'), null],
  [
    'a version without a price',
    { ...perShop, priceYearCents: null, priceMonthCents: null },
    terms('year'),
    'VERSION_UNPRICED',
  ],
  ['a lifetime of no number', lifetime, terms('lifetime', { periods: 0 }), 'YEARS_OUT_OF_RANGE'],
  ['0 shops', perShop, terms('year', { shops: 0 }), 'SHOPS_TOO_FEW'],
  ['999 shops', perShop, terms('year', { shops: 999 }), null],
  ['1,000 shops', perShop, terms('year', { shops: 1_000 }), 'SHOPS_TOO_MANY'],
  ['0 shops for life', lifetime, terms('lifetime', { shops: 0 }), 'SHOPS_TOO_FEW'],
  ['no branch', chain, terms('year', { branches: 0 }), null],
  ['-1 branches', chain, terms('year', { branches: -1 }), 'BRANCHES_TOO_FEW'],
  ['no branch of a kind 1 version', chainOfKind1, terms('year', { branches: 0 }), 'BRANCHES_TOO_FEW'],
  ['one branch of a kind 1 version', chainOfKind1, terms('year', { branches: 1 }), null],
  ['999 branches', chain, terms('year', { branches: 999 }), null],
  ['1,000 branches', chain, terms('year', { branches: 1_000 }), 'BRANCHES_TOO_MANY'],
  ['the term before the years', pack, terms('month', { periods: 0, shops: 0 }), 'TERM_REQUIRED'],
  ['the shops before the years', perShop, terms('year', { periods: 0, shops: 0 }), 'SHOPS_TOO_FEW'],
  ['the branches before the years', chain, terms('year', { periods: 0, branches: -1 }), 'BRANCHES_TOO_FEW'],
  ['the shops before the branches', chain, terms('year', { shops: 0, branches: -1 }), 'SHOPS_TOO_FEW'],
]

for (const [name, version, wanted, expected] of TERMS)
  test(`terms: ${name} is ${expected === null ? 'accepted' : VERSION_REFUSALS[expected]}`, () => {
    assert.equal(refuseTerm(version, wanted.term) ?? refuseNumbers(version, wanted), expected)
  })

test('a purchase needs a version and a term', () => {
  assert.equal(refuseTerm(undefined, null), 'VERSION_REQUIRED')
  assert.equal(refuseTerm(perShop, null), 'TERM_REQUIRED')
  assert.equal(refuseTerm(perShop, 'month'), null)
})

test('the messages are the documents’ where they give one, and tell the true limit', () => {
  assert.equal(VERSION_REFUSALS.VERSION_REQUIRED, '请选择软件版本')
  assert.equal(VERSION_REFUSALS.TERM_REQUIRED, '请选择购买时限')
  assert.equal(VERSION_REFUSALS.YEARS_OUT_OF_RANGE, '购买年限为1至5年')
  assert.equal(VERSION_REFUSALS.MONTHS_OUT_OF_RANGE, '购买月数为1至12个月')
})

test('the catalogue holds the documents’ versions and prices, and every version is sold for some term', () => {
  assert.deepEqual(
    VERSIONS.filter(version => version.offeredOnAdd)
      .map(version => version.id)
      .sort((a, b) => a - b),
    [1, 3, 12],
  )
  const advanced = VERSIONS.find(version => version.id === 12)
  assert.equal(advanced?.priceYearCents, 29_800)
  assert.equal(advanced?.priceMonthCents, 5_000)
  assert.equal(VERSIONS.find(version => version.id === 3)?.pricingRule, 'perBranchYear')
  for (const version of VERSIONS) assert.notDeepEqual(termsOf(version), [], version.name)
})

test('a discount is told in tenths', () => {
  for (const [basisPoints, text] of [
    [10_000, '无折扣'],
    [6_500, '6.5 折'],
    [7_000, '7 折'],
    [3_330, '3.33 折'],
  ] as const)
    assert.equal(formatDiscount(basisPoints), text)
})

const MONTHS: [string, PricedVersion, Term | null, number, ReturnType<typeof yearInstead>][] = [
  [
    'twelve months at twice the price of a year',
    perShop,
    'month',
    12,
    { monthsCents: 60_000, yearCents: 29_800, moreMonths: 0 },
  ],
  [
    'six months that cost more than a year',
    perShop,
    'month',
    6,
    { monthsCents: 30_000, yearCents: 29_800, moreMonths: 6 },
  ],
  ['five months, which cost less', perShop, 'month', 5, null],
  [
    'as much as a year costs',
    { ...perShop, priceMonthCents: 2_980 },
    'month',
    10,
    { monthsCents: 29_800, yearCents: 29_800, moreMonths: 2 },
  ],
  ['years', perShop, 'year', 5, null],
  ['no term yet', perShop, null, 12, null],
  ['a version without a price per year', { ...perShop, priceYearCents: null }, 'month', 12, null],
]
for (const [name, version, term, periods, expected] of MONTHS)
  test(`a year instead: ${name}`, () => assert.deepEqual(yearInstead(version, term, periods), expected))

const NOON = '2026-11-21T04:00:00.000Z'
const WORTH: [string, Parameters<typeof forfeited>, ReturnType<typeof forfeited>][] = [
  [
    'half a year of two shops',
    ['2027-05-22T04:00:00.000Z', { yearCents: 36_500, shops: 2 }, 10_000, NOON],
    { days: 182, cents: 36_400 },
  ],
  [
    'at the discount of the agent',
    ['2026-12-01T04:00:00.000Z', { yearCents: 36_500, shops: 1 }, 6_000, NOON],
    { days: 10, cents: 600 },
  ],
  [
    'of a version without a price per year',
    ['2026-12-01T04:00:00.000Z', { yearCents: null, shops: 1 }, 10_000, NOON],
    { days: 10, cents: null },
  ],
  [
    'nothing of a term that has ended',
    ['2026-11-20T04:00:00.000Z', { yearCents: 36_500, shops: 1 }, 10_000, NOON],
    null,
  ],
  ['nothing of a shop that is permanent', [null, { yearCents: 36_500, shops: 1 }, 10_000, NOON], null],
]
for (const [name, given, expected] of WORTH)
  test(`a term that a lifetime takes the place of is worth ${name}`, () =>
    assert.deepEqual(forfeited(...given), expected))
