import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { delivery, makeOrder, makeProduct } from '#test/make-hardware.ts'
import { writePrice } from '#test/make-purchases.ts'

let office: Office
let agent: MadeAgent
let client: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 100_000, levelId: 3 })
  client = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const stockOf = async (id: number) =>
  Number((await office.owner.query('select stock from hardware_products where id = $1', [id])).rows[0].stock)
const orderOf = (productId: number, quantity: number, totalCents: number, more: object = {}) => ({
  ...delivery,
  lines: [{ productId, quantity }],
  totalCents,
  ...more,
})

test('an order takes stock and tokens at the list price, whatever the agent’s level, and leaves the cart', async () => {
  const printer = await makeProduct(office, { unitCents: 39_900, stock: 10 })
  const scanner = await makeProduct(office, { unitCents: 12_050, stock: 3 })
  await client.hardware.setCartLine({ productId: printer, quantity: 2 })
  await client.hardware.setCartLine({ productId: scanner, quantity: 3 })
  const cart = await client.hardware.cart()
  assert.deepEqual(
    cart.rows.map(({ productId, quantity, unitCents }) => [productId, quantity, unitCents]),
    [
      [printer, 2, 39_900],
      [scanner, 3, 12_050],
    ],
  )
  const ordered = await client.hardware.order({
    ...delivery,
    lines: [
      { productId: scanner, quantity: 3 },
      { productId: printer, quantity: 2 },
    ],
    totalCents: 115_950,
  })
  assert.equal(ordered.balanceAfterCents, cart.balanceCents - 115_950)
  assert.deepEqual([await stockOf(printer), await stockOf(scanner)], [8, 0])
  const after = await client.hardware.cart()
  assert.deepEqual(after.rows, [])
  const { remark: _, ...last } = delivery
  assert.deepEqual(after.lastDelivery, last)
  const [row] = (await client.hardware.orders({ search: ordered.orderNo })).rows
  assert.equal(row?.deliveryStatus, 'awaitingShipment')
  assert.equal(row.totalCents, 115_950)
  assert.equal(row.fullAddress, '广东省深圳市南山区科技园1号')
  assert.deepEqual(
    row.lines.map(line => [line.unitCents, line.quantity, line.totalCents]),
    [
      [39_900, 2, 79_800],
      [12_050, 3, 36_150],
    ],
  )
  const changes = await client.ledger.changes({ search: ordered.orderNo })
  assert.deepEqual(
    changes.rows.map(change => [change.amountCents, change.payMethod]),
    [[-115_950, 'balance']],
  )
  await office.verifyLedger()
})

test('a cart is one account’s, counts what is there, and forgets at zero', async () => {
  const product = await makeProduct(office, { stock: 4 })
  const other = await makeAccount(office, agent.id, { nodeIds: [27, 35] })
  const colleague = office.as(await office.login(other.loginName))
  await client.hardware.setCartLine({ productId: product, quantity: 3 })
  await client.hardware.setCartLine({ productId: product, quantity: 4 })
  assert.equal(
    await refusalOf(client.hardware.setCartLine({ productId: product, quantity: 5 })),
    'OUT_OF_STOCK',
  )
  assert.equal(
    await refusalOf(client.hardware.setCartLine({ productId: product, quantity: 1.5 })),
    'QUANTITY_FORMAT',
  )
  assert.deepEqual((await colleague.hardware.cart()).rows, [])
  assert.deepEqual(
    (await client.hardware.cart()).rows.map(row => row.quantity),
    [4],
  )
  await client.hardware.setCartLine({ productId: product, quantity: 0 })
  assert.deepEqual((await client.hardware.cart()).rows, [])
  const hidden = await makeProduct(office, { enabled: false })
  assert.equal(
    await refusalOf(client.hardware.setCartLine({ productId: hidden, quantity: 1 })),
    'PRODUCT_OFF_SALE',
  )
  assert.equal(
    await refusalOf(client.hardware.setCartLine({ productId: 9_999_999, quantity: 1 })),
    'NOT_FOUND',
  )
})

test('the server prices again: a changed price is refused in words and takes nothing', async () => {
  const product = await makeProduct(office, { unitCents: 10_000, stock: 5 })
  await writePrice((text, values) => office.owner.query(text, values), {
    book: 'hardware',
    item: product,
    part: 'unit',
    cents: 12_000,
  })
  const error = await client.hardware.order(orderOf(product, 2, 20_000)).then(
    () => null,
    (refusal: ORPCError<string, unknown>) => refusal,
  )
  assert.equal(error?.code, 'PRICE_CHANGED')
  assert.equal(error.message, '价格已变动，请重新确认')
  assert.equal(await stockOf(product), 5)
  await client.hardware.order(orderOf(product, 2, 24_000))
  assert.equal(await stockOf(product), 3)
})

test('what costs nothing is ordered as anything else, moves no money, and is cancelled', async () => {
  const product = await makeProduct(office, { unitCents: 0, stock: 5 })
  const before = await client.ledger.wallet()
  const { orderNo } = await client.hardware.order(orderOf(product, 2, 0))
  assert.equal(await stockOf(product), 3)
  await client.hardware.cancel({ orderNo, reason: '不要了' })
  assert.equal(await stockOf(product), 5)
  assert.deepEqual(await client.ledger.wallet(), before)
  const moved = await office.owner.query('select 1 from ledger_transfers where document = $1', [orderNo])
  assert.equal(moved.rowCount, 0)
})

test('orders that break a rule are refused and leave no row', async () => {
  const product = await makeProduct(office, { stock: 5 })
  const hidden = await makeProduct(office, { enabled: false })
  const poor = office.as(await office.login((await makeAgent(office, { tokens: 99 })).loginName))
  const counted = async () =>
    (await office.owner.query('select count(*) from hardware_orders')).rows[0].count as string
  const before = await counted()
  const cases: [Client, object, string][] = [
    [client, orderOf(product, 6, 60_000), 'OUT_OF_STOCK'],
    [client, orderOf(hidden, 1, 10_000), 'PRODUCT_OFF_SALE'],
    [client, orderOf(9_999_999, 1, 10_000), 'NOT_FOUND'],
    [client, orderOf(product, 0, 0), 'QUANTITY_FORMAT'],
    [client, orderOf(product, -1, -10_000), 'QUANTITY_FORMAT'],
    [client, orderOf(product, 1, 10_000, { lines: [], totalCents: 0 }), 'CART_EMPTY'],
    [
      client,
      orderOf(product, 1, 20_000, {
        lines: [
          { productId: product, quantity: 1 },
          { productId: product, quantity: 1 },
        ],
      }),
      'INPUT_INVALID',
    ],
    [client, orderOf(product, 1, 10_000, { contactName: '' }), 'INPUT_INVALID'],
    [client, orderOf(product, 1, 10_000, { contactName: '<b>周</b>' }), 'CONTACT_SYMBOLS'],
    [client, orderOf(product, 1, 10_000, { contactName: '长'.repeat(21) }), 'INPUT_INVALID'],
    [client, orderOf(product, 1, 10_000, { remark: '长'.repeat(51) }), 'INPUT_INVALID'],
    [client, orderOf(product, 1, 10_000, { contactPhone: '123' }), 'PHONE_FORMAT'],
    [client, orderOf(product, 1, 10_000, { districtCode: '999999' }), 'DIVISION_REQUIRED'],
    [client, orderOf(product, 1, 10_000, { address: '' }), 'INPUT_INVALID'],
    [poor, orderOf(product, 1, 10_000), 'INSUFFICIENT'],
  ]
  for (const [who, input, code] of cases)
    assert.equal(
      await refusalOf(who.hardware.order(input as Parameters<Client['hardware']['order']>[0])),
      code,
      JSON.stringify(input),
    )
  assert.equal(await counted(), before)
  assert.equal(await stockOf(product), 5)
  await office.verifyLedger()
})

test('the same key gives the same order once; another input under it is refused', async () => {
  const product = await makeProduct(office, { stock: 5 })
  const context = { context: { key: 'order-once-0123456789' } }
  const first = await client.hardware.order(orderOf(product, 1, 10_000), context)
  const again = await client.hardware.order(orderOf(product, 1, 10_000), context)
  assert.deepEqual(again, first)
  assert.equal(await stockOf(product), 4)
  assert.equal(await refusalOf(client.hardware.order(orderOf(product, 2, 20_000), context)), 'KEY_REUSED')
})

test('two buyers and the last piece: one gets it, and stock never falls below zero', async () => {
  const rival = office.as(await office.login((await makeAgent(office, { tokens: 100_000 })).loginName))
  for (let round = 0; round < 15; round++) {
    const product = await makeProduct(office, { stock: 1 })
    const outcomes = await Promise.all(
      [client, rival, client, rival].map(buyer =>
        refusalOf(buyer.hardware.order(orderOf(product, 1, 10_000))),
      ),
    )
    assert.deepEqual(outcomes.sort(), ['OUT_OF_STOCK', 'OUT_OF_STOCK', 'OUT_OF_STOCK', 'accepted'])
    assert.equal(await stockOf(product), 0)
  }
  await office.verifyLedger()
})

test('orders of the same goods in opposite order do not wait for each other in a ring', async () => {
  const [a, b] = [await makeProduct(office, { stock: 500 }), await makeProduct(office, { stock: 500 })]
  const order = (ids: number[]) =>
    refusalOf(
      client.hardware.order({
        ...delivery,
        lines: ids.map(productId => ({ productId, quantity: 1 })),
        totalCents: 20_000,
      }),
    )
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => order(i % 2 ? [a, b] : [b, a])))
  assert.deepEqual(new Set(outcomes), new Set(['accepted']))
  assert.deepEqual([await stockOf(a), await stockOf(b)], [480, 480])
})

test('only what is on sale is in the shop; it is found by name and model, wildcards are only characters', async () => {
  const shown = await makeProduct(office, { name: '五折50%_钱箱' })
  await makeProduct(office, { name: '五折50%_下架', enabled: false })
  for (const search of ['五折', '50%', '%_钱'])
    assert.deepEqual(
      (await client.hardware.products({ search })).rows.map(row => row.id),
      [shown],
      search,
    )
  assert.equal((await client.hardware.products({ search: '%%' })).total, 0)
  assert.ok((await client.hardware.products({ search: 'x1', size: 100 })).rows.some(row => row.id === shown))
})

test('an account without the permission neither sees nor orders', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [27] })
  const clerk = office.as(await office.login(loginName))
  assert.equal(await refusalOf(clerk.hardware.products({})), 'FORBIDDEN')
  assert.equal(await refusalOf(makeOrder(office, clerk)), 'FORBIDDEN')
})
