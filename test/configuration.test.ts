// The whole configuration out of an office that is set up, into one that create-operator made, and out again: byte for byte.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { PRICE_RISKS, type PriceRisk } from '#features/office/prices/rules.ts'
import { NEW_PRODUCT } from '#features/sales/hardware/fields.ts'
import { meantBy, typedOf } from '#kit/declare/form.ts'
import { createOperator } from '../scripts/operator.ts'
import { type Client, type Office, openOffice, PASSWORD, refusalOf } from './app.ts'
import { type MadeAgent, makeAgent } from './make.ts'

const ACCOUNT = '10001'
const HOUR_MS = 3_600_000

let office: Office
let empty: Office
let operator: Client
let other: Client
let agent: MadeAgent

async function operatorOf(of: Office): Promise<Client> {
  await createOperator(of.ownerUrl, { account: ACCOUNT, name: '运营', mobile: '', password: PASSWORD })
  return of.as(await of.login(ACCOUNT))
}

before(async () => {
  office = await openOffice()
  empty = await openOffice()
  operator = await operatorOf(office)
  other = await operatorOf(empty)
  agent = await makeAgent(office)
})
after(async () => {
  await office.stop()
  await empty.stop()
})

const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
const priceOf = (item: number, cents: number, startsAt: string | null = null) => ({
  ...{ book: 'version' as const, item, part: 'year', kind: 'list' as const, cents, startsAt },
  answered: Object.keys(PRICE_RISKS) as PriceRisk[],
})

/** Something of everything that a file carries. */
async function setUp(): Promise<void> {
  const { referenceData, priceDesk, catalogue, hardware } = operator
  const save = (table: string, values: Record<string, unknown>) =>
    referenceData.save({ table, id: null, seen: null, values: values as never })
  await save('industries', { name: '文具' })
  await save('manager-labels', { name: '顾问' })
  await save('business-days', { day: '2027-01-01', kind: 'holiday', name: '元旦' })
  await referenceData.remove({ table: 'industries', id: '10' })
  await referenceData.remove({ table: 'business-days', id: '2026-10-10' })
  const { rows: texts } = await referenceData.rows({ table: 'notice-texts' })
  const text = texts.find(({ id }) => id === 'resumed')
  assert.ok(text)
  await referenceData.save({
    table: 'notice-texts',
    id: 'resumed',
    seen: text.values,
    values: { ...text.values, body: '欢迎回来。' },
  })
  await referenceData.setSetting({ key: 'undo-days', seen: 15, value: 30 })
  await priceDesk.setPrice(priceOf(12, 33_300))
  await priceDesk.setPrice(priceOf(12, 35_500, later(48)))
  await priceDesk.setPrice({ ...priceOf(12, 10_000), kind: 'minimum' })
  await priceDesk.saveLevel({ id: null, name: '星级代理', basisPoints: 4_500 })
  const everybody = { agentId: null, book: null }
  await priceDesk.setDiscount({ ...everybody, levelId: 3, basisPoints: 6_500, startsAt: null })
  await priceDesk.setDiscount({ ...everybody, levelId: 3, basisPoints: 6_200, startsAt: later(24) })
  await priceDesk.setDiscount({
    ...everybody,
    levelId: null,
    agentId: agent.id,
    basisPoints: 3_000,
    startsAt: null,
    answered: ['fall'],
  })
  const campaign = {
    ...{ book: 'version' as const, items: [12], part: null, levelIds: null, agentIds: null },
    ...{
      basisPoints: 9_000,
      cents: null,
      bonusBasisPoints: null,
      firstOf: null,
      startsAt: null,
      endsAt: later(240),
    },
  }
  await priceDesk.addCampaign({ ...campaign, name: '年终促销' })
  const giving = { ...campaign, book: 'recharge' as const, items: null, basisPoints: null }
  await priceDesk.addCampaign({ ...giving, name: '充值节', bonusBasisPoints: 1_000 })
  await priceDesk.addCampaign({ ...giving, name: '加送', part: 'pack', bonusPieces: 500 })
  await priceDesk.addCampaign({ ...campaign, name: '专属促销', agentIds: [agent.id] })
  const { id } = await priceDesk.addCampaign({ ...campaign, name: '已结束' })
  await priceDesk.endCampaign({ id })
  await catalogue.saveAdjustment({ fromVersionId: 12, toVersionId: 3, enabled: true })
  await hardware.addProduct({
    ...meantBy(NEW_PRODUCT, typedOf(NEW_PRODUCT)),
    ...{ name: '扫码枪', model: 'S1', unitCents: 12_000, position: 1, stock: 7 },
  })
  await office.owner.query(
    `insert into sms_recharge_packages (id, name, pieces, position) values (90, '九万条', 90000, 90)`,
  )
  await office.owner.query(
    `update agent_pay_channels set enabled = false where agent_id = 0 and channel = 'alipay'`,
  )
  const { receipts } = operator
  const [basic, , footer] = (await receipts.groups()).rows
  assert.ok(basic && footer)
  await receipts.saveGroup({ ...basic, tags: '通用，门头', items: basic.items.toReversed() })
  await receipts.removeGroup({ id: footer.id })
  await receipts.saveGroup({
    ...{ id: null, revision: null, name: '餐饮抬头', section: 'basic', tags: '餐饮', remarks: '' },
    items: [],
  })
  const { text: divisions } = await referenceData.regionsText()
  const edition = divisions
    .split('\n')
    .filter(line => !line.startsWith('440304'))
    .map(line => line.replace('440305,南山区', '440305,南山新区'))
    .join('\n')
  const { token } = await referenceData.rehearseRegions({ text: edition })
  await referenceData.importRegions({ source: '2026-12-31', text: edition, token })
}

test('the configuration is the same in an empty office, byte for byte', async () => {
  await setUp()
  const file = await operator.referenceData.exportConfiguration()
  const { token, tables, left } = await other.referenceData.rehearse({ file })
  assert.deepEqual(
    tables.flatMap(({ refused, kept }) => [...refused, ...kept]),
    [],
  )
  const told = tables.flatMap(({ title, added, changed, removed }) => [
    ...added.map(name => `${title} + ${name}`),
    ...changed.map(({ name, what }) => `${title} ${name} ${what}`),
    ...removed.map(name => `${title} - ${name}`),
  ])
  for (const line of [
    /^行业 \+ 文具/,
    /^行业 - 母婴用品/,
    /^工作日历 \+ 2027-01-01/,
    /^工作日历 - 2026-10-10/,
    /^消息文案 恢复合作（resumed） 正文 可以照常购买和修改。 → 欢迎回来。/,
    /^代理商等级 \+ 星级代理/,
    /^价格 软件版本 高级版（12） 按年定价 价格 298\.00 → 333\.00/,
    /^价格 \+ 软件版本 高级版（12） 按年定价（/,
    /^价格 \+ 软件版本 高级版（12） 按年最低价/,
    /^等级折扣 银牌代理（3） 折扣 6 折 → 6\.5 折/,
    /^促销 \+ 年终促销/,
    /^促销 \+ 充值节（充值）/,
    /^版本调整 \+ 高级版（12） → 连锁版（3）/,
    /^硬件商品 \+ 扫码枪/,
    /^短信充值套餐 \+ 九万条（90）/,
    /^默认支付渠道 alipay 启用 是 → 否/,
    /^小票信息分组 \+ 餐饮抬头（101）/,
    /^小票信息分组 - 每页底部打印/,
    /^小票信息分组 基本信息（1） 分组标签 通用,抬头 → 通用，门头、分组内容 店铺名称、/,
    /^行政区划版本 现行版本 版本 2025-12-31 → 2026-12-31/,
    /^行政区划变更 \+ 福田区（440304）/,
    /^规则与限额 撤销期限 15 天 → 30 天/,
  ])
    assert.ok(
      told.some(text => line.test(text)),
      `${line}\n${told.join('\n')}`,
    )
  assert.ok(!told.some(text => text.includes('专属促销') || text.includes('已结束')))
  assert.ok(left.some(line => line.startsWith('软件版本：可售的代理商')))
  await other.referenceData.importConfiguration({ file, token })
  assert.equal(JSON.stringify(await other.referenceData.exportConfiguration()), JSON.stringify(file))
  const again = await other.referenceData.rehearse({ file })
  assert.deepEqual(
    again.tables.flatMap(table => [...table.added, ...table.changed, ...table.removed, ...table.kept]),
    [],
  )
})

test('what came of groups of receipts holds, is told to a page that is open, and the next number is free', async () => {
  const { rows } = await other.receipts.groups()
  const basic = rows.find(({ id }) => id === 1)
  assert.deepEqual(
    [rows.length, basic?.tags, basic?.items[0]?.id, basic?.revision, basic?.updatedByName],
    [9, '通用，门头', 110, 2, '导入'],
  )
  assert.equal(await refusalOf(other.receipts.saveGroup({ ...basic, revision: 1 } as never)), 'STALE')
  const fresh = { id: null, revision: null, name: '又一个', section: 'other' as const, tags: '', remarks: '' }
  const { id } = await other.receipts.saveGroup({ ...fresh, items: [] })
  assert.ok(id > 101)
  await other.receipts.removeGroup({ id })
})

test('what came holds: prices, discounts, districts and texts', async () => {
  const { rows } = await empty.owner.query(
    `select price_at('version', 12, 'year', now())::int as now, price_at('version', 12, 'year', now() + interval '3 days')::int as next,
       discount_at(999, 3, 'version', now()) as share`,
  )
  assert.deepEqual(rows, [{ now: 33_300, next: 35_500, share: 6_500 }])
  const { changes } = await empty.as(null).regions.changes()
  assert.deepEqual(
    changes.map(({ code, name }) => [code, name]),
    [
      ['440304', '福田区'],
      ['440305', '南山新区'],
    ],
  )
})

test('where partners buy already, prices of the file begin with the import and none before', async () => {
  await makeAgent(empty)
  await other.priceDesk.setPrice(priceOf(3, 41_000))
  const file = structuredClone(await operator.referenceData.exportConfiguration())
  const { token, tables } = await other.referenceData.rehearse({ file })
  const changed = tables.find(({ key }) => key === 'prices')?.changed ?? []
  assert.deepEqual(changed, [
    { name: '软件版本 连锁版（3） 按年定价', what: '价格 410.00 → 398.00（导入后立即生效）' },
  ])
  const before = new Date().toISOString()
  await other.referenceData.importConfiguration({ file, token })
  const { rows } = await empty.owner.query(
    `select price_at('version', 3, 'year', now())::int as now, price_at('version', 3, 'year', $1::timestamptz)::int as past`,
    [before],
  )
  assert.deepEqual(rows, [{ now: 39_800, past: 41_000 }])
})

const BROKEN: [what: string, table: string, row: Record<string, unknown>, refused: string][] = [
  ['a price below zero', 'prices', { cents: -1 }, '价格（cents）的内容不对'],
  ['a book that is none', 'prices', { book: 'x' }, 'book：x'],
  ['a part that the book has not', 'prices', { part: 'x' }, 'part：x'],
  ['a moment that is none', 'prices', { startsAt: '2026-13-01T00:00:00Z' }, '开始时间（startsAt）的内容不对'],
  ['a share above the whole', 'discounts', { basisPoints: 10_001 }, '折扣不能超过 10 折'],
  ['a discount of nobody', 'discounts', { levelId: null }, '缺少等级'],
  ['a day that is none', 'business-days', { day: '2026-02-30' }, '日期（day）的内容不对'],
  ['a text without its places', 'notice-texts', { body: '余额不足' }, '正文缺少占位符'],
  ['a number too large', 'services', { position: 3_000_000_000 }, '顺序（position）的内容不对'],
  ['a group without a name', 'receipt-groups', { name: '' }, '请输入分组名称'],
  ['a group of a section that is none', 'receipt-groups', { section: 'x' }, 'section：x'],
  ['a group of items that are none', 'receipt-groups', { items: [{ id: 1 }] }, '分组内容（items）的内容不对'],
  ['a group without what must be shown', 'receipt-groups', { items: [] }, '缺少必显内容'],
  ['a key that is none', 'versions', { packageId: 'x' }, '套餐标识（packageId）的内容不对'],
]
for (const [what, table, row, refused] of BROKEN)
  test(`a file with ${what} is refused, and nothing of it is done`, async () => {
    const file = structuredClone(await other.referenceData.exportConfiguration())
    const [first] = file.tables[table] ?? []
    assert.ok(first, table)
    Object.assign(first, row)
    const { token, tables } = await other.referenceData.rehearse({ file })
    const texts = tables.flatMap(one => one.refused)
    assert.ok(
      texts.some(text => text.includes(refused)),
      JSON.stringify(texts),
    )
    assert.equal(await refusalOf(other.referenceData.importConfiguration({ file, token })), 'FILE_REFUSED')
  })

test('a file larger than other requests is taken from who may bring it, and from nobody else', async () => {
  await other.content.save({
    ...{ id: null, updatedAt: null, kind: 'notice', title: '公告', body: '正文', enabled: true },
    publishedAt: '2026-01-01T00:00:00.000Z',
  })
  const file = structuredClone(await other.referenceData.exportConfiguration())
  const [row] = file.tables.content ?? []
  assert.ok(row)
  const many = Array.from({ length: 40 }, (_, at) => ({ ...row, id: 9_000 + at, body: '长'.repeat(9_000) }))
  file.tables.content = [...(file.tables.content ?? []), ...many]
  assert.ok(JSON.stringify(file).length > 300_000)
  const { tables } = await other.referenceData.rehearse({ file })
  assert.equal(tables.find(({ key }) => key === 'content')?.added.length, 40)
  const partner = office.as(await office.login(agent.loginName))
  assert.equal(await refusalOf(partner.referenceData.rehearse({ file })), 'FORBIDDEN')
  assert.equal(await refusalOf(office.as(null).referenceData.rehearse({ file })), 'UNAUTHENTICATED')
})
