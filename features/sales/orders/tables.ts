import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { PayMethod } from '#features/money/ledger/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { Term } from '#features/shops/versions/rules.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { OrderStatus, SalesType } from './rules.ts'

export const versionOrders = pgTable(
  'version_orders',
  {
    id: id(),
    orderNo: text('order_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    merchantId: whole('merchant_id'),
    salesType: text('sales_type').$type<SalesType>().notNull(),
    status: text('status').$type<OrderStatus>().notNull(),
    // No field: shown as its content.
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    // No field: shown as its content.
    term: text('term').$type<Term>().notNull(),
    // No field: shown as its content.
    periods: integer('periods').notNull(),
    // No field: shown as its content.
    shops: integer('shops').notNull(),
    // No field: shown as its content.
    branches: integer('branches').notNull(),
    // No field: shown as its content.
    unit: text('unit').notNull(),
    // No field: shown as its content.
    unitCents: whole('unit_cents').notNull(),
    originalCents: whole('original_cents').notNull(),
    discountBasisPoints: integer('discount_basis_points').notNull(),
    /** The name of the offer that applied. */
    offer: text('offer').notNull().default(''),
    totalCents: whole('total_cents').notNull(),
    content: text('content').notNull(),
    payMethod: text('pay_method').$type<PayMethod>().notNull(),
    /** IsAddShop of the documents (D2 §9); null for a shop's first version. */
    // No field: shown as its content.
    purchaseCode: integer('purchase_code'),
    /** Orders bought together by a bulk renewal. */
    // No field: shown as its content.
    batchNo: text('batch_no'),
    remark: text('remark').notNull().default(''),
    /** In fen: what the shop itself paid its agent online for it; null: nothing of that is known. */
    // No field: shown as sellingFen of its margin.
    shopPaidFen: whole('shop_paid_fen'),
    /** In fen: the agent's own price of it when it was paid; null: none was set. Kept by triggers, also where a price is set later for then. */
    // No field: shown as sellingFen of its margin.
    sellingFen: whole('selling_fen'),
    /** What the confirm will create or change; emptied once it is done. */
    // No field: what its confirm needs.
    draft: jsonb('draft'),
    createdBy: whole('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    paidAt: instant('paid_at'),
    undoneAt: instant('undone_at'),
    undoneBy: whole('undone_by'),
    undoneByName: text('undone_by_name').notNull().default(''),
    undoneReason: text('undone_reason').notNull().default(''),
  },
  table => [
    uniqueIndex('version_orders_order_no').on(table.orderNo),
    index('version_orders_merchant_id').on(table.merchantId, table.id),
    index('version_orders_batch_no').on(table.batchNo),
    index('version_orders_status').on(table.status, table.createdAt),
    index('version_orders_quoted')
      .on(table.agentId, table.createdBy, table.createdAt)
      .where(sql`status = 'quoted'`),
  ],
)

/** What a paid order changed at each shop, so that its undo can take it back. */
// In no list: lines of what is shown whole.
export const versionOrderEffects = pgTable(
  'version_order_effects',
  {
    id: id(),
    orderId: whole('order_id')
      .notNull()
      .references(() => versionOrders.id),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id').notNull(),
    versionBefore: integer('version_before').notNull(),
    versionAfter: integer('version_after').notNull(),
    /** Null: permanent. */
    expiresBefore: instant('expires_before'),
    expiresAfter: instant('expires_after'),
    termDayBefore: integer('term_day_before'),
    termDayAfter: integer('term_day_after'),
    shopsBefore: integer('shops_before').notNull(),
    shopsAfter: integer('shops_after').notNull(),
  },
  table => [
    index('version_order_effects_order_id').on(table.orderId),
    index('version_order_effects_merchant_id').on(table.merchantId, table.id),
    index('version_order_effects_expires').on(table.agentId, table.expiresBefore),
  ],
)
