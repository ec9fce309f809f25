import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Asked,
  type Campaign,
  comingNext,
  type DatedDiscount,
  type DatedPrice,
  inForce,
  type PriceBook,
  priced,
  stateOf,
} from './rules.ts'

const ALWAYS = '2020-01-01T00:00:00.000Z'
const NOW = '2026-11-20T04:00:00.000Z'
/** 00:00 of the 1st of December in Asia/Shanghai. */
const FIRST = '2026-11-30T16:00:00.000Z'
const BEFORE_FIRST = '2026-11-30T15:59:59.999Z'

const price = (
  book: DatedPrice['book'],
  item: number,
  part: string,
  cents: number | null,
  given: Partial<DatedPrice> = {},
): DatedPrice => ({ book, item, part, cents, kind: 'list', startsAt: ALWAYS, withdrawnAt: null, ...given })

const level = (levelId: number, basisPoints: number, given: Partial<DatedDiscount> = {}): DatedDiscount => ({
  levelId,
  agentId: null,
  book: null,
  basisPoints,
  startsAt: ALWAYS,
  withdrawnAt: null,
  ...given,
})
const own = (agentId: number, basisPoints: number | null, given: Partial<DatedDiscount> = {}) => ({
  ...level(0, 0, given),
  levelId: null,
  agentId,
  basisPoints,
})

const campaign = (given: Partial<Campaign>): Campaign => ({
  name: '双十一',
  book: 'version',
  items: null,
  part: null,
  levelIds: null,
  agentIds: null,
  basisPoints: null,
  cents: null,
  bonusBasisPoints: null,
  bonusPieces: null,
  firstOf: null,
  startsAt: ALWAYS,
  endsAt: null,
  endedAt: null,
  ...given,
})

/** The documents' figures (D1 §4, D2 §9), and one of each book. */
const PRICES = [
  price('version', 12, 'year', 29_800),
  price('version', 12, 'month', 5_000),
  price('version', 3, 'year', 39_800),
  price('version', 78, 'year', 49_800),
  price('version', 1, 'lifetime', 198_000),
  price('version', 5, 'lifetime', 398_000),
  price('service', 21, 'unit', 29_800),
  price('sms', 1, 'pack', 2_000),
  price('hardware', 7, 'unit', 39_900),
  price('recharge', 1, 'pack', 20_000),
  price('recharge', 2, 'pack', 50_000),
  price('recharge', 0, 'smsHundred', 5),
]
const LEVELS = [level(1, 10_000), level(3, 6_000), level(4, 5_000)]
const WRITTEN: PriceBook = { prices: PRICES, discounts: LEVELS, campaigns: [] }

const year: Asked = {
  ...{ book: 'version', item: 12, part: 'year', count: 1 },
  buyer: { agentId: 101, levelId: 1 },
  at: NOW,
}
const silver = { agentId: 101, levelId: 3 }

type Case = [
  what: string,
  written: Partial<PriceBook>,
  asked: Partial<Asked>,
  total: number | null,
  offer?: string,
  bonus?: number,
]

const DOCUMENTS: Case[] = [
  ['a year', {}, {}, 29_800],
  ['a month', {}, { part: 'month' }, 5_000],
  ['a chain: branches + 1, times years', {}, { item: 3, count: (2 + 1) * 2 }, 238_800],
  ['a lifetime, times shops', {}, { item: 1, part: 'lifetime', count: 3 }, 594_000],
  ['the discount once on the line', {}, { count: 6, buyer: silver }, 107_280],
  ['rounded half up once', { prices: [price('version', 12, 'year', 1)] }, { count: 3, buyer: silver }, 2],
  [
    'half a cent is up',
    { prices: [price('version', 12, 'year', 1)] },
    { buyer: { agentId: 1, levelId: 4 } },
    1,
  ],
  ['twelve months (D2 §9)', {}, { part: 'month', count: 12 }, 60_000],
  ['five years (D2 §9)', {}, { count: 5 }, 149_000],
  ['a chain of ten shops for five years (D1 §4)', {}, { item: 3, count: 10 * 5 }, 1_990_000],
  ['a renewal of three shops for two years (D1 §4)', {}, { count: 3 * 2 }, 178_800],
  ['a pack by the yearly rule (D2 §9)', {}, { item: 78 }, 49_800],
  ['and never by the month (D2 §9)', {}, { item: 78, part: 'month' }, null],
  ['the extreme version by the shop (D2 §9)', {}, { item: 5, part: 'lifetime', count: 2 }, 796_000],
  ['two decimals of the settlement (D2 §9)', { discounts: [level(3, 3_333)] }, { buyer: silver }, 9_932],
  ['an order is receivable without, payable with the discount (D3 §3)', {}, { buyer: silver }, 17_880],
  ['the default package of SMS, in yuan (D1 §9)', {}, { book: 'recharge', item: 1, part: 'pack' }, 20_000],
  ['a service', {}, { book: 'service', item: 21, part: 'unit', count: 2, buyer: silver }, 35_760],
  ['a pack of SMS', {}, { book: 'sms', item: 1, part: 'pack', buyer: silver }, 1_200],
  [
    'hardware has no discount of levels',
    {},
    { book: 'hardware', item: 7, part: 'unit', buyer: silver },
    39_900,
  ],
  ['nor has money from outside', {}, { book: 'recharge', item: 2, part: 'pack', buyer: silver }, 50_000],
  ['not sold by the month', {}, { item: 3, part: 'month' }, null],
  ['unknown', {}, { item: 99 }, null],
]

const next = price('version', 12, 'year', 32_800, { startsAt: FIRST })
const DATES: Case[] = [
  ['a new price before it begins', { prices: [...PRICES, next] }, { at: BEFORE_FIRST }, 29_800],
  ['from 00:00 of the 1st on', { prices: [...PRICES, next] }, { at: FIRST }, 32_800],
  [
    'one that was withdrawn never begins',
    { prices: [...PRICES, { ...next, withdrawnAt: NOW }] },
    { at: FIRST },
    29_800,
  ],
  ['no longer sold so', { prices: [...PRICES, { ...next, cents: null }] }, { at: FIRST }, null],
  [
    'a discount that begins then',
    { discounts: [...LEVELS, level(3, 5_500, { startsAt: FIRST })] },
    { buyer: silver, at: FIRST },
    16_390,
  ],
  [
    'and not a moment earlier',
    { discounts: [...LEVELS, level(3, 5_500, { startsAt: FIRST })] },
    { buyer: silver, at: BEFORE_FIRST },
    17_880,
  ],
]

const DISCOUNTS: Case[] = [
  [
    "an agent's own before its level's",
    { discounts: [...LEVELS, own(101, 5_200)] },
    { buyer: silver },
    15_496,
  ],
  ['also where it is the dearer', { discounts: [...LEVELS, own(101, 9_000)] }, { buyer: silver }, 26_820],
  ['of another agent', { discounts: [...LEVELS, own(102, 5_200)] }, { buyer: silver }, 17_880],
  [
    'an own one that ended gives way to the level',
    { discounts: [...LEVELS, own(101, 5_200), own(101, null, { startsAt: '2026-01-01T00:00:00.000Z' })] },
    { buyer: silver },
    17_880,
  ],
  [
    "the book's before that of all",
    { discounts: [...LEVELS, level(3, 7_000, { book: 'version' })] },
    { buyer: silver },
    20_860,
  ],
  [
    "another book's is not this one's",
    { discounts: [...LEVELS, level(3, 7_000, { book: 'sms' })] },
    { buyer: silver },
    17_880,
  ],
  [
    'an own one of all before a level’s of the book',
    { discounts: [level(3, 7_000, { book: 'version' }), own(101, 5_000)] },
    { buyer: silver },
    14_900,
  ],
  [
    'hardware by a discount that names it',
    { discounts: [...LEVELS, level(3, 9_500, { book: 'hardware' })] },
    { book: 'hardware', item: 7, part: 'unit', buyer: silver },
    37_905,
  ],
  ['a level without any pays all', { discounts: [] }, { buyer: silver }, 29_800],
]

const off = campaign({ basisPoints: 9_000 })
const fixed = campaign({ name: '特价', items: [12], part: 'year', cents: 16_000 })
const minimum = (cents: number | null) => price('version', 12, 'year', cents, { kind: 'minimum' })
const giving = campaign({ name: '充值节', book: 'recharge', bonusBasisPoints: 1_000, endsAt: FIRST })
const more = campaign({ name: '加送', book: 'recharge', part: 'pack', bonusPieces: 500 })
const pack = { book: 'recharge', item: 2, part: 'pack', brings: 10_500 } as const
const typed = { book: 'recharge', item: 0, part: 'smsHundred', count: 109, brings: 109 } as const
const packMinimum = (cents: number) => price('recharge', 2, 'pack', cents, { kind: 'minimum' })
const CAMPAIGNS: Case[] = [
  [
    'money from outside for less',
    { campaigns: [{ ...off, book: 'recharge' }] },
    { ...pack, buyer: silver },
    45_000,
    '双十一',
  ],
  ['or more for the same', { campaigns: [giving] }, pack, 50_000, '充值节', 1_050],
  ['or so many pieces', { campaigns: [more] }, pack, 50_000, '加送', 500],
  ['with each package', { campaigns: [more] }, { ...pack, count: 3, brings: 31_500 }, 150_000, '加送', 1_500],
  ['of two the one that gives more', { campaigns: [more, giving] }, pack, 50_000, '充值节', 1_050],
  [
    'which may be the pieces',
    { campaigns: [giving, { ...more, bonusPieces: 1_051 }] },
    pack,
    50_000,
    '加送',
    1_051,
  ],
  [
    'and of two that give the same the first',
    { campaigns: [{ ...more, bonusPieces: 1_050 }, giving] },
    pack,
    50_000,
    '加送',
    1_050,
  ],
  [
    'for less, where that is less for one',
    { campaigns: [more, { ...off, book: 'recharge' }] },
    pack,
    45_000,
    '双十一',
  ],
  ['a share of what is typed, rounded down', { campaigns: [giving] }, typed, 545, '充值节', 10],
  ['nothing where that is less than one', { campaigns: [giving] }, { ...typed, count: 9, brings: 9 }, 45],
  ['no pieces with what is typed', { campaigns: [{ ...more, part: null }] }, typed, 545],
  [
    'nor beside what brings none',
    { campaigns: [more, giving], prices: [price('recharge', 2, 'pack', 50_000)] },
    { book: 'recharge', item: 2, part: 'pack' },
    50_000,
  ],
  [
    'pieces that leave one above the minimum',
    { prices: [...PRICES, packMinimum(47_000)], campaigns: [more] },
    pack,
    50_000,
    '加送',
    500,
  ],
  ['and none that do not', { prices: [...PRICES, packMinimum(48_000)], campaigns: [more] }, pack, 50_000],
  ['until its end', { campaigns: [giving] }, { ...pack, at: FIRST }, 50_000],
  [
    'of two that by which one costs least',
    { campaigns: [giving, { ...off, book: 'recharge' }] },
    pack,
    45_000,
    '双十一',
  ],
  ['a percentage multiplies with the discount', { campaigns: [off] }, { buyer: silver }, 16_092, '双十一'],
  [
    'rounded once',
    { prices: [price('version', 12, 'year', 5)], campaigns: [off] },
    { buyer: silver },
    3,
    undefined,
  ],
  ['a price of its own stands for both', { campaigns: [fixed] }, { buyer: silver, count: 2 }, 32_000, '特价'],
  [
    'not where the discount is cheaper',
    { campaigns: [fixed] },
    { buyer: { agentId: 1, levelId: 4 } },
    14_900,
  ],
  ['they never add up: the cheapest holds', { campaigns: [off, fixed] }, { buyer: silver }, 16_000, '特价'],
  ['for its items alone', { campaigns: [{ ...off, items: [3] }] }, {}, 29_800],
  ['for its part alone', { campaigns: [{ ...off, part: 'month' }] }, {}, 29_800],
  ['for its book alone', { campaigns: [{ ...off, book: 'sms' }] }, {}, 29_800],
  ['for its levels', { campaigns: [{ ...off, levelIds: [3] }] }, { buyer: silver }, 16_092, '双十一'],
  ['and no others', { campaigns: [{ ...off, levelIds: [3] }] }, {}, 29_800],
  ['or its agents', { campaigns: [{ ...off, levelIds: [3], agentIds: [101] }] }, {}, 26_820, '双十一'],
  ['before it begins', { campaigns: [{ ...off, startsAt: FIRST }] }, { at: BEFORE_FIRST }, 29_800],
  ['from its first moment', { campaigns: [{ ...off, startsAt: FIRST }] }, { at: FIRST }, 26_820, '双十一'],
  ['until its end', { campaigns: [{ ...off, endsAt: FIRST }] }, { at: BEFORE_FIRST }, 26_820, '双十一'],
  ['and not at it', { campaigns: [{ ...off, endsAt: FIRST }] }, { at: FIRST }, 29_800],
  ['ended early', { campaigns: [{ ...off, endsAt: FIRST, endedAt: NOW }] }, { at: NOW }, 29_800],
  ['never above the list price', { campaigns: [{ ...fixed, cents: 99_999 }] }, {}, 29_800],
  [
    'a first purchase',
    { campaigns: [{ ...fixed, firstOf: 'agent', name: '首购' }] },
    { bought: { shop: true, agent: false } },
    16_000,
    '首购',
  ],
  [
    'no second one',
    { campaigns: [{ ...fixed, firstOf: 'agent' }] },
    { bought: { shop: false, agent: true } },
    29_800,
  ],
  [
    'the first of a shop whose agent has bought many',
    { campaigns: [{ ...fixed, firstOf: 'shop' }] },
    { bought: { shop: false, agent: true } },
    16_000,
    '特价',
  ],
  [
    'the minimum holds against a discount',
    { prices: [...PRICES, minimum(20_000)] },
    { buyer: silver },
    20_000,
    '最低价',
  ],
  ['for each one', { prices: [...PRICES, minimum(20_000)] }, { buyer: silver, count: 3 }, 60_000, '最低价'],
  [
    'against a campaign',
    { prices: [...PRICES, minimum(17_000)], campaigns: [fixed] },
    { buyer: silver },
    17_000,
    '最低价',
  ],
  ['not where it is paid anyway', { prices: [...PRICES, minimum(17_000)] }, { buyer: silver }, 17_880],
  [
    'never above the list price',
    { prices: [...PRICES, minimum(90_000)] },
    { buyer: silver },
    29_800,
    '最低价',
  ],
  [
    'one that was lifted',
    { prices: [...PRICES, minimum(20_000), { ...minimum(null), startsAt: '2026-01-01T00:00:00.000Z' }] },
    { buyer: silver },
    17_880,
  ],
]

for (const [title, cases] of Object.entries({ DOCUMENTS, DATES, DISCOUNTS, CAMPAIGNS }))
  describe(title, () => {
    for (const [what, written, asked, total, offer, bonus] of cases)
      test(`${what}: ${total}`, () => {
        const found = priced({ ...WRITTEN, ...written }, { ...year, ...asked })
        assert.deepEqual([found?.totalCents ?? null, found?.offer, found?.bonus], [total, offer, bonus])
      })
  })

test('what is in force, and what comes next', () => {
  const at = (startsAt: string, withdrawnAt: string | null = null) => ({ startsAt, withdrawnAt })
  const rows = [at(FIRST), at(ALWAYS), at('2026-06-01T00:00:00.000Z'), at('2026-07-01T00:00:00.000Z', NOW)]
  assert.equal(inForce(rows, NOW), rows[2])
  assert.equal(comingNext(rows, NOW), rows[0])
  assert.equal(comingNext(rows, FIRST), null)
  assert.equal(inForce(rows, '2019-01-01T00:00:00.000Z'), null)
})

test('a campaign is coming, running or ended', () => {
  const of = (startsAt: string, endsAt: string | null, endedAt: string | null = null) =>
    stateOf({ startsAt, endsAt, endedAt }, NOW)
  assert.deepEqual(
    [of(ALWAYS, null), of(ALWAYS, NOW), of(FIRST, null), of(FIRST, null, NOW), of(NOW, FIRST)],
    ['running', 'ended', 'coming', 'ended', 'running'],
  )
})
