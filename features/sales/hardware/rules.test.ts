import assert from 'node:assert/strict'
import test from 'node:test'
import { nextState } from '#kit/declare/machine.ts'
import {
  DELIVERY_STATUS_KEYS,
  DELIVERY_STATUSES,
  DELIVERY_STEPS,
  type DeliveryAction,
  type DeliveryStatus,
  type HardwareRefusal,
  REFUSALS,
  refuseCancel,
  refuseLine,
  refusePhone,
  refuseQuantity,
  refuseReceive,
  refuseStep,
  refuseStockChange,
  refuseTrackingNo,
} from './rules.ts'

const NOW = '2026-11-20T04:00:00.000Z'
const DAYS_AGO = (days: number, moreMs = 0) =>
  new Date(Date.parse(NOW) - days * 86_400_000 - moreMs).toISOString()
const stage = (deliveryStatus: DeliveryStatus, receivedAt: string | null = null) => ({
  deliveryStatus,
  receivedAt,
})

test('every step of every status: where it leads, or why it is refused', () => {
  const ACTIONS: DeliveryAction[] = ['pay', 'ship', 'receive', 'cancel', 'return', 'complete']
  const table: Record<DeliveryStatus, (DeliveryStatus | HardwareRefusal)[]> = {
    awaitingPayment: [
      'awaitingShipment',
      'ORDER_UNPAID',
      'ORDER_UNPAID',
      'ORDER_UNPAID',
      'ORDER_UNPAID',
      'ORDER_UNPAID',
    ],
    awaitingShipment: [
      'ORDER_NOT_SHIPPED',
      'shipped',
      'ORDER_NOT_SHIPPED',
      'cancelled',
      'ORDER_NOT_SHIPPED',
      'ORDER_NOT_SHIPPED',
    ],
    shipped: [
      'ORDER_SHIPPED',
      'ORDER_SHIPPED',
      'received',
      'ORDER_SHIPPED',
      'returned',
      'ORDER_NOT_RECEIVED',
    ],
    received: [
      'ORDER_RECEIVED',
      'ORDER_RECEIVED',
      'ORDER_RECEIVED',
      'ORDER_RECEIVED',
      'returned',
      'complete',
    ],
    returned: Array(6).fill('ORDER_RETURNED'),
    cancelled: Array(6).fill('ORDER_CANCELLED'),
    complete: Array(6).fill('ORDER_COMPLETE'),
  }
  for (const status of DELIVERY_STATUS_KEYS)
    for (const [i, action] of ACTIONS.entries()) {
      const told = refuseStep(stage(status), action, NOW) ?? nextState(DELIVERY_STEPS, status, action)
      assert.equal(told, table[status][i], `${action} from ${status}`)
    }
})

test('each status has the documents’ name, in their order', () => {
  assert.deepEqual(
    DELIVERY_STATUS_KEYS.map(status => DELIVERY_STATUSES[status]),
    ['待付款', '待发货', '已发货', '已收货', '已退货', '已取消', '交易完成'],
  )
})

test('what was received can be returned for 15 days', () => {
  for (const [receivedAt, expected] of [
    [NOW, null],
    [DAYS_AGO(15), null],
    [DAYS_AGO(15, 1), 'RETURN_TOO_LATE'],
    [DAYS_AGO(400), 'RETURN_TOO_LATE'],
  ] as const)
    assert.equal(refuseStep(stage('received', receivedAt), 'return', NOW), expected, receivedAt)
  assert.equal(refuseStep(stage('received', DAYS_AGO(400)), 'complete', NOW), null)
})

test('an order is cancelled before it is sent, and its arrival is told by its own agent', () => {
  const expected: Record<DeliveryStatus, HardwareRefusal | null> = {
    awaitingPayment: 'ORDER_UNPAID',
    awaitingShipment: null,
    shipped: 'CANCEL_TOO_LATE',
    received: 'CANCEL_TOO_LATE',
    returned: 'ORDER_RETURNED',
    cancelled: 'ORDER_CANCELLED',
    complete: 'ORDER_COMPLETE',
  }
  for (const status of DELIVERY_STATUS_KEYS)
    assert.equal(refuseCancel(stage(status), NOW), expected[status], status)
  const shipped = { ...stage('shipped'), agentId: 7 }
  assert.equal(refuseReceive(shipped, { agentId: 7 }, NOW), null)
  assert.equal(refuseReceive(shipped, { agentId: 8 }, NOW), 'RECEIVER_ONLY')
  assert.equal(refuseReceive({ ...shipped, ...stage('returned') }, { agentId: 7 }, NOW), 'ORDER_RETURNED')
})

test('a stock-taking changes the stock and leaves what can be counted', () => {
  for (const change of [3, -5, 999_994]) assert.equal(refuseStockChange(5, change), null)
  assert.equal(refuseStockChange(5, 0), 'STOCK_CHANGE_REQUIRED')
  for (const change of [-6, 999_995]) assert.equal(refuseStockChange(5, change), 'STOCK_FORMAT')
})

test('quantities are whole pieces that are there', () => {
  for (const wrong of [0, -1, 1.5, 1_000, Number.NaN]) assert.equal(refuseQuantity(wrong), 'QUANTITY_FORMAT')
  for (const right of [1, 999]) assert.equal(refuseQuantity(right), null)
  assert.equal(refuseLine({ enabled: true, stock: 3 }, 3), null)
  assert.equal(refuseLine({ enabled: true, stock: 3 }, 4), 'OUT_OF_STOCK')
  assert.equal(refuseLine({ enabled: false, stock: 3 }, 1), 'PRODUCT_OFF_SALE')
})

test('goods go to a mainland mobile, under a number of letters, digits and dashes', () => {
  assert.equal(refusePhone('13800005678'), null)
  assert.equal(refusePhone('0755-1234567'), 'PHONE_FORMAT')
  assert.equal(refuseTrackingNo('SF-1234567890'), null)
  assert.equal(refuseTrackingNo('单号1'), 'TRACKING_FORMAT')
})

test('messages are the documents’ words, and tell the limits that hold', () => {
  assert.equal(REFUSALS.PRICE_CHANGED, '价格已变动，请重新确认')
  assert.equal(REFUSALS.OUT_OF_STOCK, '库存不足')
})
