// The operator's desk of services and packages: what is written, what is refused, what retiring one means.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { addDays, endOfDay, formatDay, formatInstant } from '#kit/time.ts'
import { type Client, refusalOf } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { openTill, type Till } from '#test/make-payments.ts'
import { writePrice } from '#test/make-purchases.ts'

let till: Till
let operator: Client
let me: Client
let agentId: number
let shop: number

before(async () => {
  till = await openTill()
  operator = till.staff
  const agent = await makeAgent(till.office, { tokens: 100_000 })
  agentId = agent.id
  me = till.office.as(await till.office.login(agent.loginName))
  shop = await makeMerchant(till.office, agent.id)
})
after(() => till.stop())

let made = 0
type Form = Parameters<Client['catalogue']['saveItem']>[0]
const service = (changes: Partial<Form> = {}): Form => ({
  ...{ seen: null, itemKind: 'service', name: `服务${++made}`, remark: '说明', groupId: 2 },
  ...{ code: `case-${made}`, serviceUnit: 'year', headOnly: false, pieces: null },
  ...{ priceCents: 12_000, position: 50 },
  ...changes,
})
const pack = (itemKind: 'sms' | 'recharge', changes: Partial<Form> = {}) =>
  service({ itemKind, groupId: null, code: '', remark: '', pieces: 700, name: `套餐${++made}`, ...changes })
const rowOf = async (itemKind: string, id: number) => {
  const { rows } = await operator.catalogue.items({ size: 100 })
  const row = rows.find(one => one.itemKind === itemKind && one.id === id)
  assert.ok(row)
  return row
}
const offered = async (id: number) => {
  const { groups } = await me.services.ofMerchant({ merchantId: shop })
  return groups.flatMap(({ services }) => services).find(one => one.id === id)
}
const packages = async () => (await me.sms.packages({ merchantId: shop })).rows
const recharges = async () => (await me.payments.offer()).packages
const buy = (serviceId: number, totalCents: number) =>
  me.services.buy({ merchantId: shop, items: [{ serviceId, quantity: 1, years: 1 }], totalCents })

test('a first price of nothing is taken from who was asked about it alone', async () => {
  const free = service({ name: '免费体验', priceCents: 0 })
  assert.equal(await refusalOf(operator.catalogue.saveItem(free)), 'PRICE_ASKED')
  await operator.catalogue.saveItem({ ...free, answered: ['nothing'] })
})

test('a new service is sold at its first price, in its place among its group', async () => {
  const { id } = await operator.catalogue.saveItem(service({ name: '会员储值', position: 0 }))
  const row = await rowOf('service', id)
  assert.deepEqual(
    [row.state, row.cents, row.unit, row.content, row.shops],
    ['sold', 12_000, '代币/年', '会员营销 · 按年', 0],
  )
  const { groups } = await me.services.ofMerchant({ merchantId: shop })
  assert.equal(groups.find(group => group.id === 2)?.services[0]?.name, '会员储值')
  await buy(id, 12_000)
  assert.equal((await rowOf('service', id)).shops, 1)
  const history = await operator.priceDesk.history({ book: 'service', item: id })
  assert.deepEqual(
    history.rows.map(({ cents, unit, state }) => [cents, unit, state]),
    [[12_000, '代币/年', 'current']],
  )
})

test('packages for shops and for agents are sold at their first price', async () => {
  const { id } = await operator.catalogue.saveItem(pack('sms', { name: '短信包700条', priceCents: 6_500 }))
  assert.deepEqual(
    (await packages()).filter(row => row.id === id).map(row => [row.name, row.pieces, row.priceCents]),
    [['短信包700条', 700, 6_500]],
  )
  const recharge = await operator.catalogue.saveItem(pack('recharge', { name: '试用包', priceCents: 100 }))
  assert.deepEqual((await rowOf('recharge', recharge.id)).unit, '元/包')
  assert.equal((await me.payments.startSms({ packageId: recharge.id, amountFen: 100 })).amountFen, 100)
})

const REFUSED: [name: string, form: () => Form, code: string][] = [
  ['a name that another has', () => service({ name: '会员营销' }), 'NAME_TAKEN'],
  ['a code that another has', () => service({ code: 'member-marketing' }), 'CODE_TAKEN'],
  ['a code in capitals', () => service({ code: 'CASE' }), 'SERVICE_CODE_FORMAT'],
  ['no name', () => service({ name: ' ' }), 'INPUT_INVALID'],
  ['no group', () => service({ groupId: null }), 'GROUP_REQUIRED'],
  ['a group that is a service', () => service({ groupId: 21 }), 'GROUP_REQUIRED'],
  ['no price', () => service({ priceCents: null }), 'PRICE_REQUIRED'],
  ['a price below nothing', () => service({ priceCents: -1 }), 'PRICE_FORMAT'],
  ['a recharge for nothing', () => pack('recharge', { priceCents: 0 }), 'PRICE_ZERO'],
  ['no pieces', () => pack('sms', { pieces: 0 }), 'PIECES_INVALID'],
  ['too many pieces', () => pack('recharge', { pieces: 1_000_001 }), 'PIECES_INVALID'],
  ['a place below 0', () => service({ position: -1 }), 'POSITION_INVALID'],
  ['an item that is none', () => service({ seen: { id: 99_999, revision: 1 } }), 'NOT_FOUND'],
  ['an item as it was before', () => service({ seen: { id: 21, revision: 9 } }), 'STALE'],
]
for (const [name, form, code] of REFUSED)
  test(`an item is refused: ${name}`, async () => {
    const before = await operator.catalogue.items({ size: 100 })
    assert.equal(await refusalOf(operator.catalogue.saveItem(form())), code)
    assert.deepEqual(await operator.catalogue.items({ size: 100 }), before)
  })

test('an edit keeps what shops have bought, sets no price, and is logged with what was and is', async () => {
  const first = service()
  const { id } = await operator.catalogue.saveItem(first)
  const edit = { ...first, seen: { id, revision: 1 }, name: '改名服务', groupId: 3, headOnly: true }
  await operator.catalogue.saveItem({ ...edit, code: 'other', serviceUnit: 'piece', priceCents: 1 })
  const row = await rowOf('service', id)
  assert.deepEqual(
    [row.name, row.code, row.serviceUnit, row.cents, row.content, row.revision],
    ['改名服务', first.code, 'year', 12_000, '点餐预约 · 按年', 2],
  )
  const { rows } = await till.office.owner.query(
    `select changes from operation_logs where title = '保存服务或套餐' order by id desc limit 1`,
  )
  assert.deepEqual(
    rows[0].changes.map((change: { name: string; before: string; after: string }) => [
      ...[change.name, change.before, change.after],
    ]),
    [
      ['名称', first.name, '改名服务'],
      ['服务分类', '会员营销', '点餐预约'],
      ['仅总店可购买', '否', '是'],
    ],
  )
  const { id: packId } = await operator.catalogue.saveItem(pack('sms'))
  const seen = { id: packId, revision: 1 }
  await operator.catalogue.saveItem(pack('sms', { seen, name: '改名包', pieces: 1, priceCents: null }))
  assert.deepEqual((await rowOf('sms', packId)).pieces, 700)
})

test('retiring a service shows whom it concerns; holders keep it and nobody buys it, until it is taken back', async () => {
  const { id } = await operator.catalogue.saveItem(service())
  await buy(id, 12_000)
  const { id: campaign } = await operator.priceDesk.addCampaign({
    ...{ name: '年末', book: 'service', items: [id], part: null, levelIds: null, agentIds: null },
    ...{ basisPoints: 9_000, cents: null, bonusBasisPoints: null, firstOf: null, startsAt: null },
    endsAt: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const of = { itemKind: 'service' as const, id }
  const found = await operator.catalogue.itemRetirement(of)
  assert.deepEqual(
    [found.held?.shops, found.held?.ending, found.held?.ended, found.held?.agentCount, found.sold],
    [1, 0, 0, 1, null],
  )
  assert.deepEqual(found.campaigns, ['年末'])
  await operator.priceDesk.endCampaign({ id: campaign })
  await operator.catalogue.retireItem({ ...of, revision: 1 })
  assert.equal((await rowOf('service', id)).state, 'retired')
  assert.equal((await offered(id))?.refusal?.code, 'SERVICE_UNKNOWN')
  assert.equal(await refusalOf(buy(id, 12_000)), 'SERVICE_UNKNOWN')
  const again = operator.catalogue.retireItem({ ...of, revision: 2 })
  assert.equal(await refusalOf(again), 'ITEM_RETIRED_ALREADY')
  await operator.catalogue.resumeItem({ ...of, revision: 2 })
  assert.equal((await offered(id))?.refusal?.code, 'ALREADY_ACTIVE')
})

/** The shop's term of the service ends in so many days. */
const endsIn = (id: number, days: number, merchantId = shop) =>
  till.office.owner.query(
    `insert into merchant_services (agent_id, merchant_id, service_id, quantity, expires_at)
     select agent_id, id, $2, 1, now() + make_interval(days => $3) from merchants where id = $1
     on conflict (merchant_id, service_id) do update set expires_at = excluded.expires_at`,
    [merchantId, id, days],
  )

test('a retired yearly service is renewed by the shops that have it, until the day that was set', async () => {
  const { id } = await operator.catalogue.saveItem(service())
  const other = await makeMerchant(till.office, agentId)
  await endsIn(id, 20)
  await endsIn(id, -3, other)
  const of = { itemKind: 'service' as const, id }
  const { held } = await operator.catalogue.itemRetirement(of)
  assert.deepEqual([held?.shops, held?.ending, held?.ended], [1, 1, 1])
  const today = formatDay(new Date())
  const late = operator.catalogue.retireItem({
    ...{ ...of, revision: 1, renewable: true },
    renewUntil: addDays(today, -1),
  })
  assert.equal(await refusalOf(late), 'RENEW_UNTIL_PAST')
  await operator.catalogue.retireItem({ ...of, revision: 1, renewable: true, renewUntil: today })
  const { state, renewUntil } = await rowOf('service', id)
  assert.deepEqual([state, Date.parse(renewUntil ?? '')], ['renewed', endOfDay(today).getTime()])
  assert.deepEqual([(await offered(id))?.enabled, (await offered(id))?.refusal], [false, null])
  await buy(id, 12_000)
  assert.equal((await offered(id))?.refusal?.code, 'ALREADY_ACTIVE')
  const renew = (merchantId: number) =>
    me.services.buy({ merchantId, items: [{ serviceId: id, quantity: 1, years: 1 }], totalCents: 12_000 })
  await renew(other)
  const stranger = await makeMerchant(till.office, agentId)
  assert.equal(await refusalOf(renew(stranger)), 'SERVICE_UNKNOWN')
  await endsIn(id, 20)
  await till.office.owner.query(
    `update services set renew_until = now() - interval '1 second' where id = $1`,
    [id],
  )
  assert.equal((await rowOf('service', id)).state, 'retired')
  assert.equal((await offered(id))?.refusal?.code, 'SERVICE_UNKNOWN')
  assert.equal(await refusalOf(buy(id, 12_000)), 'SERVICE_UNKNOWN')
  const { rows } = await till.office.owner.query(
    `select changes from operation_logs where title = '停售服务或套餐' order by id desc limit 1`,
  )
  assert.deepEqual(
    rows[0].changes.map((change: { name: string; after: string }) => [change.name, change.after]),
    [
      ['在售', '否'],
      ['续费截止', formatInstant(endOfDay(today))],
    ],
  )
})

test('pieces are not renewed: a retired one is sold to nobody', async () => {
  const { id } = await operator.catalogue.saveItem(service({ serviceUnit: 'piece' }))
  await buy(id, 12_000)
  await operator.catalogue.retireItem({ itemKind: 'service', id, revision: 1, renewable: true })
  assert.equal((await rowOf('service', id)).state, 'retired')
  assert.equal(await refusalOf(buy(id, 12_000)), 'SERVICE_UNKNOWN')
})

test('retiring a package tells its sales; what waits for its payment is still credited', async () => {
  const { id } = await operator.catalogue.saveItem(pack('sms', { priceCents: 500 }))
  await me.sms.buy({ merchantId: shop, packageId: id, totalCents: 500 })
  const ofShops = { itemKind: 'sms' as const, id }
  assert.deepEqual((await operator.catalogue.itemRetirement(ofShops)).sold, {
    ...{ orders: 1, agents: 1, waiting: 0 },
  })
  await operator.catalogue.retireItem({ ...ofShops, revision: 1 })
  assert.ok(!(await packages()).some(row => row.id === id))
  assert.equal(
    await refusalOf(me.sms.buy({ merchantId: shop, packageId: id, totalCents: 500 })),
    'PACKAGE_UNKNOWN',
  )
  const recharge = await operator.catalogue.saveItem(pack('recharge', { priceCents: 300 }))
  const { queryId } = await till.me.payments.startSms({ packageId: recharge.id, amountFen: 300 })
  const of = { itemKind: 'recharge' as const, id: recharge.id }
  assert.deepEqual((await operator.catalogue.itemRetirement(of)).sold, {
    ...{ orders: 0, agents: 0, waiting: 1 },
  })
  await operator.catalogue.retireItem({ ...of, revision: 1 })
  assert.ok(!(await recharges()).some(row => row.id === recharge.id))
  const late = till.me.payments.startSms({ packageId: recharge.id, amountFen: 300 })
  assert.equal(await refusalOf(late), 'PACKAGE_UNKNOWN')
  await till.open(queryId, 'alipay')
  await till.pay(queryId, 'alipay')
  await till.work()
  assert.equal((await till.me.payments.offer()).smsBalance, 700)
  assert.deepEqual((await operator.catalogue.itemRetirement(of)).sold, {
    ...{ orders: 1, agents: 1, waiting: 0 },
  })
})

test('groups are added, renamed and put in order', async () => {
  const form = { seen: null, name: '到家服务', remark: '', position: 0 }
  const { id } = await operator.catalogue.saveGroup(form)
  assert.equal(await refusalOf(operator.catalogue.saveGroup(form)), 'NAME_TAKEN')
  const { rows } = await operator.catalogue.groups()
  assert.deepEqual(
    rows.slice(0, 2).map(({ name, services }) => [name, services]),
    [
      ['操作员', 2],
      ['到家服务', 0],
    ],
  )
  const seen = { id, revision: 1 }
  await operator.catalogue.saveGroup({ ...form, seen, name: '上门服务', position: 900 })
  assert.equal((await operator.catalogue.groups()).rows.at(-1)?.name, '上门服务')
  assert.equal(await refusalOf(operator.catalogue.saveGroup({ ...form, seen })), 'STALE')
  const service21 = { ...form, seen: { id: 21, revision: 1 } }
  assert.equal(await refusalOf(operator.catalogue.saveGroup(service21)), 'NOT_FOUND')
  await operator.catalogue.saveItem(service({ groupId: id, name: '上门安装' }))
  const { groups } = await me.services.ofMerchant({ merchantId: shop })
  assert.deepEqual(
    groups.at(-1)?.services.map(({ name }) => name),
    ['上门安装'],
  )
})

test('the list is filtered by kind and state', async () => {
  const { id } = await operator.catalogue.saveItem(service({ name: '无价服务' }))
  const sql = (text: string, values: unknown[]) => till.office.owner.query(text, values)
  await writePrice(sql, { book: 'service', item: id, part: 'unit', cents: null })
  const unpriced = await operator.catalogue.items({ state: 'unpriced', size: 100 })
  assert.deepEqual(
    unpriced.rows.map(({ name, cents }) => [name, cents]),
    [['无价服务', null]],
  )
  const sms = await operator.catalogue.items({ itemKind: 'sms', size: 100 })
  assert.ok(sms.total >= 5 && sms.rows.every(({ itemKind }) => itemKind === 'sms'))
})
