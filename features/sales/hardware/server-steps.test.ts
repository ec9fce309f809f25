import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { ORPCError } from '@orpc/client'
import pg from 'pg'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { makeOrder, makeProduct } from '#test/make-hardware.ts'
import { jobs } from './jobs.ts'
import { DELIVERY_STATUS_KEYS, type DeliveryStatus } from './rules.ts'

let office: Office
let agent: MadeAgent
let client: Client
let staff: Client

before(async () => {
  office = await openOffice({ settings: { POOL_SIZE: '20' } })
  agent = await makeAgent(office, { tokens: 1_000_000 })
  client = office.as(await office.login(agent.loginName))
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())

const SHIPMENT = { carrier: '顺丰速运', trackingNo: 'SF1234567890' }
const rowOf = async (orderNo: string) => {
  const [row] = (await client.hardware.orders({ search: orderNo })).rows
  assert.ok(row)
  return row
}
const stockOf = async (id: number) =>
  Number((await office.owner.query('select stock from hardware_products where id = $1', [id])).rows[0].stock)
const balance = async () => (await client.ledger.wallet()).tokenCents

/** An order that stands where it is wanted, written past the verbs; a returned one has given back its tokens too. */
async function orderAt(status: DeliveryStatus, receivedDaysAgo = 1): Promise<string> {
  const orderNo = await makeOrder(office, client)
  if (status === 'cancelled') {
    await staff.hardware.cancel({ orderNo, reason: '不要了' })
    return orderNo
  }
  if (status === 'returned') {
    await staff.hardware.ship({ orderNo, ...SHIPMENT })
    await staff.hardware.returnOrder({ orderNo, condition: 'sound', reason: '坏了' })
    return orderNo
  }
  await office.owner.query(
    `update hardware_orders set delivery_status = $2,
       received_at = case when $2 in ('received', 'complete') then now() - make_interval(days => $3) end
     where order_no = $1`,
    [orderNo, status, receivedDaysAgo],
  )
  return orderNo
}

const noticesOf = async (who: Client, orderNo: string) =>
  (await who.notices.list({ topic: 'Hardware_Notify' })).rows.filter(({ body }) => body.includes(orderNo))

test('the agent is told once of what staff do to its order, and of nothing that it does itself', async () => {
  const stranger = office.as(await office.login((await makeAgent(office)).loginName))
  const orderNo = await makeOrder(office, client)
  await staff.hardware.ship({ orderNo, ...SHIPMENT })
  assert.equal(await refusalOf(staff.hardware.ship({ orderNo, ...SHIPMENT })), 'ORDER_SHIPPED')
  await client.hardware.receive({ orderNo })
  await staff.hardware.returnOrder({ orderNo, condition: 'sound', reason: '坏了' })
  assert.deepEqual(
    (await noticesOf(client, orderNo)).map(({ title, link }) => [title, link]),
    [
      ['硬件已退货', `/admin/order/${orderNo}`],
      ['硬件已发货', `/admin/order/${orderNo}`],
    ],
  )
  const own = await makeOrder(office, client)
  await client.hardware.cancel({ orderNo: own, reason: '不要了' })
  assert.deepEqual(await noticesOf(client, own), [])
  const other = await makeOrder(office, client)
  await staff.hardware.cancel({ orderNo: other, reason: '无货' })
  const [cancelled] = await noticesOf(client, other)
  assert.match(cancelled?.body ?? '', /退回 [\d,.]+ 代币。原因：无货/)
  for (const who of [staff, stranger]) assert.deepEqual(await noticesOf(who, orderNo), [])
})

test('an order is shipped by staff, received by its agent, completed by staff; each step is timed', async () => {
  const orderNo = await makeOrder(office, client)
  assert.equal(await refusalOf(client.hardware.ship({ orderNo, ...SHIPMENT })), 'FORBIDDEN')
  assert.equal(await refusalOf(client.hardware.receive({ orderNo })), 'ORDER_NOT_SHIPPED')
  await staff.hardware.ship({ orderNo, ...SHIPMENT })
  const shipped = await rowOf(orderNo)
  assert.deepEqual(
    [shipped.deliveryStatus, shipped.carrier, shipped.trackingNo],
    ['shipped', SHIPMENT.carrier, SHIPMENT.trackingNo],
  )
  assert.ok(shipped.shippedAt)
  assert.equal(await refusalOf(staff.hardware.receive({ orderNo })), 'RECEIVER_ONLY')
  await client.hardware.receive({ orderNo })
  await staff.hardware.complete({ orderNo })
  const done = await rowOf(orderNo)
  assert.equal(done.deliveryStatus, 'complete')
  assert.ok(done.receivedAt && done.finishedAt)
})

test('every step from every status is taken or refused in words, and a refusal changes nothing', async () => {
  const steps = {
    ship: (orderNo: string) => staff.hardware.ship({ orderNo, ...SHIPMENT }),
    receive: (orderNo: string) => client.hardware.receive({ orderNo }),
    cancel: (orderNo: string) => client.hardware.cancel({ orderNo, reason: '不要了' }),
    returnOrder: (orderNo: string) =>
      staff.hardware.returnOrder({ orderNo, condition: 'sound', reason: '坏了' }),
    complete: (orderNo: string) => staff.hardware.complete({ orderNo }),
  }
  const accepted: Record<keyof typeof steps, DeliveryStatus[]> = {
    ship: ['awaitingShipment'],
    receive: ['shipped'],
    cancel: ['awaitingShipment'],
    returnOrder: ['shipped', 'received'],
    complete: ['received'],
  }
  for (const status of DELIVERY_STATUS_KEYS)
    for (const [name, take] of Object.entries(steps)) {
      const orderNo = await orderAt(status)
      const before = await rowOf(orderNo)
      const told = await take(orderNo).then(
        () => 'accepted',
        (error: ORPCError<string, unknown>) => `${error.status} ${error.message}`,
      )
      const expected = accepted[name as keyof typeof steps].includes(status)
      if (expected) assert.equal(told, 'accepted', `${name} from ${status}`)
      else {
        assert.match(told, /^409 .*\p{Script=Han}/u, `${name} from ${status}`)
        assert.deepEqual(await rowOf(orderNo), before)
      }
    }
  await office.verifyLedger()
})

test('a shipment without carrier or number is refused at its field', async () => {
  const orderNo = await makeOrder(office, client)
  for (const [changes, code, field] of [
    [{ carrier: '长'.repeat(21) }, 'INPUT_INVALID', 'carrier'],
    [{ trackingNo: '1'.repeat(41) }, 'INPUT_INVALID', 'trackingNo'],
    [{ carrier: ' ' }, 'INPUT_INVALID', 'carrier'],
    [{ trackingNo: '' }, 'INPUT_INVALID', 'trackingNo'],
    [{ trackingNo: '单 号' }, 'TRACKING_FORMAT', 'trackingNo'],
  ] as const) {
    const error = await staff.hardware.ship({ orderNo, ...SHIPMENT, ...changes }).then(
      () => null,
      (refusal: ORPCError<string, { field: string }>) => refusal,
    )
    assert.deepEqual([error?.code, error?.data.field], [code, field])
  }
})

test('of two of the staff who ship one order the second is told by name who did', async () => {
  const product = await makeProduct(office, { stock: 9, unitCents: 25_000 })
  const orderNo = await makeOrder(office, client, { productId: product, quantity: 1 })
  await staff.hardware.ship({ orderNo, ...SHIPMENT })
  const { agentId } = await staff.access.current()
  const other = office.as(
    await office.login((await makeAccount(office, agentId, { isOwner: true })).loginName),
  )
  await assert.rejects(other.hardware.ship({ orderNo, ...SHIPMENT }), {
    code: 'ORDER_SHIPPED',
    message: /^已由姓名处理：/,
  })
})

test('a return gives stock and tokens back exactly once, however often it is pressed', async () => {
  const product = await makeProduct(office, { stock: 9, unitCents: 25_000 })
  const before = await balance()
  const orderNo = await makeOrder(office, client, { productId: product, quantity: 4 })
  assert.deepEqual([await stockOf(product), await balance()], [5, before - 100_000])
  await staff.hardware.ship({ orderNo, ...SHIPMENT })
  await client.hardware.receive({ orderNo })
  const back = await staff.hardware.returnOrder({ orderNo, condition: 'sound', reason: '买多了' })
  assert.equal(back.tokensBackCents, 100_000)
  assert.deepEqual([await stockOf(product), await balance()], [9, before])
  const error = await staff.hardware.returnOrder({ orderNo, condition: 'sound', reason: '再退' }).then(
    () => null,
    (refusal: ORPCError<string, unknown>) => refusal,
  )
  assert.deepEqual([error?.code, error?.message], ['ORDER_RETURNED', '订单已退货，请勿重复操作'])
  assert.deepEqual([await stockOf(product), await balance()], [9, before])
  const row = await rowOf(orderNo)
  assert.deepEqual([row.returnReason, row.returnCondition], ['买多了', 'sound'])
  assert.ok(row.returnedAt)
  await office.verifyLedger()
})

test('defective goods come back and are not sold again', async () => {
  const product = await makeProduct(office, { stock: 9, unitCents: 25_000 })
  const before = await balance()
  const orderNo = await makeOrder(office, client, { productId: product, quantity: 4 })
  await staff.hardware.ship({ orderNo, ...SHIPMENT })
  await staff.hardware.returnOrder({ orderNo, condition: 'defective', reason: '屏幕损坏' })
  assert.deepEqual([await stockOf(product), await balance()], [5, before])
  const row = await rowOf(orderNo)
  assert.deepEqual([row.deliveryStatus, row.returnCondition], ['returned', 'defective'])
})

test('what is cancelled before it is sent says so, whoever cancels it, and its goods are back', async () => {
  const product = await makeProduct(office, { stock: 9 })
  for (const who of [client, staff]) {
    const orderNo = await makeOrder(office, client, { productId: product, quantity: 4 })
    assert.equal(
      await refusalOf(staff.hardware.returnOrder({ orderNo, condition: 'sound', reason: '退' })),
      'ORDER_NOT_SHIPPED',
    )
    await who.hardware.cancel({ orderNo, reason: '不要了' })
    assert.equal(await stockOf(product), 9)
    const row = await rowOf(orderNo)
    assert.deepEqual([row.deliveryStatus, row.returnCondition], ['cancelled', null])
    assert.equal(await refusalOf(who.hardware.cancel({ orderNo, reason: '再消' })), 'ORDER_CANCELLED')
  }
})

test('a hundred cancellations of staff and agent at once give one', async () => {
  const product = await makeProduct(office, { stock: 3 })
  const before = await balance()
  const orderNo = await makeOrder(office, client, { productId: product, quantity: 2 })
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      refusalOf(
        i % 2
          ? staff.hardware.cancel({ orderNo, reason: '退' })
          : client.hardware.cancel({ orderNo, reason: '消' }),
      ),
    ),
  )
  assert.equal(outcomes.filter(outcome => outcome === 'accepted').length, 1)
  assert.ok(outcomes.every(outcome => ['accepted', 'ORDER_CANCELLED', 'BUSY'].includes(outcome)))
  assert.deepEqual([await stockOf(product), await balance()], [3, before])
  await office.verifyLedger()
})

test('shipping and cancelling at once: one of them', async () => {
  for (let round = 0; round < 10; round++) {
    const product = await makeProduct(office, { stock: 1 })
    const before = await balance()
    const orderNo = await makeOrder(office, client, { productId: product })
    const [shipped, cancelled] = await Promise.all([
      refusalOf(staff.hardware.ship({ orderNo, ...SHIPMENT })),
      refusalOf(client.hardware.cancel({ orderNo, reason: '不要了' })),
    ])
    assert.equal([shipped, cancelled].filter(outcome => outcome === 'accepted').length, 1)
    const isBack = cancelled === 'accepted'
    assert.equal(await stockOf(product), isBack ? 1 : 0)
    assert.equal(await balance(), isBack ? before : before - 10_000)
  }
})

test('after 15 days nothing is returned, and the job completes the order', async () => {
  const late = await orderAt('received', 16)
  const recent = await orderAt('received', 14)
  const shipped = await orderAt('shipped')
  assert.equal(
    await refusalOf(staff.hardware.returnOrder({ orderNo: late, condition: 'sound', reason: '晚了' })),
    'RETURN_TOO_LATE',
  )
  const owner = new pg.Pool({ connectionString: office.ownerUrl, max: 1 })
  try {
    for (const job of jobs) await job.run(owner, office.app.services)
  } finally {
    await owner.end()
  }
  assert.equal((await rowOf(late)).deliveryStatus, 'complete')
  assert.ok((await rowOf(late)).finishedAt)
  assert.equal((await rowOf(recent)).deliveryStatus, 'received')
  assert.equal((await rowOf(shipped)).deliveryStatus, 'shipped')
})

test('a step leaves a row in the log that names the order and what changed', async () => {
  const orderNo = await makeOrder(office, client)
  await staff.hardware.ship({ orderNo, ...SHIPMENT })
  const { rows } = await office.owner.query('select title, changes from operation_logs where subject = $1', [
    `硬件订单 ${orderNo}`,
  ])
  const shipped = rows.find(row => row.title === '硬件发货')
  assert.deepEqual(shipped.changes[0], { name: '发货状态', before: '待发货', after: '已发货' })
  assert.deepEqual(shipped.changes[2], { name: '物流单号', before: null, after: SHIPMENT.trackingNo })
})
