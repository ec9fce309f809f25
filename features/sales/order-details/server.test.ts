// Every kind of order by its number, through the real router: what it tells, and to whom.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { orderDetails } from '#features/sales/order-details/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeOrder } from '#test/make-hardware.ts'
import { openTill } from '#test/make-payments.ts'
import { agePayment, renewShop } from '#test/make-settlement.ts'

let office: Office
let agent: MadeAgent
let me: Client
let them: Client
let staff: Client
let shop: number

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 100_000, sms: 1_000 })
  me = office.as(await office.login(agent.loginName))
  them = office.as(await office.login((await makeAgent(office, { tokens: 1_000 })).loginName))
  staff = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '蓝湾面馆' })
})
after(() => office.stop())

type Order = Out<typeof orderDetails.find>
const find = (orderNo: string, client = me): Promise<Order> => client.orderDetails.find({ orderNo })
const textOf = (order: Order, label: string) =>
  [...order.bought, ...order.amounts, ...order.made].find(fact => fact.label === label)?.text
const rowsOf = (tables: Order['tables'], title: string) =>
  tables.find(table => table.title === title)?.rows.map(({ cells }) => cells)

/** Nobody else finds it, by no part of it, and is told what is said of a number that is nobody's; staff find it. */
async function isWalledIn(orderNo: string): Promise<void> {
  const strange = await them.orderDetails
    .find({ orderNo: '9'.repeat(22) })
    .catch((error: Error) => error.message)
  for (const number of [orderNo, orderNo.slice(-8)]) {
    assert.equal(await refusalOf(find(number, them)), 'ORDER_UNKNOWN')
    assert.equal(await find(number, them).catch((error: Error) => error.message), strange)
    assert.equal((await find(number)).orderNo, orderNo)
  }
  assert.equal((await find(orderNo, staff)).agentId, agent.id)
}

const renewal = (merchantId: number, term: 'year' | 'month', periods: number) => ({
  merchantId,
  versionId: 12,
  scope: 'head' as const,
  branchIds: [],
  term,
  periods,
  shops: 1,
  remark: '月底付款',
})

test('a renewal: term in words, price, the shop before and after, balance before and after, remark and undo', async () => {
  const quoted = await me.purchases.quote(renewal(shop, 'month', 5))
  const before = (await me.ledger.wallet()).tokenCents
  await me.purchases.confirm({ orderNo: quoted.orderNo })
  const order = await find(quoted.orderNo)
  assert.deepEqual([order.kind, order.merchantId, order.shopName], ['version', shop, '蓝湾面馆'])
  assert.deepEqual([textOf(order, '时限'), textOf(order, '销售类型')], ['5 个月', '续费'])
  assert.deepEqual([order.remark, order.undone, order.undo], ['月底付款', null, { refusal: null }])
  const [listed] = (await me.orders.list({ search: order.orderNo })).rows
  const [billed] = (await me.settlement.bills({ search: order.orderNo })).rows
  const { previews } = await me.settlement.undoPreview({ kind: 'version', orderNo: order.orderNo })
  assert.deepEqual(
    [order.title, listed?.content, billed?.content, previews[0]?.content],
    Array(4).fill('续费 高级版'),
    'the shop is named once, beside it',
  )
  const [effect] = rowsOf(order.tables, '商户变化') ?? []
  assert.equal(effect?.[0], `蓝湾面馆（${shop}）`)
  const [moved] = rowsOf(order.movements, '账务流水') ?? []
  const tokens = (cents: number) => `${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')} 代币`
  assert.deepEqual(moved?.slice(4, 6), [tokens(before), tokens(before - quoted.totalCents)])
  await isWalledIn(quoted.orderNo)
})

test('5 months and 1 year read differently in the list, the bills and the file', async () => {
  const shops = [await makeMerchant(office, agent.id), await makeMerchant(office, agent.id)] as const
  for (const [at, [term, periods]] of (
    [
      ['month', 5],
      ['year', 1],
    ] as const
  ).entries()) {
    const { orderNo } = await me.purchases.quote(renewal(shops[at] as number, term, periods))
    await me.purchases.confirm({ orderNo })
  }
  const said = async (list: (search: string) => Promise<{ rows: { duration: string }[] }>) =>
    (await Promise.all(shops.map(id => list(String(id))))).map(({ rows }) => rows[0]?.duration)
  assert.deepEqual(await said(search => me.orders.list({ search })), ['5 个月', '1 年'])
  assert.deepEqual(await said(search => me.settlement.bills({ search })), ['5 个月', '1 年'])
})

test('an order that was undone says who took it back, when and why, and offers no undo any more', async () => {
  const { orderNo } = await renewShop(me, await makeMerchant(office, agent.id))
  await me.settlement.undo({ kind: 'version', orderNo, reason: '客户买错' })
  const order = await find(orderNo)
  assert.deepEqual([order.state.text, order.undone?.reason], ['已撤销', '客户买错'])
  assert.equal(order.undone?.byName, order.made.find(({ label }) => label === '操作人')?.text)
  assert.equal(order.undo?.refusal, '该订单已撤销，请勿重复操作')
  assert.equal(rowsOf(order.movements, '账务流水')?.length, 2)
})

test('why an order cannot be undone is said where it stands: a later order, and its age', async () => {
  const merchantId = await makeMerchant(office, agent.id)
  const first = await renewShop(me, merchantId)
  const second = await renewShop(me, merchantId)
  assert.equal((await find(first.orderNo)).undo?.refusal, '该商户之后还有订单，请先撤销之后的订单')
  await agePayment(office, 'version_orders', second.orderNo, 16)
  assert.equal((await find(second.orderNo)).undo?.refusal, '订单支付已超过15天，不能撤销')
})

test('a new shop and a quote that was not paid', async () => {
  const quoted = await me.selling.quote(newMerchantForm({ shopName: '新开的店', smsCount: 5 }))
  assert.deepEqual((await find(quoted.orderNo)).state, { text: '待支付', tone: 'attention' })
  await me.selling.add({ orderNo: quoted.orderNo })
  const order = await find(quoted.orderNo)
  assert.deepEqual(
    [order.shopName, textOf(order, '销售类型'), textOf(order, '时限')],
    ['新开的店', '新增', '1 年'],
  )
  assert.equal(rowsOf(order.movements, '账务流水')?.length, 3, 'tokens, and credit that left and came')
})

test('a service: how much or how long, and what the shop had before', async () => {
  const { groups } = await me.services.ofMerchant({ merchantId: shop })
  const offered = groups.flatMap(({ services }) => services)
  for (const [unit, quantity, years, told] of [
    ['piece', 2, 1, '2 个'],
    ['year', 1, 3, '3 年'],
  ] as const) {
    const service =
      offered.find(one => one.unit === unit && one.refusal === null) ?? assert.fail('none offered')
    const totalCents = service.unitCents * (unit === 'year' ? years : quantity)
    await me.services.buy({
      merchantId: shop,
      items: [{ serviceId: service.id, quantity, years }],
      totalCents,
    })
    const orderNo = (await me.services.orders({})).rows[0]?.orderNo ?? assert.fail('no order')
    const order = await find(orderNo)
    assert.deepEqual(
      [order.kind, order.shopName, order.title],
      ['service', '蓝湾面馆', `${service.name} ${told}`],
    )
    assert.equal(rowsOf(order.tables, '服务变化')?.length, 1)
    await isWalledIn(orderNo)
  }
})

test('SMS: a package, a gift that is no paid order, a recall', async () => {
  const { orderNo } = await me.sms.buy({ merchantId: shop, packageId: 1, totalCents: 2_000 })
  const bought = await find(orderNo)
  assert.deepEqual([bought.kind, bought.state.text, textOf(bought, '短信条数')], ['sms', '已完成', '200 条'])
  assert.equal(rowsOf(bought.tables, '短信变化')?.[0]?.[3], '200 条')
  await isWalledIn(orderNo)
  await me.sms.gift({ merchantId: shop, pieces: 7, remark: '开业' })
  await me.sms.recall({ merchantId: shop, pieces: 8 })
  const [recalled, given] = (await me.smsDesk.orders({ search: String(shop) })).rows
  const gift = await find(given?.orderNo ?? '')
  assert.deepEqual([gift.state.text, gift.remark, textOf(gift, '金额')], ['已赠送', '开业', undefined])
  const recall = await find(recalled?.orderNo ?? '')
  assert.deepEqual([textOf(recall, '类型'), recall.undo], ['短信回收', null])
  assert.equal((await find(orderNo)).undo?.refusal, '短信已使用，不能撤销')
})

test('hardware: its goods, where it goes and how far it came', async () => {
  const orderNo = await makeOrder(office, me, { quantity: 3, merchantId: shop })
  const order = await find(orderNo)
  assert.deepEqual([order.kind, order.state.text, order.shopName], ['hardware', '待发货', '蓝湾面馆'])
  assert.deepEqual(rowsOf(order.tables, '商品')?.[0]?.slice(1), ['100.00', '3', '300.00'])
  await isWalledIn(orderNo)
  await me.hardware.cancel({ orderNo, reason: '不要了' })
  assert.equal(textOf(await find(orderNo), '取消原因'), '不要了')
})

test('what the operator credited opens from the balance change that it made', async () => {
  const { documentNo } = await staff.ledger.credit({
    agentId: agent.id,
    asset: 'token',
    amount: 50_000,
    reason: '合同返点',
  })
  const order = await find(documentNo)
  assert.deepEqual([order.kind, order.title, order.remark], ['movement', '运营充值', '合同返点'])
  assert.equal(textOf(order, '金额'), '+500.00 代币')
  await isWalledIn(documentNo)
})

test('an allocation opens for both who gave and who received', async () => {
  const child = await makeAgent(office, {})
  await office.owner.query('update agents set parent_id = $1 where id = $2', [agent.id, child.id])
  const { documentNo } = await me.settlement.allocate({
    agentId: child.id,
    amountCents: 1_200,
    remark: '备货',
  })
  const below = office.as(await office.login(child.loginName))
  assert.equal(textOf(await find(documentNo), '金额'), '−12.00 代币')
  assert.equal(textOf(await find(documentNo, below), '金额'), '+12.00 代币')
  assert.equal(await refusalOf(find(documentNo, them)), 'ORDER_UNKNOWN')
})

test('a bulk renewal: its shops, its sum, and its undo as a whole', async () => {
  const shops = [await makeMerchant(office, agent.id), await makeMerchant(office, agent.id)]
  const { batchNo } = await me.purchases.bulkQuote({
    merchantIds: shops,
    term: 'month',
    periods: 5,
    remark: '',
  })
  await me.purchases.bulkConfirm({ batchNo })
  const batch = await find(batchNo)
  assert.deepEqual([batch.kind, batch.state.text, textOf(batch, '时限')], ['batch', '已支付', '5 个月'])
  const [lines] = batch.tables
  assert.equal(lines?.rows.length, 2)
  const line = await find(lines?.rows[0]?.orderNo ?? '')
  assert.equal(line.batchNo, batchNo)
  await me.settlement.undo({ kind: 'version', orderNo: line.orderNo, reason: '重复' })
  assert.deepEqual(
    [(await find(batchNo)).state.text, (await find(batchNo)).undo],
    ['部分撤销', { refusal: null }],
  )
  await me.settlement.undo({ kind: 'batch', orderNo: batchNo, reason: '重复' })
  assert.deepEqual((await find(batchNo)).undo, { refusal: '该订单已撤销，请勿重复操作' })
  await isWalledIn(batchNo)
})

test('tokens by QR: the payment with its channel, the channel’s number, and what went back', async () => {
  const till = await openTill()
  try {
    await credit(till.office, till.agent.id, 'token', 1_000)
    const { queryId } = await till.me.payments.startTokens({ tokenCents: 12_300 })
    await till.open(queryId, 'wechat')
    await till.pay(queryId, 'wechat')
    await till.work()
    const { order_no: orderNo } = await till.one<{ order_no: string }>(
      'select order_no from payment_intents where id = $1',
      [queryId],
    )
    const paid = await find(orderNo, till.me)
    assert.deepEqual(
      [paid.kind, paid.state.text, textOf(paid, '充值内容')],
      ['token', '已支付', '123.00 代币'],
    )
    assert.deepEqual(rowsOf(paid.payment, '支付单')?.[0]?.[0], queryId)
    assert.equal(rowsOf(paid.payment, '渠道订单')?.length, 1)
    await till.staff.paymentDesk.refund({ id: queryId, reason: '重复充值' })
    await till.refunded()
    const back = await find(orderNo, till.me)
    assert.equal(back.state.text, '已退款')
    assert.match(rowsOf(back.payment, '退款')?.[0]?.[3] ?? '', /重复充值/)
    assert.equal(
      await refusalOf(
        find(orderNo, till.office.as(await till.office.login((await makeAgent(till.office)).loginName))),
      ),
      'ORDER_UNKNOWN',
    )
  } finally {
    await till.stop()
  }
})

test('whoever may see no list of a kind finds no order of it, and no balance', async () => {
  const { orderNo } = await renewShop(me, await makeMerchant(office, agent.id))
  const client = async (nodeIds: number[]) => {
    const { loginName } = await makeAccount(office, agent.id, { nodeIds })
    return office.as(await office.login(loginName))
  }
  assert.equal(await refusalOf(find(orderNo, await client([22]))), 'ORDER_UNKNOWN')
  const seller = await find(orderNo, await client([31]))
  assert.deepEqual([seller.orderNo, seller.movements, seller.undo], [orderNo, [], null])
  const credited = async (asset: 'token' | 'sms') =>
    (await staff.ledger.credit({ agentId: agent.id, asset, amount: 100, reason: '返点' })).documentNo
  const texter = await client([45])
  assert.equal((await find(await credited('sms'), texter)).kind, 'movement')
  assert.equal(await refusalOf(find(await credited('token'), texter)), 'ORDER_UNKNOWN')
})

test('bulk renewals are listed with what stands of them and why they cannot be undone', async () => {
  const shops = [await makeMerchant(office, agent.id), await makeMerchant(office, agent.id)]
  const { batchNo, totalCents } = await me.purchases.bulkQuote({
    merchantIds: shops,
    term: 'year',
    periods: 1,
    remark: '',
  })
  const listed = async (client = me) =>
    (await client.orderDetails.batches({})).rows.find(row => row.batchNo === batchNo)
  assert.equal(await listed(), undefined, 'a quote is no batch')
  await me.purchases.bulkConfirm({ batchNo })
  const fresh = await listed()
  assert.deepEqual(
    [fresh?.orders, fresh?.undoneOrders, fresh?.totalCents, fresh?.state, fresh?.undo],
    [2, 0, totalCents, 'paid', { refusal: null }],
  )
  await renewShop(me, shops[0] as number)
  assert.deepEqual((await listed())?.undo, { refusal: null }, 'the other shop can be undone')
  await me.settlement.undo({ kind: 'batch', orderNo: batchNo, reason: '重复' })
  const partly = await listed()
  assert.deepEqual([partly?.state, partly?.undoneOrders], ['partly', 1])
  assert.equal(partly?.undo.refusal, '该商户之后还有订单，请先撤销之后的订单')
  assert.equal((await them.orderDetails.batches({})).total, 0)
  assert.equal((await listed(staff))?.agentId, agent.id)
})

test('lists disable an undo with the rule’s reason: later orders, services bought again, SMS that were used', async () => {
  const merchantId = await makeMerchant(office, agent.id)
  const first = await renewShop(me, merchantId)
  await renewShop(me, merchantId)
  const bills = (await me.settlement.bills({ search: String(merchantId) })).rows
  assert.deepEqual(
    bills.map(({ orderNo, undo }) => [orderNo === first.orderNo, undo.refusal]),
    [
      [false, null],
      [true, '该商户之后还有订单，请先撤销之后的订单'],
    ],
  )
  await me.sms.buy({ merchantId, packageId: 1, totalCents: 2_000 })
  await me.sms.recall({ merchantId, pieces: 1 })
  const [, bought] = (await me.smsDesk.orders({ search: String(merchantId) })).rows
  assert.deepEqual(bought?.undo, { refusal: '短信已使用，不能撤销' })
  const { groups } = await me.services.ofMerchant({ merchantId })
  const seat =
    groups.flatMap(({ services }) => services).find(({ unit }) => unit === 'piece') ?? assert.fail()
  for (const quantity of [1, 2])
    await me.services.buy({
      merchantId,
      items: [{ serviceId: seat.id, quantity, years: 1 }],
      totalCents: seat.unitCents * quantity,
    })
  assert.deepEqual(
    (await me.services.orders({ search: String(merchantId) })).rows.map(({ undo }) => undo.refusal),
    [null, '该商户之后还有订单，请先撤销之后的订单'],
  )
})
