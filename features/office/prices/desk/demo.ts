// Demo rows of the books: a price that was lower for a while in each, one that begins next month, discounts and campaigns of every
// state.
import { DEMO_AGENTS, demoOperator } from '#features/office/access/demo.ts'
import { agentLevelChanges } from '#features/office/agents/tables.ts'
import { priceRow } from '#features/office/prices/rows.ts'
import type { Book } from '#features/office/prices/rules.ts'
import { discounts, priceCampaigns, prices } from '#features/office/prices/tables.ts'
import { PAYMENT_PRICES } from '#features/sales/payments/reference.ts'
import { SERVICES } from '#features/sales/services/reference.ts'
import { SMS_PACKAGES } from '#features/sales/sms/reference.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { addMonths, formatDay, startOfDay } from '#kit/time.ts'
import { ago, type Demo } from '#server/demo.ts'

type LevelRow = typeof agentLevelChanges.$inferInsert

/** Above the ids of the prices that a fresh database starts with, and of the demo's products. */
const FIRST_ID = 1_101
const LOWER_DAYS = [400, 310] as const
const [ADVANCED, CHAIN] = [12, 3]
const [ORDERING, INVOICE] = [31, 51]

export function demo(demo: Demo): void {
  const { id: createdBy, name: createdByName } = demoOperator(demo)
  const by = (createdAt: string) => ({ createdBy, createdByName, createdAt })
  const nextMonth = addMonths(startOfDay(`${formatDay(demo.now).slice(0, 8)}01`), 1).toISOString()
  let id = FIRST_ID
  const price = (
    of: { book: Book; item: number; part: string; cents: number },
    startsAt: string,
    more = {},
  ) => demo.history.add(prices, { id: id++, ...priceRow({ ...of, ...by(startsAt), startsAt, ...more }) })
  for (const of of OLD_PRICES) {
    price({ ...of, cents: Math.round((of.cents * 9) / 1_000) * 100 }, ago(demo, LOWER_DAYS[0]))
    price(of, ago(demo, LOWER_DAYS[1]))
  }
  const announced = by(ago(demo, 3))
  const year = { book: 'version', item: ADVANCED, part: 'year' } as const
  price({ ...year, cents: 32_800 }, nextMonth, announced)
  price({ book: 'version', item: CHAIN, part: 'year', cents: 45_800 }, nextMonth, {
    ...by(ago(demo, 5)),
    withdrawnAt: ago(demo, 4),
    withdrawnByName: createdByName,
  })
  price({ ...year, cents: 10_000 }, ago(demo, 300), { ...by(ago(demo, 300)), kind: 'minimum' })
  const discount = (of: Partial<typeof discounts.$inferInsert>, startsAt: string, more = {}) =>
    demo.history.add(discounts, { book: null, ...of, ...by(startsAt), startsAt, ...more })
  discount({ agentId: DEMO_AGENTS.other, basisPoints: 6_500 }, ago(demo, 200))
  discount({ agentId: DEMO_AGENTS.other, basisPoints: null }, ago(demo, 100))
  discount({ agentId: DEMO_AGENTS.fresh, basisPoints: 6_800 }, ago(demo, 60))
  discount({ levelId: 5, basisPoints: 3_800 }, nextMonth, announced)
  discount({ levelId: 4, basisPoints: 4_500 }, nextMonth, {
    ...by(ago(demo, 5)),
    withdrawnAt: ago(demo, 4),
    withdrawnByName: createdByName,
  })
  const level = (of: Pick<LevelRow, 'agentId' | 'fromLevelId' | 'levelId'>, startsAt: string, more = {}) =>
    demo.history.add(agentLevelChanges, { ...of, ...by(startsAt), startsAt, ...more })
  level({ agentId: DEMO_AGENTS.other, fromLevelId: 2, levelId: 3 }, ago(demo, 300))
  level({ agentId: DEMO_AGENTS.other, fromLevelId: 3, levelId: 2 }, ago(demo, 150))
  level({ agentId: DEMO_AGENTS.first, fromLevelId: 3, levelId: 4 }, nextMonth, announced)
  level({ agentId: DEMO_AGENTS.fresh, fromLevelId: 2, levelId: 3 }, nextMonth, {
    ...by(ago(demo, 5)),
    withdrawnAt: ago(demo, 4),
    withdrawnByName: createdByName,
  })
  const campaign = (
    of: Partial<typeof priceCampaigns.$inferInsert> & { name: string },
    from: string,
    to: string,
  ) =>
    demo.history.add(priceCampaigns, {
      book: 'service',
      ...of,
      ...by(from > announced.createdAt ? announced.createdAt : from),
      startsAt: from,
      endsAt: to,
    })
  campaign(
    { name: '电子发票推广', items: [INVOICE], part: 'unit', basisPoints: 9_000 },
    ago(demo, 10),
    nextMonth,
  )
  campaign(
    { name: '扫码点餐首购价', items: [ORDERING], part: 'unit', cents: 20_000, firstOf: 'agent' },
    ago(demo, 90),
    ago(demo, 30),
  )
  campaign(
    { name: '充值送短信', book: 'recharge', items: [3, 4], part: 'pack', bonusBasisPoints: 500 },
    ago(demo, 5),
    nextMonth,
  )
  campaign(
    { name: '年末促销', book: 'version', levelIds: [2], basisPoints: 9_500 },
    nextMonth,
    addMonths(nextMonth, 1).toISOString(),
  )
}

const yearly = VERSIONS.flatMap(({ id: item, priceYearCents }) =>
  item === ADVANCED && priceYearCents ? [{ item, cents: priceYearCents }] : [],
)
/** One of each book at what it costs today. */
const OLD_PRICES: { book: Book; item: number; part: string; cents: number }[] = [
  ...yearly.map(one => ({ ...one, book: 'version' as const, part: 'year' })),
  ...SERVICES.filter(({ id }) => id === ORDERING).map(({ id: item, unitCents: cents }) => ({
    ...{ book: 'service' as const, item, part: 'unit' },
    cents,
  })),
  ...SMS_PACKAGES.slice(0, 1).map(({ id: item, priceCents: cents }) => ({
    ...{ book: 'sms' as const, item, part: 'pack' },
    cents,
  })),
  { book: 'recharge', item: 0, part: 'smsHundred', cents: PAYMENT_PRICES.smsHundredFen },
]
