import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeOrder, makeProduct } from '#test/make-hardware.ts'

let office: Office
let agent: MadeAgent
let other: MadeAgent
let client: Client
let staff: Client
let cookie: string
const numbers: string[] = []

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 100_000 })
  other = await makeAgent(office, { tokens: 100_000 })
  cookie = await office.login(agent.loginName)
  client = office.as(cookie)
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  const productId = await makeProduct(office, { name: '=1+1收银机', unitCents: 10_000, stock: 900 })
  for (const [i, contactName] of ['欧阳小明', '张三', '李小四', '王五'].entries())
    numbers.push(await makeOrder(office, client, { productId, quantity: i + 1, contactName }))
  // As one of before such names were refused.
  await office.owner.query(
    `update hardware_orders set contact_name = '=HYPERLINK("x")' where order_no = $1`,
    [numbers[3]],
  )
  const theirs = office.as(await office.login(other.loginName))
  numbers.push(await makeOrder(office, theirs, { productId, contactName: '欧阳别人' }))
  await office.owner.query(
    `update hardware_orders set created_at = now() - interval '20 days', delivery_status = 'returned' where order_no = $1`,
    [numbers[1]],
  )
  await office.owner.query(`update hardware_orders set contact_phone = '13911112222' where order_no = $1`, [
    numbers[2],
  ])
})
after(() => office.stop())

const found = async (who: Client, input: Parameters<Client['hardware']['orders']>[0]) =>
  (await who.hardware.orders(input)).rows.map(row => numbers.indexOf(row.orderNo))

test('an agent sees its own orders, latest first; vendor staff see all and may pick one agent', async () => {
  assert.deepEqual(await found(client, {}), [3, 2, 0, 1])
  assert.deepEqual(await found(client, { order: 'asc' }), [1, 0, 2, 3])
  assert.deepEqual(await found(staff, {}), [4, 3, 2, 0, 1])
  assert.deepEqual(await found(staff, { agentId: other.id }), [4])
  assert.deepEqual(await found(client, { agentId: other.id }), [])
  assert.deepEqual(await found(client, { page: 2 }), [])
})

test('orders are found by number, whole or as the list shows it, by contact and by phone', async () => {
  const first = numbers[0] as string
  const cases: [Client, string, number[]][] = [
    [client, first, [0]],
    [client, first.slice(-8), [0]],
    [client, numbers[4] as string, []],
    [client, (numbers[4] as string).slice(-8), []],
    [staff, (numbers[4] as string).slice(-8), [4]],
    [client, '欧阳', [0]],
    [staff, '欧阳', [4, 0]],
    [client, '小', [2, 0]],
    [client, '13911112222', [2]],
    [client, '1391', [2]],
    [client, '%', []],
    [client, '没有', []],
  ]
  for (const [who, search, expected] of cases)
    assert.deepEqual(await found(who, { search }), expected, search)
  assert.equal(await refusalOf(staff.hardware.orders({ search: '小' })), 'SEARCH_TOO_SHORT')
  assert.deepEqual(await found(staff, { search: '小', agentId: agent.id }), [2, 0])
})

test('an order may name a shop of its own agent, is found by it and written with it', async () => {
  const shop = await makeMerchant(office, agent.id, { shop_name: '望江茶馆' })
  const theirShop = await makeMerchant(office, other.id)
  assert.equal(await refusalOf(makeOrder(office, client, { merchantId: theirShop })), 'SHOP_UNKNOWN')
  const orderNo = await makeOrder(office, client, { merchantId: shop })
  for (const search of [String(shop), '望江', '江']) {
    const { rows } = await client.hardware.orders({ search })
    assert.deepEqual(
      rows.map(row => [row.orderNo, row.merchantId, row.shopName]),
      [[orderNo, shop, '望江茶馆']],
    )
  }
  assert.equal((await staff.hardware.orders({ search: String(shop) })).total, 1)
  assert.equal((await client.hardware.orders({ search: String(theirShop) })).total, 0)
  const answer = await office.app.http.inject({
    url: `/api/hardware/orders.xlsx?search=${shop}&columns=orderNo,merchantId,shopName`,
    headers: { cookie },
  })
  const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
  assert.deepEqual(sheets[0]?.data ?? sheets, [
    ['订单号', '商户ID', '店铺名称'],
    [orderNo, shop, '望江茶馆'],
  ])
  await office.owner.query(
    'delete from hardware_order_lines where order_id = (select id from hardware_orders where order_no = $1)',
    [orderNo],
  )
  await office.owner.query('delete from hardware_orders where order_no = $1', [orderNo])
})

test('status and days narrow the list, and the sums follow', async () => {
  assert.deepEqual(await found(client, { status: 'returned' }), [1])
  assert.deepEqual(await found(client, { status: 'awaitingShipment' }), [3, 2, 0])
  assert.deepEqual(await found(client, { from: '2020-01-01', to: '2020-01-02' }), [])
  const day = (daysAgo: number) =>
    new Date(Date.now() + 8 * 3_600_000 - daysAgo * 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(await found(client, { from: day(6) }), [3, 2, 0])
  assert.deepEqual(await found(client, { to: day(15) }), [1])
  const all = await client.hardware.orders({})
  assert.deepEqual([all.total, all.sumCents, all.returnedCents], [4, 100_000, 20_000])
  const some = await client.hardware.orders({ from: day(6), size: 10 })
  assert.deepEqual([some.total, some.sumCents, some.returnedCents, some.totalCapped], [3, 80_000, 0, false])
})

test('the file holds what is filtered, products in one cell, and no live formula', async () => {
  const answer = await office.app.http.inject({
    url: '/api/hardware/orders.xlsx?status=awaitingShipment',
    headers: { cookie, 'x-requested-with': 'partner-office' },
  })
  assert.equal(answer.statusCode, 200)
  const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
  const [head, ...rows] = sheets[0]?.data ?? (sheets as unknown as unknown[][])
  assert.deepEqual(head?.slice(0, 10), [
    '订单号',
    '代理商',
    '发货状态',
    '支付方式',
    '店铺名称',
    '商户ID',
    '商品',
    '合计（代币）',
    '联系人',
    '联系电话',
  ])
  assert.deepEqual(
    rows.map(row => row[0]),
    [numbers[3], numbers[2], numbers[0]],
  )
  const last = rows[0] as unknown[]
  assert.match(String(last[8]), /HYPERLINK/)
  assert.notEqual(String(last[8])[0], '=')
  assert.match(String(last[6]), /1\+1收银机 100\.00×4$/)
  assert.equal(last[7], 400)
  assert.equal(last[2], '待发货')
})
