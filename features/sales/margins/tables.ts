import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { versions } from '#features/shops/versions/tables.ts'
import { id, instant, whole } from '#server/columns.ts'

/**
 * What an agent charges its shops, in fen, from `createdAt` until `endedAt`, so that an order keeps the price of its time. Seen by
 * that agent alone: its policy lets the vendor's staff see none.
 */
export const sellingPrices = pgTable(
  'selling_prices',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    versionId: integer('version_id')
      .notNull()
      .references(() => versions.id),
    /** Null: all shops without a price of their own. */
    merchantId: whole('merchant_id'),
    yearFen: whole('year_fen'),
    monthFen: whole('month_fen'),
    lifetimeFen: whole('lifetime_fen'),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    // No field: only those that stand are listed.
    endedAt: instant('ended_at'),
  },
  table => [
    uniqueIndex('selling_prices_now')
      .on(table.agentId, table.versionId, sql`coalesce(merchant_id, 0)`)
      .where(sql`ended_at is null`),
    index('selling_prices_agent_id').on(table.agentId, table.versionId, table.merchantId, table.createdAt),
  ],
)
