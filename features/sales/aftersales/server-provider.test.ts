import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'

let office: Office
let former: MadeAgent
let next: MadeAgent
let operator: Client
let asFormer: Client
let asNext: Client
const reason = '服务商更换'

before(async () => {
  office = await openOffice()
  former = await makeAgent(office, { tokens: 10_000, sms: 1_000, levelId: 3 })
  next = await makeAgent(office, { tokens: 5_000, sms: 50, levelId: 2 })
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  asFormer = office.as(await office.login(former.loginName))
  asNext = office.as(await office.login(next.loginName))
})
after(() => office.stop())

/** A shop of the former agent that was bought with 30 pieces of SMS and holds a service. */
async function soldShop(): Promise<number> {
  const quote = await asFormer.selling.quote(newMerchantForm({ smsCount: 30, managerId: former.accountId }))
  const { id } = await asFormer.selling.add({ orderNo: quote.orderNo })
  await office.owner.query(
    `insert into merchant_services (agent_id, merchant_id, service_id, quantity) select $1, $2, min(id), 1 from services`,
    [former.id, id],
  )
  return id
}
const seen = async (id: number) => {
  const { shop } = await operator.aftersales.providerFind({ search: String(id) })
  assert.ok(shop)
  return { id, revision: shop.revision }
}
const agentsIn = async (table: string, id: number) =>
  (
    await office.owner.query(`select distinct agent_id::int as agent from ${table} where merchant_id = $1`, [
      id,
    ])
  ).rows.map(row => row.agent)

const movesTold = async (who: Client, name: string) =>
  (await who.notices.list({ topic: 'ShopMoved_Notify' })).rows
    .filter(({ body }) => body.startsWith(name))
    .map(({ title, body, link }) => [title, body, link])

test('both agents are told of the move, once, and nobody else is', async () => {
  const stranger = office.as(await office.login((await makeAgent(office)).loginName))
  const id = await makeMerchant(office, former.id, { shop_name: '搬家的店' })
  const shop = await seen(id)
  await operator.aftersales.move({ ...shop, agentId: next.id, reason })
  assert.equal(await refusalOf(operator.aftersales.move({ ...shop, agentId: next.id, reason })), 'STALE')
  const [name, from, to] = [`搬家的店 (${id})`, `代理商${former.id}`, `代理商${next.id}`]
  assert.deepEqual(await movesTold(asFormer, name), [
    ['商户已转出', `${name} 已转给 ${to}，不再由您服务`, '/admin/merchant/myMerchant'],
  ])
  assert.deepEqual(await movesTold(asNext, name), [
    ['商户已转入', `${name} 已由 ${from} 转给您`, `/admin/merchant/merchantDetails?user_id=${id}`],
  ])
  for (const who of [operator, stranger]) assert.deepEqual(await movesTold(who, name), [])
})

test('the preview shows both agents, what moves along, and quotes that lapse', async () => {
  const id = await soldShop()
  const branch = await makeMerchant(office, former.id, {
    store_kind: 'branch',
    head_id: id,
    shop_name: '分店',
  })
  const waiting = await asFormer.purchases.quote({
    merchantId: id,
    versionId: 12,
    scope: 'head',
    branchIds: [],
    term: 'year',
    periods: 1,
    shops: 1,
    remark: '',
  })
  const preview = await operator.aftersales.movePreview({ id, agentId: next.id })
  assert.deepEqual(
    [
      preview.shop.id,
      preview.branches.map(one => one.id),
      preview.smsBalance,
      preview.services,
      preview.refusal,
    ],
    [id, [branch], 30, 1, null],
  )
  const { rows } = await office.owner.query(
    `select a.id::int, l.name, discount_at(a.id, l.id, 'version', now()) as discount_basis_points from agents a join agent_levels l on l.id = a.level_id
     where a.id = any($1) order by a.id`,
    [[former.id, next.id]],
  )
  for (const [provider, row] of [
    [preview.from, rows[0]],
    [preview.to, rows[1]],
  ] as const)
    assert.deepEqual(
      [provider?.id, provider?.levelName, provider?.discountBasisPoints],
      [row.id, row.name, row.discount_basis_points],
    )
  assert.equal(preview.to?.tokenCents, 500_000)
  assert.deepEqual(
    preview.openOrders.map(order => order.orderNo),
    [waiting.orderNo],
  )
  await operator.aftersales.move({ ...(await seen(id)), agentId: next.id, reason })
  assert.equal(await refusalOf(asFormer.purchases.confirm({ orderNo: waiting.orderNo })), 'SHOP_UNKNOWN')
  await office.verifyLedger()
})

test('a shop moves with its branches, its services and its SMS credit; its orders stay', async () => {
  const id = await soldShop()
  const branch = await makeMerchant(office, former.id, { store_kind: 'branch', head_id: id })
  const counts = async () => [
    (await asFormer.merchants.list({})).total,
    (await asNext.merchants.list({})).total,
  ]
  const [formerHad, nextHad] = (await counts()) as [number, number]
  const answer = await operator.aftersales.move({ ...(await seen(id)), agentId: next.id, reason })
  assert.deepEqual(answer, { id, agentId: next.id, moved: 2 })
  assert.deepEqual(await counts(), [formerHad - 2, nextHad + 2])
  const details = await asNext.merchants.details({ id })
  assert.deepEqual([details.smsBalance, details.managerId, details.agentId], [30, null, next.id])
  assert.equal((await asNext.merchants.details({ id: branch })).headId, id)
  assert.equal(await refusalOf(asFormer.merchants.details({ id })), 'NOT_FOUND')
  assert.deepEqual(await agentsIn('merchant_services', id), [next.id])
  assert.deepEqual(await agentsIn('version_orders', id), [former.id])
  const [order] = (await asFormer.orders.list({ search: String(id) })).rows
  assert.deepEqual([order?.merchantId, order?.shopName], [id, null])
  assert.equal((await asNext.orders.list({ search: String(id) })).total, 0)
  const { rows } = await office.owner.query(
    `select title, subject, merchant_id::int, changes from operation_logs order by id desc limit 1`,
  )
  assert.deepEqual(
    [rows[0].title, rows[0].subject, rows[0].merchant_id],
    ['调整服务商', `深圳老张面馆 (${id})`, id],
  )
  assert.deepEqual(rows[0].changes.slice(0, 2), [
    { name: '服务商', before: `代理商${former.id} (${former.id})`, after: `代理商${next.id} (${next.id})` },
    { name: '随同分店', before: null, after: '1 家' },
  ])
  const [action] = (await operator.aftersales.adjustActions({})).rows
  assert.deepEqual([action?.kind, action?.merchantId, action?.reason], ['provider', id, reason])
  await office.verifyLedger()
})

test('after the move the new agent sells to the shop, and its chain of entries goes on', async () => {
  const id = await soldShop()
  await operator.aftersales.move({ ...(await seen(id)), agentId: next.id, reason })
  await office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-package',
        asset: 'sms',
        amount: 5,
        from: { kind: 'agent', id: next.id },
        to: { kind: 'merchant', id },
        document: `AFTER${id}`,
        merchantId: id,
        payMethod: 'balance',
        agentId: next.id,
        actorId: next.accountId,
        actorName: '姓名',
        description: '短信',
      },
    ]),
  ])
  assert.equal((await asNext.merchants.details({ id })).smsBalance, 35)
  const { rows } = await office.owner.query('select order_no from version_orders where merchant_id = $1', [
    id,
  ])
  assert.equal(
    await refusalOf(operator.aftersales.cancel({ orderNo: rows[0].order_no, reason })),
    'UNDO_MOVED',
    'what the former agent sold stays sold',
  )
  await operator.aftersales.move({ ...(await seen(id)), agentId: former.id, reason })
  assert.equal((await asFormer.merchants.details({ id })).smsBalance, 35)
  await office.verifyLedger()
})

test('a move pressed twice is one', async () => {
  const id = await soldShop()
  const input = { ...(await seen(id)), agentId: next.id, reason }
  const answers = await Promise.all([1, 2, 3].map(() => refusalOf(operator.aftersales.move(input))))
  assert.deepEqual(answers.sort(), ['STALE', 'STALE', 'accepted'])
  await office.verifyLedger()
})

test('what cannot move is refused, in the preview and by the move', async () => {
  const id = await soldShop()
  const branch = await makeMerchant(office, former.id, { store_kind: 'branch', head_id: id })
  const closed = await makeAgent(office)
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [closed.id])
  for (const [shop, agentId, code] of [
    [branch, next.id, 'BRANCH_MOVES_WITH_HEAD'],
    [id, former.id, 'AGENT_SAME'],
    [id, closed.id, 'AGENT_DISABLED'],
    [id, 99_999_999, 'AGENT_UNKNOWN'],
  ] as const) {
    assert.equal((await operator.aftersales.movePreview({ id: shop, agentId })).refusal?.code, code)
    assert.equal(await refusalOf(operator.aftersales.move({ ...(await seen(shop)), agentId, reason })), code)
  }
  assert.equal((await operator.aftersales.movePreview({ id })).refusal?.code, 'AGENT_REQUIRED')
  assert.equal(
    await refusalOf(operator.aftersales.move({ ...(await seen(id)), agentId: next.id, reason: '' })),
    'INPUT_INVALID',
  )
  assert.equal(await refusalOf(operator.aftersales.providerFind({})), 'SEARCH_REQUIRED')
})

test('the agents to choose from are those that are enabled, by number or name', async () => {
  const closed = await makeAgent(office)
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [closed.id])
  const ids = async (search?: string) =>
    (await operator.aftersales.providers(search ? { search } : {})).rows.map(row => row.id)
  assert.deepEqual(await ids(String(next.id)), [next.id])
  assert.deepEqual(await ids(`代理商${next.id}`), [next.id])
  assert.deepEqual(await ids(String(closed.id)), [])
})
