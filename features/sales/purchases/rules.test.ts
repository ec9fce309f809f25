import assert from 'node:assert/strict'
import test from 'node:test'
import type { SoldVersion } from '#features/shops/versions/rules.ts'
import {
  ADVANCED,
  type Asked,
  branch,
  CHAIN,
  EXTREME,
  OLD,
  PACK,
  PAST,
  PERMANENT,
  plan,
  planned,
  refused,
  shop,
  version,
} from '#test/make-plans.ts'
import {
  PLAN_REFUSALS,
  PURCHASE_CODES,
  PURCHASE_REFUSALS,
  refuseRemark,
  refuseTogether,
  type Scope,
  type ShopFacts,
  waysOf,
} from './rules.ts'

const [one, two, three] = [branch(21), branch(22, { expiresAt: PAST }), branch(23)]
const chainHead = shop({ versionId: CHAIN, shopsBought: 4 })
const forever = shop({ versionId: PERMANENT, expiresAt: null, shopsBought: 2 })

/** [what, shop, version, asked] -> [code, sales type, unit, shops counted, original in 1/100, shops afterwards] */
type Row = [string, ShopFacts, number, Asked, [number, string, string, number, number, number]]
const CASES: Row[] = [
  ['0: a branch renews itself', branch(21), CHAIN, {}, [0, 'renew', '年', 1, 39_800, 1]],
  [
    '0: a branch of the advanced version renews itself by the month',
    branch(21, { versionId: ADVANCED }),
    ADVANCED,
    { term: 'month', periods: 3 },
    [0, 'renew', '月', 1, 15_000, 1],
  ],
  [
    '0: two chosen branches for 2 years',
    chainHead,
    CHAIN,
    { scope: 'branches', branches: [one, two], branchCount: 3, periods: 2 },
    [0, 'renew', '年', 2, 159_200, 1],
  ],
  [
    '1: the head of a chain alone, all its branches having rows',
    chainHead,
    CHAIN,
    { branchCount: 3 },
    [1, 'renew', '年', 1, 39_800, 4],
  ],
  [
    '1: the head and the places that no branch has taken',
    chainHead,
    CHAIN,
    { branchCount: 1 },
    [1, 'renew', '年', 3, 119_400, 4],
  ],
  ['1: a head without any row of a branch', chainHead, CHAIN, {}, [1, 'renew', '年', 4, 159_200, 4]],
  [
    '1: a head with more rows than it bought is one shop',
    chainHead,
    CHAIN,
    { branchCount: 9 },
    [1, 'renew', '年', 1, 39_800, 4],
  ],
  [
    '0: a branch that bought 3 shops renews all of them',
    branch(21, { shopsBought: 3 }),
    CHAIN,
    {},
    [0, 'renew', '年', 3, 119_400, 3],
  ],
  [
    '0: a chosen branch that bought 3 shops is 3 shops',
    chainHead,
    CHAIN,
    { scope: 'branches', branches: [branch(21), branch(22, { shopsBought: 3 })] },
    [0, 'renew', '年', 4, 159_200, 1],
  ],
  [
    '7: a branch that bought 2 shops buys for both',
    branch(21, { shopsBought: 2 }),
    PERMANENT,
    { shops: 9 },
    [7, 'upgrade', '个店', 2, 396_000, 2],
  ],
  ['1: the advanced version is 298 a year', shop(), ADVANCED, {}, [1, 'renew', '年', 1, 29_800, 1]],
  ['1: and 50 a month', shop(), ADVANCED, { term: 'month' }, [1, 'renew', '月', 1, 5_000, 1]],
  ['1: 5 years are the longest term', shop(), ADVANCED, { periods: 5 }, [1, 'renew', '年', 1, 149_000, 1]],
  [
    '1: 12 months are the most months',
    shop(),
    ADVANCED,
    { term: 'month', periods: 12 },
    [1, 'renew', '月', 1, 60_000, 1],
  ],
  [
    '1: a renewal is for all shops bought, whatever number is sent',
    shop({ shopsBought: 3 }),
    ADVANCED,
    { shops: 9 },
    [1, 'renew', '年', 3, 89_400, 3],
  ],
  [
    '1: a chain buys the advanced version for 2 shops',
    chainHead,
    ADVANCED,
    { shops: 2 },
    [1, 'upgrade', '年', 2, 59_600, 2],
  ],
  [
    '1: a pack is renewed by the year',
    shop({ versionId: PACK }),
    PACK,
    { periods: 2 },
    [1, 'renew', '年', 1, 99_600, 1],
  ],
  [
    '1: a head of the advanced version leaves its 3 branches to pay for themselves',
    shop({ shopsBought: 4 }),
    ADVANCED,
    { branchCount: 3, term: 'month', periods: 2 },
    [1, 'renew', '月', 1, 10_000, 4],
  ],
  [
    '1: a chain with 3 branches takes the advanced version for the head, which keeps the places of its branches',
    chainHead,
    ADVANCED,
    { branchCount: 3 },
    [1, 'upgrade', '年', 1, 29_800, 4],
  ],
  [
    '1: and for 2 more places',
    chainHead,
    ADVANCED,
    { branchCount: 3, shops: 3 },
    [1, 'upgrade', '年', 3, 89_400, 6],
  ],
  [
    '4: the chain version for a head whose 3 branches have it',
    shop({ shopsBought: 4 }),
    CHAIN,
    { branchCount: 3 },
    [4, 'upgrade', '年', 1, 39_800, 4],
  ],
  [
    '6: the old advanced version at a head with 2 branches',
    shop({ versionId: OLD, shopsBought: 4 }),
    OLD,
    { branchCount: 2 },
    [6, 'renew', '年', 2, 59_600, 4],
  ],
  [
    '7: a lifetime for a head with 3 branches',
    chainHead,
    PERMANENT,
    { branchCount: 3 },
    [7, 'upgrade', '个店', 1, 198_000, 4],
  ],
  [
    '7: a lifetime version with an end, at a head with 3 branches',
    shop({ versionId: PERMANENT, shopsBought: 4 }),
    PERMANENT,
    { branchCount: 3 },
    [7, 'renew', '个店', 1, 198_000, 4],
  ],
  [
    '3: a branch that bought 3 shops beside a place that no branch has taken',
    shop({ versionId: CHAIN, shopsBought: 4 }),
    CHAIN,
    { scope: 'all', branches: [branch(21, { shopsBought: 3 }), branch(22)] },
    [3, 'renew', '年', 6, 238_800, 4],
  ],
  [
    '2: 3 more branches until the head ends, in less than a year',
    chainHead,
    CHAIN,
    { scope: 'addBranches', shops: 3 },
    [2, 'renew', '年', 3, 119_400, 7],
  ],
  [
    '2: 2 years and a day of the head are 3 years of each more',
    shop({ versionId: CHAIN, shopsBought: 4, expiresAt: '2028-11-22T04:00:00.000Z' }),
    CHAIN,
    { scope: 'addBranches', shops: 2, periods: 3 },
    [2, 'renew', '年', 2, 238_800, 6],
  ],
  [
    '2: exactly 7 years of the head are 7, beyond what is sold at once',
    shop({ versionId: CHAIN, shopsBought: 4, expiresAt: '2033-11-21T04:00:00.000Z' }),
    CHAIN,
    { scope: 'addBranches', periods: 7 },
    [2, 'renew', '年', 1, 278_600, 5],
  ],
  [
    '3: the whole chain: branches + 1',
    chainHead,
    CHAIN,
    { scope: 'all', branches: [one, two, three] },
    [3, 'renew', '年', 4, 159_200, 4],
  ],
  [
    '3: without rows of branches, as many shops as were bought',
    chainHead,
    CHAIN,
    { scope: 'all', periods: 2 },
    [3, 'renew', '年', 4, 318_400, 4],
  ],
  [
    '3: with fewer rows of branches, still as many shops as were bought',
    chainHead,
    CHAIN,
    { scope: 'all', branches: [one] },
    [3, 'renew', '年', 4, 159_200, 4],
  ],
  [
    '3: with more rows than were bought, the rows',
    shop({ versionId: CHAIN, shopsBought: 2 }),
    CHAIN,
    { scope: 'all', branches: [one, two, three] },
    [3, 'renew', '年', 4, 159_200, 2],
  ],
  [
    '4: the chain version for a head and 3 branches',
    shop(),
    CHAIN,
    { shops: 4, periods: 2 },
    [4, 'upgrade', '年', 4, 318_400, 4],
  ],
  ['4: a pack', shop(), PACK, { shops: 2 }, [4, 'upgrade', '年', 2, 99_600, 2]],
  ['6: the old advanced version', shop({ versionId: OLD }), OLD, {}, [6, 'renew', '年', 1, 29_800, 1]],
  [
    '6: the old advanced version at a branch',
    branch(21, { versionId: OLD }),
    OLD,
    { term: 'month', periods: 2 },
    [6, 'renew', '月', 1, 10_000, 1],
  ],
  ['7: lifetime is price x shops', shop(), PERMANENT, { shops: 3 }, [7, 'upgrade', '个店', 3, 594_000, 3]],
  ['7: more shops for life', forever, PERMANENT, { shops: 3 }, [7, 'renew', '个店', 3, 594_000, 5]],
  [
    '7: a lifetime version with an end becomes permanent for all its shops',
    shop({ versionId: PERMANENT, shopsBought: 2 }),
    PERMANENT,
    { shops: 5 },
    [7, 'renew', '个店', 2, 396_000, 2],
  ],
  [
    '7: a lifetime has no number of periods',
    shop(),
    PERMANENT,
    { periods: 9 },
    [7, 'upgrade', '个店', 1, 198_000, 1],
  ],
  [
    '7: a branch buys for itself alone',
    branch(21),
    PERMANENT,
    { shops: 9 },
    [7, 'upgrade', '个店', 1, 198_000, 1],
  ],
  [
    '8: the extreme version, also for a permanent shop',
    forever,
    EXTREME,
    { shops: 2 },
    [8, 'upgrade', '个店', 2, 796_000, 2],
  ],
  [
    '8: more shops of the extreme version',
    shop({ versionId: EXTREME, expiresAt: null }),
    EXTREME,
    {},
    [8, 'renew', '个店', 1, 398_000, 2],
  ],
]

for (const [name, of, versionId, asked, expected] of CASES)
  test(`case ${name}`, () => {
    const { way, price, effects } = planned(of, versionId, asked)
    const last = effects.find(({ merchantId }) => merchantId === of.id) ?? effects[0]
    assert.deepEqual(
      [way.code, way.salesType, price.unit, price.shops, price.originalCents, last?.shopsAfter],
      expected,
    )
    const isMore = last?.shopsAfter !== last?.shopsBefore && way.salesType === 'renew' && way.code > 6
    const names = PURCHASE_CODES[way.code]
    assert.equal(way.codeName, isMore ? '增购店铺' : names[way.salesType === 'renew' ? 'same' : 'other'])
    assert.ok(effects.every(({ versionAfter }) => versionAfter === versionId))
  })

test('a first purchase is not called a renewal, nor are more shops for life', () => {
  const names: [ShopFacts, number, string][] = [
    [shop(), PERMANENT, '新购永久版'],
    [shop({ versionId: PERMANENT }), PERMANENT, '续费永久版'],
    [forever, PERMANENT, '增购店铺'],
    [shop(), EXTREME, '新购至尊版'],
    [shop({ versionId: EXTREME }), EXTREME, '续费至尊版'],
    [shop(), ADVANCED, '续费总店'],
    [shop({ versionId: PACK }), ADVANCED, '新购高级版'],
  ]
  for (const [of, versionId, name] of names) assert.equal(planned(of, versionId).way.codeName, name)
})

test('every case of the documents stands in a row, and 5 is none', () => {
  const codes = new Set(CASES.map(row => row[4][0]))
  assert.deepEqual([...codes].sort(), [0, 1, 2, 3, 4, 6, 7, 8])
  assert.ok(!('5' in PURCHASE_CODES))
})

const DISCOUNTS: [number, Asked, ShopFacts, number, number][] = [
  [10_000, {}, shop(), ADVANCED, 29_800],
  [6_500, {}, shop(), ADVANCED, 19_370],
  [3_333, {}, shop(), ADVANCED, 9_932],
  [3_333, { periods: 3 }, shop(), ADVANCED, 29_797],
  [1, { term: 'month' }, shop(), ADVANCED, 1],
  [7_777, { scope: 'all', periods: 5 }, chainHead, CHAIN, 619_049],
]
for (const [discount, asked, of, versionId, total] of DISCOUNTS)
  test(`the line at ${discount / 10_000} is rounded once, half up: ${total}`, () => {
    assert.equal(planned(of, versionId, { ...asked, discount }).price.totalCents, total)
  })

const head = (scope: Scope) => ({ scope })
const RETIRED = { enabled: false, renewable: false }
const REFUSED: [string, ShopFacts, number, Asked, keyof typeof PLAN_REFUSALS, Partial<SoldVersion>?][] = [
  ['a disabled shop', shop({ status: 'disabled' }), ADVANCED, {}, 'MERCHANT_DISABLED'],
  ['a version no longer sold', shop(), PACK, {}, 'VERSION_RETIRED', { enabled: false }],
  ['a version that others may sell', shop(), PACK, {}, 'VERSION_NOT_AUTHORIZED', { authorised: false }],
  ['a version not offered to others', shop(), PACK, {}, 'NOTHING_TO_BUY', { offeredOnChange: false }],
  ['a retired one that it may not renew', shop(), ADVANCED, {}, 'VERSION_RETIRED', RETIRED],
  ['the old version for who does not have it', shop(), OLD, {}, 'NOTHING_TO_BUY'],
  ['a chain bought by a branch', branch(21, { versionId: ADVANCED }), CHAIN, {}, 'NOTHING_TO_BUY'],
  ['a yearly version for a permanent shop', forever, ADVANCED, {}, 'LIFETIME_NO_YEARLY'],
  ['a chain for a permanent shop', forever, CHAIN, {}, 'LIFETIME_NO_YEARLY'],
  ['a pack for a permanent shop', forever, PACK, {}, 'LIFETIME_NO_YEARLY'],
  ['a yearly version that is permanent', shop({ expiresAt: null }), ADVANCED, {}, 'ALREADY_PERMANENT'],
  [
    'a permanent branch of a lifetime version',
    branch(21, { versionId: PERMANENT, expiresAt: null }),
    PERMANENT,
    {},
    'ALREADY_PERMANENT',
  ],
  ['branches of the advanced version', shop(), ADVANCED, head('branches'), 'SCOPE_NOT_OFFERED'],
  ['all of another version', shop(), CHAIN, head('all'), 'SCOPE_NOT_OFFERED'],
  ['more branches for a branch', branch(21), CHAIN, head('addBranches'), 'SCOPE_NOT_OFFERED'],
  ['branches of a head without any', chainHead, CHAIN, head('branches'), 'SCOPE_NOT_OFFERED'],
  ['no branch chosen', chainHead, CHAIN, { scope: 'branches', branchCount: 2 }, 'BRANCHES_REQUIRED'],
  [
    'a disabled branch',
    chainHead,
    CHAIN,
    { scope: 'all', branches: [branch(21, { status: 'disabled' })] },
    'MERCHANT_DISABLED',
  ],
  [
    'a permanent branch',
    chainHead,
    CHAIN,
    { scope: 'branches', branches: [branch(21, { expiresAt: null })] },
    'ALREADY_PERMANENT',
  ],
  ['a chain by the month', chainHead, CHAIN, { term: 'month' }, 'TERM_REQUIRED'],
  ['a pack by the month', shop(), PACK, { term: 'month' }, 'TERM_REQUIRED'],
  [
    'a pack by the month that has a monthly price',
    shop(),
    PACK,
    { term: 'month' },
    'TERM_REQUIRED',
    { priceMonthCents: 100 },
  ],
  ['a yearly version for life', shop(), ADVANCED, { term: 'lifetime' }, 'TERM_REQUIRED'],
  ['a lifetime by the year', shop(), PERMANENT, { term: 'year' }, 'TERM_REQUIRED'],
  ['no year', shop(), ADVANCED, { periods: 0 }, 'YEARS_OUT_OF_RANGE'],
  ['6 years', shop(), ADVANCED, { periods: 6 }, 'YEARS_OUT_OF_RANGE'],
  ['half a year', shop(), ADVANCED, { periods: 0.5 }, 'YEARS_OUT_OF_RANGE'],
  ['13 months', shop(), ADVANCED, { term: 'month', periods: 13 }, 'MONTHS_OUT_OF_RANGE'],
  ['no month', shop(), ADVANCED, { term: 'month', periods: 0 }, 'MONTHS_OUT_OF_RANGE'],
  ['no shop', shop(), PERMANENT, { shops: 0 }, 'SHOPS_TOO_FEW'],
  ['half a shop', shop(), PERMANENT, { shops: 1.5 }, 'SHOPS_TOO_FEW'],
  ['no shop, where no number is asked for', shop(), ADVANCED, { shops: 0 }, 'SHOPS_TOO_FEW'],
  ['a shop less, where no number is asked for', shop(), ADVANCED, { shops: -1 }, 'SHOPS_TOO_FEW'],
  ['no lifetime', shop(), PERMANENT, { periods: 0 }, 'YEARS_OUT_OF_RANGE'],
  ['1,000 shops', shop(), PERMANENT, { shops: 1_000 }, 'SHOPS_TOO_MANY'],
  [
    'more branches of an ended head',
    shop({ versionId: CHAIN, expiresAt: PAST }),
    CHAIN,
    head('addBranches'),
    'HEAD_EXPIRED',
  ],
  [
    'more branches for another time than the head has',
    chainHead,
    CHAIN,
    { scope: 'addBranches', periods: 2 },
    'PERIODS_FIXED',
  ],
  [
    'more branches of a permanent chain, which has no rest to price',
    shop({ versionId: CHAIN, expiresAt: null }),
    CHAIN,
    head('addBranches'),
    'SCOPE_NOT_OFFERED',
  ],
  ['no more branches', chainHead, CHAIN, { scope: 'addBranches', shops: 0 }, 'SHOPS_TOO_FEW'],
]
for (const [name, of, versionId, asked, code, changes] of REFUSED)
  test(`refused: ${name} (${PLAN_REFUSALS[code]})`, () => {
    assert.equal(refused(of, versionId, asked, changes), code)
  })

test('a refusal names the branch that is its reason', () => {
  const branches = [one, branch(24, { status: 'disabled' })]
  const result = plan(chainHead, CHAIN, { scope: 'all', branches })
  assert.deepEqual(result, { refusal: { code: 'MERCHANT_DISABLED', field: 'branchIds', merchantId: 24 } })
})

const WAYS: [string, ShopFacts, number, number, string][] = [
  ['an advanced shop', shop(), 0, ADVANCED, 'head:1'],
  ['a chain with branches', chainHead, 3, CHAIN, 'head:1 all:3 branches:0 addBranches:2'],
  ['a chain without rows of branches', chainHead, 0, CHAIN, 'head:1 all:3 addBranches:2'],
  ['a permanent chain', shop({ versionId: CHAIN, expiresAt: null }), 2, CHAIN, 'branches:0'],
  ['a branch', branch(21), 0, CHAIN, 'head:0'],
  ['a permanent shop', forever, 0, PERMANENT, 'head:7'],
  ['a permanent shop and a yearly version', forever, 0, ADVANCED, ''],
  ['an advanced shop and a chain', shop(), 0, CHAIN, 'head:4'],
  ['an advanced shop and the extreme version', shop(), 0, EXTREME, 'head:8'],
  ['an advanced shop and the old version', shop(), 0, OLD, ''],
]
for (const [name, of, branchCount, versionId, expected] of WAYS)
  test(`ways of ${name}: ${expected || 'none'}`, () => {
    const ways = waysOf(of, branchCount, version(versionId))
    assert.equal(ways.map(({ scope, code }) => `${scope}:${code}`).join(' '), expected)
  })

test('shops are renewed together only where each can be for the same term', () => {
  const cases: [ShopFacts, number, 'year' | 'month', string | null][] = [
    [shop(), ADVANCED, 'year', null],
    [shop(), ADVANCED, 'month', null],
    [chainHead, CHAIN, 'month', 'TERM_NOT_SOLD'],
    [shop({ versionId: PACK }), PACK, 'month', 'TERM_NOT_SOLD'],
    [shop({ versionId: PERMANENT }), PERMANENT, 'year', 'TERM_NOT_SOLD'],
    [forever, PERMANENT, 'year', 'ALREADY_PERMANENT'],
    [shop({ status: 'disabled' }), ADVANCED, 'year', 'MERCHANT_DISABLED'],
  ]
  for (const [of, versionId, term, expected] of cases)
    assert.equal(refuseTogether(of, version(versionId), term)?.code ?? null, expected)
  assert.equal(refuseTogether(shop(), version(ADVANCED, RETIRED), 'year')?.code, 'VERSION_RETIRED')
  assert.equal(refuseTogether(shop(), version(ADVANCED, { ...RETIRED, renewable: true }), 'year'), null)
})

test('a remark has at most 50 characters, as people count them', () => {
  assert.equal(refuseRemark('长'.repeat(50)), null)
  assert.equal(refuseRemark(` ${'长'.repeat(50)} `), null)
  assert.equal(refuseRemark('长'.repeat(51)), 'REMARK_TOO_LONG')
  assert.equal(refuseRemark('😀'.repeat(50)), null)
  assert.equal(PURCHASE_REFUSALS.REMARK_TOO_LONG, '备注不得超过50字')
})
