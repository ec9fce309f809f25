import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { PayMethod } from '#features/money/ledger/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { ServiceOrderState, ServiceUnit } from './rules.ts'

/** The catalogue (D1 §3 value-added service); a child belongs to the group of its parent. Prices are in the book `service`. */
// In no list: choices, by name.
export const services = pgTable('services', {
  id: integer('id').primaryKey(),
  parentId: integer('parent_id'),
  code: text('code').notNull(),
  name: text('name').notNull(),
  remark: text('remark').notNull().default(''),
  unit: text('unit').$type<ServiceUnit>().notNull(),
  /** Not sold to branches, as operator seats are (D1 §6). */
  headOnly: boolean('head_only').notNull().default(false),
  /** False: retired. It is sold to nobody who does not have it. */
  enabled: boolean('enabled').notNull().default(true),
  /** Of a retired yearly one: whether shops that have it may go on renewing it, and until when; null: without end. */
  renewable: boolean('renewable').notNull().default(true),
  renewUntil: instant('renew_until'),
  position: integer('position').notNull(),
  revision: integer('revision').notNull().default(1),
})

/** What a shop holds of a service. */
// In no list: lines of what is shown whole.
export const merchantServices = pgTable(
  'merchant_services',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    serviceId: integer('service_id')
      .notNull()
      .references(() => services.id),
    quantity: integer('quantity').notNull(),
    /** Null: does not end. */
    expiresAt: instant('expires_at'),
    /** The day of the month that its years keep, as the 29th of February; null: that of its end. */
    termDay: integer('term_day'),
  },
  table => [
    uniqueIndex('merchant_services_merchant_service').on(table.merchantId, table.serviceId),
    index('merchant_services_service_id').on(table.serviceId, table.agentId, table.expiresAt),
  ],
)

export const serviceOrders = pgTable(
  'service_orders',
  {
    id: id(),
    orderNo: text('order_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    merchantId: whole('merchant_id')
      .notNull()
      .references(() => merchants.id),
    // No field: shown as serviceName and its price.
    serviceId: integer('service_id')
      .notNull()
      .references(() => services.id),
    serviceName: text('service_name').notNull(),
    unitCents: whole('unit_cents').notNull(),
    quantity: integer('quantity').notNull(),
    // No field: shown as serviceName and its price.
    originalCents: whole('original_cents').notNull(),
    discountBasisPoints: integer('discount_basis_points').notNull(),
    /** The name of the offer that applied. */
    offer: text('offer').notNull().default(''),
    totalCents: whole('total_cents').notNull(),
    payMethod: text('pay_method').$type<PayMethod>().notNull(),
    state: text('state').$type<ServiceOrderState>().notNull(),
    remark: text('remark').notNull().default(''),
    // No field: what an undo restores.
    quantityBefore: integer('quantity_before').notNull(),
    // No field: what an undo restores.
    expiresBefore: instant('expires_before'),
    // No field: what an undo restores.
    termDayBefore: integer('term_day_before'),
    // No field: what an undo restores.
    expiresAfter: instant('expires_after'),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    paidAt: instant('paid_at'),
    undoneAt: instant('undone_at'),
    undoneBy: whole('undone_by'),
    undoneByName: text('undone_by_name').notNull().default(''),
    undoneReason: text('undone_reason').notNull().default(''),
  },
  table => [
    uniqueIndex('service_orders_order_no').on(table.orderNo),
    index('service_orders_agent_id').on(table.agentId, table.createdAt, table.id),
    index('service_orders_created_at').on(table.createdAt, table.id),
    index('service_orders_merchant_id').on(table.merchantId, table.id),
  ],
)
