// The operator's desk of versions: what is written, what is refused, what retiring one means, and who sees it.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { writePrice } from '#test/make-purchases.ts'

let office: Office
let operator: Client
let agent: MadeAgent
let named: MadeAgent
let me: Client
let them: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000 })
  named = await makeAgent(office, { tokens: 10_000 })
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  me = office.as(await office.login(agent.loginName))
  them = office.as(await office.login(named.loginName))
})
after(() => office.stop())

let made = 0
type Form = Parameters<Client['catalogue']['saveVersion']>[0]
const form = (changes: Partial<Form> = {}): Form => ({
  seen: null,
  name: `版本${++made}`,
  code: `CASE_${made}`,
  pricingRule: 'perShopYear',
  buyCode: 4,
  renewCode: 1,
  isPack: false,
  offeredOnAdd: true,
  offeredOnChange: true,
  position: 20,
  remark: '说明',
  sellers: 'all',
  sellerIds: [],
  functionIds: [2, 1],
  ...changes,
})
const rowOf = async (id: number) => {
  const row = (await operator.catalogue.versions({ size: 100 })).rows.find(one => one.id === id)
  assert.ok(row)
  return row
}
const priced = (id: number) =>
  writePrice((text, values) => office.owner.query(text, values), {
    book: 'version',
    item: id,
    part: 'year',
    cents: 29_800,
  })

test('the desk is the operator’s alone', async () => {
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  for (const client of [me, staff]) {
    assert.equal(await refusalOf(client.catalogue.versions({})), 'FORBIDDEN')
    assert.equal(await refusalOf(client.catalogue.saveVersion(form())), 'FORBIDDEN')
  }
})

test('a new version has no price and is sold to nobody until it has one, then to those who are named', async () => {
  const { id } = await operator.catalogue.saveVersion(form({ sellers: 'only', sellerIds: [named.id] }))
  assert.equal((await rowOf(id)).state, 'unpriced')
  assert.equal(await refusalOf(them.selling.quote(newMerchantForm({ versionId: id }))), 'VERSION_UNPRICED')
  await priced(id)
  assert.deepEqual([(await rowOf(id)).state, (await rowOf(id)).sellerCount], ['sold', 1])
  const offered = async (client: Client) => (await client.versions.list()).rows.find(row => row.id === id)
  assert.deepEqual((await offered(them))?.functions, ['商品库存', '收银结账'])
  assert.equal(await offered(me), undefined)
  const asked = newMerchantForm({ versionId: id })
  assert.equal(await refusalOf(me.selling.quote(asked)), 'VERSION_NOT_AUTHORIZED')
  const quote = await them.selling.quote(asked)
  await them.selling.add({ orderNo: quote.orderNo })
  assert.equal((await rowOf(id)).shops, 1)
})

test('a new version with its first price is sold at once', async () => {
  const { id } = await operator.catalogue.saveVersion(form({ prices: [{ part: 'year', cents: 9_800 }] }))
  assert.equal((await rowOf(id)).state, 'sold')
  const quote = await me.selling.quote(newMerchantForm({ versionId: id }))
  assert.ok(quote.totalCents > 0 && quote.totalCents <= 9_800)
})

const REFUSED: [name: string, changes: () => Partial<Form>, code: string][] = [
  ['a name that another has', () => ({ name: '高级版' }), 'NAME_TAKEN'],
  ['a code that another has', () => ({ code: 'CHAIN' }), 'CODE_TAKEN'],
  ['small letters in a code', () => ({ code: 'case' }), 'CODE_FORMAT'],
  ['no name', () => ({ name: '' }), 'INPUT_INVALID'],
  ['a code of purchase that its pricing has not', () => ({ buyCode: 7 }), 'CODES_UNFIT'],
  ['a place below 0', () => ({ position: -1 }), 'POSITION_INVALID'],
  ['nobody named', () => ({ sellers: 'except' }), 'SELLERS_REQUIRED'],
  ['an agent that is none', () => ({ sellers: 'only', sellerIds: [99_999_999] }), 'AGENT_UNKNOWN'],
  ['a function that is none', () => ({ functionIds: [99_999] }), 'FUNCTION_UNKNOWN'],
  ['a version that is none', () => ({ seen: { id: 99_999, revision: 1 } }), 'NOT_FOUND'],
  ['a version as it was before', () => ({ seen: { id: 5, revision: 9 } }), 'STALE'],
]
for (const [name, changes, code] of REFUSED)
  test(`a version is refused: ${name}`, async () => {
    const before = await operator.catalogue.versions({ size: 100 })
    assert.equal(await refusalOf(operator.catalogue.saveVersion(form(changes()))), code)
    assert.deepEqual(await operator.catalogue.versions({ size: 100 }), before)
  })

test('an edit is logged with what was and is, and leaves the way of pricing alone', async () => {
  const first = form()
  const { id } = await operator.catalogue.saveVersion(first)
  const seen = { id, revision: 1 }
  const edit = { ...first, seen, pricingRule: 'perShopLifetime' as const, remark: '新说明', functionIds: [1] }
  const sellers = { sellers: 'except' as const, sellerIds: [agent.id] }
  await operator.catalogue.saveVersion({ ...edit, ...sellers })
  const row = await rowOf(id)
  assert.deepEqual([row.pricingRule, row.revision, row.remark], ['perShopYear', 2, '新说明'])
  const { rows } = await office.owner.query(
    `select changes from operation_logs where title = '保存软件版本' order by id desc limit 1`,
  )
  assert.deepEqual(
    rows[0].changes.map((change: { name: string }) => change.name),
    ['可销售的代理商', '版本说明', '指定代理商', '功能'],
  )
  assert.equal(await refusalOf(operator.catalogue.saveVersion(edit)), 'STALE')
})

test('retiring shows whom it concerns before it is done, and stands until it is taken back', async () => {
  const { id } = await operator.catalogue.saveVersion(form())
  await priced(id)
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const shop = await makeMerchant(office, agent.id, { version_id: id, expires_at: inDays(30) })
  await makeMerchant(office, agent.id, { version_id: id, expires_at: inDays(200) })
  await makeMerchant(office, named.id, { version_id: id, expires_at: inDays(-5) })
  const quote = await me.selling.quote(newMerchantForm({ versionId: id }))
  const found = await operator.catalogue.retirement({ id })
  assert.deepEqual([found.shops, found.ending, found.openQuotes, found.agentCount], [3, 1, 1, 2])
  assert.deepEqual(
    found.agents.map(one => [one.id, one.shops, one.ending]),
    [
      [agent.id, 2, 1],
      [named.id, 1, 0],
    ],
  )
  assert.ok(found.changesTo.some(version => version.id === 12))
  const renewal = {
    ...{ merchantId: shop, versionId: id, scope: 'head' as const, branchIds: [], term: 'year' as const },
    ...{ periods: 1, shops: 1, remark: '' },
  }
  const retire = { id, revision: 1, renewable: true, renewUntil: null }
  const past = { ...retire, renewUntil: '2020-01-01' }
  assert.equal(await refusalOf(operator.catalogue.retireVersion(past)), 'RENEW_UNTIL_PAST')
  await operator.catalogue.retireVersion(retire)
  assert.equal((await rowOf(id)).state, 'renewed')
  assert.equal(await refusalOf(me.selling.add({ orderNo: quote.orderNo })), 'VERSION_RETIRED')
  assert.equal(await refusalOf(me.purchases.quote(renewal)), 'accepted')
  assert.equal(
    await refusalOf(operator.catalogue.retireVersion({ ...retire, revision: 2 })),
    'RETIRED_ALREADY',
  )
  await operator.catalogue.resumeVersion({ id, revision: 2 })
  assert.equal((await rowOf(id)).state, 'sold')
  await operator.catalogue.retireVersion({ ...retire, revision: 3, renewable: false })
  assert.equal((await rowOf(id)).state, 'retired')
  assert.equal(await refusalOf(me.purchases.quote(renewal)), 'VERSION_RETIRED')
})

test('functions are added, renamed and switched off; a version no longer shows one that is off', async () => {
  const { id } = await operator.catalogue.saveFunction({
    ...{ seen: null, name: '预约', remark: '', position: 30, enabled: true },
  })
  const { id: versionId } = await operator.catalogue.saveVersion(form({ functionIds: [id, 1] }))
  const shown = async () => (await me.versions.list()).rows.find(row => row.id === versionId)?.functions
  assert.deepEqual(await shown(), ['预约', '收银结账'])
  const edit = { seen: { id, revision: 1 }, name: '线上预约', remark: '', position: 30 }
  await operator.catalogue.saveFunction({ ...edit, enabled: false })
  assert.deepEqual(await shown(), ['收银结账'])
  assert.equal(await refusalOf(operator.catalogue.saveFunction({ ...edit, enabled: true })), 'STALE')
  const taken = { ...edit, seen: { id, revision: 2 }, name: '收银结账', enabled: true }
  assert.equal(await refusalOf(operator.catalogue.saveFunction(taken)), 'NAME_TAKEN')
})

test('shops are adjusted along the pairs that stand, to versions that are sold', async () => {
  const reason = '客户要求'
  const { id: to } = await operator.catalogue.saveVersion(form())
  const pair = { fromVersionId: 12, toVersionId: to }
  const shop = await makeMerchant(office, agent.id, { version_id: 12 })
  const targets = async () =>
    (await operator.aftersales.versionFind({ search: String(shop) })).targets.map(({ id }) => id)
  assert.deepEqual(await targets(), [])
  await operator.catalogue.saveAdjustment({ ...pair, enabled: true })
  assert.deepEqual(await targets(), [to])
  await operator.catalogue.saveAdjustment({ ...pair, enabled: false })
  assert.deepEqual(await targets(), [])
  const adjust = async () => {
    const { shop: found } = await operator.aftersales.versionFind({ search: String(shop) })
    return refusalOf(
      operator.aftersales.adjustVersion({ id: shop, revision: found?.revision ?? 0, versionId: to, reason }),
    )
  }
  assert.equal(await adjust(), 'VERSION_FIXED')
  await operator.catalogue.saveAdjustment({ ...pair, enabled: true })
  await operator.catalogue.retireVersion({ id: to, revision: 1, renewable: true, renewUntil: null })
  assert.equal(await adjust(), 'VERSION_FIXED')
  await operator.catalogue.resumeVersion({ id: to, revision: 2 })
  assert.equal(await adjust(), 'accepted')
  const same = { fromVersionId: 12, toVersionId: 12, enabled: true }
  assert.equal(await refusalOf(operator.catalogue.saveAdjustment(same)), 'PAIR_SAME')
})
