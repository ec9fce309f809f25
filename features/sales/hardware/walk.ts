import { randomUUID } from 'node:crypto'
import { meantBy, typedOf } from '#kit/declare/form.ts'
import { delivery, makeOrder, makeProduct, writeOrder } from '#test/make-hardware.ts'
import {
  type Attempt,
  byAgent,
  type Desk,
  type FeatureWalk,
  MARK,
  own,
  type Prepared,
  type Scene,
  search,
} from '#test/walk-types.ts'
import { PRODUCT } from './fields.ts'

type Made = { hardwareOrder: string; hardwareShipped: string; hardwareProduct: number }

const made = ({ extra }: Scene) => extra as unknown as Made
const shipment = { carrier: '顺丰速运', trackingNo: 'SF1234567890' }
const theirOrder = (more: Record<string, unknown> = {}): Attempt => ({
  as: scene => ({ orderNo: made(scene).hardwareOrder, ...more }),
  expect: ['NOT_FOUND'],
})
const NO_ORDER = { orderNo: '1'.repeat(22) }
const product = { ...meantBy(PRODUCT, typedOf(PRODUCT)), name: '收银机', model: 'P1', unitCents: 100 }

/** A fresh order of the partner, as far as it is wanted. */
async function ordered(desk: Desk, steps: ('ship' | 'receive')[] = []): Promise<string> {
  const orderNo = await makeOrder(desk.office, desk.mine())
  const operator = desk.office.as(desk.operatorCookie)
  if (steps.includes('ship')) await operator.hardware.ship({ orderNo, ...shipment })
  if (steps.includes('receive')) await desk.mine().hardware.receive({ orderNo })
  return orderNo
}

async function onOrder(desk: Desk, steps: ('ship' | 'receive')[], more = {}): Promise<Prepared> {
  const orderNo = await ordered(desk, steps)
  return desk.asPartner({ orderNo, ...more }, orderNo)
}

async function byOperator(desk: Desk, steps: ('ship' | 'receive')[], more = {}): Promise<Prepared> {
  const orderNo = await ordered(desk, steps)
  return desk.asOperator({ orderNo, ...more }, orderNo)
}

async function onProduct(desk: Desk, more: Record<string, unknown>): Promise<Prepared> {
  const name = `商品${randomUUID().slice(0, 8)}`
  const id = await makeProduct(desk.office, { name, stock: 50 })
  return desk.asOperator({ id, ...more }, `${name} (${id})`)
}

export const walk: FeatureWalk = {
  // The scene's goods are for no shop; test/own-shops.test.ts has some that are.
  ofAgency: [
    'hardware.cart',
    'hardware.orders',
    'hardware.orders (file)',
    'hardware.ship',
    'hardware.receive',
    'hardware.cancel',
    'hardware.returnOrder',
    'hardware.complete',
  ],
  sessionOnly: [],
  movesMoney: ['hardware.order', 'hardware.cancel', 'hardware.returnOrder'],
  async scene({ office, a, cookieA }) {
    const hardwareProduct = await makeProduct(office)
    await office.as(cookieA).hardware.setCartLine({ productId: hardwareProduct, quantity: 7 })
    // Written directly: the walk counts A's movements of money.
    const order = (status: string) => writeOrder(office, a, { contactName: MARK, status })
    return {
      hardwareProduct,
      hardwareOrder: await order('awaitingShipment'),
      hardwareShipped: await order('shipped'),
    }
  },
  attempts: {
    'hardware.products': [own()],
    'hardware.cart': [{ as: () => ({}), expect: 'empty' }],
    'hardware.setCartLine': [
      { as: scene => ({ productId: made(scene).hardwareProduct, quantity: 1 }), expect: 'own' },
      { as: scene => ({ productId: made(scene).hardwareProduct, quantity: 0 }), expect: 'own' },
    ],
    'hardware.order': [
      {
        as: scene => ({
          ...delivery,
          merchantId: scene.a.shops[0],
          lines: [{ productId: made(scene).hardwareProduct, quantity: 1 }],
          totalCents: 10_000,
        }),
        expect: ['SHOP_UNKNOWN'],
      },
      {
        as: scene => ({
          ...delivery,
          lines: [{ productId: made(scene).hardwareProduct, quantity: 1 }],
          totalCents: 10_000,
        }),
        expect: 'own',
      },
    ],
    'hardware.orders': [
      own(),
      byAgent,
      search(() => MARK),
      search(() => MARK[0]),
      search(scene => made(scene).hardwareOrder),
      search(scene => made(scene).hardwareOrder.slice(-8)),
      own({ status: 'awaitingShipment', order: 'asc' }),
    ],
    'hardware.orders (file)': [own(), byAgent, search(() => MARK)],
    'hardware.ship': [theirOrder(shipment)],
    'hardware.receive': [
      { as: scene => ({ orderNo: made(scene).hardwareShipped }), expect: ['NOT_FOUND'] },
      theirOrder(),
    ],
    'hardware.cancel': [theirOrder({ reason: '试' })],
    'hardware.returnOrder': [theirOrder({ condition: 'sound', reason: '试' })],
    'hardware.complete': [theirOrder()],
    'hardware.catalogue': [own()],
    'hardware.addProduct': [{ as: () => ({ ...product, stock: 1 }), expect: ['FORBIDDEN'] }],
    'hardware.editProduct': [
      { as: scene => ({ ...product, id: made(scene).hardwareProduct, revision: 1 }), expect: ['FORBIDDEN'] },
    ],
    'hardware.adjustStock': [
      {
        as: scene => ({ id: made(scene).hardwareProduct, stockBefore: 50, change: 1, reason: '试' }),
        expect: ['FORBIDDEN'],
      },
    ],
  },
  scoped: [
    'hardware.orders',
    'hardware.orders (file)',
    'hardware.ship',
    'hardware.cancel',
    'hardware.returnOrder',
  ],
  changes: desk => ({
    'hardware.setCartLine': {
      accepted: async () => {
        const name = `商品${randomUUID().slice(0, 8)}`
        const productId = await makeProduct(desk.office, { name })
        return desk.asPartner({ productId, quantity: 2 }, `${name} (${productId})`)
      },
      refused: {
        input: async () => ({ productId: await makeProduct(desk.office, { stock: 1 }), quantity: 2 }),
        code: 'OUT_OF_STOCK',
      },
    },
    'hardware.order': {
      accepted: async () => {
        const productId = await makeProduct(desk.office)
        return desk.asPartner(
          { ...delivery, lines: [{ productId, quantity: 1 }], totalCents: 10_000 },
          '硬件订单',
        )
      },
      refused: {
        input: async () => {
          const productId = await makeProduct(desk.office)
          return { ...delivery, lines: [{ productId, quantity: 1 }], totalCents: 9_999 }
        },
        code: 'PRICE_CHANGED',
      },
    },
    'hardware.ship': {
      accepted: () => byOperator(desk, [], shipment),
      refused: { input: () => ({ ...NO_ORDER, ...shipment }), code: 'NOT_FOUND' },
    },
    'hardware.receive': {
      accepted: () => onOrder(desk, ['ship']),
      refused: { input: async () => ({ orderNo: await ordered(desk) }), code: 'ORDER_NOT_SHIPPED' },
    },
    'hardware.cancel': {
      accepted: () => onOrder(desk, [], { reason: '不要了' }),
      refused: {
        input: async () => ({ orderNo: await ordered(desk), reason: '' }),
        code: 'INPUT_INVALID',
      },
    },
    'hardware.returnOrder': {
      accepted: () => byOperator(desk, ['ship', 'receive'], { condition: 'sound', reason: '坏了' }),
      refused: { input: () => ({ ...NO_ORDER, condition: 'sound', reason: '坏了' }), code: 'NOT_FOUND' },
    },
    'hardware.complete': {
      accepted: () => byOperator(desk, ['ship', 'receive']),
      refused: { input: async () => ({ orderNo: await ordered(desk) }), code: 'ORDER_NOT_SHIPPED' },
    },
    'hardware.addProduct': {
      accepted: async () => desk.asOperator({ ...product, stock: 1 }, product.name),
      refused: { input: () => ({ ...product, name: '', stock: 1 }), code: 'INPUT_INVALID' },
    },
    'hardware.editProduct': {
      accepted: () =>
        onProduct(desk, { ...product, revision: 1, answered: ['nothing', 'fall', 'rise', 'now'] }),
      refused: {
        input: async () => ({ ...product, id: await makeProduct(desk.office), revision: 9 }),
        code: 'STALE',
      },
    },
    'hardware.adjustStock': {
      accepted: () => onProduct(desk, { stockBefore: 50, change: 1, reason: '到货' }),
      refused: {
        input: async () => ({
          id: await makeProduct(desk.office),
          stockBefore: 1,
          change: 1,
          reason: '到货',
        }),
        code: 'STOCK_MOVED',
      },
    },
    'hardware.orders (file)': {
      accepted: async () => desk.asPartner({ status: 'shipped' }, '硬件订单'),
      refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
