import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/agents/tables.ts'
import type { PayMethod } from '#features/ledger/rules.ts'
import type { Term } from '#features/versions/rules.ts'
import { versions } from '#features/versions/tables.ts'
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
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    term: text('term').$type<Term>().notNull(),
    periods: integer('periods').notNull(),
    shops: integer('shops').notNull(),
    branches: integer('branches').notNull(),
    unit: text('unit').notNull(),
    unitCents: whole('unit_cents').notNull(),
    originalCents: whole('original_cents').notNull(),
    discountBasisPoints: integer('discount_basis_points').notNull(),
    totalCents: whole('total_cents').notNull(),
    content: text('content').notNull(),
    payMethod: text('pay_method').$type<PayMethod>().notNull(),
    remark: text('remark').notNull().default(''),
    /** What the confirm will create or change; emptied once it is done. */
    draft: jsonb('draft'),
    createdBy: whole('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    paidAt: instant('paid_at'),
  },
  table => [
    uniqueIndex('version_orders_order_no').on(table.orderNo),
    index('version_orders_agent_id').on(table.agentId, table.createdAt.desc(), table.id.desc()),
    index('version_orders_merchant_id').on(table.merchantId),
    index('version_orders_status').on(table.status, table.createdAt),
  ],
)
