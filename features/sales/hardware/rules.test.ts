import assert from 'node:assert/strict'
import test from 'node:test'
import { nextState } from '#kit/declare/machine.ts'
import {
  DELIVERY_STATUS_KEYS,
  DELIVERY_STEPS,
  type DeliveryAction,
  type DeliveryStatus,
  type HardwareRefusal,
  REFUSALS,
  refuseCancel,
  refuseDelivery,
  refuseLine,
  refuseProduct,
  refuseQuantity,
  refuseReceive,
  refuseReturnReason,
  refuseShipment,
  refuseStep,
  refuseStockChange,
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

test('a product has a name, a price and a place; limits are counted in characters', () => {
  const good = { name: '热敏打印机', model: 'TP-80', description: '', unitCents: 39_900, position: 1 }
  const cases: [Partial<typeof good>, HardwareRefusal | null][] = [
    [{}, null],
    [{ name: ' ' }, 'PRODUCT_NAME_REQUIRED'],
    [{ name: '𠮷'.repeat(30) }, null],
    [{ name: '长'.repeat(31) }, 'PRODUCT_NAME_TOO_LONG'],
    [{ model: 'x'.repeat(31) }, 'MODEL_TOO_LONG'],
    [{ description: 'x'.repeat(201) }, 'DESCRIPTION_TOO_LONG'],
    [{ unitCents: 0 }, 'PRICE_FORMAT'],
    [{ unitCents: 1.5 }, 'PRICE_FORMAT'],
    [{ unitCents: 100_000_001 }, 'PRICE_FORMAT'],
    [{ unitCents: Number.NaN }, 'PRICE_FORMAT'],
    [{ position: -1 }, 'POSITION_FORMAT'],
  ]
  for (const [changes, code] of cases)
    assert.equal(refuseProduct({ ...good, ...changes })?.code ?? null, code, JSON.stringify(changes))
})

test('a stock-taking names pieces and reason and stays within what can be counted', () => {
  const good = { stockBefore: 5, change: 3, reason: '到货' }
  const cases: [Partial<typeof good>, HardwareRefusal | null][] = [
    [{}, null],
    [{ change: -5 }, null],
    [{ change: 0 }, 'STOCK_CHANGE_REQUIRED'],
    [{ change: Number.NaN }, 'STOCK_CHANGE_REQUIRED'],
    [{ change: -6 }, 'STOCK_FORMAT'],
    [{ change: 1_000_000 }, 'STOCK_FORMAT'],
    [{ reason: '' }, 'REASON_REQUIRED'],
    [{ reason: '长'.repeat(51) }, 'REASON_TOO_LONG'],
  ]
  for (const [changes, code] of cases)
    assert.equal(refuseStockChange({ ...good, ...changes })?.code ?? null, code, JSON.stringify(changes))
})

test('quantities are whole pieces that are there', () => {
  for (const wrong of [0, -1, 1.5, 1_000, Number.NaN]) assert.equal(refuseQuantity(wrong), 'QUANTITY_FORMAT')
  for (const right of [1, 999]) assert.equal(refuseQuantity(right), null)
  assert.equal(refuseLine({ enabled: true, stock: 3 }, 3), null)
  assert.equal(refuseLine({ enabled: true, stock: 3 }, 4), 'OUT_OF_STOCK')
  assert.equal(refuseLine({ enabled: false, stock: 3 }, 1), 'PRODUCT_OFF_SALE')
})

test('a delivery needs contact, mainland mobile, district and address, in the order of the form', () => {
  const good = {
    contactName: '李四',
    contactPhone: '13800005678',
    districtCode: '440305',
    address: '科技园1号',
    remark: '',
  }
  const cases: [Partial<typeof good>, HardwareRefusal | null][] = [
    [{}, null],
    [{ contactName: ' ', contactPhone: '' }, 'CONTACT_REQUIRED'],
    [{ contactName: '长'.repeat(21) }, 'CONTACT_TOO_LONG'],
    [{ contactPhone: '0755-1234567' }, 'PHONE_FORMAT'],
    [{ districtCode: '' }, 'DIVISION_REQUIRED'],
    [{ address: '' }, 'ADDRESS_REQUIRED'],
    [{ address: '长'.repeat(101) }, 'ADDRESS_TOO_LONG'],
    [{ remark: '长'.repeat(51) }, 'REMARK_TOO_LONG'],
  ]
  for (const [changes, code] of cases)
    assert.equal(refuseDelivery({ ...good, ...changes })?.code ?? null, code, JSON.stringify(changes))
})

test('a shipment names carrier and number, a return its reason', () => {
  const cases: [carrier: string, trackingNo: string, code: HardwareRefusal | null][] = [
    ['顺丰速运', 'SF1234567890', null],
    ['', 'SF1', 'CARRIER_REQUIRED'],
    ['长'.repeat(21), 'SF1', 'CARRIER_TOO_LONG'],
    ['顺丰', ' ', 'TRACKING_REQUIRED'],
    ['顺丰', '单号1', 'TRACKING_FORMAT'],
    ['顺丰', '1'.repeat(41), 'TRACKING_FORMAT'],
  ]
  for (const [carrier, trackingNo, code] of cases)
    assert.equal(refuseShipment({ carrier, trackingNo })?.code ?? null, code, `${carrier} ${trackingNo}`)
  assert.equal(refuseReturnReason('坏了'), null)
  assert.equal(refuseReturnReason(' '), 'RETURN_REASON_REQUIRED')
  assert.equal(refuseReturnReason('长'.repeat(51)), 'RETURN_REASON_TOO_LONG')
})

test('messages are the documents’ words, and tell the limits that hold', () => {
  assert.equal(REFUSALS.PRICE_CHANGED, '价格已变动，请重新确认')
  assert.equal(REFUSALS.OUT_OF_STOCK, '库存不足')
})
