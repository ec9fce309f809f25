// What the operator sets holds from its moment on, is told beforehand, and stays in the history.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeProduct } from '#test/make-hardware.ts'
import { PRICE_RISKS, type PriceRisk } from '../rules.ts'

let office: Office
let staff: Client
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  const operator = await makeAgent(office, { operator: true })
  staff = office.as(await office.login(operator.loginName))
  agent = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const YEAR = { book: 'version', item: 12, part: 'year', kind: 'list' } as const
const yearShown = async () => (await me.versions.list()).rows.find(({ id }) => id === 12)?.priceYearCents
const rowOf = async (search: string, part: string) => {
  const { rows } = await staff.priceDesk.prices({ search, size: 100 })
  return rows.find(row => row.itemName === search && row.part === part)
}
/** The clock of the test: what was set for later begins. */
async function comeTrue(table: 'prices' | 'discounts' | 'price_campaigns'): Promise<void> {
  await office.owner.query(`alter table ${table} disable trigger user`)
  await office.owner.query(
    `update ${table} set starts_at = date_trunc('milliseconds', clock_timestamp()) where starts_at > now()`,
  )
  await office.owner.query(`alter table ${table} enable trigger user`)
}

test('every item of every book has its row, with what it costs', async () => {
  await makeProduct(office, { name: '打印机', unitCents: 39_900 })
  const { rows, total } = await staff.priceDesk.prices({ size: 100 })
  assert.equal(rows.length, total)
  const shown = (name: string) => rows.find(row => row.itemName === name)
  assert.deepEqual(
    ['连锁版', '永久版', '扫码点餐', '短信包200条', '打印机', '充值短信 4000条', '自定义充值'].map(name => [
      shown(name)?.cents,
      shown(name)?.unit,
    ]),
    [
      [39_800, '代币/年'],
      [198_000, '代币/个店'],
      [39_800, '代币/年'],
      [2_000, '代币/包'],
      [39_900, '代币/个'],
      [20_000, '元/包'],
      [100, '元/代币'],
    ],
  )
  const ofBook = await staff.priceDesk.prices({ book: 'sms', size: 100 })
  assert.ok(ofBook.total === 5 && ofBook.rows.every(({ book }) => book === 'sms'))
})

test('a price for later is announced, may be withdrawn, and holds from its moment on', async () => {
  await staff.priceDesk.setPrice({ ...YEAR, cents: 31_800, startsAt: inDays(10) })
  await staff.priceDesk.setPrice({ ...YEAR, cents: 32_800, startsAt: inDays(20) })
  assert.deepEqual(
    [(await rowOf('高级版', 'year'))?.cents, (await rowOf('高级版', 'year'))?.nextCents, await yearShown()],
    [29_800, 31_800, 29_800],
  )
  const { rows } = await staff.priceDesk.history({ book: 'version', item: 12 })
  const coming = rows.filter(({ state }) => state === 'coming')
  assert.deepEqual(
    coming.map(({ cents }) => cents),
    [32_800, 31_800],
  )
  const [, first] = coming
  await staff.priceDesk.withdrawPrice({ id: first?.id ?? 0 })
  assert.equal(await refusalOf(staff.priceDesk.withdrawPrice({ id: first?.id ?? 0 })), 'IS_WITHDRAWN')
  assert.equal((await rowOf('高级版', 'year'))?.nextCents, 32_800)
  await comeTrue('prices')
  assert.equal(await yearShown(), 32_800)
  const after = await staff.priceDesk.history({ book: 'version', item: 12 })
  const states = after.rows
    .filter(({ part }) => part === 'year')
    .map(({ cents, state }) => `${cents} ${state}`)
  assert.deepEqual(states.sort(), ['29800 past', '31800 withdrawn', '32800 current'])
  const past = after.rows.find(({ cents, part }) => cents === 29_800 && part === 'year')
  assert.equal(await refusalOf(staff.priceDesk.withdrawPrice({ id: past?.id ?? 0 })), 'HAS_BEGUN')
  await setNow({ item: 12, part: 'year', cents: 29_800 })
  assert.equal(await yearShown(), 29_800)
})

/** A price from now on, by somebody who was asked about all that it changes. */
const setNow = (wanted: { item: number; part: string; cents: number | null; kind?: 'minimum' }) =>
  staff.priceDesk.setPrice({
    ...YEAR,
    ...wanted,
    startsAt: null,
    answered: Object.keys(PRICE_RISKS) as PriceRisk[],
  })

const ASKED: [what: string, wanted: { kind?: 'minimum'; cents: number; later?: true }, risks: PriceRisk[]][] =
  [
    ['nothing, from now on', { cents: 0 }, ['nothing', 'fall', 'overtakes', 'now']],
    ['nothing, later', { cents: 0, later: true }, ['nothing', 'fall', 'overtakes']],
    ['half', { cents: 14_900, later: true }, ['fall', 'overtakes']],
    ['more than half more', { cents: 44_701, later: true }, ['rise']],
    ['half more', { cents: 44_700, later: true }, []],
    ['less than the level of the next better discount pays', { cents: 25_000, later: true }, ['overtakes']],
    ['a little more, from now on', { cents: 29_000 }, ['now']],
    ['a minimum far above what good levels pay', { kind: 'minimum', cents: 20_000, later: true }, ['rise']],
  ]
for (const [what, { later, ...wanted }, risks] of ASKED)
  test(`a price of ${what} is asked about: ${risks.join(', ') || 'nothing'}`, async () => {
    const asked = { ...YEAR, item: 4, ...wanted }
    const startsAt = later ? inDays(200) : undefined
    const preview = await staff.priceDesk.preview({ ...asked, ...(startsAt ? { startsAt } : {}) })
    assert.deepEqual(preview.risks, risks)
    for (const left of risks)
      assert.equal(
        await refusalOf(
          staff.priceDesk.setPrice({
            ...asked,
            startsAt: startsAt ?? null,
            answered: risks.filter(risk => risk !== left),
          }),
        ),
        'PRICE_ASKED',
      )
    assert.equal((await rowOf('高级版（旧）', 'year'))?.nextCents, null)
  })

test('a price that nothing was sold at is taken back, and the one before holds again; once something was, it stays', async () => {
  const LIFETIME = { item: 1, part: 'lifetime' } as const
  const last = async () => {
    const { rows } = await staff.priceDesk.history({ book: 'version', item: LIFETIME.item })
    return rows[0]
  }
  const listed = async () => (await me.versions.list()).rows.find(({ id }) => id === 1)?.priceLifetimeCents
  const before = await listed()
  await setNow({ ...LIFETIME, cents: 0 })
  assert.deepEqual([await listed(), (await last())?.isUnsold], [0, true])
  await staff.priceDesk.withdrawPrice({ id: (await last())?.id ?? 0 })
  assert.equal(await listed(), before)
  await setNow({ ...LIFETIME, cents: 100 })
  const shop = await makeMerchant(office, agent.id)
  const { orderNo } = await me.purchases.quote({
    ...{ merchantId: shop, versionId: 1, scope: 'head', branchIds: [], term: 'lifetime' },
    ...{ periods: 1, shops: 1, remark: '' },
  })
  assert.equal((await last())?.isUnsold, true)
  await me.purchases.confirm({ orderNo })
  const sold = await last()
  assert.equal(sold?.isUnsold, false)
  assert.equal(await refusalOf(staff.priceDesk.withdrawPrice({ id: sold?.id ?? 0 })), 'IS_SOLD')
  await assert.rejects(
    office.owner.query('update prices set withdrawn_at = now() where id = $1', [sold?.id]),
    /something was sold/,
  )
})

test('what a price would change is told beforehand, and nothing is written', async () => {
  await makeMerchant(office, agent.id, { version_id: 78, expires_at: inDays(40), shops_bought: 2 })
  await makeMerchant(office, agent.id, { version_id: 78, expires_at: inDays(400) })
  const asked = { ...YEAR, item: 78, cents: 59_800, startsAt: inDays(5) }
  const preview = await staff.priceDesk.preview(asked)
  assert.deepEqual(
    [preview.beforeCents, preview.shops, preview.agents, preview.renewals],
    [49_800, 2, 1, { count: 1, differenceCents: 12_000 }],
  )
  const silver = preview.levels.find(({ name }) => name === '银牌代理')
  assert.deepEqual([silver?.agents, silver?.beforeCents, silver?.afterCents], [1, 29_880, 35_880])
  assert.equal((await rowOf('餐饮套餐版', 'year'))?.nextCents, null)
})

const REFUSED: [change: Record<string, unknown>, code: string][] = [
  [{ cents: -1 }, 'PRICE_FORMAT'],
  [{ cents: 1.5 }, 'PRICE_FORMAT'],
  [{ cents: 100_000_001 }, 'PRICE_FORMAT'],
  [{ cents: 29_800 }, 'PRICE_SAME'],
  [{ item: 999 }, 'ITEM_UNKNOWN'],
  [{ part: 'pack' }, 'ITEM_UNKNOWN'],
  [{ book: 'sms', item: 1, part: 'pack', cents: null }, 'PRICE_FORMAT'],
  [{ startsAt: '2020-01-01T00:00:00.000Z' }, 'START_PAST'],
  [{ startsAt: inDays(400) }, 'START_TOO_FAR'],
  [{ kind: 'minimum', cents: 30_000 }, 'MINIMUM_ABOVE'],
]
for (const [change, code] of REFUSED)
  test(`a price is refused: ${code} ${JSON.stringify(change)}`, async () => {
    const asked = { ...YEAR, cents: 12_300, startsAt: null, ...change }
    assert.equal(await refusalOf(staff.priceDesk.setPrice(asked)), code)
  })

test('two prices do not begin at one moment', async () => {
  const startsAt = inDays(50)
  await staff.priceDesk.setPrice({ ...YEAR, part: 'month', cents: 5_500, startsAt })
  const second = staff.priceDesk.setPrice({ ...YEAR, part: 'month', cents: 5_600, startsAt })
  assert.equal(await refusalOf(second), 'MOMENT_TAKEN')
})

test('a version without a price per month is not sold by the month', async () => {
  await setNow({ item: 4, part: 'month', cents: null })
  assert.equal((await me.versions.list()).rows.find(({ id }) => id === 4)?.priceMonthCents, null)
})

test('a version without any price is offered to no new shop, and says at the door why', async () => {
  const offered = async () => (await me.versions.list()).rows.find(({ id }) => id === 3)?.offeredOnAdd
  assert.equal(await offered(), true)
  await setNow({ item: 3, part: 'year', cents: null })
  assert.equal(await offered(), false)
  const form = newMerchantForm({ versionId: 3, term: 'year' })
  assert.equal(await refusalOf(me.selling.quote(form)), 'VERSION_UNPRICED')
})

test("an agent's own discount comes before its level's, and ends by giving none", async () => {
  const share = async () => (await me.access.current()).discountBasisPoints
  const own = { levelId: null, agentId: agent.id, book: null }
  await staff.priceDesk.setDiscount({ ...own, basisPoints: 5_200, startsAt: null })
  assert.equal(await share(), 5_200)
  await staff.priceDesk.setDiscount({
    levelId: 3,
    agentId: null,
    book: null,
    basisPoints: 5_500,
    startsAt: inDays(3),
  })
  await staff.priceDesk.setDiscount({ ...own, basisPoints: null, startsAt: null })
  assert.equal(await share(), 6_000)
  const { rows } = await staff.priceDesk.discounts({ discountState: 'coming' })
  assert.deepEqual(
    rows.map(({ whomName, share }) => [whomName, share]),
    [['银牌代理', '5.5 折']],
  )
  await comeTrue('discounts')
  assert.equal(await share(), 5_500)
  await staff.priceDesk.setDiscount({
    levelId: 3,
    agentId: null,
    book: null,
    basisPoints: 6_000,
    startsAt: null,
  })
  assert.equal(await share(), 6_000)
})

test('a new level has its discount, and a level has a name of its own', async () => {
  const { id } = await staff.priceDesk.saveLevel({ id: null, name: '铂金代理', basisPoints: 4_500 })
  assert.equal(
    await refusalOf(staff.priceDesk.saveLevel({ id: null, name: '铂金代理', basisPoints: 1_000 })),
    'NAME_TAKEN',
  )
  await staff.priceDesk.saveLevel({ id, name: '白金代理', basisPoints: null })
  const { rows } = await staff.priceDesk.discounts({ search: '白金' })
  assert.deepEqual(
    [rows[0]?.whomName, rows[0]?.share, rows[0]?.discountState],
    ['白金代理', '4.5 折', 'current'],
  )
})

test('a campaign is shown with its name to whom it is for, stands in the order, and ends', async () => {
  const shop = await makeMerchant(office, agent.id)
  const { id } = await staff.priceDesk.addCampaign({
    ...{ name: '双十一', book: 'service', items: [21], part: 'unit', levelIds: [3], agentIds: null },
    ...{ basisPoints: 9_000, cents: null, firstOf: null, startsAt: null, endsAt: inDays(3) },
  })
  const offer = async () => {
    const { groups } = await me.services.ofMerchant({ merchantId: shop })
    return groups.flatMap(({ services }) => services).find(({ id }) => id === 21)
  }
  assert.deepEqual(
    (await offer())?.conditions.offers.map(({ name }) => name),
    ['双十一'],
  )
  const items = [{ serviceId: 21, quantity: 1, years: 1 }]
  assert.equal(
    await refusalOf(me.services.buy({ merchantId: shop, items, totalCents: 17_880 })),
    'PRICE_CHANGED',
  )
  const { orders } = await me.services.buy({ merchantId: shop, items, totalCents: 16_092 })
  const details = await me.orderDetails.find({ orderNo: orders[0]?.orderNo ?? '' })
  assert.deepEqual(
    details.amounts.map(({ label, text }) => `${label} ${text}`).filter(text => text.startsWith('优惠')),
    ['优惠 双十一'],
  )
  await staff.priceDesk.endCampaign({ id })
  assert.deepEqual((await offer())?.conditions.offers, [])
  assert.equal(await refusalOf(staff.priceDesk.endCampaign({ id })), 'IS_ENDED')
  const { rows } = await staff.priceDesk.campaigns({ campaignState: 'ended' })
  assert.deepEqual(
    rows.map(({ name, what, forWhom, gives }) => [name, what, forWhom, gives]),
    [['双十一', '会员营销（单价）', '银牌代理', '再打 9 折']],
  )
})

test('half of what is paid otherwise is given to whom was asked about alone', async () => {
  const half = { levelId: null, agentId: agent.id, book: null, basisPoints: 5_000, startsAt: null }
  assert.equal(await refusalOf(staff.priceDesk.setDiscount(half)), 'PRICE_ASKED')
  await staff.priceDesk.setDiscount({ ...half, answered: ['fall'] })
  await staff.priceDesk.setDiscount({ ...half, basisPoints: null })
  const campaign = {
    ...{
      name: '半价',
      book: 'service' as const,
      items: [21],
      part: 'unit',
      levelIds: null,
      agentIds: [agent.id],
    },
    ...{ basisPoints: 5_000, cents: null, firstOf: null, startsAt: null, endsAt: inDays(1) },
  }
  assert.equal(await refusalOf(staff.priceDesk.addCampaign(campaign)), 'PRICE_ASKED')
  const free = { ...campaign, basisPoints: null, cents: 0, answered: ['fall' as const] }
  assert.equal(await refusalOf(staff.priceDesk.addCampaign(free)), 'PRICE_ASKED')
  const { id } = await staff.priceDesk.addCampaign({ ...free, answered: ['nothing'] })
  await staff.priceDesk.endCampaign({ id })
})

test('partners neither see the books nor change them', async () => {
  for (const call of [
    () => me.priceDesk.prices({}),
    () => me.priceDesk.discounts({}),
    () => me.priceDesk.campaigns({}),
    () => me.priceDesk.setPrice({ ...YEAR, cents: 1, startsAt: null }),
  ])
    assert.equal(await refusalOf(call()), 'FORBIDDEN')
})
