import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { answered } from '#features/office/prices/contract-asked.ts'
import { ASKED_REFUSALS } from '#features/office/prices/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { Conditions } from '#features/shops/versions/contract.ts'
import { fieldsNamed } from '#kit/declare/form.ts'
import { fileOf, listInput, meantShape, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import {
  CATALOGUE,
  DELIVERY,
  HARDWARE_ORDER_FIELDS,
  HARDWARE_ORDERS,
  NEW_PRODUCT,
  PRODUCT,
  PRODUCT_FIELDS,
  SHIPMENT,
  SHOP,
  STOCK_TAKING,
  TAKE_BACK,
} from './fields.ts'
import { DELIVERY_STATUS_KEYS, ORDER_REFUSALS, PRODUCT_REFUSALS, STEP_REFUSALS } from './rules.ts'

const orderNo = z.string().regex(/^\d{22}$/)
const deliveryStatus = z.enum(DELIVERY_STATUS_KEYS)

export const ShopProduct = z.object({
  ...outputShape(PRODUCT_FIELDS, 'row'),
  discountBasisPoints: z.number(),
  /** What beside the discount decides this buyer's price now. */
  conditions: Conditions,
  /** Of GET /api/files/{id}. */
  pictureId: z.string().nullable(),
})

export const ProductRow = ShopProduct.extend({
  ...outputShape(PRODUCT_FIELDS, 'details'),
  revision: z.number(),
})

const CartLine = ShopProduct.omit({ id: true, description: true }).extend({
  productId: z.number(),
  enabled: z.boolean(),
  quantity: z.number(),
})

export const HardwareOrderRow = z.object({
  ...outputShape(HARDWARE_ORDER_FIELDS, 'row'),
  lines: z.array(
    z.object({
      productName: z.string(),
      unitCents: z.number(),
      quantity: z.number(),
      totalCents: z.number(),
      /** The name of the offer that applied. */
      offer: z.string(),
    }),
  ),
  /** Hardware is paid with the agent's balance. */
  payMethod: z.literal('balance'),
  createdByName: z.string(),
  paidAt: z.string().nullable(),
  receivedAt: z.string().nullable(),
  returnedAt: z.string().nullable(),
})

const Stepped = z.object({ orderNo: z.string(), deliveryStatus })
const stepErrors = errorsOf(STEP_REFUSALS)
const productErrors = errorsOf({ ...PRODUCT_REFUSALS, ...ASKED_REFUSALS })

export const hardware = {
  /** What can be ordered, in the vendor's order. */
  products: op(
    { permission: 'hardware.shop' },
    { method: 'GET', path: '/hardware/products', summary: 'Products on sale' },
  )
    .input(z.object(listInput(SHOP)))
    .output(pageOf(ShopProduct)),
  /** The cart of the signed-in account, the balance it would be paid from, and where the agent's last order went. */
  cart: op(
    { permission: 'hardware.shop' },
    { method: 'GET', path: '/hardware/cart', summary: 'Cart of the signed-in account' },
  ).output(
    z.object({
      rows: z.array(CartLine),
      balanceCents: z.number(),
      lastDelivery: z
        .object({
          contactName: z.string(),
          contactPhone: z.string(),
          districtCode: z.string(),
          address: z.string(),
        })
        .nullable(),
    }),
  ),
  /** Sets how many pieces of a product the cart holds; 0 takes it out. */
  setCartLine: op(
    {
      unshown: 'the cart is read again after the last of several changes',
      permission: 'hardware.shop',
      log: '修改硬件购物车',
    },
    { method: 'PUT', path: '/hardware/cart/{productId}', summary: 'Set the quantity of a product' },
  )
    .errors(errorsOf(ORDER_REFUSALS))
    .input(z.object({ productId: whole(1), quantity: z.number() }))
    .output(z.object({ productId: z.number(), quantity: z.number() })),
  /** Orders and pays in one step. `totalCents` is what the page showed; the server prices again. */
  order: op(
    { permission: 'hardware.shop', log: '订购硬件', idempotent: true, stale: ['hardware', 'ledger'] },
    { method: 'POST', path: '/hardware/orders', summary: 'Order hardware, paid with tokens' },
  )
    .errors(errorsOf({ ...ORDER_REFUSALS, ...LEDGER_REFUSALS }))
    .input(
      z.object({
        lines: z.array(z.object({ productId: whole(1), quantity: z.number() })).max(100),
        totalCents: z.number().int(),
        ...meantShape(DELIVERY),
        merchantId: whole(1).nullable().default(null),
      }),
    )
    .output(z.object({ orderNo: z.string(), totalCents: z.number(), balanceAfterCents: z.number() })),
  orders: op(
    { permission: 'hardware.orders', mayLag: true },
    { method: 'GET', path: '/hardware/orders', summary: 'Hardware orders; of all agents for vendor staff' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(HARDWARE_ORDERS)))
    .output(
      /** Sums cover all that is filtered, up to the same number of orders as `total`. */
      pageOf(HardwareOrderRow).extend({
        sumCents: z.number(),
        /** Of returned and cancelled orders. */
        returnedCents: z.number(),
        shopsCapped: z.boolean(),
      }),
    ),
  ship: op(
    { permission: 'hardware.ship', log: '硬件发货', stale: ['hardware', 'orderDetails'] },
    { method: 'POST', path: '/hardware/orders/{orderNo}/ship', summary: 'Record the shipment' },
  )
    .errors(stepErrors)
    .input(z.object({ orderNo, ...meantShape(SHIPMENT) }))
    .output(Stepped),
  receive: op(
    { permission: 'hardware.receive', log: '硬件确认收货', stale: ['hardware', 'orderDetails'] },
    { method: 'POST', path: '/hardware/orders/{orderNo}/receive', summary: 'Confirm that the goods arrived' },
  )
    .errors(stepErrors)
    .input(z.object({ orderNo }))
    .output(Stepped),
  /** Takes back an order that has not been sent: stock and tokens return. */
  cancel: op(
    {
      permission: 'hardware.shop',
      log: '取消硬件订单',
      idempotent: true,
      stale: ['hardware', 'orderDetails', 'ledger'],
    },
    { method: 'POST', path: '/hardware/orders/{orderNo}/cancel', summary: 'Cancel before shipping' },
  )
    .errors(errorsOf({ ...STEP_REFUSALS, ...LEDGER_REFUSALS }))
    .input(z.object({ orderNo, ...meantShape(fieldsNamed(TAKE_BACK, 'reason')) }))
    .output(Stepped.extend({ tokensBackCents: z.number() })),
  /** Takes back what was sent or received: tokens return, and sound goods to the stock. */
  returnOrder: op(
    {
      permission: 'hardware.ship',
      log: '硬件退货',
      stepUp: true,
      idempotent: true,
      stale: ['hardware', 'orderDetails', 'ledger'],
    },
    { method: 'POST', path: '/hardware/orders/{orderNo}/return', summary: 'Carry out a return' },
  )
    .errors(errorsOf({ ...STEP_REFUSALS, ...LEDGER_REFUSALS }))
    .input(z.object({ orderNo, ...meantShape(TAKE_BACK) }))
    .output(Stepped.extend({ tokensBackCents: z.number() })),
  complete: op(
    { permission: 'hardware.ship', log: '硬件交易完成', stale: ['hardware', 'orderDetails'] },
    { method: 'POST', path: '/hardware/orders/{orderNo}/complete', summary: 'Close a received order' },
  )
    .errors(stepErrors)
    .input(z.object({ orderNo }))
    .output(Stepped),
  catalogue: op(
    { permission: 'hardware.manage' },
    { method: 'GET', path: '/hardware/catalogue', summary: 'All products, also those not on sale' },
  )
    .input(z.object(listInput(CATALOGUE)))
    .output(pageOf(ProductRow)),
  addProduct: op(
    { permission: 'hardware.manage', log: '新增硬件商品', stale: ['hardware'] },
    { method: 'POST', path: '/hardware/catalogue', summary: 'Add a product' },
  )
    .errors(productErrors)
    .input(z.object({ ...meantShape(NEW_PRODUCT), answered }))
    .output(z.object({ id: z.number() })),
  /** Everything but the stock, which orders change meanwhile. */
  editProduct: op(
    { permission: 'hardware.manage', log: '编辑硬件商品', stale: ['hardware'] },
    { method: 'PUT', path: '/hardware/catalogue/{id}', summary: 'Edit a product' },
  )
    .errors(productErrors)
    .input(z.object({ ...meantShape(PRODUCT), id: whole(1), revision: z.number().int(), answered }))
    .output(z.object({ id: z.number(), revision: z.number() })),
  /** Adds or takes pieces. Refused (STOCK_MOVED) when the stock is no longer `stockBefore`. */
  adjustStock: op(
    { permission: 'hardware.manage', log: '调整硬件库存', stale: ['hardware'] },
    { method: 'POST', path: '/hardware/catalogue/{id}/stock', summary: 'Adjust the stock of a product' },
  )
    .errors(productErrors)
    .input(z.object({ id: whole(1), stockBefore: z.number(), ...meantShape(STOCK_TAKING) }))
    .output(z.object({ id: z.number(), stock: z.number() })),
}

export const hardwareDownloads = { orders: fileOf(HARDWARE_ORDERS) }

export type ProductRow = Out<typeof hardware.catalogue>['rows'][number]

export type OrderRow = Out<typeof hardware.orders>['rows'][number]
