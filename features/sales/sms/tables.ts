import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { PayMethod } from '#features/money/ledger/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { SmsOrderKind, StoredSmsStatus } from './rules.ts'

/** Packages on offer; prices are in the book `sms`. */
// In no list: choices, by name.
export const smsPackages = pgTable('sms_packages', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  pieces: integer('pieces').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  position: integer('position').notNull(),
  revision: integer('revision').notNull().default(1),
})

/** Packages that agents buy from outside; prices are in the book `recharge`. */
// In no list: settings, in their own dialogs.
export const smsRechargePackages = pgTable('sms_recharge_packages', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  pieces: integer('pieces').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  position: integer('position').notNull(),
  revision: integer('revision').notNull().default(1),
})

export const smsOrders = pgTable(
  'sms_orders',
  {
    id: id(),
    orderNo: text('order_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    /** Null: the agent's own credit. */
    merchantId: whole('merchant_id').references(() => merchants.id),
    kind: text('kind').$type<SmsOrderKind>().notNull(),
    packageId: integer('package_id').references(() => smsPackages.id),
    /** Of a recharge; null: a number that was typed. */
    // No field: shown as its name and price.
    rechargePackageId: integer('recharge_package_id').references(() => smsRechargePackages.id),
    name: text('name').notNull(),
    /** With those that are given. */
    pieces: integer('pieces').notNull(),
    // No field: a fact of the details.
    bonusPieces: integer('bonus_pieces').notNull().default(0),
    // No field: shown as its name and price.
    originalCents: whole('original_cents').notNull(),
    discountBasisPoints: integer('discount_basis_points').notNull(),
    /** The name of the offer that applied. */
    offer: text('offer').notNull().default(''),
    totalCents: whole('total_cents').notNull(),
    payMethod: text('pay_method').$type<PayMethod>().notNull(),
    status: text('status').$type<StoredSmsStatus>().notNull(),
    /** The credit of the shop, or of the agent where there is no shop, around the order, in pieces; null until it is paid. */
    smsBefore: whole('sms_before'),
    smsAfter: whole('sms_after'),
    remark: text('remark').notNull().default(''),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    paidAt: instant('paid_at'),
    undoneAt: instant('undone_at'),
    undoneBy: whole('undone_by'),
    undoneByName: text('undone_by_name').notNull().default(''),
    undoneReason: text('undone_reason').notNull().default(''),
    /** When credit was taken away again, by a recall or by undoing this order, and the shop's credit around it. */
    changedAt: instant('changed_at'),
    changeBefore: whole('change_before'),
    changeAfter: whole('change_after'),
  },
  table => [
    uniqueIndex('sms_orders_order_no').on(table.orderNo),
    index('sms_orders_agent_id').on(table.agentId, table.createdAt, table.id),
    index('sms_orders_created_at').on(table.createdAt, table.id),
    index('sms_orders_changed').on(table.changedAt, table.id).where(sql`changed_at is not null`),
    index('sms_orders_agent_changed')
      .on(table.agentId, table.changedAt, table.id)
      .where(sql`changed_at is not null`),
    index('sms_orders_merchant_id').on(table.merchantId, table.id),
  ],
)
