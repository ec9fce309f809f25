import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { DeliveryStatus, ReturnCondition } from './rules.ts'

export const hardwareProducts = pgTable(
  'hardware_products',
  {
    id: id(),
    name: text('name').notNull(),
    model: text('model').notNull().default(''),
    description: text('description').notNull().default(''),
    stock: integer('stock').notNull(),
    pictureId: uuid('picture_id').references(() => files.id),
    enabled: boolean('enabled').notNull().default(true),
    position: integer('position').notNull().default(0),
    revision: integer('revision').notNull().default(1),
    createdAt: instant('created_at').notNull(),
  },
  table => [check('hardware_products_stock_never_negative', sql`${table.stock} >= 0`)],
)

// In no list: lines of what is shown whole.
export const hardwareCartLines = pgTable(
  'hardware_cart_lines',
  {
    accountId: whole('account_id')
      .notNull()
      .references(() => accounts.id),
    agentId: whole('agent_id').notNull(),
    productId: whole('product_id')
      .notNull()
      .references(() => hardwareProducts.id),
    quantity: integer('quantity').notNull(),
  },
  table => [primaryKey({ columns: [table.accountId, table.productId] })],
)

export const hardwareOrders = pgTable(
  'hardware_orders',
  {
    id: id(),
    orderNo: text('order_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    /** For which of the agent's shops; null: for none in particular. */
    merchantId: whole('merchant_id').references(() => merchants.id),
    contactName: text('contact_name').notNull(),
    contactPhone: text('contact_phone').notNull(),
    districtCode: text('district_code').notNull(),
    address: text('address').notNull(),
    totalCents: whole('total_cents').notNull(),
    deliveryStatus: text('delivery_status').$type<DeliveryStatus>().notNull(),
    carrier: text('carrier').notNull().default(''),
    trackingNo: text('tracking_no').notNull().default(''),
    remark: text('remark').notNull().default(''),
    returnReason: text('return_reason').notNull().default(''),
    /** Null until goods came back. */
    returnCondition: text('return_condition').$type<ReturnCondition>(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: steps of the details.
    paidAt: instant('paid_at'),
    shippedAt: instant('shipped_at'),
    // No field: steps of the details.
    receivedAt: instant('received_at'),
    // No field: steps of the details.
    returnedAt: instant('returned_at'),
    finishedAt: instant('finished_at'),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(contact_name || chr(31) || contact_phone)`),
  },
  table => [
    uniqueIndex('hardware_orders_order_no').on(table.orderNo),
    index('hardware_orders_merchant_id').on(table.merchantId, table.id),
  ],
)

// In no list: lines of what is shown whole.
export const hardwareOrderLines = pgTable(
  'hardware_order_lines',
  {
    id: id(),
    orderId: whole('order_id')
      .notNull()
      .references(() => hardwareOrders.id),
    agentId: whole('agent_id').notNull(),
    productId: whole('product_id')
      .notNull()
      .references(() => hardwareProducts.id),
    productName: text('product_name').notNull(),
    unitCents: whole('unit_cents').notNull(),
    quantity: integer('quantity').notNull(),
    totalCents: whole('total_cents').notNull(),
    discountBasisPoints: integer('discount_basis_points').notNull().default(10_000),
    /** The name of the offer that applied. */
    offer: text('offer').notNull().default(''),
  },
  table => [
    index('hardware_order_lines_order_id').on(table.orderId),
    check('hardware_order_lines_quantity', sql`${table.quantity} > 0`),
  ],
)
